// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/state_sizes.h"

#include <cmath>

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kNoSize = 1e-3;  // m, or the unit of a coordinate: where all is zero, and nothing moves

/// What a kinetic size of 1 stands for. Velocities without mass are compared with the lightest.
VectorXd weights_of(const System& system, const std::vector<double>& M) {
  VectorXd weight = VectorXd::Zero(system.nu());
  for (size_t e = 0; e < M.size(); ++e) {
    const LowerEntry& entry = system.mass_pattern()[e];
    if (entry.row == entry.column && M[e] > 0.0) weight[entry.row] = 1.0 / std::sqrt(M[e]);
  }
  const double lightest = weight.size() == 0 ? 0.0 : weight.maxCoeff();
  return (weight.array() > 0.0).select(weight, lightest);
}

/// Each value, at least a part of the kinetically largest.
VectorXd not_below(const VectorXd& values, const VectorXd& weight) {
  double largest = 0.0;
  for (Index j = 0; j < values.size(); ++j) {
    if (weight[j] > 0.0) largest = std::max(largest, values[j] / weight[j]);
  }
  return values.cwiseMax(kSmallPart * largest * weight);
}

}  // namespace

StateSizes::StateSizes(const System& system, const State& state, const Dynamics& dynamics, const PastSizes& past) {
  const VectorXd weight = weights_of(system, dynamics.M);
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
