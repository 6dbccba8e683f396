// SPDX-License-Identifier: Apache-2.0
// The program as a user meets it: what it prints, writes and answers to the shell.
#include <nlohmann/json.hpp>
#include <thread>

#include "support/program.h"
#include "support/scenes.h"
#include "support/signals.h"
#include "tippe/core/version.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::cli_run_test {

using test::run_program;
using Json = nlohmann::json;

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

TEST(Program, RunWritesRecordingAndPageAndSumsUp) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"run", test::scene_path("woodpecker"), "--until", "0.05"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "woodpecker.h5"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "woodpecker.html"));
  for (const char* part : {"Woodpecker toy", "5000 to t = 0.05", "impacts", "lost in contacts", "unexplained",
                           "worst residual", "worst penetration", "wall time", "woodpecker.h5", "woodpecker.html"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(result.errors, "");  // no terminal, no progress bar
}

// By hand: the ball of 1 m falls for t = sqrt(2 h/g), dt/dh = t/(2 h).
TEST(Program, SensitivityDerivesTheEndAndEventTimes) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "fall.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n"
         "[[contact]]\nname = \"floor\"\ngap = \"y\"\nrestitution = 0.5\n[initial]\ny = 1\n"
         "[run]\nintegrator = \"event-driven\"\ndt = 0.1\nuntil = 0.5\n";
  const auto result =
      test::run_program({"run", "fall.toml", "--sensitivity", "y,y'", "--json", "--no-report"}, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto sensitivity = nlohmann::json::parse(result.output)["sensitivity"];
  const double fall = std::sqrt(2.0 / 9.81);
  EXPECT_NEAR(sensitivity["events"][0]["by"]["y"].get<double>(), 0.5 * fall, 1e-9);
  EXPECT_NEAR(sensitivity["events"][0]["by"]["y'"].get<double>(), 1.0 / 9.81, 1e-9);
  EXPECT_NEAR(sensitivity["end"]["y'"]["y"].get<double>(), (0.5 * 9.81 + 9.81) * 0.5 * fall, 1e-7);  // g (1 + e) dt
  EXPECT_EQ(sensitivity["parameters"]["y"], 1.0);
  const auto moreau = test::run_program({"run", "fall.toml", "--sensitivity", "y", "--integrator", "moreau"}, folder.path());
  EXPECT_EQ(moreau.exit_code, 2);
  EXPECT_NE(moreau.errors.find("needs the integrator event-driven"), std::string::npos) << moreau.errors;
}

TEST(Program, SaysWhenStopWhenEndedTheRun) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "drop.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"2*y\"\n"
         "[run]\nintegrator = \"moreau\"\ndt = 0.3\nuntil = 9\nstop_when = \"-1 - y\"\n[output.quantities]\ndepth = "
         "\"-y\"\n";
  const auto told = run_program({"run", "drop.toml"}, folder.path());
  EXPECT_EQ(told.exit_code, 0) << told.errors;
  EXPECT_NE(told.output.find("at t = 1 by stop_when"), std::string::npos) << told.output;
  const Json json = Json::parse(run_program({"run", "drop.toml", "--json"}, folder.path()).output);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_NEAR(json["stopped"]["time"].get<double>(), 1.0, 1e-12);
  EXPECT_EQ(json["stopped"]["because"], "stop_when");
  const Json whole = Json::parse(run_program({"run", "drop.toml", "--until", "0.6", "--json"}, folder.path()).output);
  EXPECT_TRUE(whole.contains("stopped") && whole["stopped"].is_null());
}

TEST(Program, JsonIsOneObjectWithAllKeys) {
  const test::TemporaryFolder folder;
  const auto result = run_program(
      {"run", test::scene_path("bouncing_ball"), "--set", "epsilon=0.25", "--dt", "1e-3", "--json", "--out", "results/new"},
      folder.path());
  EXPECT_EQ(result.exit_code, 0);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_EQ(json["scene"], test::scene_path("bouncing_ball"));
  EXPECT_EQ(json["integrator"], "moreau");
  EXPECT_EQ(json["dt"], 1e-3);
  EXPECT_EQ(json["steps"], 2000);
  EXPECT_EQ(json["t_end"], 2.0);
  EXPECT_NEAR(json["final"]["q"]["y"].get<double>(), 0.0, 1e-4);
  EXPECT_TRUE(json["final"]["u"].contains("y'"));
  for (const char* key :
       {"initial", "final", "lost_in_contacts", "lost_in_damping", "work_done", "unexplained", "max_rise_per_step"})
    EXPECT_TRUE(json["energy"][key].is_number()) << key;
  EXPECT_EQ(json["energy"]["initial"], 9.81);
  EXPECT_TRUE(json["impacts"].is_number_integer());
  for (const char* key : {"worst_residual", "failed_steps", "iterations"})
    EXPECT_TRUE(json["solver"][key].is_number()) << key;
  EXPECT_TRUE(json["worst_penetration"].is_number());
  EXPECT_EQ(json["worst_penetration_at"], "floor");
  EXPECT_EQ(json["impacts_by_contact"]["floor"], json["impacts"]);
  EXPECT_EQ(json["lost_by_law"]["floor"], json["energy"]["lost_in_contacts"]);
  EXPECT_EQ(json["warnings"], Json::array());
  EXPECT_TRUE(json["wall_time_s"].is_number());
  EXPECT_EQ(json["files"], (Json{"results/new/bouncing_ball.h5", "results/new/bouncing_ball.html"}));
  for (const auto& file : json["files"]) EXPECT_TRUE(std::filesystem::exists(folder.path() / file.get<std::string>()));
}

TEST(Program, NoReportAndQuietMeanWhatTheySay) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"run", test::scene_path("incline"), "--no-report", "--quiet"}, folder.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output + result.errors, "");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "incline.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "incline.html"));
}

TEST(Program, ABadSceneGetsFileLineColumnTheTextAndNoOutput) {
  const test::TemporaryFolder scenes, folder;
  const std::string file = (scenes.path() / "bad.toml").string();
  write(file,
        "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*mass*x'^2\"\n[run]\nintegrator = \"moreau\"\ndt = "
        "1\nuntil = "
        "2\n");
  const auto result = run_program({"run", file}, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find(file + ":4:16: error: unknown name 'mass'"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("\n  kinetic = \"0.5*mass*x'^2\"\n                 ^\n"), std::string::npos) << result.errors;
  EXPECT_TRUE(folder.empty());

  const auto as_json = run_program({"run", file, "--json"}, folder.path());
  EXPECT_EQ(as_json.exit_code, 2);
  EXPECT_EQ(as_json.errors, "");
  const Json json = Json::parse(as_json.output);
  EXPECT_EQ(json["status"], "bad_input");
  EXPECT_EQ(json["error"]["file"], file);
  EXPECT_EQ(json["error"]["line"], 4);
  EXPECT_EQ(json["error"]["column"], 16);
  EXPECT_EQ(json["files"], Json::array());
  EXPECT_TRUE(folder.empty());
}

TEST(Program, AnHdf5FileIsNoSceneAndTheRightCommandIsNamed) {
  const test::TemporaryFolder folder;
  std::filesystem::copy_file(std::filesystem::path(TIPPE_SOURCE_DIR) / "problems" / "stack.hdf5",
                             folder.path() / "stack.hdf5");
  for (const char* command : {"run", "check"}) {
    const auto result = run_program({command, "stack.hdf5"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.errors,
              "stack.hdf5: error: is an HDF5 file, not a scene; tippe solve stack.hdf5 solves a contact problem, "
              "tippe show stack.hdf5 shows a recording\n");
  }
  EXPECT_EQ(run_program({"solve", "stack.hdf5"}, folder.path()).exit_code, 0);
}

TEST(Program, WrongUsageIsExitCode2AlsoAsJson) {
  const test::TemporaryFolder folder;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"walk"},
                                             {"run"},
                                             {"run", test::scene_path("incline"), "--speed", "3"},
                                             {"run", test::scene_path("incline"), "--dt", "-1"},
                                             {"run", test::scene_path("incline"), "--set", "nonsense=1"},
                                             {"run", test::scene_path("incline"), "--integrator", "rk4"}}) {
    const auto plain = run_program(arguments, folder.path());
    EXPECT_EQ(plain.exit_code, 2);
    EXPECT_NE(plain.errors, "");
    auto with_json = arguments;
    with_json.push_back("--json");
    const auto result = run_program(with_json, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(Json::parse(result.output)["status"], "bad_input");
  }
  EXPECT_TRUE(folder.empty());
}

TEST(Program, ANumericalFailureIsExitCode3AndKeepsWhatWasComputed) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"run", test::scene_path("oscillator"), "--dt", "1e-3", "--json"}, folder.path());
  EXPECT_EQ(result.exit_code, 3);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "failed");
  EXPECT_NE(json["error"]["message"].get<std::string>().find("t = "), std::string::npos);
  EXPECT_EQ(json["solver"]["failed_steps"], 1);
  const RecordedRun run = read_recording(folder.path() / "oscillator.h5");
  EXPECT_EQ(run.status, RunStatus::kFailed);
  EXPECT_EQ(run.step_time.size(), json["steps"].get<size_t>());
  EXPECT_GT(run.step_time.size(), 10u);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "oscillator.html"));
  const auto plain = run_program({"run", test::scene_path("oscillator"), "--dt", "1e-3", "--quiet"}, folder.path());
  EXPECT_NE(plain.errors.find("error: step"), std::string::npos);
}

TEST(Program, TroubleWithFilesIsExitCode4) {
  const test::TemporaryFolder folder;
  write(folder.path() / "file", "");
  const auto result = run_program({"run", test::scene_path("incline"), "--out", "file/below", "--json"}, folder.path());
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(Json::parse(result.output)["status"], "failed");
  std::filesystem::create_directory(folder.path() / "incline.h5");  // cannot be overwritten by a file
  EXPECT_EQ(run_program({"run", test::scene_path("incline")}, folder.path()).exit_code, 4);
}

TEST(Program, AFullDiskIsTold) {
  // A small file system needs root; a limit on the size of files fails the same calls.
  const test::TemporaryFolder folder;
  write(folder.path() / "script", "ulimit -f 4000\ntrap '' XFSZ\ncd '" + folder.path().string() +
                                      "'\n'" TIPPE_PROGRAM "' run '" + test::scene_path("bouncing_ball") +
                                      "' --dt 1e-6 --flush 0.001 --json > answer\necho $? > code\n");
  ASSERT_EQ(std::system(("bash '" + (folder.path() / "script").string() + "'").c_str()), 0);
  int code = 0;
  std::ifstream(folder.path() / "code") >> code;
  EXPECT_EQ(code, 4);
  std::ifstream answer(folder.path() / "answer");
  EXPECT_EQ(Json::parse(answer)["status"], "failed");
  // What was flushed before is safe, and nothing else is left behind.
  const RecordedRun run = read_recording(folder.path() / "bouncing_ball.h5");
  EXPECT_EQ(run.status, RunStatus::kRunning);
  EXPECT_GT(run.step_time.size(), 10u);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "bouncing_ball.h5.next"));
}

TEST(Program, ResultsNeverOverwriteTheScene) {
  const test::TemporaryFolder folder;
  std::filesystem::copy(test::scene_path("incline"), folder.path() / "scene.h5");
  EXPECT_EQ(run_program({"run", "scene.h5"}, folder.path()).exit_code, 2);
  EXPECT_EQ(run_program({"run", "scene.h5", "--out", "results"}, folder.path()).exit_code, 0);
}

TEST(Program, APageThatCannotBeWrittenLeavesTheRecording) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "incline.html" / "occupied");
  const auto result = run_program({"run", test::scene_path("incline"), "--json"}, folder.path());
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(Json::parse(result.output)["files"], Json{"incline.h5"});
  EXPECT_EQ(read_recording(folder.path() / "incline.h5").status, RunStatus::kOk);
}

TEST(Program, AnUnknownCommandIsNamed) {
  const test::TemporaryFolder folder;
  EXPECT_NE(run_program({"simulate"}, folder.path()).errors.find("unknown command 'simulate'"), std::string::npos);
  EXPECT_NE(run_program({"a.toml"}, folder.path()).errors.find("did you mean 'tippe run a.toml'"), std::string::npos);
  EXPECT_EQ(run_program({"run", std::string(5000, 'a')}, folder.path()).exit_code, 2);
}

TEST(Program, AnInterruptEndsTheRunCleanly) {
  const test::TemporaryFolder folder;
  const auto interrupt = test::signal_after(folder.path() / "woodpecker.h5", SIGINT, 0.2);
  const auto result =
      run_program({"run", test::scene_path("woodpecker"), "--until", "1e6", "--json"}, folder.path(), interrupt);
  EXPECT_EQ(result.exit_code, 130);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_EQ(read_recording(folder.path() / "woodpecker.h5").step_time.size(), json["steps"].get<size_t>());
  EXPECT_EQ(json["files"], (Json{"woodpecker.h5", "woodpecker.html"}));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "woodpecker.html"));
}

TEST(Program, HelpTeachesAndVersionTells) {
  const test::TemporaryFolder folder;
  EXPECT_NE(run_program({"--help"}, folder.path()).output.find("tippe run scenes/woodpecker.toml"), std::string::npos);
  const auto help = run_program({"run", "--help"}, folder.path());
  EXPECT_EQ(help.exit_code, 0);
  for (const char* option : {"--integrator", "--dt", "--until", "--set", "--out", "--no-report", "--json", "--quiet",
                             "--resume", "--flush", "Exit codes"})
    EXPECT_NE(help.output.find(option), std::string::npos) << option;
  for (const auto& [command, part] : {std::pair{"check", "which integrators fit"}, std::pair{"list", "One line each"},
                                      std::pair{"completion", "source <(tippe completion bash)"}}) {
    const auto other = run_program({command, "--help"}, folder.path());
    EXPECT_EQ(other.exit_code, 0);
    EXPECT_NE(other.output.find(part), std::string::npos) << other.output;
  }
  for (const char* command : {"show", "export"})
    EXPECT_NE(run_program({command, "--help"}, folder.path()).output.find("Exit codes"), std::string::npos) << command;
  EXPECT_EQ(run_program({"--version"}, folder.path()).output, std::string(kProgram) + "\n");
}

// What rests has energies whose changes are round-off: they are no measure of what is unexplained.
TEST(Program, RunCallsRoundOffAtRestSo) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"run", test::scene_path("wedge"), "--no-report"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("(round-off)"), std::string::npos) << result.output;
}

}  // namespace tippe::cli_run_test
