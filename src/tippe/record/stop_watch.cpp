// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/stop_watch.h"

#include <algorithm>
#include <cmath>

namespace tippe {

double StopWatch::shorten(Integrator& integrator, const State& before, double dt, State& state, StepReport& report) {
  constexpr double kOfStep = 1e-12, kOfTime = 1e-14;
  const double fine_enough = std::max(kOfStep * dt, kOfTime * std::abs(before.t));
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

}  // namespace tippe
