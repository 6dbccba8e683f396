// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/simplex.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tippe/core/dense_lu.h"
#include "tippe/core/largest.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kReducedCost = 1e-11;        // relative to the terms it consists of: smaller ones are zero
constexpr double kSmallestBasisPivot = 1e-9;  // relative to the largest entry of its column
constexpr double kFeasibility = 1e-12;        // how far a basic variable may pass zero for the sake of a larger pivot
constexpr int kPivotsBetweenRefresh = 200;
constexpr int kStallBeforeBland = 40;  // pivots without progress

}  // namespace

Simplex::Simplex(MatrixXd D, VectorXd b, std::vector<int> basis, VectorXd column_size)
    : D_(std::move(D)), b_(std::move(b)), basis_(std::move(basis)), column_size_(std::move(column_size)) {
  D_.conservativeResize(b_.size(), D_.cols() + 1);
  D_.rightCols<1>().setZero();
  column_size_.conservativeResize(D_.cols());
  column_size_[D_.cols() - 1] = 1.0;
  basic_.assign(static_cast<size_t>(D_.cols()), false);
  for (const int column : basis_) basic_[static_cast<size_t>(column)] = true;
  basis_matrix_.resize(b_.size(), b_.size());
  y_ = VectorXd::Zero(b_.size());
  refresh();
}

void Simplex::refresh() {
  for (Index i = 0; i < b_.size(); ++i) basis_matrix_.col(i) = D_.col(basis_[static_cast<size_t>(i)]);
  if (b_.size() > 0) {
    DenseLU lu;
    lu.factorize(basis_matrix_);
    inverse_ = lu.inverse();
  } else {
    inverse_.resize(0, 0);
  }
  x_B_ = inverse_ * b_;
  x_B_ += inverse_ * (b_ - basis_matrix_ * x_B_);
  pivots_since_refresh_ = 0;
}

double Simplex::make_feasible() {
  const Index artificial = D_.cols() - 1;
  Index most_negative = 0;
  if (b_.size() == 0 || x_B_.minCoeff(&most_negative) >= -kFeasibility) return 0.0;
  // The artificial variable lifts all negative basic variables alike; entering for the most negative one it makes all feasible.
  const VectorXd lift = (x_B_.array() < 0.0).cast<double>();
  D_.col(artificial) = -basis_matrix_ * lift;
  entering_ = static_cast<int>(artificial);
  alpha_ = -lift;
  pivot(static_cast<int>(most_negative));
  const VectorXd cost = VectorXd::Unit(D_.cols(), artificial);
  const Outcome outcome = minimize(cost, cost);
  if (outcome != Outcome::kOptimal) return std::numeric_limits<double>::quiet_NaN();
  if (!basic_[static_cast<size_t>(artificial)]) {
    D_.col(artificial).setZero();
    return 0.0;
  }
  const auto row = std::find(basis_.begin(), basis_.end(), static_cast<int>(artificial)) - basis_.begin();
  const double rest = std::max(0.0, x_B_[row]);
  const VectorXd proof = y_;
  remove_artificial();
  y_ = proof;
  return rest;
}

/// Exchanges it for the column with the largest pivot in its row; there is one, since the rows are independent.
void Simplex::remove_artificial() {
  const int artificial = static_cast<int>(D_.cols()) - 1;
  const auto row = static_cast<int>(std::find(basis_.begin(), basis_.end(), artificial) - basis_.begin());
  row_ = D_.transpose() * inverse_.row(row).transpose();
  row_[artificial] = 0.0;
  for (const int column : basis_) row_[column] = 0.0;
  Index best = 0;
  row_.cwiseAbs().maxCoeff(&best);
  entering_ = static_cast<int>(best);
  alpha_ = inverse_ * D_.col(best);
  pivot(row);
  D_.col(artificial).setZero();
  refresh();
}

Simplex::Outcome Simplex::minimize(const VectorXd& cost, const VectorXd& cost_size) {
  const int limit = pivots_ + 1000 + 50 * static_cast<int>(D_.rows() + D_.cols());
  int stalled = 0;
  while (pivots_ < limit) {
    if (pivots_since_refresh_ >= kPivotsBetweenRefresh) refresh();
    price(cost);
    const bool bland = stalled > kStallBeforeBland;
    entering_ = choose_entering(bland, cost_size);
    if (entering_ < 0) return Outcome::kOptimal;
    alpha_.noalias() = inverse_ * D_.col(entering_);
    const int row = choose_leaving(bland);
    if (row < 0) return Outcome::kUnbounded;
    const double progress = std::max(0.0, x_B_[row]) / alpha_[row] * -reduced_[entering_];
    stalled = progress > kFeasibility ? 0 : stalled + 1;
    pivot(row);
  }
  return Outcome::kPivotLimit;
}

void Simplex::price(const VectorXd& cost) {
  VectorXd& cost_B = row_;
  cost_B.resize(b_.size());
  const auto at = [&](Index i) { return basis_[static_cast<size_t>(i)]; };
  for (Index i = 0; i < b_.size(); ++i) cost_B[i] = at(i) < cost.size() ? cost[at(i)] : 0.0;
  y_.noalias() = inverse_.transpose() * cost_B;
  for (Index i = 0; i < b_.size(); ++i) cost_B[i] -= D_.col(at(i)).dot(y_);
  y_.noalias() += inverse_.transpose() * cost_B;  // one refinement: the inverse has been updated many times
  reduced_.noalias() = -(D_.transpose() * y_);
  reduced_.head(cost.size()) += cost;
}

int Simplex::choose_entering(bool bland, const VectorXd& cost_size) const {
  int best = -1;
  double least = 0.0;
  const double y_size = largest(y_);
  const Index columns = D_.cols() - 1;  // the artificial one never comes back
  for (Index j = 0; j < columns; ++j) {
    if (basic_[static_cast<size_t>(j)] || !(reduced_[j] < least)) continue;
    if (!(reduced_[j] < -kReducedCost * (cost_size[j] + column_size_[j] * y_size))) continue;
    best = static_cast<int>(j);
    if (bland) return best;
    least = reduced_[j];
  }
  return best;
}

/// -1 if nothing limits the entering variable. Among the basic variables that reach zero first, up to kFeasibility, the one with the
/// largest pivot (Harris); by Bland's rule the first one.
int Simplex::choose_leaving(bool bland) const {
  const double smallest = kSmallestBasisPivot * std::max(1.0, largest(alpha_));
  double limit = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < alpha_.size(); ++i) {
    if (alpha_[i] > smallest) limit = std::min(limit, (std::max(0.0, x_B_[i]) + kFeasibility) / alpha_[i]);
  }
  int best = -1;
  for (Index i = 0; i < alpha_.size(); ++i) {
    if (!(alpha_[i] > smallest) || std::max(0.0, x_B_[i]) > limit * alpha_[i]) continue;
    const auto at = [&](Index k) { return basis_[static_cast<size_t>(k)]; };
    const bool better = best < 0 || (bland ? at(i) < at(best) : alpha_[i] > alpha_[best]);
    if (better) best = static_cast<int>(i);
  }
  return best;
}

void Simplex::pivot(int row) {
  const double pivot = alpha_[row];
  double step = x_B_[row] / pivot;
  if (pivot > 0.0) step = std::max(0.0, step);
  x_B_ -= step * alpha_;
  x_B_[row] = step;
  row_ = inverse_.row(row).transpose() / pivot;
  alpha_[row] = 0.0;
  inverse_.noalias() -= alpha_ * row_.transpose();
  alpha_[row] = pivot;
  inverse_.row(row) = row_.transpose();
  set_basic(row, entering_);
  ++pivots_;
  ++pivots_since_refresh_;
}

void Simplex::set_basic(int row, int column) {
  basic_[static_cast<size_t>(basis_[static_cast<size_t>(row)])] = false;
  basic_[static_cast<size_t>(column)] = true;
  basis_[static_cast<size_t>(row)] = column;
}

}  // namespace tippe
