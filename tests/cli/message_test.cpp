// SPDX-License-Identifier: Apache-2.0
// Messages: coloured on a terminal only, and silent where silence was asked for.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

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

// Here reading the scene takes long because nobody has written it yet.
TEST_F(Message, ALongSilenceIsBrokenOnATerminal) {
  const auto check_slowly = [&](std::vector<std::string> arguments, int wait) {
    const auto pipe = folder_.path() / "slow.toml";
    std::filesystem::remove(pipe);
    mkfifo(pipe.c_str(), 0600);
    std::thread writer([&] {
      const int file = open(pipe.c_str(), O_WRONLY);
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
      EXPECT_EQ(write(file, kWarningScene.data(), kWarningScene.size()), static_cast<ssize_t>(kWarningScene.size()));
      close(file);
    });
    const std::string output = run_on_terminal(arguments, folder_.path());
    writer.join();
    return output;
  };
  const std::string output = check_slowly({"check", "slow.toml"}, 2500);
  EXPECT_TRUE(output.starts_with("\rworking for 1 s\033[K\rworking for 2 s\033[K\r\033[Kslow.toml: can run")) << output;
  EXPECT_TRUE(nlohmann::json::accept(check_slowly({"check", "slow.toml", "--json"}, 1200)));
  EXPECT_EQ(check_slowly({"run", "slow.toml", "--quiet"}, 1200), "");
}

}  // namespace tippe::cli_message_test
