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

// The same body hits the floor, rubs and is driven by a constraint meanwhile.
TEST(ConsistentHalving, BooksOfTheHalvesAddUpToThoseOfTheStep) {
  const Scene scene = test::scene_from(
      "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 1, 2]\nvelocity = [3, 0, -1]\nangular_velocity = [0, 0, 50]\n"
      "formulation = \"scalable\"\n"
      "[[dry_friction]]\nname = \"pad\"\nvelocity = \"top.vx\"\nlimit = 2\n"
      "[[contact]]\nname = \"floor\"\ngap = \"top.z\"\nrestitution = 0.5\n"
      "[[bilateral]]\nname = \"drive\"\nposition = \"top.y - 3*t^2\"\n"
      "[run]\nintegrator = \"consistent-2\"\ndt = 0.1\nuntil = 1\n");
  const auto make = [&] { return find_integrator("consistent-2")->make(*scene.system, scene.run.integrator_options); };
  const auto whole = make(), parts = make();
  State at = scene.start, by_parts = scene.start;
  const StepReport report = whole->step(at, 0.1);
  ASSERT_TRUE(report.ok()) << report.culprit;
  EXPECT_EQ(report.halvings, 3);
  double lost = 0.0, work = 0.0, residual = 0.0;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(2), law_losses = impulse, of_constraint = Eigen::VectorXd::Zero(1);
  for (int k = 0; k < 4; ++k) {
    const StepReport part = parts->step(by_parts, 0.025);
    ASSERT_TRUE(part.ok());
    lost += part.lost_in_contacts;
    work += part.work_done;
    residual = std::max(residual, part.residual);
    impulse += parts->last_laws().impulse;
    law_losses += parts->last_laws().lost;
    of_constraint += parts->last_constraints().impulse;
  }
  EXPECT_LE((at.q - by_parts.q).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(report.lost_in_contacts, lost, 1e-13);
  EXPECT_NEAR(lost, 0.5 * (1.0 - 0.25) + 0.5 * (9.0 - 2.8 * 2.8), 1e-12);  // the impact, and the pad from 3 to 2.8 m/s
  EXPECT_NEAR(report.work_done, work, 1e-13);
  EXPECT_NEAR(work, 0.5 * 0.6 * 0.6, 1e-12);  // in 0.1 s the drive reaches 0.6 m/s
  EXPECT_EQ(report.residual, residual);
  EXPECT_LE((whole->last_laws().impulse - impulse).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((whole->last_laws().lost - law_losses).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(whole->last_constraints().impulse[0], of_constraint[0], 1e-13);
  EXPECT_EQ(whole->last_laws().closing_speed[0], 1.0);  // of the floor, in the first part
  EXPECT_EQ(report.lost_along_normals, 0.0);            // of other schemes
  // What the next step starts from is the same.
  ASSERT_TRUE(whole->step(at, 0.02).ok());
  ASSERT_TRUE(parts->step(by_parts, 0.02).ok());
  EXPECT_LE((at.u - by_parts.u).cwiseAbs().maxCoeff(), 1e-13);
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
