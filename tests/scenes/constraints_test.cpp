// SPDX-License-Identifier: Apache-2.0
// What is known of the scenes with bilateral constraints.
#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.h"
#include "tippe/integrate/constrained_motion.h"

namespace tippe::scenes_constraints_test {

TEST(Skate, MovesOnACycloidAcrossTheSlope) {
  // th = w t, v = (a/w) sin(w t), and so x = a sin^2(w t) / (2 w^2), y = a (w t - sin(2 w t)/2) / (2 w^2).
  const RunSummary summary = test::run(test::load("skate"));
  const double a = 9.81 * std::sin(0.1), w = 2.0, t = 6.0;
  EXPECT_NEAR(summary.final_state.q[0], a * std::pow(std::sin(w * t), 2) / (2 * w * w), 1e-10);
  EXPECT_NEAR(summary.final_state.q[1], a * (w * t - 0.5 * std::sin(2 * w * t)) / (2 * w * w), 1e-10);
  EXPECT_NEAR(summary.final_state.q[2], w * t, 2e-11);  // 6000 additions
  EXPECT_NEAR(summary.energy.final, summary.energy.initial, 1e-9);
}

TEST(VelocityOscillation, JumpsUpAndDownAlongTheRodFromStepToStep) {
  const Scene scene = test::load("velocity_oscillation");
  double previous = 0.0, jump = 0.0;
  int steps = 0, turns = 0;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
    const double along = state.q.dot(state.u) / 0.5;
    turns += (along - previous) * jump < 0.0 ? 1 : 0;
    jump = along - previous;
    previous = along;
    ++steps;
  });
  EXPECT_GT(turns, steps * 9 / 10);
  const Scene kept =
      test::load("velocity_oscillation", {.settings = {}, .integrator = "conserving-ggl", .dt = {}, .until = {}});
  test::watch(kept, [&](const State& state, const Integrator&, const StepReport&) {
    EXPECT_LT(std::abs(state.q.dot(state.u)), 1e-14);
  });
}

TEST(DoubleFourBar, MovesLikeItsOneDegreeOfFreedom) {
  const Scene scene = test::load("double_four_bar");
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  // Energy: (m l^2 + 3 J) a'^2 / 2 + m g l sin a is kept, in the coordinates of the first crank.
  const double a = summary.final_state.q[3], rate = summary.final_state.u[3];
  EXPECT_NEAR(0.5 * 2.9 * rate * rate + 2 * 9.81 * std::sin(a), 0.5 * 2.9 * 9 + 2 * 9.81 * std::sin(1.2), 1e-8);
  EXPECT_NEAR(summary.final_state.q[5], a, 1e-10);
  EXPECT_NEAR(summary.final_state.q[2], 0.0, 1e-10);
  ConstrainedMotion motion(*scene.system);
  EXPECT_TRUE(motion.judge_redundancy(0.0, scene.start.q, scene.start.u));
  EXPECT_EQ(motion.rank().rank, 5);
}

TEST(Rope, FallsFreelyAcrossItselfAtFirst) {
  // Released from a straight line nothing bends it: across the line every mass falls freely, (-g/2, -g/2) at 45 degrees, and rod k
  // carries the n - k + 1 masses below it along the line.
  const Scene scene = test::load("rope");
  ConstrainedMotion motion(*scene.system);
  StepReport report;
  ASSERT_TRUE(motion.evaluate(0.0, scene.start.q, scene.start.u, report));
  Eigen::VectorXd lambda, force;
  motion.constraint_forces(lambda, force);
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(motion.acceleration()[i], -9.81 / 2, 1e-10);
    EXPECT_NEAR(motion.acceleration()[20 + i], -9.81 / 2, 1e-10);
    EXPECT_NEAR(-lambda[i] * 0.05, (20 - i) * 0.05 * 9.81 * std::sqrt(0.5), 1e-10);
  }
}

TEST(Rope, KeepsItsRodsUnderProjectionAndItsEnergyNearly) {
  Scene scene = test::load("rope", {.settings = {}, .integrator = {}, .dt = {}, .until = "0.5"});
  scene.run.integrator_options.project = true;
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  ConstrainedMotion motion(*scene.system);
  Eigen::VectorXd g, gamma;
  EXPECT_LT(motion.violation(summary.final_state, g, gamma).position, 1e-16);
  EXPECT_LT(std::abs(summary.energy.unexplained()), 1e-3 * summary.energy.scale);
}

TEST(Rope, ManyRodsGoTheSparseWayAndMoveTheSame) {
  // 60 masses are 120 coordinates times 60 rows: above the dense limit. The closed form of the first instant holds there too.
  const Scene scene = test::load("rope", {.settings = {"n=60"}, .integrator = {}, .dt = {}, .until = {}});
  ConstrainedMotion motion(*scene.system);
  StepReport report;
  ASSERT_TRUE(motion.evaluate(0.0, scene.start.q, scene.start.u, report));
  EXPECT_EQ(motion.rank().rank, 60);
  EXPECT_GT(motion.rank().cutoff, 1e-7);
  for (int i = 0; i < 120; ++i) EXPECT_NEAR(motion.acceleration()[i], -9.81 / 2, 1e-9);
}

}  // namespace tippe::scenes_constraints_test
