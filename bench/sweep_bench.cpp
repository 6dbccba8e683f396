// SPDX-License-Identifier: Apache-2.0
// What a run of a sweep costs beyond its steps: 100 steps of the impacting pendulum, the same as a run, and as a point of a sweep whose values vary.
#include <benchmark/benchmark.h>

#include "tippe/core/text_file.h"
#include "tippe/run/simulate.h"
#include "tippe/sweep/sweep_plan.h"

namespace {

constexpr int kStepsOfPoint = 100;

tippe::SweepPlan pendulum_plan() {
  tippe::SweepRequest request;
  request.scene_file = TIPPE_SOURCE_DIR "/scenes/impacting_pendulum.toml";
  request.scene_text = tippe::read_text_file(request.scene_file, {.kind = "scene", .instead_of_folder = ""});
  request.vary = {"epsilon=0.5:0.9:100", "phi=0.2:0.9:100"};
  request.overrides.until = "100*1e-4";
  return tippe::SweepPlan(std::move(request));
}

void sweep_steps_alone(benchmark::State& state) {
  const tippe::SweepPlan plan = pendulum_plan();
  const tippe::Scene& scene = plan.scene();
  const auto integrator = tippe::find_integrator(scene.run.integrator)->make(*scene.system, scene.run.integrator_options);
  for (auto _ : state) {
    tippe::State at = scene.start;
    for (int k = 0; k < kStepsOfPoint; ++k) benchmark::DoNotOptimize(integrator->step(at, scene.run.dt));
  }
}

void sweep_run(benchmark::State& state) {
  const tippe::SweepPlan plan = pendulum_plan();
  const tippe::Scene& scene = plan.scene();
  for (auto _ : state) benchmark::DoNotOptimize(tippe::simulate(*scene.system, scene.start, scene.run).steps);
}

void sweep_point(benchmark::State& state) {
  const tippe::SweepPlan plan = pendulum_plan();
  tippe::SweepWorker worker(plan);
  std::int64_t number = 0;
  for (auto _ : state) {
    const tippe::SweepRow row = worker.compute(number++ % plan.points().size(), nullptr);
    if (row.result.summary.steps != kStepsOfPoint) state.SkipWithError("not all steps were made");
  }
}

}  // namespace

BENCHMARK(sweep_steps_alone)->Unit(benchmark::kMicrosecond);
BENCHMARK(sweep_run)->Unit(benchmark::kMicrosecond);
BENCHMARK(sweep_point)->Unit(benchmark::kMicrosecond);
