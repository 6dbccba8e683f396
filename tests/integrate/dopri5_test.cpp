// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/dopri5.h"

#include <cmath>

#include "support/scenes.h"

namespace tippe::integrate_dopri5_test {

constexpr double kLoose = 0.5;  // a tolerance that accepts every step of these tests: steps are then as long as asked

/// x = cos t, from the start at rest at 1.
Scene oscillator(const std::string& run = "dt = 0.1\nuntil = 1\n") {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n[initial]\nx = 1\n"
      "[run]\nintegrator = \"dopri5\"\n" +
      run);
}

/// Kepler's problem with semi-axis 1 and attraction 1/r^2, from the pericentre: the period is 2 pi.
Scene kepler(const std::string& tolerance, double periods) {
  Scene scene = test::scene_from(
      "[parameters]\ne = 0.6\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n"
      "potential = \"-1/sqrt(x^2 + y^2)\"\n[initial]\nx = \"1 - e\"\n\"y'\" = \"sqrt((1 + e)/(1 - e))\"\n"
      "[run]\nintegrator = \"dopri5\"\ndt = 0.01\nuntil = 1\ntolerance = " +
      tolerance + "\n");
  scene.run.until = 2.0 * M_PI * periods;
  return scene;
}

double kepler_error(const Scene& scene, const RunSummary& summary) {
  return (summary.final_state.q - scene.start.q).norm();
}

TEST(DormandPrince, IsOfFifthOrderAtFixedSteps) {
  const Scene scene = kepler("0.5", 1.0);
  double previous = 0.0;
  for (const int steps : {400, 800, 1600}) {
    DormandPrince integrator(*scene.system, kLoose, true);
    State state = scene.start;
    for (int n = 0; n < steps; ++n) {
      const StepReport report = integrator.step(state, scene.run.until / steps);
      ASSERT_TRUE(report.ok());
      ASSERT_EQ(report.rejected, 0);
    }
    const double error = (state.q - scene.start.q).norm();
    if (previous > 0.0) {
      EXPECT_NEAR(std::log2(previous / error), 5.0, 0.3) << steps;
    }
    previous = error;
  }
}

// Hairer II.6: the interpolant between the ends of a step has a local error of dt^5.
TEST(DormandPrince, DenseOutputIsOfFourthOrder) {
  const Scene scene = oscillator();
  double previous = 0.0;
  for (const double dt : {0.4, 0.2, 0.1, 0.05, 0.025}) {
    DormandPrince integrator(*scene.system, kLoose, true);
    State state = scene.start, between;
    ASSERT_TRUE(integrator.step(state, dt).ok());
    double error = 0.0;
    for (int k = 0; k <= 20; ++k) {
      const double t = dt * k / 20;
      ASSERT_TRUE(integrator.interpolate(t, between).ok());
      EXPECT_EQ(between.t, t);
      error = std::max({error, std::abs(between.q[0] - std::cos(t)), std::abs(between.u[0] + std::sin(t))});
    }
    EXPECT_NEAR(between.q[0], state.q[0], 1e-15);
    EXPECT_NEAR(between.u[0], state.u[0], 1e-15);
    if (previous > 0.0) {
      EXPECT_NEAR(std::log2(previous / error), 5.0, 0.3) << dt;
    }
    previous = error;
  }
}

// The estimate is the error of the solution of order 4, dt^5, and the error of the one that is kept adds up to dt^5 as well:
// it is proportional to the tolerance.
TEST(DormandPrince, ErrorFollowsTheTolerance) {
  double previous = 0.0;
  for (const char* tolerance : {"1e-9", "1e-10", "1e-11", "1e-12"}) {
    const Scene scene = kepler(tolerance, 3.0);
    const RunSummary summary = test::run(scene);
    const double error = kepler_error(scene, summary);
    if (previous > 0.0) {
      EXPECT_NEAR(std::log10(previous / error), 1.0, 0.25) << tolerance << " " << error;
    }
    EXPECT_LE(summary.worst_residual, scene.run.integrator_options.tolerance);
    EXPECT_LT(summary.rejected_steps, summary.steps / 4);
    previous = error;
  }
  EXPECT_LE(previous, 1e-9);
}

// Steps are short at the pericentre and long at the apocentre: the speeds there are as 4 to 1, the curvatures as 64 to 1.
TEST(DormandPrince, StepsFollowTheMotion) {
  const Scene scene = kepler("1e-9", 1.0);
  DormandPrince integrator(*scene.system, 1e-9, true);
  State state = scene.start;
  double at_pericentre = 0.0, at_apocentre = 0.0, dt = 0.01;
  while (state.t < 2.0 * M_PI) {
    const double before = state.t;
    ASSERT_TRUE(integrator.step(state, dt).ok());
    if (before < 0.1) at_pericentre = state.t - before;
    if (before < M_PI) at_apocentre = state.t - before;
    dt = integrator.proposed_step();
  }
  EXPECT_GT(at_apocentre, 4.0 * at_pericentre);
}

TEST(DormandPrince, AFirstStepThatIsTooLongIsRejectedAndShortened) {
  const Scene scene = oscillator();
  for (const double dt : {0.5, 0.7, 1.0, 1.5, 2.0, 3.0}) {
    DormandPrince integrator(*scene.system, 1e-10, true);
    State state = scene.start;
    EXPECT_EQ(integrator.proposed_step(), 0.0);
    const StepReport report = integrator.step(state, dt);
    EXPECT_TRUE(report.ok());
    EXPECT_GE(report.rejected, 1);
    EXPECT_LT(state.t, 0.2);
    EXPECT_NEAR(state.q[0], std::cos(state.t), 1e-10);
  }
}

// Hairer II.4: the step that follows a rejected one is not longer. Here a fifth of the step stays in the domain of the force and is
// accurate by far.
TEST(DormandPrince, StepsDoNotGrowRightAfterARejection) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[lagrangian.forces]\nx = \"sqrt(0.5 - t)\"\n"
      "[initial]\nx = 1\n[run]\nintegrator = \"dopri5\"\ndt = 0.1\nuntil = 1\n");
  DormandPrince integrator(*scene.system, 1e-2, true);
  State state = scene.start;
  EXPECT_EQ(integrator.step(state, 1.0).rejected, 1);
  EXPECT_EQ(state.t, 0.2);
  EXPECT_EQ(integrator.proposed_step(), 0.2);
}

// u' = u^2, u = 1/(1 - t): no solution beyond t = 1.
TEST(DormandPrince, ASolutionThatEndsIsToldWithTimeStepAndCoordinate) {
  const RunSummary summary = test::run(
      test::scene_from("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[lagrangian.forces]\nx = \"x'^2\"\n"
                       "[initial]\n\"x'\" = 1\n[run]\nintegrator = \"dopri5\"\ndt = 0.1\nuntil = 2\n"));
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NEAR(summary.final_state.t, 1.0, 1e-9);
  EXPECT_NE(summary.message.find("t = 1"), std::string::npos) << summary.message;
  EXPECT_NE(summary.message.find("which is round-off of the time"), std::string::npos) << summary.message;
  EXPECT_NE(summary.message.find("error in x'"), std::string::npos) << summary.message;
}

TEST(DormandPrince, AForceThatLeavesItsDomainIsToldSo) {
  const RunSummary summary = test::run(
      test::scene_from("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[lagrangian.forces]\n"
                       "x = \"sqrt(0.5 - t)\"\n[run]\nintegrator = \"dopri5\"\ndt = 0.1\nuntil = 2\ntolerance = 1e-6\n"));
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NEAR(summary.final_state.t, 0.5, 1e-9);
  EXPECT_NE(summary.message.find("the force on x is not finite"), std::string::npos) << summary.message;
}

// Powers of two as units change no bit of the mantissas.
TEST(DormandPrince, UnitsDoNotMatter) {
  const auto run = [](const std::string& mass, const std::string& stiffness, const std::string& start) {
    return test::run(test::scene_from("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*" + mass +
                                      "*x'^2\"\npotential = \"0.5*" + stiffness + "*x^2\"\n[initial]\nx = " + start +
                                      "\n[run]\nintegrator = \"dopri5\"\ndt = 0.1\nuntil = 3\n"));
  };
  const RunSummary metres = run("2", "8", "1"), small = run("2", "8", "0.0009765625");
  EXPECT_EQ(metres.steps, small.steps);
  EXPECT_EQ(metres.final_state.q[0], 1024.0 * small.final_state.q[0]);
  EXPECT_NEAR(metres.final_state.q[0], std::cos(6.0), 1e-8);
}

// y is round-off and must not be resolved to ten digits of that; as large as x it is.
TEST(DormandPrince, ACoordinateThatIsZeroButForRoundOffCostsNoSteps) {
  const auto steps = [](const std::string& y) {
    return test::run(test::scene_from("[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*x'^2 + 0.5*y'^2\"\n"
                                      "potential = \"0.5*x^2 + 4.5*y^2\"\n[initial]\nx = 1\ny = " +
                                      y + "\n[run]\nintegrator = \"dopri5\"\ndt = 0.01\nuntil = 10\n"))
        .steps;
  };
  EXPECT_EQ(steps("1e-18"), steps("0"));
  EXPECT_GT(steps("1"), 2 * steps("0"));
}

// What memory() holds is all that a step depends on beside the state; the rate kept from the last stage is not part of it.
TEST(DormandPrince, AnotherIntegratorContinuesToTheBit) {
  const Scene scene = kepler("1e-9", 1.0);
  DormandPrince first(*scene.system, 1e-9, true), second(*scene.system, 1e-9, true);
  State state = scene.start;
  double dt = 0.01;
  const auto step = [&](DormandPrince& integrator, State& at) {
    ASSERT_TRUE(integrator.step(at, dt).ok());
    dt = integrator.proposed_step();
  };
  for (int k = 0; k < 30; ++k) step(first, state);
  State copy = state;
  second.restore_memory(first.memory());
  const double dt_then = dt;
  for (int k = 0; k < 30; ++k) step(first, state);
  dt = dt_then;
  for (int k = 0; k < 30; ++k) step(second, copy);
  EXPECT_EQ(state.t, copy.t);
  EXPECT_EQ(state.q, copy.q);
  EXPECT_EQ(state.u, copy.u);
  EXPECT_EQ(first.memory(), second.memory());
  EXPECT_THROW(second.restore_memory({}), std::invalid_argument);
  NamedArrays shorter = first.memory();
  shorter.begin_array("size").assign({1.0});
  EXPECT_THROW(second.restore_memory(shorter), std::invalid_argument);
}

}  // namespace tippe::integrate_dopri5_test
