// SPDX-License-Identifier: Apache-2.0
// tippe list, and scenes called by their bare names.
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "support/program.h"
#include "support/scenes.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/lcp.h"
#include "tippe/solve/mlcp.h"

namespace tippe::cli_list_test {

using test::run_program;
using Json = nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(List, HasOneLineForEachEntry) {
  const test::TemporaryFolder folder;
  const std::string scenes = run_program({"list", "scenes"}, folder.path()).output;
  EXPECT_TRUE(std::regex_search(scenes, std::regex("(^|\n)woodpecker +Woodpecker toy\n"))) << scenes;
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/scenes"))
    files += entry.path().extension() == ".toml";
  EXPECT_EQ(lines_of(scenes).size(), files);
  const auto listed = lines_of(run_program({"list", "integrators"}, folder.path()).output);
  ASSERT_EQ(listed.size(), integrators().size());
  for (size_t k = 0; k < listed.size(); ++k) EXPECT_TRUE(listed[k].starts_with(integrators()[k].name)) << listed[k];
  for (const char* what : {"laws", "solvers"}) {
    const auto result = run_program({"list", what}, folder.path());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_GE(lines_of(result.output).size(), 3u) << what;
  }
}

TEST(List, HasEverySolverOnce) {
  const test::TemporaryFolder folder;
  std::multiset<std::string> listed, expected;
  for (const std::string& line : lines_of(run_program({"list", "solvers"}, folder.path()).output))
    listed.insert(line.substr(0, line.find(' ')));
  for (const ContactMethodInfo& info : contact_methods()) expected.insert(info.name);
  for (const LcpMethodInfo& info : lcp_methods()) {
    if (!expected.contains(info.name)) expected.insert(info.name);
  }
  for (const MlcpMethodInfo& info : mlcp_methods()) {
    if (!expected.contains(info.name)) expected.insert(info.name);
  }
  EXPECT_EQ(listed, expected);
}

TEST(List, AnUnknownListIsExitCode2) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"list", "scense"}, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("did you mean 'scenes'?"), std::string::npos) << result.errors;
  EXPECT_EQ(run_program({"list"}, folder.path()).exit_code, 2);
}

TEST(List, ABrokenSceneHasNoTitle) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "scenes");
  std::ofstream(folder.path() / "scenes" / "broken.toml") << "title = \"open\n";
  std::ofstream(folder.path() / "scenes" / "endless.toml") << std::string(100000, '.') + "\n";
  const auto lines = lines_of(run_program({"list", "scenes"}, folder.path()).output);
  EXPECT_TRUE(std::find(lines.begin(), lines.end(), "broken") != lines.end());
  EXPECT_TRUE(std::find(lines.begin(), lines.end(), "endless") != lines.end());
}

TEST(BareName, RunsASceneAndNamesTheResultsAfterIt) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"run", "incline", "--json"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(Json::parse(result.output)["files"], (Json{"incline.h5", "incline.html"}));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "incline.h5"));
}

TEST(BareName, AFileComesFirstThenTheFolderScenes) {
  const test::TemporaryFolder folder;
  const auto scene_of = [&] {
    return Json::parse(run_program({"check", "incline", "--json"}, folder.path()).output)["scene"].get<std::string>();
  };
  EXPECT_EQ(std::filesystem::weakly_canonical(scene_of()), std::filesystem::canonical(test::scene_path("incline")));
  std::filesystem::create_directory(folder.path() / "scenes");
  std::filesystem::copy(test::scene_path("incline"), folder.path() / "scenes" / "incline.toml");
  EXPECT_EQ(scene_of(), "scenes/incline.toml");
  std::filesystem::create_directory(folder.path() / "incline");  // a folder is no scene
  EXPECT_EQ(scene_of(), "scenes/incline.toml");
  std::filesystem::remove(folder.path() / "incline");
  std::filesystem::copy(test::scene_path("incline"), folder.path() / "incline");
  EXPECT_EQ(scene_of(), "incline");
}

TEST(BareName, AnUnknownOneSuggestsTheNearest) {
  const test::TemporaryFolder folder;
  for (const char* command : {"run", "check"}) {
    const auto result = run_program({command, "woodpeker"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.errors.find("woodpeker: error: no such file, and no scene of this name; did you mean 'woodpecker'?"),
              std::string::npos)
        << result.errors;
  }
  EXPECT_EQ(run_program({"run", "woodpecker.toml"}, folder.path()).errors, "woodpecker.toml: error: no such file\n");
  EXPECT_TRUE(folder.empty());
}

}  // namespace tippe::cli_list_test
