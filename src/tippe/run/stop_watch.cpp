// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/stop_watch.h"

#include <algorithm>
#include <cmath>

#include "tippe/run/tolerances.h"

namespace tippe {
namespace {

/// Of the time at which a run ends.
double accuracy(double t, double dt) {
  return std::max(kStopOfStep * dt, kStopOfTime * std::abs(t));
}

}  // namespace

double StopWatch::shorten(Integrator& integrator, const State& before, double dt, State& state, StepReport& report) {
  const double fine_enough = accuracy(before.t, dt);
  const auto repeat = [&](double trial) {
    integrator.restore_memory(memory_);
    state = before;
    report = integrator.step(state, trial);
  };
  // Bisection, because it also ends at a jump; it happens once in a run.
  double too_short = 0.0, long_enough = dt;
  while (long_enough - too_short > fine_enough) {
    const double trial = 0.5 * (too_short + long_enough);
    repeat(trial);
    const bool positive = report.ok() && reached(state);
    (positive ? long_enough : too_short) = trial;
  }
  repeat(long_enough);
  return long_enough;
}

bool StopWatch::shorten(AdaptiveIntegrator& integrator, double begin, State& state, StepReport& report) {
  if (!armed_) return false;
  if (state.t == begin) return reached(state);  // a jump: there is nothing in between
  constexpr int kLooks = 8;
  const double end = state.t, fine_enough = accuracy(begin, end - begin);
  const auto positive = [&](double t) { return integrator.interpolate(t, trial_).ok() && reached(trial_); };
  double too_early = begin, late_enough = end;
  bool found = false;
  for (int look = 1; look <= kLooks && !found; ++look) {
    late_enough = look == kLooks ? end : begin + (end - begin) * look / kLooks;
    found = look == kLooks ? reached(state) : positive(late_enough);
    if (!found) too_early = late_enough;
  }
  if (!found) return false;
  while (late_enough - too_early > fine_enough) {
    const double middle = 0.5 * (too_early + late_enough);
    (positive(middle) ? late_enough : too_early) = middle;
  }
  if (late_enough == end) return true;
  const StepReport part = integrator.interpolate(late_enough, state);
  report.status = part.status;
  report.culprit = part.culprit;
  report.lost_in_contacts = part.lost_in_contacts;
  report.lost_in_damping = part.lost_in_damping;
  report.work_done = part.work_done;
  return true;
}

}  // namespace tippe
