// SPDX-License-Identifier: Apache-2.0
// A bilateral constraint that is driven does work in an impact, too.
#include <algorithm>

#include "support/scenes.h"

namespace tippe::integrate_driven_impact_test {

class DrivenImpact : public testing::TestWithParam<const char*> {};

// a moves with 5 m/s whatever happens, and x hits at t = 0.1 s with the gap rate -x' - 2 a' = -10 m/s. Without rebound x' becomes -10 m/s,
// which takes the impulse 10 N s: 10 N s times 5 m/s are lost. T = 13.75 J before and after, so that the drive gave the 50 J.
TEST_P(DrivenImpact, IsBooked) {
  Scene scene = test::scene_from(R"scene([lagrangian]
coordinates = ["a", "x"]
kinetic = "0.05*a'^2 + 0.5*(x' + a')^2"
[[bilateral]]
name = "drive"
position = "a - 5*t"
[[contact]]
name = "stop"
gap = "1 - x - 2*a"
[initial]
"a'" = 5
[run]
dt = 1e-3
until = 1
)scene");
  scene.run.integrator = GetParam();
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.energy.lost_in_contacts, 50.0, 1e-9);
  EXPECT_NEAR(summary.energy.work_done, 50.0, 1e-9);
  EXPECT_NEAR(summary.energy.unexplained(), 0.0, 1e-9);
  EXPECT_NEAR(summary.final_state.u[1], -10.0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Integrators, DrivenImpact,
                         testing::Values("moreau", "moreau-jean", "consistent-2", "consistent-mq", "quaternion-2",
                                         "event-driven"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace tippe::integrate_driven_impact_test
