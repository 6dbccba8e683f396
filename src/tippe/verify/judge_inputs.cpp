// SPDX-License-Identifier: Apache-2.0
// Inputs of the scene: they change between steps alone, and where a table gives them they are those of its rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"

namespace tippe::verify {

using Eigen::Index;

/// Two samples at one time that differ in inputs alone.
bool Judge::sets_inputs(const Interval& interval) const {
  const Moment &begin = interval.begin, &end = interval.end;
  if (system_.input_coordinates().empty() || end.t != begin.t || begin.u != end.u || begin.q == end.q) return false;
  if (end.impulse.size() > 0 && end.impulse.cwiseAbs().maxCoeff() > 0.0) return false;
  Eigen::VectorXd q = end.q;
  for (const int input : system_.input_coordinates()) q[input] = begin.q[input];
  return q == begin.q;
}

bool Judge::judge_inputs(const Interval& interval) {
  const std::vector<int>& inputs = system_.input_coordinates();
  if (inputs.empty()) return false;
  const double t = interval.end.t;
  if (sets_inputs(interval)) {
    ++verdict_.jumps;
    const Real work = static_cast<Real>(interval.end.energy.total) - interval.begin.energy.total;
    const SetInputs before = inputs_until(t, true);
    set_inputs_.push_back({t, before.work + work, before.terms + std::abs(work)});
    return true;
  }
  for (const int input : inputs) {
    const Real off = std::abs(interval.E.q[input] - interval.B.q[input]);
    check(Kind::kPositions, off, 0.0L, t, system_.coordinate_names()[static_cast<size_t>(input)],
          [] { return "an input changes while the system moves"; });
  }
  if (options_.inputs.empty() || !(interval.dt > 0.0L)) return false;
  // Steps of dt take the row that is there when they begin.
  const double dt = options_.adaptive() ? 0.0 : options_.dt, same = 1e-6 * dt + static_cast<double>(clock_of(interval));
  for (const double at : {interval.begin.t + same, interval.end.t - dt - same}) {
    if (at < interval.begin.t) continue;
    Eigen::VectorXd q = interval.begin.q;
    const bool missed = options_.inputs.hold(at, q);
    check(Kind::kEvents, missed ? 1.0L : 0.0L, 0.5L, t, "inputs",
          [&] { return fmt::format("the inputs are not those of the table of inputs at t = {:.9g}", at); });
  }
  return false;
}

Judge::SetInputs Judge::inputs_until(double t, bool with_it) const {
  const auto end = with_it ? std::ranges::upper_bound(set_inputs_, t, {}, &SetInputs::t)
                           : std::ranges::lower_bound(set_inputs_, t, {}, &SetInputs::t);
  return end == set_inputs_.begin() ? SetInputs{t, 0.0L, 0.0L} : *(end - 1);
}

}  // namespace tippe::verify
