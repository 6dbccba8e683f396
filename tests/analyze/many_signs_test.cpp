// SPDX-License-Identifier: Apache-2.0
// Bilateral contacts with friction, more than the signs of their forces are tried for.
#include <gtest/gtest.h>

#include "support/instant_problems.h"
#include "tippe/analyze/analysis.h"
#include "tippe/report/analysis_findings.h"

namespace tippe::analyze_many_signs_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Instant instant_of(AccelerationProblem problem) {
  Instant instant;
  instant.acceleration = std::move(problem);
  return instant;
}

std::string text_of(const Instant& instant, const Analysis& analysis, const std::string& topic) {
  for (const Finding& finding : describe_findings(instant, analysis)) {
    if (finding.topic == topic) return finding.text;
  }
  return {};
}

/// `count` sleeves, each on a rod of its own: normal force F[2 i] and friction F[2 i + 1].
AccelerationProblem sleeves(int count, double mu, const VectorXd& slip = {}) {
  AccelerationProblem problem;
  problem.M = MatrixXd::Identity(2 * count, 2 * count);
  problem.F.resize(2 * count);
  for (int i = 0; i < count; ++i) {
    problem.F.segment(2 * i, 2) = Eigen::Vector2d(i % 2 == 0 ? 10.0 : -5.0, 1.0 + 0.05 * i);
    problem.bilateral.push_back(test::row("s" + std::to_string(i), VectorXd::Unit(2 * count, 2 * i),
                                          VectorXd::Unit(2 * count, 2 * i + 1), mu, slip));
  }
  return problem;
}

// The forces are unique, so that their signs are: the last of the weak sleeves, 13, needs mu = 1.65/5.
TEST(ManySigns, TheLoadDecidesThem) {
  for (const int count : {5, 14, 40}) {
    const int weakest = count % 2 == 0 ? count - 1 : count - 2;  // the last one that carries 5 N
    const double needed = std::max((1.0 + 0.05 * weakest) / 5.0, (1.0 + 0.05 * (count - 1)) / 10.0);
    const Analysis holds = analyze(instant_of(sleeves(count, 1.01 * needed)));
    EXPECT_TRUE(holds.sticking->feasible.yes()) << count;
    EXPECT_NEAR(holds.sticking->mu_min, needed, 1e-9);
    const Analysis slips = analyze(instant_of(sleeves(count, 0.99 * needed)));
    EXPECT_TRUE(slips.sticking->feasible.no()) << count;
    EXPECT_TRUE(slips.sticking->reason.empty());
    EXPECT_NEAR(holds.sticking->forces[1], 1.0, 1e-12);
    EXPECT_NEAR(holds.sticking->forces[2], -5.0, 1e-12);
  }
}

// 13 sleeves on one rod can be pressed against each other at will: their signs are open, and the answer says so.
TEST(ManySigns, WhatIsNotTriedIsSaid) {
  AccelerationProblem problem = sleeves(13, 0.5);
  for (ContactRows& sleeve : problem.bilateral) {
    sleeve.normal = VectorXd::Unit(26, 0);
    sleeve.tangents = VectorXd::Unit(26, 1);
  }
  problem.F = 10.0 * VectorXd::Unit(26, 0);
  const Instant instant = instant_of(problem);
  const Analysis analysis = analyze(instant);
  EXPECT_EQ(analysis.sticking->feasible.answer, Answer::kUndecided);
  EXPECT_NE(text_of(instant, analysis, "Sticking").find("13 bilateral contacts with friction may push or pull"),
            std::string::npos)
      << text_of(instant, analysis, "Sticking");
}

// Sliding sleeves: each force follows from its own load, friction is mu times its size.
TEST(ManySigns, SlidingSleevesHaveOneMotion) {
  const Analysis analysis = analyze(instant_of(sleeves(20, 0.4, VectorXd::Ones(1))));
  EXPECT_TRUE(analysis.solvability->verdict.yes());
  ASSERT_TRUE(analysis.motion);
  EXPECT_TRUE(analysis.motion->unique.yes());
  for (int i = 0; i < 20; ++i) {
    const double normal = i % 2 == 0 ? 10.0 : -5.0;
    EXPECT_NEAR(analysis.forces->representative[2 * i], normal, 1e-12);
    EXPECT_NEAR(analysis.motion->acceleration[2 * i + 1], -(1.0 + 0.05 * i) - 0.4 * std::abs(normal), 1e-12);
  }
}

// A chain of sliding sleeves whose friction loads the next one: nu_i = b_i + 0.4 |nu_(i-1)|, solved one after the
// other.
TEST(ManySigns, FrictionMayTurnASign) {
  constexpr int kCount = 15;
  AccelerationProblem problem;
  problem.M = MatrixXd::Identity(kCount + 1, kCount + 1);
  problem.F = VectorXd::Zero(kCount + 1);
  VectorXd expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    problem.F[i] = i % 3 == 0 ? 4.0 : i % 3 == 1 ? -1.0 : -3.0;
    problem.bilateral.push_back(test::row("s" + std::to_string(i), VectorXd::Unit(kCount + 1, i),
                                          VectorXd::Unit(kCount + 1, i + 1), 0.4, VectorXd::Ones(1)));
    // 0 = -F_i + nu_i - 0.4 |nu_(i-1)|
    expected[i] = problem.F[i] + (i > 0 ? 0.4 * std::abs(expected[i - 1]) : 0.0);
  }
  const Analysis analysis = analyze(instant_of(problem));
  ASSERT_TRUE(analysis.motion);
  EXPECT_TRUE(analysis.motion->unique.yes());
  for (int i = 0; i < kCount; ++i) EXPECT_NEAR(analysis.forces->representative[2 * i], expected[i], 1e-12) << i;
}

}  // namespace tippe::analyze_many_signs_test
