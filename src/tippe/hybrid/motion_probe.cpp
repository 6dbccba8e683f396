// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/motion_probe.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

MotionProbe::MotionProbe(const System& system, const MotionScales& scales)
    : system_(system), scales_(scales), flow_(system, 1) {
  flow_.set_scales(&scales);
}

const MotionSeries& MotionProbe::evaluate(const State& state, std::span<const int> branches) {
  flow_.set_branches(branches);
  MotionSeries& series = flow_.series();
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  return series;
}

const ModeFlow* MotionProbe::accelerate(const State& state, const Modes& modes) {
  flow_.set_modes(modes.modes, modes.directions);
  flow_.set_shares(modes.shares);
  for (size_t i = 0; i < modes.turn_rates.size(); ++i) flow_.set_turn_rate(static_cast<int>(i), modes.turn_rates[i]);
  flow_.set_branches(modes.branches);
  return flow_.expand(state, 0) == ModeFlow::Status::kOk ? &flow_ : nullptr;
}

double MotionProbe::work_of_supports(const State& state, std::span<const int> branches, const VectorXd& impulse) {
  const MotionSeries& series = evaluate(state, branches);
  double work = 0.0;
  for (size_t i = 0; i < series.laws().size(); ++i) {
    for (size_t row = 0; row < series.laws()[i].size(); ++row)
      work -= impulse[flow_.first_row(static_cast<int>(i)) + static_cast<int>(row)] * series.laws()[i][row].chi[0];
  }
  return work;
}

VectorXd MotionProbe::switch_sizes(const State& state, std::span<const int> branches) {
  const std::vector<MotionSeries::Switch>& switches = flow_.series().switches();
  VectorXd sizes = VectorXd::Zero(static_cast<Index>(switches.size())), plain = sizes;
  State other = state;
  evaluate(other, branches);
  for (Index s = 0; s < plain.size(); ++s) plain[s] = switches[static_cast<size_t>(s)].argument[0];
  const auto vary = [&](double& value, double by) {
    if (!(by > 0.0)) return;
    const double kept = std::exchange(value, value + by);
    evaluate(other, branches);
    value = kept;
    for (Index s = 0; s < sizes.size(); ++s) {
      const double change = std::abs(switches[static_cast<size_t>(s)].argument[0] - plain[s]);
      if (std::isfinite(change)) sizes[s] += change;
    }
  };
  for (Index i = 0; i < other.q.size(); ++i) vary(other.q[i], scales_.coordinate(i));
  for (Index j = 0; j < other.u.size(); ++j) vary(other.u[j], scales_.velocity(j));
  return sizes;
}

void MotionProbe::turn_switches(const State& state, std::vector<int>& sides) {
  if (std::all_of(sides.begin(), sides.end(), [](int side) { return side == 0; })) return;
  evaluate(state, sides);
  MotionSeries& series = flow_.series();
  VectorXd rate(system_.nq());
  for (int i = 0; i < system_.nq(); ++i) rate[i] = series.position_rate(i)[0];
  series.set_coefficients(1, rate, VectorXd::Zero(system_.nu()));
  series.evaluate(1);
  for (size_t s = 0; s < sides.size(); ++s) {
    const double slope = series.switches()[s].argument[1];
    if (sides[s] != 0 && slope != 0.0) sides[s] = slope > 0.0 ? 1 : -1;
  }
}

}  // namespace tippe
