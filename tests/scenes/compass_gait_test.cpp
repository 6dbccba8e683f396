// SPDX-License-Identifier: Apache-2.0
// The simplest walker of Garcia, Chatterjee, Ruina and Coleman (1998), with feet of a thousandth of the hip's mass: its periodic gait on a slope of 0.009 rad has
// theta = 0.200161072169750, theta' = -0.199906060087682, phi' = -0.015805473227965 just after the foot has landed: the root that P. A. Bhounsule's program
// passivewalker.m (Cornell University, 26 December 2009) notes for M = 1000, m = 1, gam = 0.009. Contacts that act only at times make the feet: they scuff
// in the middle of each step.
#include "support/scenes.h"
#include "tippe/verify/verify.h"

namespace tippe::scenes_compass_gait_test {

Scene walk(const std::string& integrator, int steps) {
  std::string text = test::load("compass_gait").origin.scene_text;
  text.insert(text.find("[run]\n") + 6, fmt::format("stop_after = {{ impacts = {} }}\n", steps));
  return read_scene(text, "compass_gait.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = "1000"});
}

TEST(CompassGait, WalksAsInAnotherProgram) {
  const Scene scene = walk("event-driven", 100);
  const RunSummary summary = test::run(scene);
  ASSERT_TRUE(summary.stopped.has_value()) << summary.message;
  EXPECT_EQ(summary.stopped->because, "stop_after impacts");
  EXPECT_EQ(summary.impacts, 100);
  const Eigen::VectorXd &q = summary.final_state.q, &u = summary.final_state.u;
  EXPECT_NEAR(q[2], 0.200161072169750, 1e-12);  // after a hundred steps it stands on the leg it began with
  EXPECT_NEAR(q[3], -0.200161072169750, 1e-12);
  EXPECT_NEAR(u[2], -0.199906060087682, 1e-12);
  EXPECT_NEAR(u[2] - u[3], -0.015805473227965, 1e-12);
}

TEST(CompassGait, WalksWithTimeSteppingSchemes) {
  for (const char* integrator : {"moreau", "moreau-jean"}) {
    const Scene scene = walk(integrator, 2);
    const RunSummary summary = test::run(scene);
    ASSERT_TRUE(summary.stopped.has_value()) << summary.message;
    // The gait magnifies that they find the foot on the ground up to two steps late.
    EXPECT_NEAR(summary.stopped->time, 2.0 * 3.88194, 0.1);
    EXPECT_NEAR(summary.final_state.q[2], 0.200161, 0.006);
  }
}

}  // namespace tippe::scenes_compass_gait_test
