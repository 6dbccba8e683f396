// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/row_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/infinity.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

RowSizes::RowSizes(const StepEquations& equations, StepEvaluation& evaluation, const MotionLaws& laws, double tolerance)
    : equations_(equations), evaluation_(evaluation), laws_(laws), tolerance_(tolerance) {
  for (VectorXd* vector : {&size_, &trial_size_, &free_size_, &free_x_}) vector->setZero(equations.layout().unknowns());
  speed_.setZero(equations.layout().velocities);
}

double RowSizes::relative(const VectorXd& r, Index row) const {
  constexpr double kNothing = 1e-290;  // below it numbers lose their digits
  return std::abs(r[row]) < kNothing ? 0.0 : std::abs(r[row]) / size_[row];
}

double RowSizes::largest(const VectorXd& r) const {
  double largest = 0.0;
  for (Index i = 0; i < r.size(); ++i) {
    const double scaled = relative(r, i);
    if (!(scaled <= largest)) largest = scaled;  // keeps what is not a number
  }
  return largest;
}

double RowSizes::round_off_part() const {
  return std::min(1.0, 1e3 * std::numeric_limits<double>::epsilon() / tolerance_);
}

void RowSizes::forget() {
  size_.setZero();
  lowest_u_.setConstant(equations_.layout().velocities, kInfinity);
  highest_u_ = -lowest_u_;
}

void RowSizes::evaluate(const VectorXd& x, VectorXd& size) {
  evaluation_.sizes(x, size);
  if (laws_.rows() > 0) laws_.add_sizes(size);
}

void RowSizes::grow(const VectorXd& x) {
  evaluate(x, trial_size_);
  size_ = size_.cwiseMax(trial_size_);
  const auto u = x.head(equations_.layout().velocities);
  lowest_u_ = lowest_u_.cwiseMin(u);
  highest_u_ = highest_u_.cwiseMax(u);
}

bool RowSizes::are_small_at(const VectorXd& x, const VectorXd& r, double speed, const std::vector<double>& jacobian,
                            double dt) {
  constexpr double kNear = 0.1;
  const auto u = x.head(equations_.layout().velocities);
  const double near = kNear * std::max(u.cwiseAbs().maxCoeff(), speed);
  if (((highest_u_ - u).array() <= near).all() && ((u - lowest_u_).array() <= near).all()) return true;
  forget();
  grow(x);
  if (largest(r) <= tolerance_) return true;
  allow_for_balanced_forces(x, jacobian, dt);
  return largest(r) <= tolerance_;
}

void RowSizes::allow_for_balanced_forces(const VectorXd& x, const std::vector<double>& jacobian, double dt) {
  const StepEquations::Layout& layout = equations_.layout();
  const int n = layout.velocities;
  free_x_ = x;
  free_x_.tail(layout.unknowns() - layout.position_rows()).setZero();
  evaluate(free_x_, free_size_);
  const auto& pattern = equations_.pattern();
  speed_.setZero();  // first M_ii
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto [row, column] = pattern[p];
    if (row == column && row < n) speed_[row] = std::abs(jacobian[p]);
  }
  double kinetic = 0.0;
  for (int i = 0; i < n; ++i) {
    if (speed_[i] > 0.0) kinetic = std::max(kinetic, free_size_[i] / std::sqrt(speed_[i]));
  }
  const double round_off = round_off_part();
  for (int i = 0; i < n; ++i) {
    size_[i] += round_off * kinetic * std::sqrt(speed_[i]);
    speed_[i] = speed_[i] > 0.0 ? round_off * kinetic / std::sqrt(speed_[i]) : 0.0;
  }
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto [row, column] = pattern[p];
    if (row < n || column >= layout.coordinate_rows()) continue;
    size_[row] += std::abs(jacobian[p]) * (column < n ? speed_[column] : dt * speed_[column - n]);
  }
}

}  // namespace tippe
