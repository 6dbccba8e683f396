// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/penetration_watch.h"

#include <fmt/format.h>

#include "support/scenes.h"

namespace tippe::run_penetration_watch_test {

/// What is said of a ball of radius 0.1 m that rests on a plane and sinks by the same way in each of a thousand steps.
std::vector<std::string> warnings_of(const std::string& contacts, double way) {
  const Scene scene = test::scene_from(
      fmt::format("[world]\ncontacts = \"{}\"\n", contacts) +
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 0.1]\n[[body.sphere]]\nradius = 0.1\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"b\", \"floor\"]\n"
      "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1\n");
  PenetrationWatch watch(*scene.system);
  Eigen::VectorXd gaps = Eigen::VectorXd::Zero(1);
  watch.start(gaps, scene.start.q);
  for (int step = 1; step <= 1000; ++step) {
    gaps[0] = -step * way;
    watch.look(gaps, scene.start.q);
  }
  std::vector<std::string> warnings;
  watch.warn(9.0, "take a smaller dt", warnings);
  return warnings;
}

// By residuals of the steps a tower sinks by 1e-9 m in minutes: below 1e-6 of what touches that is no penetration. Ten times that is.
TEST(PenetrationWatch, LeavesResidualsOfWhatTouchesAlone) {
  EXPECT_EQ(warnings_of("found", 0.9e-10), std::vector<std::string>());
  EXPECT_EQ(warnings_of("found", 1e-9).size(), 1u);
  EXPECT_EQ(warnings_of("expressions", 0.9e-10).size(), 1u);
}

}  // namespace tippe::run_penetration_watch_test
