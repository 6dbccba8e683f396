// SPDX-License-Identifier: Apache-2.0
// A contact that has a slip velocity and no friction is a contact without friction.
#include <cmath>

#include "support/scenes.h"
#include "tippe/record/simulate.h"

namespace tippe::scenes_no_friction_test {

class NoFriction : public testing::TestWithParam<const char*> {};

// Dropped from 1 m with restitution 1/2: at 0.7 s it is on its way down from the first rebound, t_1 = sqrt(2/g) after which
// y = v t - g t^2/2 with v = sqrt(2 g)/2.
TEST_P(NoFriction, ABallBounces) {
  const std::string text = R"scene(tippe = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y"
slip = "x'"
friction = 0
restitution = 0.5
[initial]
y = 1
"x'" = 0.25
[run]
dt = 1e-4
until = 0.7
)scene";
  Scene scene = read_scene(text, "ball.toml");
  scene.run.integrator = GetParam();
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, nullptr);
  ASSERT_EQ(summary.status, "ok") << summary.message;
  const double g = 9.81, t = 0.7 - std::sqrt(2.0 / g), y = 0.5 * std::sqrt(2.0 * g) * t - 0.5 * g * t * t;
  EXPECT_NEAR(summary.final_state.q[1], y, 4.5 * scene.run.dt);  // m/s times a step: first order
  EXPECT_NEAR(summary.final_state.q[0], 0.25 * 0.7, 1e-12);
  EXPECT_NEAR(summary.final_state.u[0], 0.25, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Integrators, NoFriction,
                         testing::Values("moreau", "moreau-jean", "consistent-2", "consistent-mq", "event-driven"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace tippe::scenes_no_friction_test
