// SPDX-License-Identifier: Apache-2.0
// A coordinate without mass, held by springs alone, beside a constraint that drives a mass: no rank of the constraints can be decided at its start.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.h"

namespace tippe::massless_drive_test {

State end_of(const std::string& coordinates, const std::string& springs) {
  const char* text = R"TOML([lagrangian]
coordinates = [{}]
kinetic = "0.5*0.7*x0'^2 + 0.5*1.7*x1'^2"
potential = "3.1*x1 + {}"
[[bilateral]]
name = "drive"
position = "x0 - 0.01*(1 - cos(13*t))"
[run]
integrator = "event-driven"
dt = 1e-3
until = 0.5
)TOML";
  const Scene scene = test::scene_from(fmt::format(fmt::runtime(text), coordinates, springs));
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  return summary.final_state;
}

// Two springs in a row are one of stiffness k1 k2/(k1 + k2), and the point between them is where they balance.
TEST(MasslessDrive, TwoSpringsInARowAreOne) {
  const State state = end_of("\"x0\", \"x1\", \"x2\"", "0.5*240*(x1 - x2)^2 + 0.5*60*(x2 - x0)^2"),
              one = end_of("\"x0\", \"x1\"", "0.5*48*(x1 - x0)^2");
  EXPECT_NEAR(state.q[0], 0.01 * (1.0 - std::cos(6.5)), 1e-12);
  EXPECT_NEAR(state.q[1], one.q[1], 1e-10);
  EXPECT_NEAR(state.q[2], (240.0 * one.q[1] + 60.0 * one.q[0]) / 300.0, 1e-10);
}

}  // namespace tippe::massless_drive_test
