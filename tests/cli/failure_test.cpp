// SPDX-License-Identifier: Apache-2.0
// What all commands have in common when they cannot answer: exit codes, statuses, and the keys of their JSON objects.
#include <nlohmann/json.hpp>
#include <set>

#include "support/program.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"

namespace tippe::cli_failure_test {

using Json = nlohmann::json;
using test::run_program;
using Words = std::vector<std::string>;

/// Every command that reads a file, with JSON if it has it.
const std::vector<std::pair<Words, bool>> kReaders = {
    {{"run"}, true},   {{"compare"}, true},         {{"check"}, true},    {{"analyze"}, true},
    {{"modes"}, true}, {{"orbit"}, true},           {{"lyapunov"}, true}, {{"solve"}, true},
    {{"show"}, true},  {{"run", "--resume"}, true}, {{"export"}, false},  {{"view", "--no-browser"}, false}};

// docs/program.md: 4 is a file that cannot be read or written.
TEST(Failure, AMissingFileIsExitCode4InEveryCommand) {
  const test::TemporaryFolder folder;
  for (const auto& [command, has_json] : kReaders) {
    for (const char* file : {"missing.toml", "no/such/folder.h5"}) {
      Words words = command;
      words.push_back(file);
      const auto plain = run_program(words, folder.path());
      EXPECT_EQ(plain.exit_code, 4) << testing::PrintToString(words) << plain.errors;
      EXPECT_EQ(plain.errors, std::string(file) + ": error: no such file\n") << testing::PrintToString(words);
      EXPECT_EQ(plain.output, "");
      if (!has_json || file != std::string("missing.toml")) continue;
      words.emplace_back("--json");
      const auto result = run_program(words, folder.path());
      EXPECT_EQ(result.exit_code, 4) << testing::PrintToString(words);
      EXPECT_EQ(result.errors, "");
      EXPECT_EQ(Json::parse(result.output)["status"], "failed") << result.output;
    }
  }
  EXPECT_TRUE(folder.empty());
}

TEST(Failure, AFolderIsExitCode4InEveryCommand) {
  const test::TemporaryFolder folder;
  for (const auto& [command, has_json] : kReaders) {
    Words words = command;
    words.emplace_back("./");
    const auto result = run_program(words, folder.path());
    EXPECT_EQ(result.exit_code, 4) << testing::PrintToString(words);
    EXPECT_NE(result.errors.find("./: error: is a folder"), std::string::npos) << result.errors;
  }
}

std::set<std::string> keys_of(const std::string& text) {
  std::set<std::string> keys;
  const Json object = Json::parse(text);
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// Whoever reads the object finds all keys, whatever happened.
TEST(Failure, HasAllKeysOfTheAnswer) {
  const test::TemporaryFolder folder;
  const std::string ball = test::scene_path("bouncing_ball");
  const std::string problem = std::string(TIPPE_SOURCE_DIR) + "/problems/stack.hdf5";
  const std::vector<Words> fine = {{"run", ball, "--until", "0.1"},
                                   {"compare", ball, "--integrators", "moreau", "--until", "0.1"},
                                   {"check", ball},
                                   {"analyze", ball},
                                   {"modes", ball},
                                   {"orbit", test::scene_path("woodpecker")},
                                   {"solve", problem}};
  for (Words words : fine) {
    SCOPED_TRACE(words[0]);
    words.emplace_back("--json");
    const auto answer = run_program(words, folder.path());
    ASSERT_EQ(answer.exit_code, 0) << answer.errors << answer.output;
    std::set<std::string> expected = keys_of(answer.output);
    if (words[0] == "solve") expected.insert("message");  // only then
    words[1] = "missing.toml";
    EXPECT_EQ(keys_of(run_program(words, folder.path()).output), expected);
    EXPECT_EQ(keys_of(run_program({words[0], "--json", "--nonsense"}, folder.path()).output), expected);
  }
}

// Messages of the library in the words of the program: options and commands.
TEST(Failure, NamesOptionsAndCommands) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "bare.toml") << "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n"
                                                "[run]\nintegrator = \"moreau\"\n";
  const std::string ball = test::scene_path("bouncing_ball"),
                    problem = std::string(TIPPE_SOURCE_DIR) + "/problems/stack.hdf5";
  ASSERT_EQ(run_program({"run", ball, "--until", "0.1", "--quiet", "--no-report"}, folder.path()).exit_code, 0);
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"run", ball, "--set", "nonsense=1"}, "tippe: error: --set nonsense=1: the scene has no parameter 'nonsense'"},
      {{"run", ball, "--set", "g"}, "tippe: error: --set g: write name=value\n"},
      {{"run", ball, "--dt", "1+"}, "tippe: error: --dt 1+: "},
      {{"run", ball, "--until", "-1"}, "tippe: error: --until: the end time must lie after the start"},
      {{"run", ball, "--integrator", "morau"},
       "tippe: error: --integrator: unknown integrator 'morau'; did you mean 'moreau'?"},
      {{"compare", ball, "--integrators", "morau"}, "tippe: error: --integrators: unknown integrator 'morau'"},
      {{"analyze", ball, "--time", "-1"},
       "tippe: error: --time: -1 must be finite and not before the scene starts, at t = 0\n"},
      {{"orbit", ball, "--section", "impakt:floor"}, "tippe: error: --section: 'impakt' is no kind of event"},
      {{"solve", problem, "--tol", "0"}, "tippe: error: --tol: 0 must be a positive number\n"},
      {{"solve", problem, "--threads", "3"}, "tippe: error: --threads: 3 must be 1 or 2\n"},
      {{"solve", problem, "--solver", "lemk"}, "tippe: error: --solver: there is no 'lemk'"},
      {{"solve", problem, "--max-iterations", "5"},
       "tippe: error: --max-iterations: is for a single method; name it with --solver\n"},
      {{"solve", "bouncing_ball.h5"},
       "bouncing_ball.h5: error: is a recording, not a problem; 'tippe run --dump-problem' writes the problem of a step\n"},
      {{"run", "--resume", "bouncing_ball.h5"},
       "bouncing_ball.h5: error: has reached t = 0.1 already; give a later --until to go on\n"},
      {{"run", "bare.toml"}, "bare.toml:5:1: error: [run] needs 'dt' (or give --dt)\n"},
      {{"run", "bare.toml", "--dt", "1"}, "bare.toml:5:1: error: [run] needs 'until' (or give --until)\n"},
      {{"run", "woodpeker"}, "did you mean 'woodpecker'? ('tippe list scenes' shows all)\n"}};
  for (const auto& [words, message] : cases) {
    const auto result = run_program(words, folder.path());
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(words);
    EXPECT_NE(result.errors.find(message), std::string::npos) << testing::PrintToString(words) << '\n' << result.errors;
  }
}

}  // namespace tippe::cli_failure_test
