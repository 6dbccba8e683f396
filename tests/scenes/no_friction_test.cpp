// SPDX-License-Identifier: Apache-2.0
// A contact that has a slip velocity and no friction is a contact without friction.
#include <cmath>

#include "support/bodies.h"
#include "tippe/run/simulate.h"

namespace tippe::scenes_no_friction_test {

/// Letters and underscores.
std::string plain_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
  return name;
}

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
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  const double g = 9.81, t = 0.7 - std::sqrt(2.0 / g), y = 0.5 * std::sqrt(2.0 * g) * t - 0.5 * g * t * t;
  EXPECT_NEAR(summary.final_state.q[1], y, 4.5 * scene.run.dt);  // m/s times a step: first order
  EXPECT_NEAR(summary.final_state.q[0], 0.25 * 0.7, 1e-12);
  EXPECT_NEAR(summary.final_state.u[0], 0.25, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Integrators, NoFriction,
                         testing::Values("moreau", "moreau-jean", "consistent-2", "consistent-mq", "quaternion-2",
                                         "event-driven"),
                         [](const auto& parameter) { return plain_name(parameter.param); });

/// Formulation or kind of a body, and an integrator that fits.
class NoFrictionOfBodies : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// The same fall of a ball that spins: nothing slows its flight along the floor nor its spin.
TEST_P(NoFrictionOfBodies, ABallBouncesAndSpinsOn) {
  const auto [body, integrator] = GetParam();
  const bool planar = std::string(body) == "planar";
  const std::string vectors = planar ? "kind = \"planar\"\ninertia = 0.004\nposition = [0, 1.1]\nvelocity = [0.25, 0]\n"
                                       "angular_velocity = 3\n"
                                     : "formulation = \"" + std::string(body) +
                                           "\"\ninertia = [0.004, 0.004, 0.004]\nposition = [0, 1.1, 0]\n"
                                           "velocity = [0.25, 0, 0]\nangular_velocity = [0, 0, 3]\n";
  Scene scene = read_scene("tippe = 1\n[world]\ngravity = [0, -9.81" + std::string(planar ? "" : ", 0") +
                               "]\n[[body]]\nname = \"ball\"\nmass = 1\n" + vectors +
                               "[[body.sphere]]\nradius = 0.1\n[[plane]]\nname = \"floor\"\nnormal = [0, 1, 0]\n"
                               "[[contact_law]]\nbetween = [\"ball\", \"floor\"]\nfriction = 0\nrestitution = 0.5\n"
                               "[run]\ndt = 1e-4\nuntil = 0.7\n",
                           "ball.toml");
  scene.run.integrator = integrator;
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  const State& end = summary.final_state;
  const double g = 9.81, t = 0.7 - std::sqrt(2.0 / g), y = 0.5 * std::sqrt(2.0 * g) * t - 0.5 * g * t * t;
  EXPECT_NEAR(test::coordinate(scene, end, "ball.y"), 0.1 + y, 4.5 * scene.run.dt);
  EXPECT_NEAR(test::coordinate(scene, end, "ball.x"), 0.25 * 0.7, 1e-12);
  EXPECT_NEAR(test::quantity(scene, end, "angular_momentum.z"),
              0.004 * 3.0 + test::coordinate(scene, end, "ball.x") * test::velocity(scene, end, "ball.vy") -
                  test::coordinate(scene, end, "ball.y") * 0.25,
              1e-11);
}

INSTANTIATE_TEST_SUITE_P(Integrators, NoFrictionOfBodies,
                         testing::Values(std::pair("newton-euler", "quaternion-2"),
                                         std::pair("newton-euler", "quaternion-1"), std::pair("newton-euler", "moreau"),
                                         std::pair("newton-euler", "moreau-jean"), std::pair("newton-euler", "event-driven"),
                                         std::pair("scalable", "consistent-2"), std::pair("affine", "consistent-2"),
                                         std::pair("affine", "moreau"), std::pair("planar", "consistent-2"),
                                         std::pair("planar", "moreau")),
                         [](const auto& parameter) {
                           return plain_name(std::string(parameter.param.first) + " " + parameter.param.second);
                         });

}  // namespace tippe::scenes_no_friction_test
