// SPDX-License-Identifier: Apache-2.0
// `tippe modes` as a user calls it.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "support/program.h"
#include "support/scenes.h"

namespace tippe::cli_modes_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class ModesCommand : public testing::Test {
 protected:
  test::ProgramResult modes(Words arguments) {
    arguments.insert(arguments.begin(), "modes");
    return test::run_program(arguments, folder_.path());
  }
  Json modes_json(Words arguments) {
    arguments.push_back("--json");
    const test::ProgramResult result = modes(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
    return Json::parse(result.output);
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_.path() / name) << text; }

  test::TemporaryFolder folder_;
};

/// Johnson, practice problem 1 with tan(theta/2)/3 < mu: the wheel rolls up the hill with v (1 + 2 cos(theta))/3, then slows down with
/// 2/3 g sin(theta), as everything of uniform density that rolls on a slope.
TEST_F(ModesCommand, TheWheelRollsUpTheHill) {
  const double c = std::sqrt(0.5), up = (1 + 2 * c) / 3;
  const Json json = modes_json({test::scene_path("wheel_hill")});
  const Json& impact = json["impact"];
  EXPECT_EQ(impact["scope"], (Json{"ground", "hill"}));
  EXPECT_EQ(impact["unique"], true);
  ASSERT_EQ(impact["modes"].size(), 1u);
  EXPECT_EQ(impact["modes"][0]["contacts"], (Json{{"ground", "open"}, {"hill", "stick"}}));
  EXPECT_NEAR(impact["modes"][0]["velocity_after"]["x"].get<double>(), up * c, 1e-12);
  EXPECT_NEAR(impact["modes"][0]["impulses"]["hill.n"].get<double>(), 2 * c, 1e-12);
  EXPECT_NEAR(impact["modes"][0]["impulses"]["hill.t"].get<double>(), 2 * (1 - c) / 3, 1e-12);
  EXPECT_NEAR(impact["modes"][0]["energy_change"].get<double>(), 1.5 * up * up - 1.5, 1e-12);
  EXPECT_EQ(impact["rejected"].size(), 15u);
  for (const Json& rejected : impact["rejected"]) EXPECT_FALSE(rejected["reasons"].empty());
  const Json& motion = json["motion"];
  EXPECT_EQ(motion["scope"], Json{"hill"});
  EXPECT_EQ(motion["unique"], true);
  EXPECT_EQ(motion["modes"][0]["contacts"], (Json{{"hill", "stick"}}));
  EXPECT_NEAR(motion["modes"][0]["acceleration"]["x"].get<double>(), -2.0 / 3 * 9.81 * c * c, 1e-12);
  EXPECT_EQ(motion["modes"][0]["trending"],
            (Json{{"hill", {{"of", "force"}, {"order", 0}, {"sign", 1}, {"simulated", nullptr}}}}));
}

/// Beyond mu = cot(theta/2) = 2.414 it may jam too. The motion is that after the outcome that loses least energy.
TEST_F(ModesCommand, TheWheelMayJam) {
  const Json json = modes_json({test::scene_path("wheel_hill"), "--set", "mu=2.5"});
  EXPECT_EQ(json["impact"]["unique"], false);
  ASSERT_EQ(json["impact"]["modes"].size(), 2u);
  EXPECT_EQ(json["impact"]["modes"][0]["contacts"], (Json{{"ground", "stick"}, {"hill", "stick"}}));
  EXPECT_EQ(json["impact"]["modes"][0]["impulses_unique"], false);
  EXPECT_EQ(json["impact"]["modes"][0]["bounds"]["hill.n"][1], "inf");
  EXPECT_EQ(json["motion"]["scope"], Json{"hill"});
  EXPECT_NE(json["notes"].dump().find("loses least energy: ground open, hill stick"), std::string::npos) << json["notes"];
}

/// Johnson, section 1: climbs at 45 degrees, rests in a corner of 135 degrees.
TEST_F(ModesCommand, TheParticleClimbsOrRests) {
  const Json climbs = modes_json({test::scene_path("particle_hill")});
  EXPECT_EQ(climbs["impact"]["modes"][0]["contacts"], (Json{{"ground", "open"}, {"hill", "closed"}}));
  EXPECT_NEAR(climbs["impact"]["modes"][0]["velocity_after"]["z"].get<double>(), 0.5, 1e-14);
  const Json rests = modes_json({test::scene_path("particle_hill"), "--set", "theta=0.75*pi"});
  EXPECT_EQ(rests["impact"]["modes"][0]["contacts"], (Json{{"ground", "closed"}, {"hill", "closed"}}));
  EXPECT_EQ(rests["motion"]["scope"], (Json{"ground", "hill"}));
  EXPECT_NEAR(rests["motion"]["modes"][0]["forces"]["ground.n"].get<double>(), 9.81, 1e-12);
  EXPECT_EQ(rests["motion"]["modes"][0]["ties"], Json{"hill"});  // it touches without a force, for all derivatives
  EXPECT_EQ(rests["motion"]["modes"][0]["trending"]["hill"],
            (Json{{"of", "force"}, {"order", 16}, {"sign", 0}, {"simulated", nullptr}}));
}

/// Johnson, practice problem 4: the force at the top is m (g - v^2) = 2 (10 - 9) = 2 N, and beyond sqrt(10) the gap opens.
TEST_F(ModesCommand, TheParticleLeavesTheCosineAboveItsSpeed) {
  const Json slow = modes_json({test::scene_path("cosine_hill"), "--set", "v=3"});
  EXPECT_TRUE(slow["impact"].is_null());
  EXPECT_NEAR(slow["motion"]["modes"][0]["forces"]["surface.n"].get<double>(), 2.0, 1e-12);
  EXPECT_EQ(slow["motion"]["modes"][0]["contacts"]["surface"], "closed");
  const Json fast = modes_json({test::scene_path("cosine_hill"), "--set", "v=3.5"});
  EXPECT_EQ(fast["motion"]["modes"][0]["contacts"]["surface"], "open");
  EXPECT_EQ(fast["motion"]["modes"][0]["trending"]["surface"],
            (Json{{"of", "gap"}, {"order", 2}, {"sign", 1}, {"simulated", nullptr}}));
  // At sqrt(10) itself: U = U' = 0 and U'' = 200 > 0, while free flight has a fourth derivative of the gap of -100.
  const Json just = modes_json({test::scene_path("cosine_hill")});
  EXPECT_EQ(just["motion"]["unique"], true);
  EXPECT_EQ(just["motion"]["modes"][0]["contacts"]["surface"], "closed");
  EXPECT_EQ(just["motion"]["modes"][0]["trending"]["surface"],
            (Json{{"of", "force"}, {"order", 2}, {"sign", 1}, {"simulated", nullptr}}));
  EXPECT_EQ(just["motion"]["modes"][0]["ties"], Json::array());
  EXPECT_EQ(fast["motion"]["rejected"][0]["reasons"], Json{"the force of 'surface' would be -4.5 N"});
}

/// Johnson, Fig. 1: no impact in any case; (a) leaves, (b) stays with the force m v^2/8. (c) leaves by the third derivative of its gap,
/// and (d) stays by the first of its force, 3 m v^3/32 > 0.
TEST_F(ModesCommand, Figure1HasNoImpacts) {
  const auto mode = [&](const char* s, const char* n, const char* g) {
    const Json json = modes_json({test::scene_path("trending"), "--set", s, "--set", n, "--set", g});
    EXPECT_TRUE(json["impact"].is_null());
    EXPECT_EQ(json["motion"]["modes"].size(), 1u);
    return json["motion"]["modes"][0];
  };
  EXPECT_EQ(mode("s=1", "n=2", "g=0")["contacts"]["curve"], "open");
  const Json b = mode("s=-1", "n=2", "g=0");
  EXPECT_EQ(b["contacts"]["curve"], "closed");
  EXPECT_NEAR(b["forces"]["curve.n"].get<double>(), 0.125, 1e-14);
  const Json c = mode("s=1", "n=3", "g=0"), d = mode("s=-1", "n=3", "g=0");
  EXPECT_EQ(c["contacts"]["curve"], "open");
  EXPECT_EQ(c["trending"]["curve"], (Json{{"of", "gap"}, {"order", 3}, {"sign", 1}, {"simulated", nullptr}}));
  EXPECT_EQ(d["contacts"]["curve"], "closed");
  EXPECT_EQ(d["trending"]["curve"], (Json{{"of", "force"}, {"order", 1}, {"sign", 1}, {"simulated", nullptr}}));
  // With a load: 4 f = m g - m v^2/2 in (a), so that it stays for v^2 < 2 g; 8 f = m g in (c).
  EXPECT_NEAR(mode("s=1", "n=2", "g=10")["forces"]["curve.n"].get<double>(), 0.25 * (10 - 0.5), 1e-13);
  EXPECT_NEAR(mode("s=1", "n=3", "g=10")["forces"]["curve.n"].get<double>(), 1.25, 1e-13);
}

/// A brake of 6 N on a mass of 2 kg pushed by 8 N, beside a floor that it presses with 20 N without friction.
TEST_F(ModesCommand, DryFrictionHasModesToo) {
  write("brake.toml", R"(
tippe = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "x'^2 + y'^2"
potential = "20*y - 8*x"
[[contact]]
name = "floor"
gap = "y"
restitution = 0
[[dry_friction]]
name = "brake"
velocity = "x'"
limit = 6
[run]
integrator = "moreau"
dt = 1e-3
until = 1
)");
  const Json json = modes_json({"brake.toml"});
  const Json& mode = json["motion"]["modes"][0];
  EXPECT_EQ(mode["contacts"], (Json{{"floor", "closed"}, {"brake", "slide+"}}));
  EXPECT_NEAR(mode["acceleration"]["x"].get<double>(), 1.0, 1e-13);
  EXPECT_NEAR(mode["forces"]["brake"].get<double>(), -6.0, 1e-13);
  // At 0.5 s it moves with 0.5 m/s.
  const Json later = modes_json({"brake.toml", "--time", "0.5"});
  EXPECT_EQ(later["motion"]["modes"][0]["contacts"]["brake"], "slide+");
  EXPECT_EQ(later["time"], 0.5);
}

/// A problem as for `tippe analyze`: block on a slope whose friction is at its limit, 3/4.
TEST_F(ModesCommand, AProblemFileLeavesTiesUndecided) {
  write("limit.json", R"({"title": "Limit", "M": [[1, 0], [0, 1]], "F": [6, 8],
    "unilateral": [{"name": "slope", "normal": [0, 1], "tangents": [[1, 0]], "mu": 0.75}]})");
  const Json json = modes_json({"limit.json"});
  EXPECT_EQ(json["title"], "Limit");
  EXPECT_TRUE(json["impact"].is_null());
  EXPECT_TRUE(json["time"].is_null());
  EXPECT_EQ(json["motion"]["modes"][0]["ties"], Json{"slope"});
  EXPECT_EQ(json["motion"]["modes"][0]["trending"]["slope"]["sign"], 0);
  EXPECT_EQ(json["notes"], Json{"ties are undecided: a problem has no higher derivatives"});
  write("drop.toml",
        "M = [[2]]\nF = [19.62]\nvelocity = [-3]\nrestitution = 0.5\n[[unilateral]]\nname = \"floor\"\nnormal = [1]\n");
  const Json drop = modes_json({"drop.toml"});
  EXPECT_NEAR(drop["impact"]["modes"][0]["impulses"]["floor.n"].get<double>(), 9.0, 1e-12);
  EXPECT_NEAR(drop["motion"]["modes"][0]["forces"]["floor.n"].get<double>(), 19.62, 1e-12);
}

TEST_F(ModesCommand, WordsSayWhatIsUniqueAndWhyOthersFail) {
  const test::ProgramResult result = modes({test::scene_path("wheel_hill"), "--set", "mu=2.5"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* words :
       {"Not unique: 2 outcomes are consistent.", "1. ground stick, hill stick", "ground.n 96.0833 (96.0833 to inf)",
        "ground stick, hill open: 'hill' would close with 0.707107 m/s", "Motion, in scope: hill"})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << "\n" << result.output;
}

TEST_F(ModesCommand, FailuresHaveTheirExitCodes) {
  write("bad.json", "{\"M\": [[1]],\n \"F\": [1, 2]}\n");
  write("coupled.json", R"({"M": [[1]], "velocity": [-1], "restitution": [[0, 1], [0, 0]],
    "unilateral": [{"name": "a", "normal": [1]}, {"name": "b", "normal": [1]}]})");
  EXPECT_EQ(modes({"nowhere.toml"}).exit_code, 4);
  EXPECT_EQ(modes({"bad.json"}).exit_code, 2);
  EXPECT_EQ(modes({"coupled.json"}).exit_code, 2);
  EXPECT_EQ(modes({test::scene_path("wheel_hill"), "--time", "-1"}).exit_code, 2);
  EXPECT_EQ(modes({"bad.json", "--time", "1"}).exit_code, 2);
  const test::ProgramResult failed = modes({test::scene_path("oscillator"), "--dt", "1e-3", "--time", "0.5", "--json"});
  EXPECT_EQ(failed.exit_code, 3);
  const Json json = Json::parse(failed.output);
  EXPECT_EQ(json["status"], "failed");
  EXPECT_TRUE(json["motion"].is_null());
  EXPECT_EQ(Json::parse(modes({"nowhere.toml", "--json"}).output)["status"], "failed");
  EXPECT_EQ(Json::parse(modes({"--json"}).output)["status"], "bad_input");
}

}  // namespace tippe::cli_modes_test
