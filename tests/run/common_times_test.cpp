// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/common_times.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tippe::run_common_times_test {

std::vector<RunOptions> runs(const std::vector<double>& steps, double until) {
  std::vector<RunOptions> result;
  for (const double dt : steps) {
    RunOptions& run = result.emplace_back();
    run.dt = dt;
    run.until = until;
  }
  return result;
}

TEST(CommonTimes, AreTheCoarsestStepWhereTheOthersDivideIt) {
  auto both = runs({0.001, 0.01}, 1.0);
  const CommonTimesChoice choice = choose_common_times(both, 0.0, 5000);
  EXPECT_EQ(choice.problem, "");
  EXPECT_DOUBLE_EQ(choice.times.interval(), 0.01);
  ASSERT_EQ(choice.times.size(), 101u);
  EXPECT_EQ(choice.times.time(0), 0.0);
  EXPECT_EQ(choice.times.time(100), 1.0);
  for (const RunOptions& run : both) EXPECT_DOUBLE_EQ(run.every, 0.01);
}

// 3 steps of 0.01 are 10 of 0.003. The end is a common time although it is no multiple of 0.03: all runs shorten their last step.
TEST(CommonTimes, AreTheSmallestCommonMultipleAndTheEnd) {
  auto both = runs({0.01, 0.003}, 1.0);
  const CommonTimes times = choose_common_times(both, 0.0, 5000).times;
  EXPECT_NEAR(times.interval(), 0.03, 1e-15);
  ASSERT_EQ(times.size(), 35u);  // 0, 0.03, ..., 0.99, 1
  EXPECT_NEAR(times.time(33), 0.99, 1e-15);
  EXPECT_EQ(times.time(34), 1.0);
  EXPECT_EQ(times.find(1.0), 34u);
  EXPECT_EQ(times.find(0.06 + 1e-12), 2u);
  EXPECT_EQ(times.find(0.05), std::nullopt);
  EXPECT_EQ(times.find(1.03), std::nullopt);
  EXPECT_EQ(times.find(-0.03), std::nullopt);
}

TEST(CommonTimes, AreFewerThanAskedForAndNoCloserThanTheSceneWants) {
  auto many = runs({1e-4, 1e-3}, 10.0);
  const CommonTimes times = choose_common_times(many, 0.0, 700).times;
  EXPECT_NEAR(times.interval(), 0.015, 1e-15);  // the first multiple of 1e-3 of at least 10/700
  EXPECT_LE(times.size(), 701u);
  auto seldom = runs({1e-4, 1e-3}, 10.0);
  for (RunOptions& run : seldom) run.every = 0.25;
  EXPECT_NEAR(choose_common_times(seldom, 0.0, 5000).times.interval(), 0.25, 1e-12);
}

TEST(CommonTimes, StartWhereTheRunsStart) {
  auto one = runs({0.5}, 3.0);
  const CommonTimes times = choose_common_times(one, 1.0, 5000).times;
  ASSERT_EQ(times.size(), 5u);
  EXPECT_EQ(times.time(1), 1.5);
  EXPECT_EQ(times.find(1.5), 1u);
}

TEST(CommonTimes, OfStepsThatHardlyMeetThereAreNone) {
  auto perturbed = runs({0.01, 0.00997}, 10.0);  // they meet at 9.97 only
  const CommonTimesChoice choice = choose_common_times(perturbed, 0.0, 5000);
  EXPECT_NE(choice.problem.find("0.00997 to 0.01"), std::string::npos) << choice.problem;
  EXPECT_EQ(perturbed[0].every, 0.0);
  auto many_steps = runs({1e-9, 1.0000000001e-9}, 1e3);
  EXPECT_NE(choose_common_times(many_steps, 0.0, 5000).problem, "");  // told, not searched for hours
  auto irrational = runs({1e-3, std::sqrt(2.0) * 1e-4}, 10.0);
  EXPECT_NE(choose_common_times(irrational, 0.0, 5000).problem, "");
}

// What an integrator with dense output cannot step to it interpolates.
TEST(CommonTimes, DoNotDependOnAdaptiveRuns) {
  auto both = runs({0.01, 0.00997}, 10.0);
  both[1].integrator = "dopri5";
  EXPECT_DOUBLE_EQ(choose_common_times(both, 0.0, 5000).times.interval(), 0.01);
  EXPECT_DOUBLE_EQ(both[1].every, 0.01);
  both[0].integrator = "dopri5";
  for (RunOptions& run : both) run.every = 0.0;
  EXPECT_DOUBLE_EQ(choose_common_times(both, 0.0, 1000).times.interval(), 0.01);
}

}  // namespace tippe::run_common_times_test
