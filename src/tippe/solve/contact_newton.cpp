// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/contact_newton.h"

#include <algorithm>
#include <cmath>

#include "tippe/solve/tolerances.h"

namespace tippe {
namespace {

constexpr double kLeastShift = 1e-14, kFirstShift = 1e-6, kLargestShift = 1e2;  // of W, whose diagonal is about 1
constexpr double kSetDifference = 1e-7;  // of the argument of a set, for its derivative: half the digits
constexpr int kMostHalvings = 6;

using Tangents = NormalForm::Tangents;

}  // namespace

void ContactNewton::prepare(const NormalForm& form) {
  form_ = &form;
  e_ = kFirstShift;
  proximal_ = false;
  prepared_ = false;
}

void ContactNewton::prepare_system() {
  if (!prepared_) system_.prepare(*form_);
  prepared_ = true;
}

double ContactNewton::work() {
  prepare_system();
  return system_.work();
}

void ContactNewton::set_centre(const KeptVector& c, double e) {
  centre_ = c;
  e_ = e;
  proximal_ = true;
}

double ContactNewton::evaluate(const KeptVector& r) {
  form_->evaluate_velocity(r, u_, kinetic_);
  if (proximal_) u_ += e_ * (r - centre_);
  F_.resize(r.size());
  for (const NormalForm::Block& block : form_->blocks) {
    const int row = block.row;
    const double y_N = r[row] - u_[row];
    if (block.kind == NormalForm::Kind::kLine) {
      F_[row] = y_N <= block.lower ? r[row] - block.lower : y_N >= block.upper ? r[row] - block.upper : u_[row];
      continue;
    }
    F_[row] = y_N <= 0.0 ? r[row] : u_[row];
    const int tangents = block.size - 1;
    const Tangents y_T = r.segment(row + 1, tangents) - u_.segment(row + 1, tangents);
    F_.segment(row + 1, tangents) = r.segment(row + 1, tangents) - block.project_friction(y_N, y_T);
  }
  merit_ = F_.norm();
  return merit_;
}

/// A and B at the iterate of the last evaluate().
void ContactNewton::evaluate_derivatives(const KeptVector& r) {
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    const int row = block.row, size = block.size, tangents = size - 1;
    auto& A = system_.A[i];
    auto& B = system_.B[i];
    A.setZero(size, size);
    B.setZero(size, size);
    const double y_N = r[row] - u_[row];
    const bool between = block.kind == NormalForm::Kind::kLine ? y_N > block.lower && y_N < block.upper : y_N > 0.0;
    (between ? A : B)(0, 0) = 1.0;
    if (size == 1) continue;
    const Tangents y = r.segment(row + 1, tangents) - u_.segment(row + 1, tangents);
    // dP/dy_T and dP/dy_N.
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> by_T = decltype(by_T)::Zero(tangents, tangents);
    Tangents by_N = Tangents::Zero(tangents);
    if (block.kind == NormalForm::Kind::kCone) {
      const double length = y.norm(), radius = block.mu * std::max(0.0, y_N);
      if (!between) {
        // P = 0
      } else if (length <= radius) {
        by_T.setIdentity(tangents, tangents);
      } else {
        const Tangents n = y / length;
        by_T = radius / length * (decltype(by_T)::Identity(tangents, tangents) - n * n.transpose());
        by_N = block.mu * n;
      }
    } else {  // by differences: the exact set has no simple derivative
      const double h = kSetDifference * std::max(y.norm(), std::abs(y_N) + block.extra);
      if (h > 0.0) {
        for (int k = 0; k < tangents; ++k) {
          Tangents up = y, down = y;
          up[k] += h;
          down[k] -= h;
          by_T.col(k) = (block.project_friction(y_N, up) - block.project_friction(y_N, down)) / (2.0 * h);
        }
        if (between) by_N = (block.project_friction(y_N + h, y) - block.project_friction(y_N, y)) / h;
      }
    }
    A.bottomRightCorner(tangents, tangents) = by_T;
    B.bottomRightCorner(tangents, tangents) = -by_T;
    B.bottomRightCorner(tangents, tangents).diagonal().array() += 1.0;
    A.bottomLeftCorner(tangents, 1) = by_N;
    B.bottomLeftCorner(tangents, 1) = -by_N;
  }
}

bool ContactNewton::step(KeptVector& r) {
  prepare_system();
  const double start = evaluate(r);
  if (start == 0.0) return false;
  evaluate_derivatives(r);
  minus_F_ = -F_;
  const auto raise_shift = [&] {
    if (!proximal_) e_ = std::min(std::max(10.0 * e_, kFirstShift), kLargestShift);
  };
  bool factorized = system_.factorize(e_);
  while (!factorized && !proximal_ && e_ < kLargestShift) {
    raise_shift();
    factorized = system_.factorize(e_);
  }
  if (!factorized) return false;
  system_.solve(minus_F_, dr_);
  if (!dr_.allFinite()) {
    raise_shift();
    return false;
  }
  double length = 1.0;
  for (int halving = 0; halving <= kMostHalvings; ++halving, length *= 0.5) {
    trial_ = r + length * dr_;
    if (!(evaluate(trial_) < (1.0 - kSufficientDecrease * length) * start)) continue;
    r = trial_;
    if (!proximal_ && length == 1.0 && merit_ < 0.5 * start) e_ = std::max(0.1 * e_, kLeastShift);
    return true;
  }
  raise_shift();
  merit_ = start;
  return false;
}

}  // namespace tippe
