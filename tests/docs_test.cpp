// SPDX-License-Identifier: Apache-2.0
// What the documentation shows works as printed.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "support/program.h"

namespace tippe {
namespace {

const std::filesystem::path kRoot = TIPPE_SOURCE_DIR;

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The text between two marks, the first one included.
std::string between(const std::string& text, const std::string& first, const std::string& last) {
  const size_t begin = text.find(first), end = text.find(last, begin + first.size());
  EXPECT_NE(begin, std::string::npos) << first;
  return text.substr(begin, end - begin);
}

TEST(Readme, FirstSceneRunsAndPrintsWhatIsShown) {
  const std::string readme = read(kRoot / "README.md");
  const std::string scene = between(readme, "tippe = 1\n", "```");
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "slider.toml") << scene;
  const auto result = test::run_program({"run", "slider.toml"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::istringstream shown(between(readme, "    Mass, spring, friction and a wall: moreau", "      ..."));
  for (std::string line; std::getline(shown, line);)
    EXPECT_NE(result.output.find(line.substr(4)), std::string::npos) << line;
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--set", "c=80", "--dt", "c*1e-6", "--until", "10"},
                                             {"--out", "results", "--no-report", "--quiet"},
                                             {"--json"}}) {
    std::vector<std::string> arguments = {"run", "slider.toml"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(test::run_program(arguments, folder.path()).exit_code, 0);
  }
  EXPECT_EQ(test::run_program({"run", "--resume", "slider.h5", "--until", "20"}, folder.path()).exit_code, 0);
  EXPECT_EQ(test::run_program({"export", "slider.h5", "--columns", "time,x"}, folder.path()).output.find("time,x\n"), 0u);
}

TEST(Readme, MistakeGetsTheMessageShown) {
  const std::string readme = read(kRoot / "README.md");
  std::string scene = between(readme, "tippe = 1\n", "```");
  scene.replace(scene.find("x^2\""), 3, "sqr(x)");
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "slider.toml") << scene;
  const auto result = test::run_program({"run", "slider.toml"}, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  const std::string shown = between(readme, "    slider.toml:", "\n\n") + "\n";
  EXPECT_EQ(std::regex_replace("    " + result.errors, std::regex("\n(?=.)"), "\n    "), shown);
}

TEST(Documentation, LinksLeadToFiles) {
  int links = 0;
  std::vector<std::filesystem::path> pages = {kRoot / "README.md", kRoot / "CHANGELOG.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  for (const auto& page : pages) {
    const std::string text = read(page);
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      const std::string target = (*match)[1];
      if (target.starts_with("http")) continue;
      EXPECT_TRUE(std::filesystem::exists(page.parent_path() / target)) << page << " -> " << target;
      ++links;
    }
  }
  EXPECT_GT(links, 10);
}

}  // namespace
}  // namespace tippe
