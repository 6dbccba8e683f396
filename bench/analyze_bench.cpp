// SPDX-License-Identifier: Apache-2.0
// Judging contact problems at an instant: stacks of boxes in space with friction, and 200 contacts in the plane, on one body and in
// a stack. Mode enumeration (the classification of Painleve) refuses problems of these sizes and costs nothing here.
#include <benchmark/benchmark.h>

#include <Eigen/Geometry>

#include <string>

#include "tippe/analyze/analysis.h"
#include "tippe/problem/stacked_problem.h"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tippe::AccelerationProblem;
using tippe::ContactRows;

constexpr double kGravity = 9.81, kMass = 2.0;

ContactRows contact(const std::string& name, Eigen::Index n) {
  ContactRows rows;
  rows.name = name;
  rows.normal = VectorXd::Zero(n);
  rows.tangents.resize(n, 0);
  return rows;
}

/// Cubes of 1 m on top of each other, at rest, with a contact at each corner of their faces and a sideways force on the topmost.
AccelerationProblem boxes_in_space(int boxes) {
  const Eigen::Index n = 6 * boxes;
  AccelerationProblem problem;
  problem.M = MatrixXd::Zero(n, n);
  problem.F = VectorXd::Zero(n);
  for (int b = 0; b < boxes; ++b) {
    problem.M.diagonal().segment(6 * b, 3).setConstant(kMass);
    problem.M.diagonal().segment(6 * b + 3, 3).setConstant(kMass / 6.0);
    problem.F[6 * b + 2] = kMass * kGravity;
  }
  problem.F[n - 6] = -0.1 * kMass * kGravity;
  for (int b = 0; b < boxes; ++b) {
    for (int corner = 0; corner < 4; ++corner) {
      const double x = corner % 2 == 0 ? -0.5 : 0.5, y = corner / 2 == 0 ? -0.5 : 0.5;
      ContactRows rows = contact("box " + std::to_string(b) + " corner " + std::to_string(corner), n);
      rows.tangents = MatrixXd::Zero(n, 2);
      rows.tangent_drift = VectorXd::Zero(2);
      rows.mu = 0.4;
      const auto act = [&](int body, double sign, const Eigen::Vector3d& arm) {
        for (int k = 0; k < 3; ++k) {
          const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k), moment = arm.cross(axis);
          Eigen::Ref<VectorXd> column =
              k == 2 ? Eigen::Ref<VectorXd>(rows.normal) : Eigen::Ref<VectorXd>(rows.tangents.col(k));
          column.segment(6 * body, 3) += sign * axis;
          column.segment(6 * body + 3, 3) += sign * moment;
        }
      };
      act(b, 1.0, {x, y, -0.5});
      if (b > 0) act(b - 1, -1.0, {x, y, 0.5});
      problem.unilateral.push_back(std::move(rows));
    }
  }
  return problem;
}

/// A stack of bricks in the plane, `feet` contacts under each, sticking or without friction.
AccelerationProblem bricks_in_plane(int bricks, int feet, bool friction) {
  const Eigen::Index n = 3 * bricks;
  AccelerationProblem problem;
  problem.M = MatrixXd::Zero(n, n);
  problem.F = VectorXd::Zero(n);
  for (int b = 0; b < bricks; ++b) {
    problem.M.diagonal().segment(3 * b, 3) << kMass, kMass, kMass / 6.0;
    problem.F[3 * b + 1] = kMass * kGravity;
    for (int foot = 0; foot < feet; ++foot) {
      const double x = -0.5 + foot / (feet - 1.0);
      ContactRows rows = contact("brick " + std::to_string(b) + " foot " + std::to_string(foot), n);
      rows.normal.segment(3 * b, 3) << 0.0, 1.0, x;
      if (b > 0) rows.normal.segment(3 * b - 3, 3) << 0.0, -1.0, -x;
      if (friction) {
        rows.tangents = MatrixXd::Zero(n, 1);
        rows.tangents.col(0).segment(3 * b, 3) << 1.0, 0.0, 0.5;
        if (b > 0) rows.tangents.col(0).segment(3 * b - 3, 3) << -1.0, 0.0, 0.5;
        rows.tangent_drift = VectorXd::Zero(1);
        rows.mu = 0.5;
      }
      problem.unilateral.push_back(std::move(rows));
    }
  }
  return problem;
}

void BM_FullReport(benchmark::State& state) {
  const tippe::Instant instant{"", boxes_in_space(static_cast<int>(state.range(0))), {}, {}};
  for (auto _ : state) benchmark::DoNotOptimize(tippe::analyze(instant));
  state.counters["contacts"] = static_cast<double>(instant.acceleration->unilateral.size());
}
BENCHMARK(BM_FullReport)->Arg(1)->Arg(3)->Arg(6)->Unit(benchmark::kMillisecond);

/// Solvability, motion and bounds of all forces; range: bricks, feet of each, friction.
void BM_MotionAndBounds(benchmark::State& state) {
  const AccelerationProblem problem =
      bricks_in_plane(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), state.range(2) != 0);
  for (auto _ : state) {
    const tippe::StackedProblem stacked = tippe::stack(problem);
    benchmark::DoNotOptimize(tippe::judge_solvability(problem, stacked));
    const tippe::Motion motion = tippe::find_motion(problem, stacked);
    benchmark::DoNotOptimize(tippe::find_forces(problem, stacked, motion));
  }
  state.counters["contacts"] = static_cast<double>(problem.unilateral.size());
}
BENCHMARK(BM_MotionAndBounds)
    ->Args({1, 200, 0})
    ->Args({1, 200, 1})
    ->Args({100, 2, 0})
    ->Args({100, 2, 1})
    ->Args({20, 10, 0})
    ->Args({20, 10, 1})
    ->Unit(benchmark::kMillisecond);

/// The same with sticking and mu_min.
void BM_Sticking(benchmark::State& state) {
  const AccelerationProblem problem =
      bricks_in_plane(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), true);
  for (auto _ : state) benchmark::DoNotOptimize(tippe::judge_sticking(problem));
  state.counters["contacts"] = static_cast<double>(problem.unilateral.size());
}
BENCHMARK(BM_Sticking)->Args({20, 2})->Args({100, 2})->Args({1, 200})->Unit(benchmark::kMillisecond);

}  // namespace
