// SPDX-License-Identifier: Apache-2.0
// What the documentation shows works as printed.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "support/program.h"

namespace tippe::docs_test {

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
  std::istringstream shown(between(readme, "    Mass, spring, friction and a wall: consistent-2", "      ..."));
  for (std::string line; std::getline(shown, line);)
    EXPECT_NE(result.output.find(line.substr(4)), std::string::npos) << line;
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--set", "c=80", "--dt", "c*1e-6", "--until", "10"},
                                             {"--out", "results", "--no-report", "--quiet"},
                                             {"--dump-problem", "worst"},
                                             {"--json"}}) {
    std::vector<std::string> arguments = {"run", "slider.toml"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(test::run_program(arguments, folder.path()).exit_code, 0);
  }
  EXPECT_EQ(test::run_program({"run", "--resume", "slider.h5", "--until", "20"}, folder.path()).exit_code, 0);
  EXPECT_EQ(test::run_program({"export", "slider.h5", "--columns", "time,x"}, folder.path()).output.find("time,x\n"), 0u);
}

/// Lines of an answer of `verify` that a page shows between two marks: what is checked, how often, and how often violated.
void expect_counts(const std::string& page, const std::string& first, const std::string& output) {
  std::istringstream shown(between(page, first, "\n\n"));
  const std::regex counts("    (  .* +[0-9]+ +[0-9]+)  .*");
  int lines = 0;
  for (std::string line; std::getline(shown, line);)
    if (std::smatch match; std::regex_match(line, match, counts)) {
      EXPECT_NE(output.find(match.str(1) + "  "), std::string::npos) << line << "\nin\n" << output;
      ++lines;
    }
  EXPECT_EQ(lines, 3);
}

TEST(Documentation, VerifyCountsAsShown) {
  const test::TemporaryFolder folder;
  const std::string readme = read(kRoot / "README.md"), trust = read(kRoot / "docs" / "howto" / "trust.md");
  std::ofstream(folder.path() / "slider.toml") << between(readme, "tippe = 1\n", "```");
  const auto slider = test::run_program({"run", "slider.toml", "--verify"}, folder.path());
  EXPECT_EQ(slider.exit_code, 0) << slider.errors;
  expect_counts(readme, "    verify: obeys", slider.output);
  EXPECT_EQ(test::run_program({"run", "woodpecker", "--dt", "1e-4", "--until", "0.2"}, folder.path()).exit_code, 0);
  const auto toy = test::run_program({"verify", "woodpecker.h5"}, folder.path());
  EXPECT_EQ(toy.exit_code, 0) << toy.errors;
  expect_counts(trust, "    woodpecker.h5: obeys", toy.output);
}

/// Friction at rest holds the block until the spring pulls with all of it: c (x + v t) = rest, from the state where it began to stick.
TEST(Documentation, StickAndSlipAsShown) {
  const std::string page = read(kRoot / "docs" / "howto" / "modelling.md");
  const size_t saved = page.find("Save as `stickslip.toml`");
  ASSERT_NE(saved, std::string::npos);
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "stickslip.toml") << between(page.substr(saved), "tippe = 1\n", "```");
  const auto result = test::run_program({"orbit", "stickslip.toml"}, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  std::istringstream shown(between(page, "    Stick and slip on a belt: ", "\n\n"));
  for (std::string line; std::getline(shown, line);)
    EXPECT_NE(result.output.find(line.substr(4) + "\n"), std::string::npos) << result.output;
  std::smatch start, release;
  ASSERT_TRUE(std::regex_search(result.output, start, std::regex(", x = ([-+.e0-9]+), x' = 0.2")));
  ASSERT_TRUE(std::regex_search(result.output, release, std::regex("\n +([.e0-9]+) +stick to slip")));
  EXPECT_NEAR(100 * (std::stod(start[1]) + 0.2 * std::stod(release[1])), 6, 1e-6);
}

TEST(Readme, AProblemFileIsSolvedAsShown) {
  const std::string readme = read(kRoot / "README.md");
  const auto result = test::run_program({"solve", "problems/stack.hdf5"}, kRoot);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::istringstream shown(between(readme, "    problems/stack.hdf5: ", "      ..."));
  for (std::string line; std::getline(shown, line);)
    EXPECT_NE(result.output.find(line.substr(4) + "\n"), std::string::npos) << line;
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

/// Follows a page: saves its TOML blocks ("Save as `x`", "Append to `x`"), runs its ./tippe lines, and looks for the indented lines after
/// them in what was printed. There must be so many of both.
void follow(const std::filesystem::path& file_of_page, int least_runs, int least_shown) {
  const test::TemporaryFolder folder;
  std::istringstream page(read(file_of_page));
  const std::regex target("(Save as|Append to) `([a-z.]+)`");
  std::string file, output;
  bool append = false;
  int runs = 0, shown = 0;
  for (std::string line; std::getline(page, line);) {
    std::smatch match;
    if (std::regex_search(line, match, target)) {
      append = match[1] == "Append to";
      file = match[2];
    } else if (line == "```toml") {
      std::ofstream scene(folder.path() / file, append ? std::ios::app : std::ios::trunc);
      while (std::getline(page, line) && line != "```") scene << line << '\n';
    } else if (line == "```text") {  // may differ in digits
      while (std::getline(page, line) && line != "```") continue;
    } else if (line.starts_with("    ./tippe ")) {
      std::vector<std::string> arguments;
      std::istringstream words(line.substr(12));
      for (std::string word; words >> word;) {
        std::erase(word, '"');
        arguments.push_back(word);
      }
      const auto result = test::run_program(arguments, folder.path());
      EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.errors;
      output = result.output;
      ++runs;
    } else if (line.starts_with("    ")) {
      const std::string expected = line.substr(4, line.find_last_not_of(" ") - 3);
      EXPECT_NE(output.find(expected), std::string::npos) << expected << "\nin\n" << output;
      ++shown;
    }
  }
  EXPECT_GE(runs, least_runs);
  EXPECT_GE(shown, least_shown);
}

TEST(Documentation, TutorialWorksAsPrinted) {
  follow(kRoot / "docs" / "tutorial.md", 4, 3);
}

TEST(Documentation, AnAnalysisPrintsWhatIsShown) {
  follow(kRoot / "docs" / "howto" / "analyze.md", 3, 15);
}

TEST(Documentation, ModesAreListedAsShown) {
  follow(kRoot / "docs" / "howto" / "modes.md", 6, 20);
}

TEST(Documentation, OrbitsAreFoundAsShown) {
  follow(kRoot / "docs" / "howto" / "orbit.md", 5, 15);
}

TEST(Documentation, LyapunovExponentsAreAsShown) {
  follow(kRoot / "docs" / "howto" / "lyapunov.md", 2, 5);
}

TEST(Documentation, DerivativesAreAsShown) {
  follow(kRoot / "docs" / "howto" / "sensitivity.md", 1, 3);
}

TEST(Documentation, FrictionIsWhatIsShown) {
  follow(kRoot / "docs" / "howto" / "friction.md", 1, 3);
}

TEST(Documentation, AMotorIsWhatIsShown) {
  follow(kRoot / "docs" / "howto" / "forces_and_motors.md", 1, 1);
}

/// The keys in the first column of the table below a heading.
std::set<std::string> documented_keys(const std::string& page, const std::string& heading) {
  const size_t begin = page.find("\n## `" + heading + "`");
  EXPECT_NE(begin, std::string::npos) << heading;
  const std::string section = page.substr(begin + 1, page.find("\n## ", begin + 1) - begin);
  std::set<std::string> keys;
  const std::regex row("\n\\| ((`[^`]+`(, )?)+) \\|"), key("`\\[?(?:[a-z]+\\.)?([a-z_]+)\\]?`");
  for (std::sregex_iterator match(section.begin(), section.end(), row), end; match != end; ++match) {
    const std::string cell = (*match)[1];
    for (std::sregex_iterator inner(cell.begin(), cell.end(), key); inner != end; ++inner) keys.insert((*inner)[1]);
  }
  return keys;
}

/// The keys that the reader knows in a table, from its own message about an unknown one.
std::set<std::string> known_keys(const std::string& table) {
  const test::TemporaryFolder folder;
  const std::string system = table == "[lagrangian]" ? "" : "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n";
  std::ofstream(folder.path() / "scene.toml") << "tippe = 1\n" << system << table << "\nnonsense = 1\n";
  const std::string message = test::run_program({"run", "scene.toml", "--dt", "1", "--until", "2"}, folder.path()).errors;
  std::smatch match;
  EXPECT_TRUE(std::regex_search(message, match, std::regex("known: ([^)]*)\\)"))) << message;
  std::set<std::string> keys;
  std::istringstream list(match[1]);
  for (std::string key; std::getline(list >> std::ws, key, ',');) keys.insert(key);
  return keys;
}

TEST(Documentation, EveryKeyOfTheSceneLanguageIsDescribedAndNoOther) {
  const std::string page = read(kRoot / "docs" / "scene.md");
  for (const char* table : {"[world]", "[[body]]", "[[spring]]", "[[joint]]", "[lagrangian]", "[velocities]",
                            "[[bilateral]]", "[[contact]]", "[[one_way]]", "[[dry_friction]]", "[[damping]]", "[[force]]",
                            "[[motor]]", "[[plane]]", "[[contact_law]]", "[run]", "[output]", "[sweep]"}) {
    EXPECT_EQ(documented_keys(page, table), known_keys(table)) << table;
  }
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

}  // namespace tippe::docs_test
