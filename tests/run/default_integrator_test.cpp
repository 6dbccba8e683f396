// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/default_integrator.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/scenes.h"

namespace tippe::run_default_integrator_test {

const std::string kRun = "[run]\ndt = 1e-3\nuntil = 0.01\n";

/// n balls in a row over a floor each.
std::string balls(int n) {
  return fmt::format(
      "[lagrangian]\ncoordinates = [\"y{{i}} for i in 1..{0}\"]\nkinetic = \"sum(i, 1, {0}, 0.5*y{{i}}'^2)\"\n"
      "[[contact]]\nfor = {{ i = \"1..{0}\" }}\nname = \"floor{{i}}\"\ngap = \"y{{i}} + 1\"\n",
      n);
}

std::string chosen(const std::string& system) {
  return test::scene_from(system + kRun).run.integrator;
}

// The rule of docs/howto/modelling.md.
TEST(DefaultIntegrator, IsTheBestThatFits) {
  EXPECT_EQ(chosen("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n"), "dopri5");
  EXPECT_EQ(chosen(balls(1)), "consistent-2");
  EXPECT_EQ(chosen(balls(20)), "consistent-2");
  EXPECT_EQ(chosen(balls(21)), "moreau");
  EXPECT_EQ(
      chosen(
          "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"(2 + x^2)*x'^2\"\n[[contact]]\nname = \"c\"\ngap = \"x + 1\"\n"),
      "consistent-mq");
  EXPECT_EQ(
      chosen("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 1]\n[[body.sphere]]\nradius = 0.5\n"
             "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"b\", \"floor\"]\n"),
      "quaternion-2");
  EXPECT_EQ(chosen(balls(2) + "[impact]\ncontacts = [\"floor1\", \"floor2\"]\nrestitution_matrix = [[0, 1], [1, 0]]\n"),
            "event-driven");
}

TEST(DefaultIntegrator, IsNamedWithItsReason) {
  const Scene scene = test::scene_from(balls(1) + kRun);
  ASSERT_EQ(scene.run.notes.size(), 1u);
  EXPECT_EQ(scene.run.notes[0], "integrator consistent-2, the default here: one law, and a mass matrix that is constant");
  EXPECT_EQ(test::run(scene).notes, scene.run.notes);
  EXPECT_TRUE(test::scene_from(balls(1) + "[run]\nintegrator = \"consistent-2\"\ndt = 1e-3\nuntil = 1\n").run.notes.empty());
}

// A free top that turns about its middle axis, and a chain of ten rods: moreau loses both within minutes.
TEST(DefaultIntegrator, KeepsWhatMoreauLoses) {
  const Scene top = test::scene_from(
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 3]\nangular_velocity = [0.01, 5, 0.01]\n[run]\ndt = 1e-2\nuntil = "
      "300\n");
  const RunSummary summary = test::run(top);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-5 * summary.energy.scale);
}

// At a step at which moreau without projection loses a twentieth of the energy.
TEST(DefaultIntegrator, KeepsAChainOfTenBodies) {
  std::ifstream file(test::scene_path("body_chain"));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = text.substr(0, text.find("[run]"));
  const auto run = [&](const std::string& integrator) {
    return test::run(read_scene(text + "[run]\n" + integrator + "dt = 2e-3\nuntil = 4\n", "chain.toml"));
  };
  const RunSummary by_default = run(""), by_moreau = run("integrator = \"moreau\"\n");
  ASSERT_EQ(by_default.status, RunStatus::kOk) << by_default.message;
  EXPECT_LE(std::abs(by_default.energy.unexplained()), 1e-5 * by_default.energy.scale);
  EXPECT_GE(std::abs(by_moreau.energy.unexplained()), 0.05 * by_moreau.energy.scale);
}

// Ours name theirs, so that what is published does not change with the rule.
TEST(DefaultIntegrator, NoSceneOfOursNeedsIt) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    for (const std::string& note : load_scene(entry.path()).run.notes)
      EXPECT_EQ(note.find("by default"), std::string::npos) << entry.path();
  }
}

}  // namespace tippe::run_default_integrator_test
