// SPDX-License-Identifier: Apache-2.0
// Spheres that fall into a box and jam there, with friction and without any setting.
#include <fmt/format.h>

#include <array>

#include "support/random.h"
#include "support/scenes.h"

namespace tippe::scenes_heap_test {

Scene heap(int count, unsigned seed, double until) {
  test::Random random(seed);
  std::string text = "[world]\ngravity = [0, 0, -9.81]\n";
  for (int i = 0; i < count; ++i) {
    const int layer = i / 9, place = i % 9;
    text += fmt::format(
        "[[body]]\nname = \"s{}\"\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [{}, {}, {}]\n[[body.sphere]]\nradius "
        "= 0.05\n",
        i, 0.11 * (place % 3 - 1) + random.uniform(-0.004, 0.004), 0.11 * (place / 3 - 1) + random.uniform(-0.004, 0.004),
        0.06 + 0.11 * layer);
  }
  text += "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n";
  for (const auto& [name, normal, point] : {std::array{"west", "1, 0", "-0.2, 0"}, std::array{"east", "-1, 0", "0.2, 0"},
                                            std::array{"south", "0, 1", "0, -0.2"}, std::array{"north", "0, -1", "0, 0.2"}})
    text += fmt::format("[[plane]]\nname = \"{}\"\nnormal = [{}, 0]\npoint = [{}, 0]\n", name, normal, point);
  text += "[[contact_law]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\n";
  return test::scene_from(text + fmt::format("[run]\ndt = 1e-3\nuntil = {}\n", until));
}

void runs(int count, unsigned seed, double until) {
  const Scene scene = heap(count, seed, until);
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(summary.worst_residual, 1e-6);
  EXPECT_LE(summary.worst_penetration, 3e-3);  // what falls 0.4 m goes 3 mm in a step
  EXPECT_LE(summary.energy.final, summary.energy.initial);
}

TEST(Heap, OfFortySpheresRuns) {
  runs(40, 1, 0.6);  // the last layer has come to rest on the others
}

TEST(LongHeap, OfFiftySpheresRuns) {
  for (const unsigned seed : {1u, 2u, 3u}) runs(50, seed, 1.0);
}

TEST(LongHeap, OfAHundredSpheresRuns) {
  runs(100, 1, 1.0);
}

}  // namespace tippe::scenes_heap_test
