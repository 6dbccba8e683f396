// SPDX-License-Identifier: Apache-2.0
// Friction that falls with the slip where contacts are found, and limits of motors that fall.
#include <cmath>

#include "support/scenes.h"

namespace tippe::integrate_falling_limits_test {

/// A box on a plane that is found, in g = 10 m/s2.
Scene box(const std::string& integrator, double slope, double speed) {
  const double angle = std::atan(slope);
  return read_scene(fmt::format(R"TOML(tippe = 1
[world]
gravity = [{}, 0, {}]
contacts = "found"
[[body]]
name = "box"
mass = 2
inertia = [0.02, 0.02, 0.02]
position = [0, 0, 0.05]
velocity = [{}, 0, 0]
[[body.box]]
size = [0.6, 0.6, 0.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["box", "floor"]
friction = {{ static = 0.5, kinetic = 0.3 }}
[run]
integrator = "{}"
dt = 1e-3
until = 0.5
)TOML",
                                10.0 * std::sin(angle), -10.0 * std::cos(angle), speed, integrator),
                    "box.toml");
}

// On the level with 1 m/s: it stops after 1/(2 mu_k g) = 1/6 m. On a slope of 0.4, between both coefficients, one that rests stays, and one that slides
// goes on with g (sin - mu_k cos).
TEST(FallingFriction, HoldsForContactsThatAreFound) {
  for (const char* integrator : {"moreau", "moreau-jean"}) {
    SCOPED_TRACE(integrator);
    const State stopped = test::run(box(integrator, 0.0, 1.0)).final_state;
    EXPECT_NEAR(stopped.q[0], 1.0 / 6.0, 2e-3);
    EXPECT_NEAR(stopped.u[0], 0.0, 1e-9);
    const State rests = test::run(box(integrator, 0.4, 0.0)).final_state;
    EXPECT_NEAR(rests.q[0], 0.0, 1e-7);
    const State slides = test::run(box(integrator, 0.4, 0.1)).final_state;
    const double angle = std::atan(0.4), acceleration = 10.0 * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(slides.u[0], 0.1 + 0.5 * acceleration, 1e-6);
  }
}

// A motor holds x with 5 N against a load of 10 t N, and gives way at 0.5 s; then it brakes with 3 N: x' = 5 t^2 - 3 t + 0.25.
TEST(FallingLimit, AMotorThatHasGivenWayPullsLess) {
  for (const char* integrator : {"event-driven", "moreau", "moreau-jean"}) {
    SCOPED_TRACE(integrator);
    const Scene scene = read_scene(R"TOML(tippe = 1
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
[[force]]
on = "x"
force = "10*t"
[[motor]]
on = "x"
speed = 0
limit = { static = 5, kinetic = 3 }
[run]
dt = 1e-4
until = 1
)TOML",
                                   "motor.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
    const RunSummary summary = test::run(scene);
    EXPECT_NEAR(summary.final_state.u[0], 2.25, scene.run.adaptive() ? 1e-11 : 1e-3);
    EXPECT_NEAR(summary.final_state.q[0], 5.0 / 3.0 - 1.5 + 0.25 - (5.0 / 24.0 - 0.375 + 0.125),
                scene.run.adaptive() ? 1e-11 : 1e-3);
  }
}

}  // namespace tippe::integrate_falling_limits_test
