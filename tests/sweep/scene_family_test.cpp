// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/scene_family.h"

#include <gtest/gtest.h>

#include "support/scenes.h"
#include "tippe/core/error.h"
#include "tippe/core/text_file.h"

namespace tippe::sweep_scene_family_test {

std::string text_of(const std::string& name) {
  return read_text_file(test::scene_path(name), {.kind = "scene", .instead_of_folder = ""});
}

/// The family's scene at some values moves as the scene with these settings does, to the bit.
void expect_same_motion(const std::string& text, std::vector<std::string> names,
                        const std::vector<std::vector<double>>& points, bool compiled, SceneOverrides overrides) {
  SceneFamily family(text, "test.toml", overrides, names);
  for (const std::vector<double>& values : points) {
    Scene& scene = family.at(values);
    SceneOverrides settings = overrides;
    settings.settings = family.settings_at(values);
    const Scene read = read_scene(text, "test.toml", settings);
    EXPECT_EQ(scene.run.initial_penetration, read.run.initial_penetration);
    const RunSummary a = simulate(*scene.system, scene.start, scene.run), b = simulate(*read.system, read.start, read.run);
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.impacts, b.impacts);
    EXPECT_EQ(a.final_state.t, b.final_state.t);
    EXPECT_EQ(a.final_state.q, b.final_state.q);
    EXPECT_EQ(a.final_state.u, b.final_state.u);
    EXPECT_EQ(a.energy.unexplained(), b.energy.unexplained());
    scene.run.until = 1e9;  // it is ours until the next call
  }
  EXPECT_EQ(family.is_compiled(), compiled) << names[0];
}

SceneOverrides until(const std::string& end) {
  SceneOverrides overrides;
  overrides.until = end;
  return overrides;
}

TEST(SceneFamily, NumbersOfLawsStartAndRunAreSetWithoutReadingAgain) {
  const std::string pendulum = text_of("impacting_pendulum");
  expect_same_motion(pendulum, {"epsilon", "phi"}, {{0.8, 0.5}, {0.1, 0.2}, {1.0, 0.0}, {0.0, 0.3}}, true, until("0.5"));
  expect_same_motion(pendulum, {"phi'"}, {{0.8}, {-0.1}}, true, until("0.5"));
  expect_same_motion(text_of("vibrating_table"), {"e", "y"}, {{0.8, 0.01}, {0.5, 0.02}}, true, until("0.2"));
  expect_same_motion(text_of("incline"), {"mu"}, {{0.2}, {0.9}}, true, until("0.3"));
  expect_same_motion(text_of("woodpecker"), {"mu"}, {{0.2}, {0.3}}, true, until("0.01"));  // starts deeper than by default
}

TEST(SceneFamily, WhatDecidesMoreIsReadAgain) {
  const std::string pendulum = text_of("impacting_pendulum");
  expect_same_motion(pendulum, {"l"}, {{0.8}, {0.4}}, false, until("0.2"));
  expect_same_motion(pendulum, {"epsilon", "g"}, {{0.8, 9.81}, {0.4, 1.6}}, false, until("0.2"));
  // A number that is twice the name, and a start that a number of the equations repeats.
  const auto scene = [](const std::string& gap, const std::string& restitution, const std::string& start) {
    return "tippe = 1\n[parameters]\na = 0.3\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"y'^2/2\"\npotential = "
           "\"9.81*y\"\n"
           "[[contact]]\nname = \"floor\"\ngap = \"" +
           gap + "\"\nrestitution = " + restitution + "\n[initial]\ny = " + start +
           "\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.5\n";
  };
  expect_same_motion(scene("y", "\"a\"", "1"), {"a"}, {{0.3}, {0.5}}, true, {});
  expect_same_motion(scene("y", "\"a\"", "\"a\""), {"a"}, {{0.3}, {0.5}}, true, {});
  expect_same_motion(scene("y", "\"2*a\"", "1"), {"a"}, {{0.3}, {0.5}}, false, {});
  expect_same_motion(scene("y + a", "\"a\"", "1"), {"a"}, {{0.3}, {0.5}}, false, {});
}

TEST(SceneFamily, AValueThatTheSceneRefusesIsRefusedInItsWords) {
  SceneFamily family(text_of("impacting_pendulum"), "test.toml", {}, {"epsilon", "phi"});
  const auto message = [&](double epsilon, double phi) -> std::string {
    try {
      (void)family.at(std::vector<double>{epsilon, phi});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(0.5, 0.5), "");
  EXPECT_TRUE(family.is_compiled());
  EXPECT_NE(message(1.5, 0.5).find("restitution"), std::string::npos) << message(1.5, 0.5);
  EXPECT_NE(message(0.5, -0.5).find("penetrat"), std::string::npos) << message(0.5, -0.5);
  EXPECT_EQ(message(0.5, 0.5), "");
  EXPECT_THROW(SceneFamily(text_of("impacting_pendulum"), "test.toml", {}, {"epsilom"}), ArgumentError);
}

}  // namespace tippe::sweep_scene_family_test
