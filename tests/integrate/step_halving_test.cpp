// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_halving.h"

#include <gtest/gtest.h>

namespace tippe::integrate_step_halving_test {

/// A scheme on one law that fails where a step is longer than `longest`: q += dt, impulse and losses dt each.
struct Scheme {
  explicit Scheme(double longest_step, std::string name = {}) : longest(longest_step), culprit(std::move(name)) {}

  double longest;
  std::string culprit;
  std::vector<ForceLaw> laws = std::vector<ForceLaw>(1);
  LawStep law_step{laws};
  ConstraintStep constraints;
  StepHalving halving;
  int tried = 0;

  StepReport step(State& state, double dt) {
    constraints.impulse.setZero(1);
    constraints.on_velocities.setZero(1);
    return halving.step(state, dt, law_step, constraints, [&](State& end, double length) {
      ++tried;
      end.q[0] += length;
      end.t += length;
      law_step.impulse.setConstant(length);
      law_step.lost.setConstant(length);
      law_step.closing_speed.setConstant(end.q[0]);
      constraints.impulse.setConstant(length);
      StepReport report;
      report.methods_tried = 1;
      report.iterations = 10;
      report.residual = length;
      report.lost_in_contacts = report.work_done = report.pushed_out = length;
      if (length <= longest) return report;
      report.status = StepReport::Status::kNotSolved;
      report.culprit = culprit;
      return report;
    });
  }
};

State at_zero() {
  return {0.0, Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1)};
}

TEST(StepHalving, AStepThatSucceedsIsLeftAlone) {
  Scheme scheme(1.0);
  State state = at_zero();
  const StepReport report = scheme.step(state, 1.0);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.halvings, 0);
  EXPECT_EQ(scheme.tried, 1);
}

TEST(StepHalving, HalvesAddUpToTheWhole) {
  for (const double longest : {0.5, 0.25, 0.125}) {
    Scheme scheme(longest);
    State state = at_zero();
    const StepReport report = scheme.step(state, 1.0);
    ASSERT_TRUE(report.ok()) << longest;
    const int parts = static_cast<int>(1.0 / longest);
    EXPECT_EQ(scheme.tried, 2 * parts - 1);
    EXPECT_EQ(report.halvings, parts - 1);
    EXPECT_EQ(report.iterations, 10 * scheme.tried);
    EXPECT_EQ(report.methods_tried, scheme.tried);
    EXPECT_EQ(report.residual, longest);  // of the steps that count
    EXPECT_EQ(state.q[0], 1.0);
    EXPECT_EQ(state.t, 1.0);
    for (const double sum : {report.lost_in_contacts, report.work_done, report.pushed_out, scheme.law_step.impulse[0],
                             scheme.law_step.lost[0], scheme.constraints.impulse[0]})
      EXPECT_EQ(sum, 1.0) << longest;
  }
}

TEST(StepHalving, WhatIsNeverSolvedFails) {
  Scheme scheme(0.1);
  State state = at_zero();
  const StepReport report = scheme.step(state, 1.0);
  EXPECT_EQ(report.status, StepReport::Status::kNotSolved);
  EXPECT_EQ(scheme.tried, 4);  // the first eighth ends it
  EXPECT_EQ(report.iterations, 40);
}

// A law that is violated, or another culprit, is not tried away.
TEST(StepHalving, OtherFailuresAreReportedAtOnce) {
  Scheme scheme(0.5, "'floor' violates its law");
  State state = at_zero();
  EXPECT_FALSE(scheme.step(state, 1.0).ok());
  EXPECT_EQ(scheme.tried, 1);
}

}  // namespace tippe::integrate_step_halving_test
