// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "tippe/scene/scene.h"

namespace tippe::bench {

/// Steps from the start; reports what the accuracy was.
inline void run_steps(benchmark::State& state, const Scene& scene, const char* integrator, double dt, int steps) {
  const auto evaluator = scene.system->make_evaluator();
  const auto energy = [&](const State& at) {
    evaluator->set_state(at.t, at.q, at.u);
    const Energies energies = evaluator->evaluate_energies();
    return energies.kinetic + energies.potential;
  };
  const auto stepper = find_integrator(integrator)->make(*scene.system, {});
  const double start = energy(scene.start);
  double drift = 0.0, residual = 0.0, kinetic = 0.0;
  for (auto _ : state) {
    State at = scene.start;
    long iterations = 0;
    for (int k = 0; k < steps; ++k) {
      const StepReport report = stepper->step(at, dt);
      if (!report.ok()) state.SkipWithError("a step was not solved");
      iterations += report.iterations;
      residual = std::max(residual, report.residual);
    }
    drift = std::abs(energy(at) - start);
    evaluator->set_state(at.t, at.q, at.u);
    kinetic = evaluator->evaluate_energies().kinetic;
    state.counters["iterations_per_step"] = static_cast<double>(iterations) / steps;
  }
  state.counters["energy_change"] = drift / std::max(std::abs(start), kinetic);
  state.counters["residual"] = residual;
  state.counters["time_per_step"] =
      benchmark::Counter(steps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace tippe::bench
