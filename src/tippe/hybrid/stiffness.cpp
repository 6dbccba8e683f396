// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/stiffness.h"

#include <cmath>

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

/// The largest row sum of da/du, and the root of that of da/dq, between velocities of the same kinetic size. 0 if not known.
double StiffnessWatch::fastest_rate(const State& state, const CurrentModes& modes, std::span<const int> branches) {
  constexpr double kStep = 1e-6;  // of a velocity or a coordinate
  const auto accelerate = [&](const State& at) {
    const ModeFlow* flow = probe_.accelerate(at, {modes.modes, modes.directions, modes.shares, branches});
    return flow == nullptr ? VectorXd() : VectorXd(flow->acceleration().col(0));
  };
  const VectorXd a = accelerate(state);
  VectorXd damping = VectorXd::Zero(a.size()), springs = damping;
  for (Index j = 0; j < a.size(); ++j) {
    const double unit = scales_.velocity_of(1.0, j);
    if (!(unit > 0.0)) continue;
    const auto add = [&](State& other, double& value, double step, VectorXd& sums) {
      value += step;
      const VectorXd changed = accelerate(other);
      for (Index i = 0; i < changed.size(); ++i) {
        const double of_row = scales_.velocity_of(1.0, i);
        if (of_row > 0.0) sums[i] += std::abs(changed[i] - a[i]) / step * unit / of_row;
      }
    };
    State other = state;
    add(other, other.u[j], kStep * scales_.velocity(j), damping);
    other = state;
    if (system_.velocities_are_rates()) add(other, other.q[j], kStep * scales_.coordinate(j), springs);
  }
  const double rate = a.size() > 0 ? std::max(damping.maxCoeff(), std::sqrt(springs.maxCoeff())) : 0.0;
  return std::isfinite(rate) ? rate : 0.0;
}

std::optional<double> StiffnessWatch::add(const State& begin, const State& end, double duration, const CurrentModes& modes,
                                          std::span<const int> branches) {
  constexpr int kMany = 200;        // steps
  constexpr double kLittle = 0.05;  // of the velocities, in a step
  constexpr double kLimited = 1.0;  // rate times step: where explicit polynomials begin to be unstable they are a few
  if (said_) return std::nullopt;
  double largest = 0.0;
  for (Index j = 0; j < end.u.size(); ++j) {
    const double unit = scales_.velocity_of(1.0, j);
    if (unit > 0.0) largest = std::max(largest, scales_.velocity(j) / unit);
  }
  const double change = scales_.kinetic_size(end.u - begin.u);
  short_steps_ = change <= kLittle * largest ? short_steps_ + 1 : 0;
  if (short_steps_ < kMany) return std::nullopt;
  short_steps_ = 0;
  const double rate = fastest_rate(end, modes, branches);
  if (!(rate * duration > kLimited)) return std::nullopt;
  said_ = true;
  return rate;
}

}  // namespace tippe
