// SPDX-License-Identifier: Apache-2.0
// Steps whose contact problem is solved to less than the tolerance.
#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe::integrate_inexact_steps_test {

class InexactSteps : public testing::TestWithParam<const char*> {};

/// A block on two feet that slides; no residual is below 1e-30.
Scene sliding_block(const std::string& integrator, double contact_tolerance) {
  Scene scene = test::scene_from(R"scene([lagrangian]
coordinates = ["x", "y", "phi"]
kinetic = "0.5*x'^2 + 0.5*y'^2 + 0.07*phi'^2"
potential = "9.81*y"
[[contact]]
name = "left"
gap = "y - 0.5*sin(phi) - 0.3*cos(phi)"
slip = "x' + 0.3*phi'"
friction = 0.3
[[contact]]
name = "right"
gap = "y + 0.5*sin(phi) - 0.3*cos(phi)"
slip = "x' + 0.3*phi'"
friction = 0.3
[initial]
y = 0.3
"x'" = 1
[run]
dt = 1e-3
until = 0.1
)scene");
  scene.run.integrator = integrator;
  scene.run.integrator_options.tolerance = 1e-30;
  scene.run.integrator_options.contact_tolerance = contact_tolerance;
  return scene;
}

TEST_P(InexactSteps, AreAcceptedAndCounted) {
  const RunSummary summary = test::run(sliding_block(GetParam(), 1e-6));
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_GT(summary.inexact_steps, 0);
  EXPECT_LE(summary.inexact_steps, summary.steps);
  EXPECT_LE(summary.worst_residual, 1e-6);
}

TEST_P(InexactSteps, EndTheRunBeyondTheContactTolerance) {
  for (const double tolerance : {0.0, 1e-25}) {
    const RunSummary summary = test::run(sliding_block(GetParam(), tolerance));
    EXPECT_EQ(summary.status, RunStatus::kFailed);
    EXPECT_EQ(summary.inexact_steps, 0);
  }
}

TEST(InexactSteps, AreNotCountedWhereTheToleranceIsReached) {
  Scene scene = sliding_block("moreau", 1e-6);
  scene.run.integrator_options.tolerance = 1e-10;
  EXPECT_EQ(test::run(scene).inexact_steps, 0);
}

// The aim is what a step is solved to, neither more nor less: with the impulses of the step before, the residual of a sliding block is 1e-16 or far from it.
TEST(InexactSteps, TheAimIsWhatAStepIsSolvedTo) {
  const auto worst = [](double aim) {
    Scene scene = sliding_block("moreau", 1e-3);
    scene.run.integrator_options.contact_aim = aim;
    const RunSummary summary = test::run(scene);
    EXPECT_EQ(summary.inexact_steps, 0) << aim;
    return summary.worst_residual;
  };
  EXPECT_LE(worst(1e-4), 1e-4);
  EXPECT_GT(worst(1e-4), 1e-10);
  EXPECT_LE(worst(1e-10), 1e-10);
}

TEST(InexactSteps, AreSummedUpByTheirResiduals) {
  Scene scene = sliding_block("moreau", 1e-6);
  std::vector<double> residuals;
  RunHooks hooks;
  hooks.after_step = [&](const StepView& step) { residuals.push_back(step.report.residual); };
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  std::sort(residuals.begin(), residuals.end());
  const double median = residuals[(residuals.size() + 1) / 2 - 1], usual = residuals[(residuals.size() * 9 + 9) / 10 - 1];
  EXPECT_LE(median, summary.median_residual);
  EXPECT_GE(1.26 * median, summary.median_residual);
  EXPECT_LE(usual, summary.residual_90_percent);
  EXPECT_GE(1.26 * usual, summary.residual_90_percent);
}

TEST(InexactSteps, TheirToleranceIsARelativeNumberOfSchemesThatTakeIt) {
  const auto message = [](const std::string& run) -> std::string {
    try {
      test::scene_from("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[run]\ndt = 1\nuntil = 2\n" + run);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message("integrator = \"moreau\"\ncontact_tolerance = 1e-4\nproject_contacts = false\n"), "");
  EXPECT_NE(message("integrator = \"moreau\"\ncontact_tolerance = -1\n").find("at least 0 and less than 1"),
            std::string::npos);
  EXPECT_NE(message("integrator = \"moreau\"\ncontact_tolerance = 1\n").find("at least 0 and less than 1"),
            std::string::npos);
  EXPECT_NE(message("integrator = \"rk4\"\ncontact_tolerance = 1e-4\n").find("for moreau and moreau-jean, not for 'rk4'"),
            std::string::npos);
  EXPECT_NE(message("integrator = \"moreau\"\ncontact_aim = 0\n").find("more than 0 and less than 1"), std::string::npos);
  EXPECT_NE(message("integrator = \"moreau\"\ncontact_aim = 1e-3\ncontact_tolerance = 1e-4\n")
                .find("'contact_aim' = 0.001 is more than 'contact_tolerance' = 0.0001"),
            std::string::npos);
  EXPECT_EQ(message("integrator = \"moreau\"\ncontact_aim = 1e-4\ncontact_tolerance = 1e-4\nproject_contacts = false\n"),
            "");
  EXPECT_NE(message("integrator = \"rk4\"\ncontact_aim = 1e-4\n").find("for moreau and moreau-jean, not for 'rk4'"),
            std::string::npos);
  EXPECT_NE(message("integrator = \"moreau\"\ncontact_sweeps = 10\n").find("here all are expressions"), std::string::npos);
  EXPECT_NE(message("integrator = \"rk4\"\nproject_contacts = true\n").find("for moreau and moreau-jean, not for 'rk4'"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Integrators, InexactSteps, testing::Values("moreau", "moreau-jean"), [](const auto& parameter) {
  return std::string(parameter.param) == "moreau" ? "moreau" : "moreau_jean";
});

}  // namespace tippe::integrate_inexact_steps_test
