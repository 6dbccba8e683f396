// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/state_sizes.h"

#include <cmath>

namespace tippe {
namespace {

using Eigen::VectorXd;

constexpr double kNoSize = 1e-3;  // m, or the unit of a coordinate: where all is zero, and nothing moves

/// Each value, at least a part of the kinetically largest.
VectorXd not_below(const VectorXd& values, const VectorXd& weight) {
  return values.cwiseMax(kSmallPart * largest_of(values, weight) * weight);
}

}  // namespace

StateSizes::StateSizes(const System& system, const State& state, const Dynamics& dynamics, const PastSizes& past) {
  VectorXd weight = kinetic_weights(system, dynamics.M);
  weigh_massless(weight);
  const VectorXd free = dynamics.h.cwiseAbs().cwiseProduct(weight.cwiseAbs2());
  VectorXd q = state.q.cwiseAbs();
  if (past.q.size() == q.size()) q = q.cwiseMax(past.q);
  speed_ = state.u.cwiseAbs();
  if (past.u.size() == speed_.size()) speed_ = speed_.cwiseMax(past.u);
  reach_.resize(system.nu());
  for (int j = 0; j < system.nu(); ++j) reach_[j] = system.reach(q, j);
  if (reach_.isZero(0.0)) reach_ = past.horizon * (speed_ + 0.5 * past.horizon * free);
  if (reach_.isZero(0.0)) reach_.setConstant(kNoSize);
  reach_ = not_below(reach_, weight);
  speed_ = not_below(speed_.cwiseMax(kPartOfLoads * (2.0 * reach_.cwiseProduct(free)).cwiseSqrt()), weight);
}

}  // namespace tippe
