// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/scene.h"

#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe::scene_scene_test {

const std::string kBall = R"toml(tippe = 1
[parameters]
b = "2*a"
a = "c/4"
c = 2
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*b*y'^2"
[initial]
y = "b + 1"
"y'" = "-pi*a"
[run]
integrator = "moreau"
dt = "a/1000"
until = "c"
[output]
every = "10*a/1000"
)toml";

TEST(Scene, NumbersMayBeExpressionsOfParametersInAnyOrder) {
  const Scene scene = read_scene(kBall, "ball.toml");
  EXPECT_EQ(scene.start.q[0], 2.0);
  EXPECT_EQ(scene.start.u[0], -M_PI / 2);
  EXPECT_EQ(scene.run.dt, 0.0005);
  EXPECT_EQ(scene.run.until, 2.0);
  EXPECT_EQ(scene.run.every, 0.005);
}

TEST(Scene, SettingsReplaceParametersAndWhatDependsOnThem) {
  const Scene scene =
      read_scene(kBall, "ball.toml", {.settings = {"c=8", "a=c/2"}, .integrator = "rk4", .dt = "a/100", .until = {}});
  EXPECT_EQ(scene.start.q[0], 9.0);  // b = 2 a = 8
  EXPECT_EQ(scene.run.dt, 0.04);
  EXPECT_EQ(scene.run.until, 8.0);
  EXPECT_EQ(scene.run.integrator, "rk4");
}

TEST(Scene, BadSettingsAreRefusedByName) {
  const auto message = [](const SceneOverrides& overrides) -> std::string {
    try {
      (void)read_scene(kBall, "ball.toml", overrides);
    } catch (const InputError& error) {
      const auto name = [](Argument argument) {
        return argument == Argument::kSetting ? "SETTING" : argument == Argument::kTimeStep ? "STEP" : "OTHER";
      };
      return worded(error, name, [](Remedy, const std::string&) { return ""; });
    }
    return "accepted";
  };
  EXPECT_NE(message({.settings = {"d=1"}, .integrator = {}, .dt = {}, .until = {}}).find("no parameter 'd'"),
            std::string::npos);
  EXPECT_NE(message({.settings = {"a"}, .integrator = {}, .dt = {}, .until = {}}).find("name=value"), std::string::npos);
  EXPECT_EQ(message({.settings = {"a=1+"}, .integrator = {}, .dt = {}, .until = {}}).find("SETTING a=1+: "), 0u);
  EXPECT_NE(message({.settings = {"c=b"}, .integrator = {}, .dt = {}, .until = {}}).find("cycle"), std::string::npos);
  EXPECT_EQ(message({.settings = {}, .integrator = {}, .dt = "-1", .until = {}}).find("STEP: "), 0u);
  EXPECT_NE(message({.settings = {}, .integrator = "morau", .dt = {}, .until = {}}).find("did you mean 'moreau'"),
            std::string::npos);
}

TEST(Scene, LongChainsOfParametersAreFast) {  // each needs the next: the worst order
  std::string text = "tippe = 1\n[parameters]\n";
  const int n = 20000;
  for (int i = 0; i < n; ++i) text += "p" + std::to_string(i) + " = \"p" + std::to_string(i + 1) + "\"\n";
  text += "p" + std::to_string(n) +
          " = 7\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"p0*y'^2\"\n[run]\nintegrator = \"moreau\"\ndt = 1\nuntil "
          "= 2\n";
  EXPECT_EQ(read_scene(text, "chain.toml").origin.parameters.at("p0"), 7.0);
}

TEST(Scene, DotsInTextsAndCommentsAreNoKeys) {
  const std::string dots(200, '.');
  const std::string texts =
      "# " + dots + "\ntitle = \"\"\"\n" + dots + "\\\"\"\"\"\" # " + dots + "\nsource = '" + dots + "'\n";
  const Scene scene = read_scene(std::string(kBall).insert(kBall.find("[parameters]"), texts), "ball.toml");
  EXPECT_EQ(scene.origin.title, dots + "\"\"");
  EXPECT_EQ(scene.origin.source, dots);
}

TEST(Scene, EverySceneOfTheProjectLoads) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    const Scene scene = load_scene(entry.path());
    EXPECT_FALSE(scene.origin.title.empty()) << entry.path();
    EXPECT_FALSE(scene.origin.source.empty()) << entry.path();
    ++scenes;
  }
  EXPECT_GE(scenes, 6);
}

TEST(Scene, SchemesThatChooseTheirStepsNeedNoFirstOne) {
  const std::string system = "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[initial]\nt = 2\n[run]\n";
  EXPECT_NEAR(test::scene_from(system + "integrator = \"dopri5\"\nuntil = 5\n").run.dt, 3e-3, 1e-17);
  EXPECT_EQ(test::scene_from(system + "integrator = \"dopri5\"\nuntil = 5\ndt = 0.25\n").run.dt, 0.25);
}

// With --integrator a setting of another scheme waits.
TEST(Scene, WhatToDoWithoutUniquenessIsRead) {
  const auto read = [](const std::string& choice) {
    return read_scene(
        "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[run]\nintegrator = \"moreau\"\ndt = "
        "0.1\nuntil = 1\n" +
            choice,
        "test.toml", {.settings = {}, .integrator = "moreau", .dt = {}, .until = {}});
  };
  EXPECT_TRUE(read("when_not_unique = \"stop\"\n").run.integrator_options.stop_when_not_unique);
  EXPECT_FALSE(read("when_not_unique = \"continue\"\n").run.integrator_options.stop_when_not_unique);
  EXPECT_FALSE(read("").run.integrator_options.stop_when_not_unique);
}

TEST(Scene, AMissingFileIsTold) {
  EXPECT_THROW((void)load_scene("/nonexistent.toml"), FileError);
  EXPECT_THROW((void)load_scene("/tmp"), FileError);
}

}  // namespace tippe::scene_scene_test
