// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/carrying_columns.h"

#include <algorithm>
#include <limits>

#include "tippe/core/least_squares.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDependentColumn = 1e-9;  // of columns of length 1

MatrixXd pick(const MatrixXd& A, const std::vector<int>& columns) {
  MatrixXd picked(A.rows(), static_cast<Index>(columns.size()));
  for (size_t k = 0; k < columns.size(); ++k) picked.col(static_cast<Index>(k)) = A.col(columns[k]);
  return picked;
}

/// Adds columns to an orthonormal basis as long as they are independent of it.
class Basis {
 public:
  explicit Basis(Index rows) : Q_(rows, 0) {}
  bool add(VectorXd column) {
    for (int twice = 0; twice < 2; ++twice) {
      if (Q_.cols() > 0) column -= Q_ * (Q_.transpose() * column);
    }
    const double rest = column.norm();
    if (!(rest > kDependentColumn)) return false;
    Q_.conservativeResize(Eigen::NoChange, Q_.cols() + 1);
    Q_.col(Q_.cols() - 1) = column / rest;
    return true;
  }

 private:
  MatrixXd Q_;
};

}  // namespace

std::vector<int> choose_carrying_columns(const MatrixXd& A_given, const VectorXd& b, const std::vector<bool>& free) {
  MatrixXd A = A_given;
  for (Index c = 0; c < A.cols(); ++c) {
    const double length = A.col(c).norm();
    if (length > 0.0) A.col(c) /= length;
  }
  std::vector<int> used;
  Basis free_basis(A.rows());
  for (int c = 0; c < static_cast<int>(A.cols()); ++c) {
    if (free[static_cast<size_t>(c)] && free_basis.add(A.col(c))) used.push_back(c);
  }
  const size_t free_count = used.size();
  VectorXd x = used.empty() ? VectorXd() : LeastSquares(pick(A, used)).solve(b);
  const double enough = 1e-12 * std::max(b.norm(), std::numeric_limits<double>::min());
  const int most_changes = 10 * static_cast<int>(A.cols()) + 10;
  for (int change = 0; change < most_changes; ++change) {
    const VectorXd rest = used.empty() ? b : VectorXd(b - pick(A, used) * x);
    int entering = -1;
    double steepest = enough;
    for (int c = 0; c < static_cast<int>(A.cols()); ++c) {
      if (free[static_cast<size_t>(c)] || std::find(used.begin(), used.end(), c) != used.end()) continue;
      const double slope = A.col(c).dot(rest);
      if (slope <= steepest) continue;
      steepest = slope;
      entering = c;
    }
    if (entering < 0) break;
    used.push_back(entering);
    x.conservativeResize(static_cast<Index>(used.size()));
    x[x.size() - 1] = 0.0;
    while (true) {
      const VectorXd target = LeastSquares(pick(A, used)).solve(b);
      double step = 1.0;
      size_t leaving = used.size();
      for (size_t k = free_count; k < used.size(); ++k) {
        const auto i = static_cast<Index>(k);
        if (target[i] > 0.0) continue;
        const double reach = x[i] / (x[i] - target[i]);
        if (leaving == used.size() || reach < step) {
          step = reach;
          leaving = k;
        }
      }
      if (leaving == used.size()) {
        x = target;
        break;
      }
      x += step * (target - x);
      used.erase(used.begin() + static_cast<std::ptrdiff_t>(leaving));
      VectorXd shorter(static_cast<Index>(used.size()));
      for (Index i = 0, k = 0; i < x.size(); ++i) {
        if (i != static_cast<Index>(leaving)) shorter[k++] = x[i];
      }
      x = shorter;
      if (used.size() == free_count) {
        x = used.empty() ? VectorXd() : LeastSquares(pick(A, used)).solve(b);
        break;
      }
    }
  }
  // A vertex with zeros: any columns that complete the basis.
  Basis basis(A.rows());
  std::vector<int> chosen;
  for (const int c : used) {
    if (basis.add(A.col(c))) chosen.push_back(c);
  }
  for (int c = 0; c < static_cast<int>(A.cols()) && static_cast<Index>(chosen.size()) < A.rows(); ++c) {
    if (std::find(chosen.begin(), chosen.end(), c) == chosen.end() && basis.add(A.col(c))) chosen.push_back(c);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace tippe
