// SPDX-License-Identifier: Apache-2.0
// A slip that friction stops stays stopped: in the consistent schemes, too, whose friction acts on displacements.
#include <cmath>

#include "support/scenes.h"
#include "tippe/run/simulate.h"

namespace tippe::scenes_slip_reversal_test {

Scene load(const std::string& name, const std::string& integrator, double dt, double until,
           std::vector<std::string> settings = {}) {
  return test::load(
      name,
      {.settings = std::move(settings), .integrator = integrator, .dt = std::to_string(dt), .until = std::to_string(until)});
}

class StoppedSlip : public testing::TestWithParam<const char*> {};

// With mu = 2 the rod's tip stops at once, without a collision. M = diag(3, 3, 5), directions of the tip n = (0, 1, -1) and t = (1, 0, 2):
// G = [8 -6; -6 17]/15, so that taking the slip of 4 m/s away at gamma_n = 0 costs 4^2 G_nn/(2 det G) = 8 (8/15)/(4/9) = 9.6 J.
TEST_P(StoppedSlip, PainlevesRodStopsAsInAnImpact) {
  double error[2];
  for (const double dt : {1e-3, 1e-4}) {
    const Scene scene = load("painleve_rod", GetParam(), dt, 10 * dt, {"mu=2"});
    const double start = 24.0 + 3.0 * 9.81 * 2.0, l = std::sqrt(5.0);
    test::watch(scene, [&](const State& state, const Integrator&, const StepReport& report) {
      ASSERT_TRUE(report.ok());
      const double slip = state.u[0] + l * std::sin(state.q[2]) * state.u[2];
      EXPECT_NEAR(slip, 0.0, 1e-2 * dt) << "at t = " << state.t << ", dt = " << dt;
    });
    const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
    error[dt == 1e-3 ? 0 : 1] = std::abs(summary.energy.lost_in_contacts - 9.6);
    EXPECT_NEAR(summary.energy.final, start - summary.energy.lost_in_contacts, 1e-12 * start) << dt;
    EXPECT_LE(summary.energy.max_rise_per_step, 1e-12 * start);
  }
  EXPECT_LE(error[0], 0.02);  // the impulse of gravity in the step of the stop, m g dt times speeds of a few m/s
  EXPECT_NEAR(error[0] / error[1], 10.0, 0.1);
}

// The same rod on a tip that slips freely, or nearly so, along a second direction as well, and fast: that slip must not hide that the other one is stopped.
TEST_P(StoppedSlip, ASecondSlipWithLessFrictionChangesNothing) {
  const std::string text = R"scene(tippe = 1
[parameters]
m = 3
l = "sqrt(5)"
mu2 = 0
[lagrangian]
coordinates = ["x", "y", "theta", "z"]
kinetic = "0.5*m*(x'^2 + y'^2 + z'^2) + m*l^2/6*theta'^2"
potential = "m*9.81*y"
[[contact]]
name = "tip"
gap = "y - l*sin(theta)"
slip = ["x' + l*sin(theta)*theta'", "z'"]
friction = ["2", "mu2"]
[initial]
theta = "atan(2)"
y = "l*sin(atan(2))"
"x'" = -4
"z'" = 10
[run]
dt = 1e-4
until = 1e-3
)scene";
  for (const char* mu2 : {"mu2=0", "mu2=1e-6"}) {
    Scene scene = read_scene(text, "rod.toml", {.settings = {mu2}, .integrator = {}, .dt = {}, .until = {}});
    scene.run.integrator = GetParam();
    const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    const Eigen::VectorXd &q = summary.final_state.q, &u = summary.final_state.u;
    EXPECT_NEAR(u[0] + std::sqrt(5.0) * std::sin(q[2]) * u[2], 0.0, 1e-4) << mu2;
    EXPECT_NEAR(u[3], 10.0, 1e-4) << mu2;
    EXPECT_NEAR(summary.energy.lost_in_contacts, 9.6, 2e-3) << mu2;
  }
}

// A block that slides to rest: v^2/(2 mu g) far, and then it rests, however the last step of sliding lies about the instant of the stop.
TEST_P(StoppedSlip, ABlockStopsAndStays) {
  const std::string text = R"scene(tippe = 1
[parameters]
v = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
potential = "10*y"
[[contact]]
name = "floor"
gap = "y"
slip = "x'"
friction = 0.5
[initial]
"x'" = "v"
[run]
dt = 1e-2
until = 0.5
)scene";
  for (const char* v : {"v=1", "v=1.01", "v=1.025", "v=1.03", "v=-1.0499"}) {
    Scene scene = read_scene(text, "block.toml", {.settings = {v}, .integrator = {}, .dt = {}, .until = {}});
    scene.run.integrator = GetParam();
    const double speed = std::abs(scene.start.u[0]), mu_g = 5.0;
    const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_NEAR(std::abs(summary.final_state.q[0]), speed * speed / (2.0 * mu_g), 0.25 * mu_g * 1e-4) << v;
    EXPECT_NEAR(summary.final_state.u[0], 0.0, 1e-13) << v;
    EXPECT_NEAR(summary.energy.lost_in_contacts, 0.5 * speed * speed, 1e-13) << v;
  }
}

// A clutch has no normal: its force limit alone stops it.
TEST_P(StoppedSlip, AClutchStopsAndStays) {
  const std::string text = R"scene(tippe = 1
[lagrangian]
coordinates = ["a", "b"]
kinetic = "a'^2 + 0.5*b'^2"
[[dry_friction]]
name = "clutch"
velocity = "a' - b'"
limit = 3
[initial]
"a'" = 1.007
[run]
dt = 1e-2
until = 1
)scene";
  Scene scene = read_scene(text, "clutch.toml");
  scene.run.integrator = GetParam();
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  const double common = 2.0 * 1.007 / 3.0;
  EXPECT_NEAR(summary.final_state.u[0], common, 1e-13);
  EXPECT_NEAR(summary.final_state.u[1], common, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Integrators, StoppedSlip, testing::Values("consistent-2", "consistent-mq", "quaternion-2"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace tippe::scenes_slip_reversal_test
