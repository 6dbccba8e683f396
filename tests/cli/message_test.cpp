// SPDX-License-Identifier: Apache-2.0
// Messages: coloured on a terminal only, and silent where silence was asked for.
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/terminal.h"

namespace tippe::cli_message_test {

using test::run_on_terminal;
using test::run_program;

const std::string kBadScene = "tippe = 2\n";
// A spring too stiff for its step: the run ends with a warning.
const std::string kWarningScene =
    "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*5e4*x^2\"\n"
    "[initial]\nx = 1\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 0.03\n";

class Message : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() / "bad.toml") << kBadScene;
    std::ofstream(folder_.path() / "stiff.toml") << kWarningScene;
  }
  test::TemporaryFolder folder_;
};

TEST_F(Message, ErrorsAreRedAndTheirPlaceBoldOnATerminal) {
  const std::string output = run_on_terminal({"run", "bad.toml"}, folder_.path());
  EXPECT_NE(output.find("\033[1mbad.toml:1:9:\033[0m \033[1;31merror:\033[0m this program"), std::string::npos) << output;
  const std::string usage = run_on_terminal({"walk"}, folder_.path());
  EXPECT_NE(usage.find("\033[1mtippe:\033[0m \033[1;31merror:\033[0m unknown command"), std::string::npos) << usage;
}

TEST_F(Message, WarningsAreYellowOnATerminal) {
  const std::string output = run_on_terminal({"run", "stiff.toml"}, folder_.path());
  EXPECT_NE(output.find("\033[1mstiff.toml:\033[0m \033[1;33mwarning:\033[0m "), std::string::npos) << output;
}

TEST_F(Message, NoColorIsObeyedWhateverItsValue) {
  for (const char* value : {"1", ""}) {
    const std::string output = run_on_terminal({"run", "bad.toml"}, folder_.path(), value);
    EXPECT_NE(output.find("bad.toml:1:9: error: this program"), std::string::npos) << output;
    EXPECT_EQ(output.find('\033'), std::string::npos) << output;
  }
}

TEST_F(Message, FilesAndPipesGetNoColours) {
  const auto bad = run_program({"run", "bad.toml"}, folder_.path());
  EXPECT_EQ(bad.errors.find("bad.toml:1:9: error: this program"), 0u) << bad.errors;
  EXPECT_EQ(bad.errors.find('\033'), std::string::npos);
  const auto stiff = run_program({"run", "stiff.toml"}, folder_.path());
  EXPECT_EQ(stiff.errors.find("stiff.toml: warning: "), 0u) << stiff.errors;
  EXPECT_EQ(stiff.output.find("warning"), std::string::npos) << stiff.output;
}

TEST_F(Message, QuietAndJsonAreSilentOtherwise) {
  EXPECT_EQ(run_on_terminal({"run", "stiff.toml", "--quiet"}, folder_.path()), "");
  const auto quiet = run_program({"run", "stiff.toml", "--quiet"}, folder_.path());
  EXPECT_EQ(quiet.output + quiet.errors, "");
  for (const char* scene : {"stiff.toml", "bad.toml"}) {
    for (const char* command : {"run", "check"}) {
      const std::string output = run_on_terminal({command, scene, "--json"}, folder_.path());
      EXPECT_TRUE(nlohmann::json::accept(output)) << output;
    }
  }
  const auto json = nlohmann::json::parse(run_program({"run", "stiff.toml", "--json"}, folder_.path()).output);
  EXPECT_EQ(json["warnings"].size(), 1u);
}

}  // namespace tippe::cli_message_test
