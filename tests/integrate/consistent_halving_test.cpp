// SPDX-License-Identifier: Apache-2.0
// Steps without a solution are cut in halves and counted; what cannot be solved at all ends a run with the name of the culprit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/program.h"
#include "support/scenes.h"

namespace tippe::integrate_consistent_halving_test {

/// A scalable body that spins about its symmetry axis with 50 rad/s.
Scene spinning(double dt) {
  return test::scene_from(fmt::format(
      "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 1, 2]\nangular_velocity = [0, 0, 50]\nformulation = \"scalable\"\n"
      "[run]\nintegrator = \"consistent-2\"\ndt = {}\nuntil = 1\n",
      dt));
}

// Errata of Moeller: (5.107) with the scalable body has a solution only for dt |wC + wE| <= 4, here dt <= 0.04. A step of 0.1 s is
// four of 0.025 s.
TEST(ConsistentHalving, AScalableBodyTurnsByAtMostFourRadiansInTwoSteps) {
  const Scene scene = spinning(0.1);
  const auto stepper = find_integrator("consistent-2")->make(*scene.system, scene.run.integrator_options);
  State whole = scene.start, parts = scene.start;
  const StepReport report = stepper->step(whole, 0.1);
  ASSERT_TRUE(report.ok()) << report.culprit;
  EXPECT_EQ(report.halvings, 3);  // of 0.1 s, and of both its halves
  for (int k = 0; k < 4; ++k) {
    const StepReport of_part = stepper->step(parts, 0.025);
    ASSERT_TRUE(of_part.ok());
    EXPECT_EQ(of_part.halvings, 0);
  }
  EXPECT_LE((whole.q - parts.q).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(whole.t, 0.1, 1e-15);
  EXPECT_EQ(test::run(spinning(0.1)).halved_steps, 10);
  EXPECT_EQ(test::run(spinning(0.039)).halved_steps, 0);
  EXPECT_EQ(test::run(spinning(0.041)).halved_steps, 24);  // all but the last, shortened one
}

// A mass on a rod of 1 m is lifted with 2 m/s: after 0.5 s the rod is too short.
TEST(ConsistentHalving, AStepThatCannotBeSolvedNamesTheCulprit) {
  const std::string body =
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n[[bilateral]]\nname = \"rod\"\n"
      "position = \"x^2 + y^2 - 1\"\n[[bilateral]]\nname = \"lift\"\nposition = \"y - 2*t\"\n[initial]\nx = 1\n\"y'\" = 2\n"
      "[run]\nintegrator = \"consistent-2\"\ndt = 0.01\nuntil = 1\n";
  const RunSummary summary = test::run(test::scene_from(body));
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NEAR(summary.final_state.t, 0.5, 0.0101);
  EXPECT_NE(summary.message.find("the momentum of x"), std::string::npos) << summary.message;

  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "lift.toml") << "tippe = 1\n" << body;
  const test::ProgramResult result = test::run_program({"run", "lift.toml", "--no-report"}, folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.errors.find("the momentum of x"), std::string::npos) << result.errors;
}

}  // namespace tippe::integrate_consistent_halving_test
