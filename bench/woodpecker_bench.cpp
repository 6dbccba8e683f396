// SPDX-License-Identifier: Apache-2.0
// A step of the woodpecker from its scene file against the same step written by hand in plain C++: both
// evaluate M and h in every step and solve the inclusion problem with the same solver and the same warm
// start. Both run 0.1 s, from sliding over sticking to pecking, which is more than half a period.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string>

#include "tippe/integrate/moreau.h"
#include "tippe/scene/scene.h"

namespace {

constexpr double kDt = 1e-5;
constexpr int kSteps = 10000;

/// Moeller (6.36)-(6.47) with fixed-size arrays and a Cholesky factorization of the 3 x 3 mass matrix.
class HandWrittenWoodpecker {
 public:
  std::array<double, 3> q{0.0, -0.1036, -0.2788}, u{-0.3411, 0.0, -7.4583};
  long iterations = 0;

  void step(double dt) {
    for (int i = 0; i < 3; ++i) q[i] += 0.5 * dt * u[i];
    evaluate_mass();
    factorize();
    const std::array<double, 3> h = {-g * (mM + mS), -c * (q[1] - q[2]) - g * mS * lM, -c * (q[2] - q[1]) - g * mS * lG};
    const double gaps[3] = {lM + lG - lS - r0 - hS * q[2], rM - r0 + hM * q[1], rM - r0 - hM * q[1]};
    const double normals[3][3] = {{0, 0, -hS}, {0, hM, 0}, {0, -hM, 0}};
    const double tangents[3][3] = {{1, lM, lG - lS}, {1, rM, 0}, {1, rM, 0}};

    int active[3], count = 0;
    for (int i = 0; i < 3; ++i) {
      if (gaps[i] <= 0.0) active[count++] = i;
    }
    std::array<double, 3> change = {h[0] * dt, h[1] * dt, h[2] * dt};
    if (count > 0) {
      std::array<double, 3> free = change;
      solve(free);
      std::array<double, 3> Y[6];
      const int rows = 2 * count;
      problem_.c.resize(rows);
      for (int a = 0; a < count; ++a) {
        const double epsilon[2] = {active[a] == 0 ? 0.5 : 0.0, 0.0};
        for (int r = 0; r < 2; ++r) {
          const double* w = r == 0 ? normals[active[a]] : tangents[active[a]];
          Y[2 * a + r] = forward({w[0], w[1], w[2]});
          const double gamma = w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
          problem_.c[2 * a + r] = w[0] * free[0] + w[1] * free[1] + w[2] * free[2] + (1.0 + epsilon[r]) * gamma;
        }
      }
      problem_.G.blocks.clear();
      problem_.laws.clear();
      for (int a = 0; a < count; ++a) {
        problem_.G.blocks.declare_row(2);
        problem_.laws.push_back(tippe::CoulombContact{mu, mu});
      }
      for (int a = 0; a < count; ++a) {
        for (int b = 0; b < count; ++b) {
          double* block = problem_.G.blocks.add_block(b);
          for (int r = 0; r < 2; ++r) {
            for (int s = 0; s < 2; ++s) {
              const auto &x = Y[2 * a + r], &y = Y[2 * b + s];
              block[2 * r + s] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
            }
          }
        }
        problem_.G.blocks.finish_row();
      }
      solution_.Lambda.resize(rows);
      for (int a = 0; a < count; ++a) {
        for (int r = 0; r < 2; ++r) solution_.Lambda[2 * a + r] = last_[active[a]][r];
      }
      solver_.solve(problem_, options_, solution_);
      iterations += solution_.iterations;
      last_ = {};
      for (int a = 0; a < count; ++a) {
        for (int r = 0; r < 2; ++r) {
          const double* w = r == 0 ? normals[active[a]] : tangents[active[a]];
          const double Lambda = last_[active[a]][r] = solution_.Lambda[2 * a + r];
          for (int i = 0; i < 3; ++i) change[i] += w[i] * Lambda;
        }
      }
    } else {
      last_ = {};
    }
    solve(change);
    for (int i = 0; i < 3; ++i) {
      u[i] += change[i];
      q[i] += 0.5 * dt * u[i];
    }
  }

 private:
  static constexpr double r0 = 0.0025, rM = 0.0031, hM = 0.0058, lM = 0.010, lG = 0.015, hS = 0.02, lS = 0.0201;
  static constexpr double mM = 0.0003, mS = 0.0045, JM = 5e-9, JS = 7e-7, c = 0.0056, g = 9.81, mu = 0.3;

  void evaluate_mass() {
    M_ = {mS + mM, mS * lM, JM + mS * lM * lM, mS * lG, mS * lM * lG, JS + mS * lG * lG};
    benchmark::DoNotOptimize(M_);  // in a real system it depends on q
  }
  void factorize() {
    L_[0] = std::sqrt(M_[0]);
    L_[1] = M_[1] / L_[0];
    L_[2] = std::sqrt(M_[2] - L_[1] * L_[1]);
    L_[3] = M_[3] / L_[0];
    L_[4] = (M_[4] - L_[3] * L_[1]) / L_[2];
    L_[5] = std::sqrt(M_[5] - L_[3] * L_[3] - L_[4] * L_[4]);
  }
  std::array<double, 3> forward(std::array<double, 3> b) const {
    b[0] /= L_[0];
    b[1] = (b[1] - L_[1] * b[0]) / L_[2];
    b[2] = (b[2] - L_[3] * b[0] - L_[4] * b[1]) / L_[5];
    return b;
  }
  void solve(std::array<double, 3>& b) const {
    b = forward(b);
    b[2] /= L_[5];
    b[1] = (b[1] - L_[4] * b[2]) / L_[2];
    b[0] = (b[0] - L_[1] * b[1] - L_[3] * b[2]) / L_[0];
  }

  std::array<double, 6> M_{}, L_{};  // lower triangles by rows
  std::array<std::array<double, 2>, 3> last_{};
  tippe::InclusionProblem problem_;
  tippe::ContactSolverOptions options_{.tolerance = 1e-10};
  tippe::ContactSolver solver_;
  tippe::Solution solution_;
};

void BM_WoodpeckerStepByHand(benchmark::State& state) {
  double y = 0.0;
  for (auto _ : state) {
    HandWrittenWoodpecker toy;
    for (int k = 0; k < kSteps; ++k) toy.step(kDt);
    y = toy.q[0];
    state.counters["iterations_per_step"] = static_cast<double>(toy.iterations) / kSteps;
  }
  state.counters["y_end_mm"] = 1000 * y;
  state.counters["time_per_step"] =
      benchmark::Counter(kSteps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_WoodpeckerStepByHand)->Unit(benchmark::kMillisecond)->Repetitions(7)->ReportAggregatesOnly();

void BM_WoodpeckerStepFromScene(benchmark::State& state) {
  const tippe::Scene scene = tippe::load_scene(TIPPE_SOURCE_DIR "/scenes/woodpecker.toml");
  double y = 0.0;
  for (auto _ : state) {
    tippe::MoreauMidpoint stepper(*scene.system, {});
    tippe::State at = scene.start;
    long iterations = 0;
    for (int k = 0; k < kSteps; ++k) iterations += stepper.step(at, kDt).iterations;
    y = at.q[0];
    state.counters["iterations_per_step"] = static_cast<double>(iterations) / kSteps;
  }
  state.counters["y_end_mm"] = 1000 * y;
  state.counters["time_per_step"] =
      benchmark::Counter(kSteps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_WoodpeckerStepFromScene)->Unit(benchmark::kMillisecond)->Repetitions(7)->ReportAggregatesOnly();

}  // namespace
