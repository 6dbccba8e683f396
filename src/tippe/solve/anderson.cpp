// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/anderson.h"

#include <Eigen/Cholesky>

namespace tippe {

void AndersonAcceleration::restart() {
  stored_ = next_ = 0;
  first_ = true;
  best_ = -1.0;
}

bool AndersonAcceleration::accelerate(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> g) {
  f_ = g - x;
  const double size = f_.norm();
  if (best_ >= 0.0 && !(size <= kAstray * best_)) {
    g = best_g_;
    const double best = best_;
    restart();
    best_ = best;
    return false;
  }
  if (best_ < 0.0 || size < best_) {
    best_ = size;
    best_g_ = g;
  }
  if (!first_) {
    dF_[next_] = f_ - last_f_;
    dG_[next_] = g - last_g_;
    next_ = (next_ + 1) % kDepth;
    stored_ = std::min(stored_ + 1, kDepth);
  }
  first_ = false;
  last_f_ = f_;
  last_g_ = g;
  if (stored_ == 0) return true;

  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kDepth, kDepth> normal(stored_, stored_);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kDepth, 1> gamma(stored_);
  for (int i = 0; i < stored_; ++i) {
    for (int j = 0; j <= i; ++j) normal(i, j) = normal(j, i) = dF_[i].dot(dF_[j]);
    gamma[i] = dF_[i].dot(f_);
  }
  constexpr double kRegularisation = 1e-12;  // of the mean of the diagonal
  normal.diagonal().array() += kRegularisation * normal.trace() / stored_ + std::numeric_limits<double>::min();
  normal.llt().solveInPlace(gamma);
  if (!gamma.allFinite()) {
    restart();
    return true;
  }
  for (int i = 0; i < stored_; ++i) g -= gamma[i] * dG_[i];
  return true;
}

}  // namespace tippe
