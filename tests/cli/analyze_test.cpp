// SPDX-License-Identifier: Apache-2.0
// `tippe analyze` as a user calls it.
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>

#include "support/program.h"
#include "support/scenes.h"
#include "support/terminal.h"

namespace tippe::cli_analyze_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class AnalyzeCommand : public testing::Test {
 protected:
  void SetUp() override {
    // A block of 3 kg that moves up and down on three points.
    std::ofstream(folder_.path() / "block.json") << R"({"title": "Block", "coordinates": ["y"], "M": [[3]], "F": [29.43],
      "unilateral": [{"normal": [1]}, {"normal": [1]}, {"normal": [1]}]})";
    std::ofstream(folder_.path() / "drop.toml") << "M = [[2]]\nF = [19.62]\nvelocity = [-3]\nrestitution = 0.5\n"
                                                   "[[unilateral]]\nname = \"floor\"\nnormal = [1]\n";
    std::ofstream(folder_.path() / "bad.json") << "{\"M\": [[1]],\n \"F\": [1, 2]}\n";
    std::ofstream(folder_.path() / "ball.toml") << R"(
tippe = 1
title = "Ball"
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*y'^2"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0
[initial]
y = 1
[run]
integrator = "moreau"
dt = 0.01
until = 1
)";
  }

  test::ProgramResult analyze(Words arguments) {
    arguments.insert(arguments.begin(), "analyze");
    return test::run_program(arguments, folder_.path());
  }
  Json analyze_json(Words arguments) {
    arguments.push_back("--json");
    return Json::parse(analyze(arguments).output);
  }

  test::TemporaryFolder folder_;
};

// README's first scene: 20 N of the spring against 1.5 N of friction on 2 kg.
TEST_F(AnalyzeCommand, TheSliderOfTheReadmeSlides) {
  std::ifstream readme(std::string(TIPPE_SOURCE_DIR) + "/README.md");
  const std::string text((std::istreambuf_iterator<char>(readme)), {});
  const size_t begin = text.find("tippe = 1\n"), end = text.find("```", begin);
  ASSERT_NE(end, std::string::npos);
  std::ofstream(folder_.path() / "slider.toml") << text.substr(begin, end - begin);
  const std::string output = analyze({"slider.toml"}).output;
  for (const char* part : {"pad begins to slide", "x  -9.25", "1 dry friction (pad)", "13.3333 times those given"})
    EXPECT_NE(output.find(part), std::string::npos) << part << "\n" << output;
  EXPECT_EQ(output.find("pad.n"), std::string::npos) << output;
  const Json json = analyze_json({"slider.toml"});
  EXPECT_NEAR(json["acceleration"]["value"][0].get<double>(), -9.25, 1e-13);
  EXPECT_EQ(json["forces"]["bounds"]["pad"], Json::parse("[1.5, 1.5]"));
  EXPECT_EQ(json["dry_friction"], Json::parse(R"(["pad"])"));
  EXPECT_EQ(json["begins_to_slide"], Json::parse(R"(["pad"])"));
  EXPECT_TRUE(json["bilateral"].empty());
}

// A crate of 10 kg, 0.6 m wide and 1 m high, pushed with 50 N at 0.9 m: it tips about its right foot, where phi'' = -15.57/4.4 follows from
// the moments, N = 98.1 - 3 phi'' and T = -50 - 5 phi''. The left foot opens and has no least coefficient.
TEST_F(AnalyzeCommand, AContactThatOpensHasNoLeastFriction) {
  std::ofstream(folder_.path() / "crate.toml") << R"toml(
M = [[10, 0, 0], [0, 10, 0], [0, 0, 1]]
F = [-50, 98.1, 20]
[[unilateral]]
name = "left"
normal = [0, 1, -0.3]
tangents = [[1, 0, 0.5]]
mu = 0.4
[[unilateral]]
name = "right"
normal = [0, 1, 0.3]
tangents = [[1, 0, 0.5]]
mu = 0.4
)toml";
  const std::string output = analyze({"crate.toml"}).output;
  EXPECT_TRUE(std::regex_search(output, std::regex("smallest mu of left +none: it opens"))) << output;
  const Json trades = analyze_json({"crate.toml"})["sticking"]["trade_offs"];
  EXPECT_TRUE(trades["left"]["others_given"].is_null() && trades["left"]["others_unlimited"].is_null());
  const double turning = -15.57 / 4.4;
  EXPECT_NEAR(trades["right"]["others_given"].get<double>(), (50 + 5 * turning) / (98.1 - 3 * turning), 1e-9);
}

// A ball with 2 m/s hits a mass of the same size that a pad of 0.5 N holds: a bounded force has no impulse, so they exchange their velocities.
TEST_F(AnalyzeCommand, DryFrictionTakesNoPartInImpacts) {
  std::ofstream(folder_.path() / "hit.toml") << R"toml(
tippe = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
[[dry_friction]]
name = "pad"
velocity = "y'"
limit = 0.5
[[contact]]
name = "hit"
gap = "y - x"
restitution = 1
[initial]
"x'" = 2
[run]
dt = 1e-4
until = 1
)toml";
  const Json newton = analyze_json({"hit.toml"})["impact"]["newton"];
  EXPECT_NEAR(newton["velocity_after"][0].get<double>(), 0.0, 1e-14);
  EXPECT_NEAR(newton["velocity_after"][1].get<double>(), 2.0, 1e-14);
  EXPECT_TRUE(newton["bilateral_impulses"].empty());
}

// Without friction a contact stays closed; it does not slide. Nothing accelerates its gap without forces.
TEST_F(AnalyzeCommand, WordsForContactsWithoutFriction) {
  std::ofstream(folder_.path() / "two.json") << R"({"M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "F": [0, 10, -6], "unilateral": [
    {"name": "stop", "normal": [1, 0, 0]},
    {"name": "floor", "normal": [0, 1, 0], "tangents": [0, 0, 1], "mu": 0.5}]})";
  const test::ProgramResult result = analyze({"two.json"});
  EXPECT_NE(result.output.find("stop stays closed and floor slides"), std::string::npos) << result.output;
  EXPECT_EQ(analyze_json({"two.json"})["painleve"]["solutions"][0]["contacts"],
            Json::parse(R"({"stop": "closed", "floor": "slide"})"));
  std::ofstream(folder_.path() / "still.json")
      << R"({"M": [[1]], "F": [0], "unilateral": [{"name": "stop", "normal": [1]}]})";
  EXPECT_NE(analyze({"still.json"}).output.find("gaps without contact forces  do not accelerate"), std::string::npos);
}

TEST_F(AnalyzeCommand, AnswersForAProblemFile) {
  const test::ProgramResult result = analyze({"block.json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("The motion is unique."), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("29.43 N"), std::string::npos);
  const Json json = analyze_json({"block.json"});
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["solvable"]["verdict"], "yes");
  EXPECT_EQ(json["acceleration"]["unique"]["verdict"], "yes");
  EXPECT_NEAR(json["acceleration"]["value"][0].get<double>(), 0.0, 1e-12);
  EXPECT_EQ(json["forces"]["unique"]["verdict"], "no");
  EXPECT_NEAR(json["forces"]["bounds"]["A2.n"][1].get<double>(), 29.43, 1e-9);
  EXPECT_EQ(json["delassus"]["rank"], 1);
  EXPECT_TRUE(json["time"].is_null());
}

/// Two joints that ask for different accelerations of the same coordinate: nothing moves like that, and both are named.
TEST_F(AnalyzeCommand, NamesJointsThatContradictEachOther) {
  std::ofstream(folder_.path() / "joints.json") << R"({"M": [[1, 0], [0, 1]], "F": [0, 9.81],
    "bilateral": [{"name": "a", "normal": [1, 0], "drift": 1}, {"name": "b", "normal": [2, 0], "drift": 3}]})";
  const Json json = analyze_json({"joints.json"});
  EXPECT_EQ(json["solvable"]["verdict"], "no");
  EXPECT_EQ(json["solvable"]["culprits"], (Json{"a.n", "b.n"}));
  EXPECT_EQ(json["generalized_inverse"]["consistent"]["verdict"], "no");
  EXPECT_LT(json["generalized_inverse"]["consistent"]["margin"].get<double>(), 0.0);
  EXPECT_TRUE(json["generalized_inverse"]["acceleration"].is_null());
  EXPECT_TRUE(json["acceleration"].is_null());
}

/// The floor returns half of 3 m/s: an impulse of 2 * (3 + 1.5) = 9 N s, and 2/2 (1.5^2 - 3^2) = -6.75 J.
TEST_F(AnalyzeCommand, JudgesAnImpact) {
  const Json json = analyze_json({"drop.toml"});
  EXPECT_NEAR(json["impact"]["newton"]["impulses"][0].get<double>(), 9.0, 1e-12);
  for (const char* law : {"newton", "poisson", "moreau", "kinematic"}) {
    EXPECT_NEAR(json["impact"][law]["velocity_after"][0].get<double>(), 1.5, 1e-12) << law;
    EXPECT_NEAR(json["impact"][law]["energy_change"].get<double>(), -6.75, 1e-12) << law;
  }
}

/// A unit mass slides into a corner with the gaps y and 0.6 x + 0.8 y. The floor alone stops it, p = (1, 0), and the wall opens with 0.6; to
/// stop at both, the wall would have to pull: [1 0.8; 0.8 1] p = (1, 0.2), p = (7, -5)/3.
TEST_F(AnalyzeCommand, CallsImpactLawsAsScenesDo) {
  std::ofstream(folder_.path() / "corner.toml") << R"(tippe = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
[[contact]]
name = "floor"
gap = "y"
[[contact]]
name = "wall"
gap = "0.6*x + 0.8*y"
[initial]
"x'" = 1
"y'" = -1
[run]
dt = 1e-3
until = 1e-3
)";
  const Json impact = analyze_json({"corner.toml"})["impact"];
  EXPECT_EQ(impact["law"], "newton");
  const auto expect = [&](const char* law, const char* what, double first, double second) {
    EXPECT_NEAR(impact[law][what][0].get<double>(), first, 1e-12) << law;
    EXPECT_NEAR(impact[law][what][1].get<double>(), second, 1e-12) << law;
  };
  for (const char* law : {"newton", "poisson", "moreau"}) {
    expect(law, "impulses", 1.0, 0.0);
    expect(law, "velocity_after", 1.0, 0.0);
  }
  expect("kinematic", "impulses", 7.0 / 3.0, -5.0 / 3.0);
  expect("kinematic", "velocity_after", 0.0, 0.0);
  EXPECT_EQ(impact["kinematic"]["admissible"]["verdict"], "no");
}

/// At 0.4 s the rocking block turns about its corner A1, which sticks; the scheme held its velocity within the last step and not at the
/// end. Newton's law for the centre, pushed by 16 sin(0.8 pi) N: n = m (g + y''), t = m x'' - push.
TEST_F(AnalyzeCommand, KnowsAContactThatAStepHeld) {
  const Json json = analyze_json({test::scene_path("rocking_block"), "--time", "0.4"});
  ASSERT_EQ(json["status"], "ok");
  ASSERT_TRUE(json["sticking"].is_object()) << json["notes"];
  EXPECT_EQ(json["sticking"]["feasible"]["verdict"], "yes");
  EXPECT_EQ(json["delassus"]["matrix"].size(), 1u);  // A2 is in the air
  const Json &a = json["acceleration"]["value"], &forces = json["forces"]["representative"];
  EXPECT_NEAR(forces["A1.n"].get<double>(), 3.0 * (9.81 + a[1].get<double>()), 1e-9);
  EXPECT_NEAR(forces["A1.t"].get<double>(), 3.0 * a[0].get<double>() - 16.0 * std::sin(0.8 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(json["sticking"]["mu_min"].get<double>(),
              std::abs(forces["A1.t"].get<double>()) / forces["A1.n"].get<double>(), 1e-8);
}

/// The ball is in the air at the start, and lies on the floor at 1 s: sqrt(2/9.81) = 0.45 s.
TEST_F(AnalyzeCommand, FollowsASceneToATime) {
  const Json start = analyze_json({"ball.toml"});
  EXPECT_EQ(start["unilateral"], Json::array());
  EXPECT_EQ(start["time"], 0.0);
  EXPECT_NEAR(start["acceleration"]["value"][0].get<double>(), -9.81, 1e-11);
  const Json later = analyze_json({"ball.toml", "--time", "0.8"});
  EXPECT_NEAR(later["time"].get<double>(), 0.8, 1e-12);
  EXPECT_EQ(later["unilateral"], Json{"floor"});
  EXPECT_NEAR(later["forces"]["representative"]["floor.n"].get<double>(), 9.81, 1e-9);
  EXPECT_EQ(later["title"], "Ball");
}

/// The oscillator with a step of 1 ms fails at 0.061 s: no instant to judge, and no word of one.
TEST_F(AnalyzeCommand, ASimulationThatFailsOnTheWayIsExitCode3) {
  const Words arguments = {test::scene_path("oscillator"), "--dt", "1e-3", "--time", "0.5", "--json"};
  const test::ProgramResult result = analyze(arguments);
  EXPECT_EQ(result.exit_code, 3);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "failed");
  EXPECT_NE(json["error"]["message"].get<std::string>().find("from t = 0.061 failed"), std::string::npos);
}

TEST_F(AnalyzeCommand, TheWayToAnInstantShowsItsProgressOnATerminal) {
  const std::string shown = test::run_on_terminal({"analyze", "ball.toml", "--dt", "1e-6", "--time", "0.8"}, folder_.path());
  EXPECT_NE(shown.find("["), std::string::npos) << shown;
  EXPECT_NE(shown.find("%"), std::string::npos) << shown;
}

TEST_F(AnalyzeCommand, WritesAPageOnRequestOnly) {
  const auto files = [&] { return std::distance(std::filesystem::directory_iterator(folder_.path()), {}); };
  const auto before = files();
  EXPECT_EQ(analyze({"block.json"}).exit_code, 0);
  EXPECT_EQ(files(), before);
  const test::ProgramResult result = analyze({"block.json", "--html", "block.html"});
  EXPECT_NE(result.output.find("wrote block.html\n"), std::string::npos) << result.output;
  EXPECT_EQ(files(), before + 1);
  EXPECT_EQ(analyze({"block.json", "--html", "missing/block.html"}).exit_code, 4);
}

TEST_F(AnalyzeCommand, RefusesWithThePlace) {
  const test::ProgramResult result = analyze({"bad.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors.substr(0, result.errors.find('\n')),
            "bad.json:2:7: error: F has 2 numbers and must have 1: one for each row of M");
  const Json json = analyze_json({"bad.json"});
  EXPECT_EQ(json["status"], "bad_input");
  EXPECT_EQ(json["error"]["line"], 2);
  EXPECT_EQ(json["error"]["column"], 7);
  for (const Words& arguments : std::vector<Words>{{},
                                                   {"block.json", "--time", "1"},
                                                   {"block.json", "--set", "a=1"},
                                                   {"ball.toml", "--time", "-1"},
                                                   {"ball.toml", "--time", "nan"},
                                                   {"ball.toml", "--time", "inf"},
                                                   {"ball.toml", "--time", "x"},
                                                   {"ball.toml", "--time", ""},
                                                   {"block.json", "--html", ""},
                                                   {"block.json", "--html", "block.json"},
                                                   {"ball.toml", "--html", "./ball.toml"},
                                                   {"ball.toml", "--integrator", "rk5"}}) {
    EXPECT_EQ(analyze(arguments).exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(analyze_json(arguments)["status"], "bad_input") << testing::PrintToString(arguments);
  }
  EXPECT_EQ(analyze({"block.json"}).exit_code, 0);  // no page took its place
  EXPECT_EQ(analyze({"ball.toml", "--time", "soon"}).errors,
            "tippe: error: --time: 'soon' is not a number, the time in s\n");
}

/// A scene may call a contact anything; what reaches a terminal must not control it.
TEST_F(AnalyzeCommand, NamesDoNotControlATerminal) {
  std::ofstream(folder_.path() / "esc.toml") << "tippe = 1\ntitle = \"a\\u001b[2Jb\"\n[lagrangian]\ncoordinates = [\"y\"]\n"
                                                "kinetic = \"0.5*y'^2\"\n[initial]\ny = 1\n[run]\nintegrator = \"moreau\"\n"
                                                "dt = 0.01\nuntil = 1\n";
  const test::ProgramResult result = analyze({"esc.toml"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find('\x1b'), std::string::npos);
  EXPECT_NE(result.output.find("a\\x1b[2Jb"), std::string::npos) << result.output.substr(0, 200);
  std::ofstream(folder_.path() / "esc.json") << "{\"M\": [[1]], \"F\": [0], \"a\\u001b[2J\": 1}";
  EXPECT_EQ(analyze({"esc.json"}).errors.find('\x1b'), std::string::npos);
}

}  // namespace tippe::cli_analyze_test
