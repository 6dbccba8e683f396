// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/alternating_directions.h"

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

constexpr double kRelaxation = 1.6;

/// The point of the cone |t| <= mu n next to x, in place.
void project_on_cone(double mu, int size, double* x) {
  double square = 0.0;
  for (int k = 1; k < size; ++k) square += x[k] * x[k];
  const double tangential = std::sqrt(square);
  if (tangential <= mu * x[0]) return;
  const double along = std::max(0.0, x[0] + mu * tangential) / (1.0 + mu * mu);
  x[0] = along;
  const double share = tangential > 0.0 ? mu * along / tangential : 0.0;
  for (int k = 1; k < size; ++k) x[k] *= share;
}

}  // namespace

bool AlternatingDirections::applies(const NormalForm& form) {
  return std::none_of(form.blocks.begin(), form.blocks.end(),
                      [](const NormalForm::Block& block) { return block.kind == NormalForm::Kind::kProx; });
}

bool AlternatingDirections::prepare(const NormalForm& form, const KeptVector& r, double rho) {
  form_ = &form;
  rho_ = rho;
  system_.prepare(form);
  for (size_t i = 0; i < form.blocks.size(); ++i) {
    system_.A[i].setIdentity(form.blocks[i].size, form.blocks[i].size);
    system_.B[i].setZero(form.blocks[i].size, form.blocks[i].size);
  }
  if (!system_.factorize(rho)) return false;
  z_ = r;
  form.evaluate_velocity(r, u_, kinetic_);
  y_ = -u_ / rho;
  right_side_.setZero(form.rows());
  add_slip(right_side_);
  y_ += right_side_ / rho;
  return true;
}

/// -= s, from u^ = -rho y.
void AlternatingDirections::add_slip(Eigen::VectorXd& right_side) const {
  for (const NormalForm::Block& block : form_->blocks) {
    if (block.size > 1) right_side[block.row] -= block.mu * rho_ * y_.segment(block.row + 1, block.size - 1).norm();
  }
}

void AlternatingDirections::step() {
  right_side_ = rho_ * (z_ - y_) - form_->q;
  add_slip(right_side_);
  system_.solve(right_side_, x_);
  x_ = kRelaxation * x_ + (1.0 - kRelaxation) * z_;
  y_ += x_;
  z_ = y_;
  for (const NormalForm::Block& block : form_->blocks) {
    double* z = z_.data() + block.row;
    if (block.kind == NormalForm::Kind::kLine) {
      z[0] = std::clamp(z[0], block.lower, block.upper);
    } else {
      project_on_cone(block.mu, block.size, z);
    }
  }
  y_ -= z_;
}

}  // namespace tippe
