// SPDX-License-Identifier: Apache-2.0
// The completion script, run by bash as it would when the tab key is pressed.
#include "support/program.h"

namespace tippe::cli_completion_test {

using Words = std::vector<std::string>;

class Completion : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() / "own scene.toml");
    std::ofstream(folder_.path() / "notes.txt");
    std::ofstream(folder_.path() / "mine.json");
    std::filesystem::create_directory(folder_.path() / "results");
  }

  /// What bash offers for the last of the words.
  Words complete(const Words& words) {
    std::string script = "cd '" + folder_.path().string() + "'\nsource <('" TIPPE_PROGRAM "' completion bash)\nCOMP_WORDS=(";
    for (const std::string& word : words) script += "'" + word + "' ";
    script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
              "\n_tippe\n[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    const test::TemporaryFolder scripts;
    std::ofstream(scripts.path() / "script") << script;
    const std::string output = (scripts.path() / "output").string();
    EXPECT_EQ(std::system(("bash '" + (scripts.path() / "script").string() + "' > '" + output + "'").c_str()), 0);
    Words offered;
    std::ifstream stream(output);
    for (std::string line; std::getline(stream, line);) offered.push_back(line);
    return offered;
  }

  static bool contains(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  test::TemporaryFolder folder_;
};

const std::string kTippe = TIPPE_PROGRAM;

TEST_F(Completion, Commands) {
  const Words all = complete({kTippe, ""});
  for (const char* command : {"run", "check", "view", "list", "completion", "--help"})
    EXPECT_TRUE(contains(all, command)) << command;
  EXPECT_EQ(complete({kTippe, "ch"}), Words{"check"});
}

TEST_F(Completion, OptionsOfTheCommand) {
  EXPECT_EQ(complete({kTippe, "run", "woodpecker", "--inte"}), Words{"--integrator"});
  EXPECT_TRUE(contains(complete({kTippe, "run", "--"}), "--no-report"));
  const Words check = complete({kTippe, "check", "--"});
  EXPECT_TRUE(contains(check, "--set"));
  EXPECT_FALSE(contains(check, "--out"));
}

TEST_F(Completion, ScenesByFileAndByName) {
  EXPECT_EQ(complete({kTippe, "run", "wood"}), Words{"woodpecker"});
  EXPECT_EQ(complete({kTippe, "check", "own"}), Words{"own scene.toml"});
  const Words all = complete({kTippe, "check", ""});
  EXPECT_TRUE(contains(all, "bouncing_ball"));
  EXPECT_TRUE(contains(all, "results"));  // a folder may hold scenes
  EXPECT_FALSE(contains(all, "notes.txt"));
  EXPECT_EQ(complete({kTippe, "run", "min"}), Words{});
  EXPECT_EQ(complete({kTippe, "analyze", "min"}), Words{"mine.json"});  // a problem
  EXPECT_EQ(complete({kTippe, "analyze", "wood"}), Words{"woodpecker"});
}

TEST_F(Completion, ValuesOfOptions) {
  EXPECT_EQ(complete({kTippe, "run", "woodpecker", "--integrator", ""}).front(), "moreau");
  EXPECT_EQ(complete({kTippe, "run", "woodpecker", "--integrator", "=", "rk"}), Words{"rk4"});
  EXPECT_EQ(complete({kTippe, "run", "woodpecker", "--out", ""}), Words{"results"});
  EXPECT_EQ(complete({kTippe, "compare", "woodpecker", "--integrators", "rk"}), Words{"rk4"});
  EXPECT_EQ(complete({kTippe, "compare", "woodpecker", "--integrators", "rk4,moreau,dop"}), Words{"rk4,moreau,dopri5"});
  EXPECT_EQ(complete({kTippe, "compare", "woodpecker", "-o", "no"}), Words{"notes.txt"});
  EXPECT_EQ(complete({kTippe, "solve", "notes.txt", "--solver", "gauss"}), Words{"gauss-seidel"});
  EXPECT_EQ(complete({kTippe, "solve", "no"}), Words{"notes.txt"});  // problem files have any name
  EXPECT_EQ(complete({kTippe, "run", "woodpecker", "--dt", ""}), Words{});
  EXPECT_EQ(complete({kTippe, "view", "no"}), Words{"notes.txt"});
  EXPECT_EQ(complete({kTippe, "view", "notes.txt", "--po"}), Words{"--port"});
  EXPECT_EQ(complete({kTippe, "view", "notes.txt", "--port", ""}), Words{});
}

TEST_F(Completion, ListsAndShells) {
  EXPECT_EQ(complete({kTippe, "list", "s"}), (Words{"scenes", "solvers"}));
  EXPECT_EQ(complete({kTippe, "completion", ""}), Words{"bash"});
  EXPECT_EQ(test::run_program({"completion", "fish"}, folder_.path()).exit_code, 2);
}

}  // namespace tippe::cli_completion_test
