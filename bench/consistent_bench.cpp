// SPDX-License-Identifier: Apache-2.0
// Steps of the consistent schemes, without recording: the systems of Moeller's chapter 6, energies over a million steps, and how
// the time of a step grows with the length of a chain.
#include <string>

#include "steps.h"

namespace {

using tippe::bench::run_steps;

tippe::Scene load(const std::string& name, std::vector<std::string> settings = {}) {
  return tippe::load_scene(TIPPE_SOURCE_DIR "/scenes/" + name + ".toml",
                           {.settings = std::move(settings), .integrator = {}, .dt = {}, .until = {}});
}

void BM_TippeTop(benchmark::State& state, const char* integrator) {
  run_steps(state, load("tippe_top"), integrator, 1e-4, 20000);
}
BENCHMARK_CAPTURE(BM_TippeTop, quaternion_2, "quaternion-2")->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK_CAPTURE(BM_TippeTop, quaternion_1, "quaternion-1")->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK_CAPTURE(BM_TippeTop, moreau, "moreau")->Unit(benchmark::kMillisecond)->Iterations(3);

void BM_Wheel(benchmark::State& state, const char* epsilon) {
  run_steps(state, load("wheel", {epsilon}), "consistent-2", 1e-4, 10000);
}
BENCHMARK_CAPTURE(BM_Wheel, plastic, "epsilon=0")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(BM_Wheel, elastic, "epsilon=1")->Unit(benchmark::kMillisecond)->Iterations(1);

void BM_FreeTopAMillionSteps(benchmark::State& state) {
  run_steps(state, load("free_top"), "quaternion-2", 1e-3, 1000000);
}
BENCHMARK(BM_FreeTopAMillionSteps)->Unit(benchmark::kMillisecond)->Iterations(1);

void BM_ElasticPendulumAMillionSteps(benchmark::State& state) {
  run_steps(state, load("double_pendulum_wall"), "consistent-2", 1e-3, 1000000);
}
BENCHMARK(BM_ElasticPendulumAMillionSteps)->Unit(benchmark::kMillisecond)->Iterations(1);

void BM_BodyChain(benchmark::State& state, const char* integrator) {
  run_steps(state, load("body_chain", {"n=" + std::to_string(state.range(0))}), integrator, 1e-5, 10);
}
BENCHMARK_CAPTURE(BM_BodyChain, moreau, "moreau")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(BM_BodyChain, quaternion_2, "quaternion-2")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
