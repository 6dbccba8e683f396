// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/singularity.h"

#include <fmt/format.h>

#include <cmath>

namespace tippe {

std::string describe_singularity(const System& system, ModeFlow& flow, const State& state) {
  constexpr double kSoon = 1e-3;       // of the time in which the motion changes
  constexpr double kDependent = 1e-2;  // 1  of unit rows
  // Two slopes of what must not become zero, by the rate at which positions change.
  MotionSeries& series = flow.series();
  const double time = flow.motion_time();
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  Eigen::VectorXd rate(system.nq());
  for (int i = 0; i < system.nq(); ++i) rate[i] = series.position_rate(i)[0];
  series.set_coefficients(1, rate, Eigen::VectorXd::Zero(system.nu()));
  series.evaluate(1);
  const MotionSeries::Edge* nearest = nullptr;
  double soonest = kSoon * time;
  for (const MotionSeries::Edge& edge : series.edges()) {
    const double left = edge.argument[0] == 0.0 ? 0.0 : -edge.argument[0] / edge.argument[1];
    const bool reaches = left >= 0.0 && (left < soonest || nearest == nullptr) && left <= kSoon * time;
    if (!reaches) continue;
    nearest = &edge;
    soonest = left;
  }
  if (nearest != nullptr)
    return fmt::format("an expression leaves its domain: {} becomes 0, and is {:.3g}", nearest->what, nearest->argument[0]);
  if (flow.least_independence() < kDependent)
    return fmt::format(
        "{} loses its independence of the other rows that hold (1 at most, {:.2g} left): forces grow without "
        "bound there; dopri5 and time-stepping schemes may step over it",
        flow.least_independent_row(), flow.least_independence());
  return {};
}

}  // namespace tippe
