// SPDX-License-Identifier: Apache-2.0
// What the program answers to the shell when its streams, its files or the user end early: 0, 2, 3, 4 or 130, and nothing else.
#include <sys/stat.h>

#include "support/scenes.h"
#include "support/shell.h"
#include "support/signals.h"

namespace tippe::cli_streams_test {

using test::run_shell;

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A shell that calls the woodpecker by its file.
int run_with_scene(const std::string& script, const std::filesystem::path& folder) {
  return run_shell("SCENE='" + test::scene_path("woodpecker") + "'\n" + script, folder);
}

TEST(Streams, AClosedOrFullStandardErrorChangesNothing) {
  const test::TemporaryFolder folder;
  for (const std::string stream : {"2>&-", "2>/dev/full", "2>&- >&- <&-"}) {
    EXPECT_EQ(run_shell("$TIPPE run no_scene " + stream, folder.path()), 2) << stream;
    EXPECT_EQ(run_shell("$TIPPE walk " + stream, folder.path()), 2) << stream;
    EXPECT_EQ(run_shell("$TIPPE show no_run.h5 " + stream, folder.path()), 4) << stream;
    EXPECT_EQ(run_with_scene("$TIPPE run $SCENE --until 0.01 --quiet " + stream, folder.path()), 0) << stream;
  }
  // A file that is opened while standard error is closed does not become standard error.
  std::ofstream(folder.path() / "clutch.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"x1\", \"x2\"]\nkinetic = \"0.5*x1'^2 + 0.5*x2'^2\"\n[[one_way]]\n"
         "name = \"clutch\"\nvelocity = \"x1'\"\n[[contact]]\nname = \"contact\"\ngap = \"x2 - x1\"\nrestitution = 1\n"
         "[initial]\n\"x1'\" = 2\n\"x2'\" = -3\n[run]\ndt = 1e-3\nuntil = 0.01\n";  // it warns
  EXPECT_EQ(run_shell("$TIPPE run clutch.toml 2>&- >out && $TIPPE show clutch.h5 >out", folder.path()), 0);
}

TEST(Streams, OutputThatIsLostIsToldWhateverTheCommand) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_with_scene("$TIPPE run $SCENE --until 0.05 --quiet --no-report", folder.path()), 0);
  for (const std::string command :
       {"--help", "--version", "run --help", "list scenes", "list integrators", "completion bash", "show woodpecker.h5",
        "show woodpecker.h5 --json", "export woodpecker.h5", "check $SCENE", "check $SCENE --json", "analyze $SCENE",
        "run $SCENE --until 0.01 --no-report --json", "run $SCENE --until 0.01 --no-report"}) {
    for (const std::string stream : {">/dev/full", ">&-"}) {
      EXPECT_EQ(run_with_scene("$TIPPE " + command + " " + stream + " 2>err", folder.path()), 4) << command << " " << stream;
      EXPECT_EQ(text_of(folder.path() / "err"), "tippe: error: cannot write to standard output\n")
          << command << " " << stream;
    }
  }
  EXPECT_EQ(run_shell("$TIPPE run no_scene --json >/dev/full 2>err", folder.path()), 2);  // the code of what was done
}

// Whoever closes a pipe has read enough.
TEST(Streams, ABrokenPipeEndsQuietly) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_with_scene("$TIPPE run $SCENE --until 0.05 --quiet --no-report", folder.path()), 0);
  for (const auto& [command, code] : std::vector<std::pair<std::string, int>>{{"export woodpecker.h5", 0},
                                                                              {"show woodpecker.h5 --json", 0},
                                                                              {"list scenes", 0},
                                                                              {"--help", 0},
                                                                              {"run $SCENE --until 0.02 --no-report", 0},
                                                                              {"run no_scene --json", 2}}) {
    // `true` reads nothing, and has ended before the program begins.
    EXPECT_EQ(run_with_scene("{ sleep 0.1; $TIPPE " + command + " 2>err; echo $? >code; } | true", folder.path()), 0);
    EXPECT_EQ(text_of(folder.path() / "code"), std::to_string(code) + "\n") << command;
    EXPECT_EQ(text_of(folder.path() / "err"), "") << command;
  }
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "woodpecker.h5"));
}

TEST(Streams, AFileThatMayNotGrowIsExitCode4) {
  const test::TemporaryFolder folder;
  for (const std::string command :
       {"run $SCENE --until 1 --no-report --quiet", "run $SCENE --until 1 --no-report --quiet --flush 0.01"}) {
    EXPECT_EQ(run_with_scene("ulimit -f 200; $TIPPE " + command + " 2>err", folder.path()), 4) << command;
    EXPECT_NE(text_of(folder.path() / "err").find("woodpecker.h5: cannot"), std::string::npos)
        << text_of(folder.path() / "err");
  }
  ASSERT_EQ(run_with_scene("$TIPPE run $SCENE --until 0.2 --quiet --no-report", folder.path()), 0);
  EXPECT_EQ(run_shell("ulimit -f 10; $TIPPE export woodpecker.h5 --out all.csv 2>err", folder.path()), 4);
  EXPECT_EQ(run_shell("ulimit -f 10; $TIPPE export woodpecker.h5 >all.csv 2>err", folder.path()), 4);
}

/// Runs the program until it waits for what a pipe named "scene" brings, and sends it a signal.
test::ProgramResult interrupt_while_reading(const std::vector<std::string>& arguments, int signal) {
  const test::TemporaryFolder folder;
  mkfifo((folder.path() / "scene").c_str(), 0600);
  return test::run_program(arguments, folder.path(), [&](pid_t child) {
    const int pipe = open((folder.path() / "scene").c_str(), O_WRONLY);  // returns when the program reads
    kill(child, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    close(pipe);
  });
}

TEST(Streams, ASignalBeforeTheRunBeginsIsAnInterrupt) {
  ::signal(SIGHUP, SIG_DFL);  // the tests may run under nohup
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    EXPECT_EQ(interrupt_while_reading({"run", "scene"}, signal).exit_code, 130) << signal;
    EXPECT_EQ(interrupt_while_reading({"check", "scene"}, signal).exit_code, 130) << signal;
  }
}

TEST(Streams, TheSameSignalAgainEndsARunAtOnce) {
  const test::TemporaryFolder folder;
  const auto twice = [&](pid_t child) {
    test::signal_after(folder.path() / "woodpecker.h5", SIGTERM, 0.05)(child);
    kill(child, SIGTERM);
  };
  EXPECT_EQ(test::run_program({"run", test::scene_path("woodpecker"), "--until", "1e6", "--quiet"}, folder.path(), twice)
                .exit_code,
            130);
}

TEST(Streams, AHangUpIsIgnoredUnderNohup) {
  const test::TemporaryFolder folder;
  const std::string script =
      "trap '' HUP; $TIPPE run $SCENE --until 0.3 --quiet --no-report & child=$!\n"
      "while [ ! -e woodpecker.h5 ]; do sleep 0.01; done; kill -HUP $child; wait $child";
  EXPECT_EQ(run_with_scene(script, folder.path()), 0);
}

TEST(Streams, AFileWithoutEndIsNotReadToItsEnd) {
  const test::TemporaryFolder folder;
  for (const char* command :
       {"run", "check", "compare", "analyze", "modes", "orbit", "lyapunov", "solve", "run --resume", "show", "export"}) {
    const int code =
        run_shell(std::string("ulimit -v 4000000; timeout -k 1 10 $TIPPE ") + command + " /dev/zero 2>err", folder.path());
    EXPECT_TRUE(code == 2 || code == 4) << command << ": " << code << text_of(folder.path() / "err");
    EXPECT_NE(text_of(folder.path() / "err").find("/dev/zero: "), std::string::npos) << command;
  }
  // Nor does a pipe that nobody writes to keep a reader of HDF5 waiting.
  mkfifo((folder.path() / "pipe").c_str(), 0600);
  for (const char* command : {"show", "export", "solve", "run --resume"}) {
    const int code = run_shell(std::string("timeout -k 1 10 $TIPPE ") + command + " pipe 2>err", folder.path());
    EXPECT_TRUE(code == 2 || code == 4) << command << ": " << code;
  }
}

}  // namespace tippe::cli_streams_test
