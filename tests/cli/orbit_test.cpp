// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "support/program.h"
#include "support/scenes.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::cli_orbit_test {

using Json = nlohmann::json;

test::ProgramResult orbit(std::vector<std::string> arguments, const std::function<void(pid_t)>& meanwhile = {}) {
  const test::TemporaryFolder folder;
  arguments.insert(arguments.begin(), "orbit");
  const test::ProgramResult result = test::run_program(arguments, folder.path(), meanwhile);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // it writes no files
  return result;
}

TEST(Orbit, TellsPeriodMultipliersDriftAndEvents) {
  const auto result = orbit({"woodpecker", "--section", "impact:beak", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_EQ(json["section"], "impact:beak");
  EXPECT_NEAR(json["period"].get<double>(), 0.145976065, 5e-10);
  ASSERT_EQ(json["multipliers"].size(), 1u);
  EXPECT_NEAR(json["multipliers"][0]["re"].get<double>(), -0.83916, 5e-6);
  EXPECT_EQ(json["multipliers"][0]["im"], 0.0);
  EXPECT_NEAR(json["multipliers"][0]["modulus"].get<double>(), 0.83916, 5e-6);
  EXPECT_EQ(json["stable"], true);
  EXPECT_LT(json["drift"]["y"].get<double>(), 0.0);
  EXPECT_TRUE(json["state"]["u"].contains("phi'"));
  EXPECT_LE(json["residual"].get<double>(), 1e-11);
  EXPECT_GE(json["iterations"].get<int>(), 1);
  EXPECT_EQ(json["events"].back()["kind"], "impact");
  EXPECT_EQ(json["events"].back()["laws"][0], "beak");
}

TEST(Orbit, FollowsABranchIntoFiles) {
  const test::TemporaryFolder folder;
  const auto result = test::run_program(
      {"orbit", "vibrating_table", "--continue", "A=0.002:0.0022", "--out", "found", "--json"}, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["columns"][0], "A");
  const Json& branch = json["branches"][0];
  EXPECT_EQ(branch["end"], "the end of the range");
  EXPECT_EQ(branch["points"][0]["stability"], "stable");
  EXPECT_EQ(branch["points"].back()["values"][0], 0.0022);
  for (const char* file :
       {"found/vibrating_table-branch.h5", "found/vibrating_table-branch.csv", "found/vibrating_table-branch.html"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / file)) << file;
  const Hdf5File file = Hdf5File::open(folder.path() / "found/vibrating_table-branch.h5");
  const std::vector<std::string> columns = file.read_list("columns");
  const std::vector<double> orbits = file.read_table("branch_1/orbits");
  EXPECT_EQ(orbits.size(), columns.size() * branch["points"].size());
  EXPECT_EQ(orbits[0], 0.002);
  const auto wrong = orbit({"vibrating_table", "--continue", "A=1"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.errors.find("'mu=0.3:3'"), std::string::npos) << wrong.errors;
  EXPECT_EQ(orbit({"vibrating_table", "--continue", "B=1:2"}).exit_code, 2);
}

// What the motion settles on lies on the branch: one point a run, at the speed g T/2.
TEST(Orbit, ABranchIsDrawnOverASweep) {
  const test::TemporaryFolder folder;
  const auto sweep = test::run_program({"sweep", "vibrating_table", "--vary", "A=0.002,0.0021", "--section", "impact:table",
                                        "--transient", "40", "--keep", "2"},
                                       folder.path());
  ASSERT_EQ(sweep.exit_code, 0) << sweep.errors;
  const auto result = test::run_program(
      {"orbit", "vibrating_table", "--continue", "A=0.002:0.0021", "--over", "vibrating_table.sweep.h5"}, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  std::ifstream file(folder.path() / "vibrating_table-branch.html");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const size_t begin = page.find("application/json\">") + 18;
  const Json data = Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["background"]["A"], Json::parse("[0.002, 0.002, 0.0021, 0.0021]"));
  for (const Json& speed : data["background"]["y'"]) EXPECT_NEAR(speed.get<double>(), 0.05 * 9.81, 1e-4);
  const auto wrong = test::run_program(
      {"orbit", "vibrating_table", "--continue", "e=0.7:0.8", "--over", "vibrating_table.sweep.h5"}, folder.path());
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.errors.find("is no sweep over 'e'"), std::string::npos) << wrong.errors;
}

TEST(Orbit, WithoutOneTheExitCodeIsThree) {
  const auto result = orbit({"bouncing_ball"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.errors.find("did not converge"), std::string::npos) << result.errors;
  const auto quiet = orbit({"incline", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 3);
  EXPECT_TRUE(quiet.output.empty());
  const Json json = Json::parse(orbit({"bouncing_ball", "--json"}).output);
  EXPECT_EQ(json["status"], "failed");
  EXPECT_TRUE(json["period"].is_null());
  EXPECT_GT(json["residual"].get<double>(), 1e-11);
}

// The motion of the table until 1e6 s takes many minutes: after half of its time the search takes what there is.
TEST(Orbit, ASearchEndsAfterItsTimeAndSaysWhatItTried) {
  const auto found = orbit({"vibrating_table", "--until", "1e6", "--seconds", "0.4", "--json"});
  EXPECT_EQ(found.exit_code, 0) << found.errors;
  const Json orbit_found = Json::parse(found.output);
  EXPECT_NEAR(orbit_found["period"].get<double>(), 0.1, 1e-12);
  EXPECT_LT(orbit_found["simulated"].get<double>(), 1e5);
  EXPECT_NE(orbit_found["notes"][0].get<std::string>().find("of 1e+06 only, in half of the 0.4 s"), std::string::npos);
  const auto none = orbit({"bouncing_ball"});
  EXPECT_NE(none.output.find("\n  tried                   a return after "), std::string::npos) << none.output;
  const Json json = Json::parse(orbit({"bouncing_ball", "--json"}).output);
  ASSERT_GE(json["tried"].size(), 1u);
  EXPECT_GT(json["tried"][0]["residual"].get<double>(), 1e-11);
  EXPECT_EQ(json["simulated"], 2.0);
}

TEST(Orbit, WrongUsageIsNamed) {
  const auto result = orbit({"woodpecker", "--section", "impact:beek"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("did you mean 'beak'?"), std::string::npos) << result.errors;
  EXPECT_EQ(orbit({"woodpecker", "--returns", "0"}).exit_code, 2);
  for (const char* branch :
       {"y=0.0015:0.003", "y'=0.1:0.2", "t=0.0001:0.003"}) {  // no orbit depends on where a search begins
    const auto refused = orbit({"vibrating_table", "--continue", branch});
    EXPECT_EQ(refused.exit_code, 2) << branch;
    EXPECT_NE(refused.errors.find("says where the motion begins"), std::string::npos) << refused.errors;
  }
  const Json json = Json::parse(orbit({"woodpecker", "--returns", "x", "--json"}).output);
  EXPECT_EQ(json["status"], "bad_input");
  EXPECT_TRUE(json.contains("multipliers"));
}

TEST(Orbit, AnInterruptIsToldByTheExitCode) {
  const auto interrupt = [](pid_t child) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    kill(child, SIGINT);
  };
  const auto result = orbit({"vibrating_table", "--until", "1e6", "--json"}, interrupt);  // many minutes
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_EQ(Json::parse(result.output)["status"], "interrupted");
}

}  // namespace tippe::cli_orbit_test
