// SPDX-License-Identifier: Apache-2.0
// Event-driven runs of scenes with stick, slip, impacts and accumulations, and Moreau's rule on the same scene for the time that it takes to come as
// near as it can.
#include <benchmark/benchmark.h>

#include <string>

#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"

namespace {

void run_scene(benchmark::State& state, const std::string& name, const std::string& integrator, double until,
               double tolerance) {
  tippe::Scene scene = tippe::load_scene(TIPPE_SOURCE_DIR "/scenes/" + name + ".toml");
  scene.run.integrator = integrator;
  scene.run.until = until;
  scene.run.integrator_options.tolerance = tolerance;
  tippe::RunSummary summary;
  for (auto _ : state) {
    summary = tippe::simulate(*scene.system, scene.start, scene.run);
    if (summary.status != tippe::RunStatus::kOk) state.SkipWithError(summary.message.c_str());
  }
  state.counters["steps"] = static_cast<double>(summary.steps);
  state.counters["unexplained"] = summary.energy.unexplained() / summary.energy.scale;
}

}  // namespace

BENCHMARK_CAPTURE(run_scene, woodpecker_1s, "woodpecker", "event-driven", 1.0, 1e-10)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, woodpecker_1s_tight, "woodpecker", "event-driven", 1.0, 1e-13)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, woodpecker_1s_moreau, "woodpecker", "moreau", 1.0, 1e-10)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, oscillator_1s, "oscillator", "event-driven", 1.0, 1e-10)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, double_pendulum_10s, "double_pendulum", "event-driven", 10.0, 1e-10)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, rocking_block_5s, "rocking_block", "event-driven", 5.0, 1e-10)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, wheel_10s, "wheel", "event-driven", 10.0, 1e-10)->Unit(benchmark::kMillisecond);
