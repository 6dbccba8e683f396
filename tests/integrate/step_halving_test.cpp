// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_halving.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace tippe::integrate_step_halving_test {

/// A scheme on one law that fails where a step is longer than `longest`: q += dt, impulse and losses dt each.
struct Scheme {
  explicit Scheme(double longest_step, std::string name = {}) : longest(longest_step), culprit(std::move(name)) {}

  double longest;
  std::string culprit;
  std::vector<ForceLaw> laws = std::vector<ForceLaw>(1);
  LawStep law_step{laws};
  ConstraintStep constraints;
  LawMemory memory;
  StepHalving halving{StepHalving::Mends::kUnsolvedContacts, 3};
  int tried = 0;

  StepReport step(State& state, double dt) {
    constraints.impulse.setZero(1);
    constraints.on_velocities.setZero(1);
    return halving.step(state, dt, law_step, constraints, memory, [&](State& end, double length) {
      ++tried;
      if (length <= longest) {  // else it fails, which leaves the state alone
        end.q[0] += length;
        end.t += length;
      }
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

// Two contacts squeeze z in the middle of the second step alone, where one of them moves with 1 m/s: the step has no solution, and its
// halves, which look a quarter of it earlier and later, have. Beside it a block starts 1 mm deep.
const std::string squeezed = R"scene(
[lagrangian]
coordinates = ["y", "z"]
kinetic = "0.5*y'^2 + 0.5*z'^2"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y"
[[contact]]
name = "left"
gap = "z - (t - 1.5e-3)*exp(-(2e5*(t - 1.5e-3))^2)"
[[contact]]
name = "right"
gap = "-z"
[initial]
y = -1e-3
[run]
dt = 1e-3
until = 1
closed_tolerance = 1e-12
initial_penetration = 1
)scene";

class HalvedStep : public testing::TestWithParam<const char*> {};

TEST_P(HalvedStep, IsTwoStepsOfHalfTheLength) {
  const Scene scene = test::scene_from(squeezed);
  const auto make = [&] { return find_integrator(GetParam())->make(*scene.system, scene.run.integrator_options); };
  const auto whole = make(), halves = make();
  State at = scene.start, by_halves = scene.start;
  EXPECT_EQ(whole->step(at, 1e-3).halvings, 0);
  ASSERT_TRUE(halves->step(by_halves, 1e-3).ok());
  const StepReport report = whole->step(at, 1e-3);
  ASSERT_TRUE(report.ok()) << describe_failure(*scene.system, report, at);
  EXPECT_EQ(report.halvings, 1);
  EXPECT_GE(report.methods_tried, 3);  // one in vain and two
  double lost = 0.0;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(3);
  for (int half = 0; half < 2; ++half) {
    const StepReport part = halves->step(by_halves, 0.5e-3);
    EXPECT_EQ(part.halvings, 0);
    lost += part.lost_in_contacts;
    impulse += halves->last_laws().impulse;
  }
  EXPECT_EQ(at.q, by_halves.q);
  EXPECT_EQ(at.u, by_halves.u);
  EXPECT_EQ(report.lost_in_contacts, lost);
  EXPECT_EQ(whole->last_laws().impulse, impulse);
}

// Every fourth step pushes out half of a depth, however its steps are made.
TEST_P(HalvedStep, CountsAsOneStepOfPushingOut) {
  Scene scene = test::scene_from(squeezed);
  scene.run.integrator = GetParam();
  scene.run.until = 0.01;
  double depth = 1e-3;
  int step = 0, halvings = 0;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport& report) {
    if (step++ % 4 == 0) depth *= 0.5;
    EXPECT_NEAR(state.q[0], -depth, 1e-12) << step;
    halvings += report.halvings;
  });
  EXPECT_EQ(halvings, 1);
}

INSTANTIATE_TEST_SUITE_P(Integrators, HalvedStep, testing::Values("moreau", "moreau-jean"), [](const auto& parameter) {
  return std::string(parameter.param) == "moreau" ? "moreau" : "moreau_jean";
});

}  // namespace tippe::integrate_step_halving_test
