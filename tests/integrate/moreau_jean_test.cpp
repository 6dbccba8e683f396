// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/moreau_jean.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace tippe::integrate_moreau_jean_test {

std::string spring(double stiffness, const std::string& more) {
  return "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*" + std::to_string(stiffness) +
         "*x^2\"\n[initial]\nx = 1\n[run]\nintegrator = \"moreau-jean\"\n" + more;
}

TEST(MoreauJean, KeepsTheEnergyOfALinearSpringAtAnyStep) {
  // theta = 1/2 is the trapezoidal rule: omega dt = 100 here, where explicit schemes end at 2.
  const RunSummary summary = test::run(test::scene_from(spring(1e8, "dt = 0.01\nuntil = 10\n")));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.energy.final, 0.5e8, 0.5e8 * 1e-10);
  EXPECT_LT(std::abs(summary.energy.unexplained()), 0.5e8 * 1e-10);
}

TEST(MoreauJean, ThetaOneDampsAsTheImplicitEulerRule) {
  // Amplification 1 / sqrt(1 + (omega dt)^2) per step.
  const RunSummary summary = test::run(test::scene_from(spring(25.0, "theta = 1\ndt = 0.1\nuntil = 2\n")));
  EXPECT_NEAR(summary.energy.final, 12.5 * std::pow(1.0 + 0.25, -20), 1e-10);
}

TEST(MoreauJean, IsOfSecondOrderInSmoothMotionWithTheMidpointAndOfFirstWithThetaOne) {
  // Double pendulum with damping and a given force: mass matrix, gyroscopic and nonlinear forces all vary.
  const auto scene = [](const std::string& run) {
    return test::scene_from(R"toml(
[lagrangian]
coordinates = ["a", "b"]
kinetic   = "0.5*(2*a'^2 + b'^2 + 2*a'*b'*cos(a - b))"
potential = "9.81*(3 - 2*cos(a) - cos(b))"
damping = "0.05*(a'^2 + (b' - a')^2)"
forces = { b = "sin(3*t) - 0.2*b'*abs(b')" }
[initial]
a = 1
b = -0.4
"b'" = 2
)toml" + run);
  };
  const RunSummary reference = test::run(scene("[run]\nintegrator = \"rk4\"\ndt = 1e-4\nuntil = 1\n"));
  for (const auto& [theta, order] : {std::pair{"0.5", 2.0}, std::pair{"1", 1.0}}) {
    double previous = 0.0;
    for (const int steps : {211, 457, 991}) {
      Scene trial = scene(std::string("[run]\nintegrator = \"moreau-jean\"\ndt = 1\nuntil = 1\ntheta = ") + theta + "\n");
      trial.run.dt = 1.0 / steps;
      const double error = (test::run(trial).final_state.q - reference.final_state.q).norm();
      if (previous > 0.0) {
        EXPECT_NEAR(std::log(previous / error) / std::log(2.168), order, 0.2) << theta;
      }
      previous = error;
    }
  }
}

TEST(MoreauJean, RunsTheOscillatorOfTable61AtALargeStep) {
  // Moeller Table 6.1: at dt = 1e-3 the explicit rule is unstable (omega dt > 2).
  Scene scene = test::load("oscillator", {.settings = {}, .integrator = "moreau-jean", .dt = "1e-3", .until = {}});
  for (const bool project_contacts : {false, true}) {
    scene.run.integrator_options.project_contacts = project_contacts;
    const RunSummary stiff = test::run(scene);
    ASSERT_EQ(stiff.status, RunStatus::kOk) << stiff.message;
    // Smooth forces keep the energy exactly; the contact, whose spring compresses and opens within a step, errs by some percent.
    EXPECT_LT(std::abs(stiff.energy.unexplained()), 1e-12 * stiff.energy.scale);
    EXPECT_LT(std::abs(stiff.energy.final - stiff.energy.initial), (project_contacts ? 0.1 : 0.05) * stiff.energy.scale);
    EXPECT_LE(stiff.energy.pushed_out, 0.01 * stiff.energy.scale);
    EXPECT_FALSE(stiff.warnings.empty());
  }
  const RunSummary explicit_forces =
      test::run(test::load("oscillator", {.settings = {}, .integrator = "moreau", .dt = "1e-3", .until = {}}));
  EXPECT_TRUE(explicit_forces.status != RunStatus::kOk || !explicit_forces.warnings.empty());
}

TEST(MoreauJean, SolvesAStiffHardeningSpring) {
  // V = 1e8 x^4: slopes change by orders of magnitude within a step.
  const RunSummary summary = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
potential = "1e8*x^4"
[initial]
x = 0.1
"x'" = 1
[run]
integrator = "moreau-jean"
dt = 1e-3
until = 1e-3
)toml"));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.final_state.u[0], -199.0002, 1e-3);  // by Newton's method on the one equation of the step
}

TEST(MoreauJean, StaysAtRest) {
  const RunSummary summary = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "9.81*(0.6*x + 0.8*y)"
[[bilateral]]
name = "rod"
position = "0.5*(x^2 + y^2 - 1)"
[initial]
x = -0.6
y = -0.8
[run]
integrator = "moreau-jean"
dt = 0.01
until = 1
)toml"));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.final_state.q[0], -0.6, 1e-13);
}

TEST(MoreauJean, ImplicitEulerRunsAStiffSpringAtAnyStep) {
  for (const double dt : {1e-3, 1e-4, 1e-5}) {
    Scene scene = test::scene_from(spring(1e8, "theta = 1\ndt = 1\nuntil = 1\n"));
    scene.run.dt = dt;
    scene.run.until = 100 * dt;
    const RunSummary summary = test::run(scene);
    EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  }
}

TEST(MoreauJean, ReportsForcesThatItCannotFind) {
  // A force that jumps by more than any step can follow.
  const RunSummary summary = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
forces = { x = "-1e6*sign(x')" }
[initial]
"x'" = 1
[run]
integrator = "moreau-jean"
dt = 0.01
until = 1
)toml"));
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NE(summary.message.find("implicit forces were not found"), std::string::npos) << summary.message;
}

}  // namespace tippe::integrate_moreau_jean_test
