// SPDX-License-Identifier: Apache-2.0
// Bodies that touch by their shapes, for long or by the hundred: ./check --long.
#include <algorithm>
#include <cmath>
#include <vector>

#include "support/scenes.h"

namespace tippe::scenes_long_found_contacts_test {

void expect_to_stand(const std::string& name, const std::string& until) {
  const Scene scene = test::load(name, {.settings = {}, .integrator = {}, .dt = {}, .until = until});
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_EQ(summary.halved_steps, 0);
  EXPECT_EQ(summary.inexact_steps, 0);
  EXPECT_LE(summary.worst_residual, 1e-8);
  for (const std::string& warning : summary.warnings) EXPECT_EQ(warning.find("penetrated"), std::string::npos) << warning;
  EXPECT_LE((summary.final_state.q - scene.start.q).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(LongFoundContacts, ATowerOfKaplaBlocksStandsForTenMinutes) {
  expect_to_stand("kapla", "600");
}

TEST(LongFoundContacts, ATowerOfPlanksStandsForAMinute) {
  expect_to_stand("planks", "60");
}

TEST(LongFoundContacts, AHeavyStackStandsForAMinute) {
  const Scene scene = test::load("heavy_stack", {.settings = {}, .integrator = {}, .dt = {}, .until = "60"});
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(summary.worst_residual, 1e-10);
  EXPECT_LE((summary.final_state.q - scene.start.q).cwiseAbs().maxCoeff(), 1e-6);
}

// 1000 balls and 200 bricks in a box: they settle, nothing passes a wall, and what lies still does not sink.
TEST(LongFoundContacts, WhatIsPouredComesToRest) {
  const Scene scene = test::load("pour", {.settings = {}, .integrator = {}, .dt = {}, .until = "3"});
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(summary.worst_residual, 1e-4);
  EXPECT_LE(summary.energy.final, summary.energy.initial);
  const State& end = summary.final_state;
  std::vector<double> speeds;
  for (Eigen::Index body = 0; body < 1200; ++body) {
    EXPECT_GT(end.q[7 * body + 2], 0.0) << body;
    EXPECT_LT(end.q.segment<2>(7 * body).cwiseAbs().maxCoeff(), 0.5 * 10.5 * 0.054) << body;
    speeds.push_back(end.u.segment<3>(6 * body).norm());
  }
  std::sort(speeds.begin(), speeds.end());
  EXPECT_LE(speeds[600], 1e-6);   // a few balls still roll: nothing holds them
  EXPECT_LE(speeds[1140], 1e-4);  // 95 %
}

/// With which speed the wave goes from each domino to the next: a domino counts when it has tilted by 0.15 rad.
std::vector<double> speeds_of_wave(const std::string& dt) {
  constexpr int kDominoes = 20;
  constexpr double kTilted = 0.15, kPitch = 0.0195;
  const Scene scene =
      test::load("dominoes", {.settings = {"n=20", "push=0.7"}, .integrator = {}, .dt = dt, .until = "0.55"});
  std::vector<double> time(kDominoes, 0.0), last(kDominoes, 0.0), speeds;
  double t = scene.start.t;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
    for (int k = 0; k < kDominoes; ++k) {
      const double tilt = 2.0 * std::atan2(state.q[7 * k + 5], state.q[7 * k + 3]);  // about y
      if (time[k] == 0.0 && tilt > kTilted) time[k] = t + (state.t - t) * (kTilted - last[k]) / (tilt - last[k]);
      last[k] = tilt;
    }
    t = state.t;
  });
  for (int k = 1; k < kDominoes; ++k) speeds.push_back(kPitch / (time[k] - time[k - 1]));
  return speeds;
}

// The wave becomes steady, with a speed that does not depend on the step.
TEST(LongFoundContacts, AWaveOfDominoesBecomesSteady) {
  const std::vector<double> coarse = speeds_of_wave("4e-4"), fine = speeds_of_wave("2e-4");
  for (size_t k = 13; k < fine.size(); ++k) {
    EXPECT_NEAR(fine[k] / fine.back(), 1.0, 0.01) << k;
    EXPECT_NEAR(coarse[k] / fine[k], 1.0, 0.01) << k;
  }
  EXPECT_LT(fine[2], 0.7 * fine.back());  // it was not from the start
}

}  // namespace tippe::scenes_long_found_contacts_test
