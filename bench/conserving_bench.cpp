// SPDX-License-Identifier: Apache-2.0
// Steps of the conserving schemes: the double pendulum of scenes/double_pendulum.toml without its wall, how its energy drifts over
// a million steps, and chains of point masses on rods.
#include <fstream>
#include <iterator>
#include <string>

#include "steps.h"

namespace {

using tippe::bench::run_steps;

/// The scene without its [[contact]] entries, which no conserving scheme takes, and without its picture, which shows their forces.
tippe::Scene double_pendulum() {
  std::ifstream file(TIPPE_SOURCE_DIR "/scenes/double_pendulum.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.erase(text.find("[[draw]]"));
  const size_t first = text.find("[[contact]]"), end = text.find("[initial]");
  return tippe::read_scene(text.erase(first, end - first), "double_pendulum.toml");
}

/// n point masses in the plane, rods between them, let go level.
tippe::Scene chain(int n) {
  return tippe::read_scene(R"toml(tippe = 1
[parameters]
n = 10
l = 0.1
[lagrangian]
coordinates = ["x{i} for i in 1..n", "y{i} for i in 1..n"]
kinetic   = "sum(i, 1, n, 0.5*(x{i}'^2 + y{i}'^2))"
potential = "sum(i, 1, n, 9.81*y{i})"
[[bilateral]]
name = "rod 1"
position = "0.5*(x1^2 + y1^2 - l^2)"
[[bilateral]]
for = { i = "2..n" }
name = "rod {i}"
position = "0.5*((x{i} - x{i-1})^2 + (y{i} - y{i-1})^2 - l^2)"
[initial]
"x{i} for i in 1..n" = "l*{i}"
[run]
dt = 1e-3
until = 1
)toml",
                           "chain.toml", {.settings = {"n=" + std::to_string(n)}, .integrator = {}, .dt = {}, .until = {}});
}

void BM_DoublePendulum(benchmark::State& state, const char* integrator) {
  run_steps(state, double_pendulum(), integrator, 1e-3, 10000);
}
BENCHMARK_CAPTURE(BM_DoublePendulum, mq, "conserving-mq")
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();
BENCHMARK_CAPTURE(BM_DoublePendulum, mq_frozen, "conserving-mq-frozen")
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

void BM_DoublePendulumAMillionSteps(benchmark::State& state) {
  run_steps(state, double_pendulum(), "conserving-mq", 1e-3, 1000000);
}
BENCHMARK(BM_DoublePendulumAMillionSteps)->Unit(benchmark::kMillisecond)->Iterations(1);

void BM_Chain(benchmark::State& state, const char* integrator) {
  run_steps(state, chain(static_cast<int>(state.range(0))), integrator, 1e-3, 20);
}
BENCHMARK_CAPTURE(BM_Chain, moreau, "moreau")->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Chain, ggl, "conserving-ggl")->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Chain, positions, "conserving")->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
