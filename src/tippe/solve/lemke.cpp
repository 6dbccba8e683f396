// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/dense_lu.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Entries of inverse * a are zero, and values equal, up to these multiples of |inverse| |a|, which bounds their round-off.
constexpr double kSmallestRatioPivot = 1e-11;
constexpr double kTie = 1e-13;
constexpr double kInverse = 1e-13;  // entries of the inverse are exact up to this multiple of the largest one in their row
constexpr double kLexicographicTie = 1e-10;  // of ratios of entries of the inverse, which lose digits with every pivot
constexpr int kRefactorEvery = 20;           // pivots between two inversions of the basis

/// The basis of I w - M z - d z0 = q with its explicit inverse, whose rows the lexicographic rule needs.
class Basis {
 public:
  Basis(const MatrixXd& M, const VectorXd& q, const VectorXd& d)
      : M_(M), q_(q), d_(d), n_(static_cast<int>(q.size())), variable_(static_cast<size_t>(n_)) {
    inverse_ = MatrixXd::Identity(n_, n_);
    x_ = q;
    for (int i = 0; i < n_; ++i) variable_[static_cast<size_t>(i)] = i;
  }

  // Variables: w_i is i, z_i is n + i, z0 is 2n.
  [[nodiscard]] int z0() const { return 2 * n_; }
  [[nodiscard]] int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  [[nodiscard]] int variable(int row) const { return variable_[static_cast<size_t>(row)]; }
  [[nodiscard]] const VectorXd& values() const { return x_; }

  /// The change y of the basic values, with opposite sign, when `entering` grows; zero where it is round-off.
  [[nodiscard]] VectorXd direction(int entering) const {
    const VectorXd a = column(entering);
    const VectorXd y = inverse_ * a;
    // The product loses digits, and so did the updates of the inverse, whose zeros are small numbers.
    const VectorXd round_off = kSmallestRatioPivot * (inverse_.cwiseAbs() * a.cwiseAbs());
    const VectorXd inexact = kInverse * a.cwiseAbs().maxCoeff() * inverse_.cwiseAbs().rowwise().maxCoeff();
    return (y.array().abs() > round_off.cwiseMax(inexact).array()).select(y, 0.0);
  }

  /// The row whose (x_i, inverse_i) / y_i is lexicographically smallest among y_i > 0; -1 if there is none. z0 wins ties.
  [[nodiscard]] int leaving_row(const VectorXd& y) const {
    const VectorXd tie = kTie * (inverse_.cwiseAbs() * q_.cwiseAbs());
    double bound = std::numeric_limits<double>::infinity();
    for (int i = 0; i < n_; ++i) {
      if (y[i] > 0.0) bound = std::min(bound, (value(i) + tie[i]) / y[i]);
    }
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      if (!(y[i] > 0.0) || (value(i) - tie[i]) / y[i] > bound) continue;
      if (variable(i) == z0()) return i;
      if (best < 0 || lexicographically_smaller(i, best, y)) best = i;
    }
    return best;
  }

  /// False if the basis becomes numerically singular.
  bool exchange(int row, int entering, const VectorXd& y) {
    const double step = x_[row] / y[row];
    x_ -= step * y;
    x_[row] = step;
    const Eigen::RowVectorXd pivot_row = inverse_.row(row) / y[row];
    inverse_.noalias() -= y * pivot_row;
    inverse_.row(row) = pivot_row;
    variable_[static_cast<size_t>(row)] = entering;
    started_ = true;
    if (++since_factor_ < kRefactorEvery) return true;
    return refactor();
  }

  bool refactor() {
    since_factor_ = 0;
    MatrixXd B(n_, n_);
    for (int i = 0; i < n_; ++i) B.col(i) = column(variable(i));
    DenseLU factor(n_);
    factor.factorize(B);
    inverse_ = factor.inverse();
    factor.solve(q_, x_);
    return inverse_.allFinite() && x_.allFinite();
  }

 private:
  /// Basic values are not negative once z0 is basic, up to round-off.
  [[nodiscard]] double value(int row) const { return started_ ? std::max(0.0, x_[row]) : x_[row]; }

  [[nodiscard]] VectorXd column(int variable) const {
    if (variable < n_) return VectorXd::Unit(n_, variable);
    return variable == z0() ? VectorXd(-d_) : VectorXd(-M_.col(variable - n_));
  }

  [[nodiscard]] bool lexicographically_smaller(int i, int j, const VectorXd& y) const {
    for (int c = 0; c < n_; ++c) {
      const double a = inverse_(i, c) / y[i], b = inverse_(j, c) / y[j];
      if (std::abs(a - b) > kLexicographicTie * std::max({1.0, std::abs(a), std::abs(b)})) return a < b;
    }
    return y[i] > y[j];
  }

  const MatrixXd& M_;
  const VectorXd& q_;
  const VectorXd& d_;
  int n_;
  std::vector<int> variable_;  // basic variable of each row
  MatrixXd inverse_;
  VectorXd x_;
  bool started_ = false;
  int since_factor_ = 0;
};

/// Fills z, w and z_basic from values of the basic variables.
void read_off(const Basis& basis, const VectorXd& x, LemkeResult& result) {
  const int n = static_cast<int>(x.size());
  result.z = result.w = VectorXd::Zero(n);
  result.z_basic.assign(static_cast<size_t>(n), false);
  for (int i = 0; i < n; ++i) {
    const int variable = basis.variable(i);
    if (variable < n) result.w[variable] = x[i];
    if (variable >= n && variable < 2 * n) {
      result.z[variable - n] = x[i];
      result.z_basic[static_cast<size_t>(variable - n)] = true;
    }
  }
}

}  // namespace

LemkeResult solve_by_lemke(const MatrixXd& M, const VectorXd& q, const VectorXd& d, int max_pivots) {
  LemkeResult result;
  Basis basis(M, q, d);
  if (q.size() == 0 || q.minCoeff() >= 0.0) {
    read_off(basis, q, result);
    result.outcome = LemkeOutcome::kSolution;
    return result;
  }
  // z0 starts so large that all w are nonnegative.
  int row = basis.leaving_row(d);
  int entering = basis.z0();
  VectorXd y = -d;
  while (true) {
    const int leaving = basis.variable(row);
    ++result.pivots;
    if (!basis.exchange(row, entering, y)) {
      result.outcome = LemkeOutcome::kFailed;
      break;
    }
    if (leaving == basis.z0()) {
      result.outcome = basis.refactor() ? LemkeOutcome::kSolution : LemkeOutcome::kFailed;
      break;
    }
    if (result.pivots >= max_pivots) break;
    entering = basis.complement(leaving);
    y = basis.direction(entering);
    row = basis.leaving_row(y);
    if (row < 0) {
      result.outcome = LemkeOutcome::kRay;
      read_off(basis, -y, result);
      const auto n = q.size();
      (entering < n ? result.w[entering] : result.z[entering - n]) = 1.0;
      return result;
    }
  }
  read_off(basis, basis.values(), result);
  return result;
}

}  // namespace tippe
