// SPDX-License-Identifier: Apache-2.0
// tippe check: what a user learns of a scene without running it.
#include <nlohmann/json.hpp>

#include "support/constrained_scenes.h"
#include "support/program.h"
#include "support/scenes.h"

namespace tippe::cli_check_test {

using test::run_program;
using Json = nlohmann::json;

// At the start: one gap open, one closed and closing, one allowed to penetrate; one clutch violated, one free; a pad slides.
const std::string kScene = R"(tippe = 1
title = "Everything at once"
[parameters]
v = 1.5
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*(2 + x^2)*y'^2"
potential = "3*y + 1"
[[contact]]
name = "wall"
gap = "x + 0.25"
[[contact]]
name = "floor"
gap = "y"
slip = "x'"
friction = 0.3
[[contact]]
name = "mud"
gap = "y - 1e-4"
[[one_way]]
name = "ratchet"
velocity = "y'"
[[one_way]]
name = "wheel"
velocity = "x'"
[[dry_friction]]
name = "pad"
velocity = "2*x'"
limit = 1
[initial]
"x'" = 2
"y'" = "-v"
[run]
integrator = "moreau"
dt = 0.01
until = 1
initial_penetration = 1e-3
)";

class Check : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(folder_.path() / "all.toml") << kScene; }
  test::TemporaryFolder folder_;
};

TEST_F(Check, DryFrictionWithoutVelocityIsAtRest) {
  std::string scene = kScene;
  scene.replace(scene.find("\"x'\" = 2"), 8, "\"x'\" = 0");
  std::ofstream(folder_.path() / "rest.toml") << scene;
  const auto result = run_program({"check", "rest.toml"}, folder_.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const size_t pad = result.output.find("pad ");
  ASSERT_NE(pad, std::string::npos) << result.output;
  const std::string line = result.output.substr(pad, result.output.find('\n', pad) - pad);
  EXPECT_TRUE(line.ends_with(" at rest")) << line;
}

TEST_F(Check, TellsDimensionsStartEnergiesAndIntegrators) {
  const auto result = run_program({"check", "all.toml"}, folder_.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  for (const char* part :
       {"Everything at once: can run", "moreau, dt = 0.01, 100 steps from t = 0 to 1", "2: x, y",
        "varying, 2 of 4 entries not zero", "6: 3 contact, 1 dry_friction, 2 one_way", "open, gap 0.25\n",
        "closed, gap 0, closing with 1.5, slip 2\n", "penetrating, gap -0.0001 (allowed: 0.001), closing with 1.5\n",
        "violated, velocity -1.5\n", "free, velocity 2\n", "sliding, speed 4\n", "5.25 = kinetic 4.25 + potential 1",
        "fits\n", "does not fit: it integrates smooth motion only"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part << "\n" << result.output;
  }
  for (const char* part :
       {"warning: 'floor' starts closed and closing with 1.5", "warning: 'mud' starts closed and closing with 1.5",
        "warning: 'ratchet' starts with the forbidden velocity -1.5"})
    EXPECT_NE(result.errors.find(part), std::string::npos) << part << "\n" << result.errors;
  EXPECT_EQ(result.errors.find("'wheel'"), std::string::npos);
  std::filesystem::remove(folder_.path() / "all.toml");
  EXPECT_TRUE(folder_.empty());  // no files
}

TEST_F(Check, JsonHasTheSame) {
  const auto result = run_program({"check", "all.toml", "--set", "v=0", "--dt", "0.1", "--json"}, folder_.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors, "");
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["title"], "Everything at once");
  EXPECT_EQ(json["steps"], 10);
  EXPECT_EQ(json["coordinates"], (Json{"x", "y"}));
  EXPECT_EQ(json["mass_matrix"], (Json{{"constant", false}, {"nonzero_entries", 2}, {"singular", false}}));
  EXPECT_EQ(json["bilateral"], Json::array());
  EXPECT_TRUE(json["rank"].is_null());
  EXPECT_EQ(json["energy"], (Json{{"kinetic", 2.0}, {"potential", 1.0}}));
  EXPECT_EQ(json["laws"][1], (Json{{"name", "floor"},
                                   {"kind", "contact"},
                                   {"rows", 2},
                                   {"status", "closed"},
                                   {"gap", 0.0},
                                   {"closing_speed", 0.0},
                                   {"sliding_speed", 2.0}}));
  EXPECT_EQ(json["laws"][3]["status"], "locked");
  EXPECT_TRUE(json["laws"][3]["gap"].is_null());
  EXPECT_EQ(json["integrators"][0], (Json{{"name", "moreau"}, {"fits", true}, {"reason", nullptr}}));
  EXPECT_EQ(json["integrators"][2]["fits"], false);
  EXPECT_EQ(json["warnings"], Json::array());
}

// What numbers like sin(pi) leave of a gap is no depth, also where no coordinate tells how large the system is.
TEST_F(Check, RoundOffIsNoPenetration) {
  std::ofstream(folder_.path() / "ground.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\n[[contact]]\nname = \"floor\"\ngap = "
         "\"y\"\n[initial]\ny = \"-0.1*sin(pi)\"\n[run]\ndt = 0.01\nuntil = 1\n";
  const auto result = run_program({"check", "ground.toml"}, folder_.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("closed, gap -1.22465e-17"), std::string::npos) << result.output;
}

// Two equal unit directions have the singular values sqrt(2) and 0.
TEST_F(Check, TellsOfBilateralRowsAndTheirRank) {
  std::ofstream(folder_.path() / "twice.toml") << "tippe = 1\n" + test::twice(test::kPendulum);
  const auto text = run_program({"check", "twice.toml"}, folder_.path());
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  EXPECT_EQ(text.errors, "");  // nothing to warn of
  for (const char* part : {"bilateral               2: 2 position, 0 velocity\n",
                           "    rod again             position, violated by 0, velocity by 0\n",
                           "rank                    1 of 2; singular values: smallest kept 1.41, largest dropped",
                           "redundant               'rod', 'rod again': the motion is unique, their forces are not\n"})
    EXPECT_NE(text.output.find(part), std::string::npos) << part << "\n" << text.output;
  const Json json = Json::parse(run_program({"check", "twice.toml", "--json"}, folder_.path()).output);
  EXPECT_EQ(json["bilateral"][1],
            (Json{{"name", "rod again"}, {"kind", "position"}, {"position", 0.0}, {"velocity", 0.0}, {"redundant", true}}));
  EXPECT_EQ(json["rank"]["rank"], 1);
  EXPECT_NEAR(json["rank"]["smallest_kept"], 1.41421356237309505, 1e-14);
  EXPECT_LE(json["rank"]["largest_dropped"], json["rank"]["cutoff"]);

  std::ofstream(folder_.path() / "knife.toml") << "tippe = 1\n" + test::kKnifeEdge;
  const auto knife = run_program({"check", "knife.toml"}, folder_.path());
  EXPECT_NE(knife.output.find("    blade                 velocity, violated by 0\n"), std::string::npos) << knife.output;
  EXPECT_EQ(knife.output.find("redundant"), std::string::npos) << knife.output;
}

// The rod is 1.5 long: a mass at 2 is moved by -0.5, and the run says so too.
TEST_F(Check, TellsHowFarAStartIsProjected) {
  std::string text = "tippe = 1\n" + test::kPendulum;
  text.replace(text.find("x = \"l\""), 7, "x = 2\nproject = true");
  std::ofstream(folder_.path() / "moved.toml") << text;
  const auto check = run_program({"check", "moved.toml"}, folder_.path());
  EXPECT_NE(check.output.find("note                    the start was moved"), std::string::npos) << check.output;
  const Json json = Json::parse(run_program({"check", "moved.toml", "--json"}, folder_.path()).output);
  ASSERT_EQ(json["notes"].size(), 1u);
  EXPECT_NE(json["notes"][0].get<std::string>().find("positions at most x by -0.5"), std::string::npos) << json["notes"][0];
  run_program({"run", "moved.toml", "--quiet", "--no-report"}, folder_.path());
  EXPECT_EQ(Json::parse(run_program({"show", "moved.h5", "--json"}, folder_.path()).output)["notes"], json["notes"]);
}

// A massless point between two springs is held by a row that ties it to a mass.
TEST_F(Check, TellsOfASingularMassThatConstraintsHold) {
  std::ofstream(folder_.path() / "massless.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*x'^2 + 0*y'^2\"\npotential = \"y^2\"\n"
         "[[bilateral]]\nname = \"tie\"\nposition = \"x - y\"\n[run]\nintegrator = \"rk4\"\ndt = 0.01\nuntil = 1\n";
  const auto text = run_program({"check", "massless.toml"}, folder_.path());
  EXPECT_NE(text.output.find("singular: bilateral constraints hold what has no mass"), std::string::npos) << text.output;
  const Json json = Json::parse(run_program({"check", "massless.toml", "--json"}, folder_.path()).output);
  EXPECT_EQ(json["mass_matrix"]["singular"], true);
}

TEST_F(Check, EverySceneOfTheProjectPasses) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/scenes")) {
    const auto result = run_program({"check", entry.path().string(), "--quiet"}, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << entry.path();
    EXPECT_EQ(result.output + result.errors, "");
  }
}

TEST_F(Check, BadInputIsExitCode2AlsoAsJson) {
  std::ofstream(folder_.path() / "deep.toml") << std::string(kScene).replace(kScene.find("1e-3"), 4, "1e-5");
  const auto deep = run_program({"check", "deep.toml"}, folder_.path());
  EXPECT_EQ(deep.exit_code, 2);
  EXPECT_NE(deep.errors.find("deep.toml:19:7: error: the initial state is 0.0001 deep inside 'mud'"), std::string::npos)
      << deep.errors;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"check"}, {"check", "all.toml", "--integrator", "rk4"}, {"check", "deep.toml"}}) {
    auto with_json = arguments;
    with_json.push_back("--json");
    const auto result = run_program(with_json, folder_.path());
    EXPECT_EQ(result.exit_code, 2);
    const Json json = Json::parse(result.output);
    EXPECT_EQ(json["status"], "bad_input");
    EXPECT_TRUE(json.contains("mass_matrix"));
    EXPECT_EQ(result.errors, "");
  }
}

}  // namespace tippe::cli_check_test
