// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "support/constrained_scenes.h"
#include "support/scenes.h"
#include "support/signals.h"

namespace tippe::cli_show_test {

using test::run_program;
using Json = nlohmann::json;

/// The lines of `run` are those of `show`, but for the files written and the status.
TEST(Show, PrintsTheSummaryOfTheRunAgain) {
  for (const char* scene : {"woodpecker", "bouncing_ball", "incline"}) {
    const test::TemporaryFolder folder;
    const auto run = run_program({"run", test::scene_path(scene), "--no-report"}, folder.path());
    const auto show = run_program({"show", std::string(scene) + ".h5"}, folder.path());
    EXPECT_EQ(show.exit_code, 0) << show.errors;
    const std::string lines = run.output.substr(0, run.output.find("  wrote"));
    EXPECT_EQ(show.output, lines + "  status                  ok\n");
  }
}

TEST(Show, GivesTheJsonOfTheRunAgain) {
  const test::TemporaryFolder folder;
  // Fine, failed, and with a warning.
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"woodpecker", "--set", "mu=0.31"},
                                             {"oscillator", "--dt", "1e-3"},
                                             {"oscillator", "--dt", "1.2e-4", "--until", "0.01"}}) {
    std::vector<std::string> arguments = {"run", test::scene_path(more[0]), "--no-report", "--json"};
    arguments.insert(arguments.end(), more.begin() + 1, more.end());
    const Json run = Json::parse(run_program(arguments, folder.path()).output);
    const auto show = run_program({"show", more[0] + ".h5", "--json"}, folder.path());
    EXPECT_EQ(show.exit_code, 0) << show.errors;
    EXPECT_EQ(Json::parse(show.output), run);
  }
}

TEST(Show, TellsOfConstraintsAsTheRunDid) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "twice.toml") << "tippe = 1\n" + test::twice(test::kPendulum);
  const auto run = run_program({"run", "twice.toml", "--no-report"}, folder.path());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.errors, "");  // a note is no warning
  for (const char* part :
       {"  constraints             2 rows, rank 1\n", "  violation of positions  worst ", ", drift from 0 to ",
        "  note                    rows 'rod', 'rod again' are redundant: the motion is unique"})
    EXPECT_NE(run.output.find(part), std::string::npos) << part << "\n" << run.output;
  const auto show = run_program({"show", "twice.h5"}, folder.path());
  EXPECT_EQ(show.output, run.output.substr(0, run.output.find("  wrote")) + "  status                  ok\n");
  const Json json = Json::parse(run_program({"show", "twice.h5", "--json"}, folder.path()).output);
  EXPECT_EQ(json["constraints"]["rows"], 2);
  EXPECT_EQ(json["constraints"]["smallest_rank"], 1);
  EXPECT_LE(json["constraints"]["position"]["worst"], 1e-14);
  EXPECT_EQ(json["constraints"]["velocity"]["start"], 0.0);
  EXPECT_EQ(json["notes"].size(), 1u);
  EXPECT_EQ(json["warnings"], Json::array());
  EXPECT_EQ(json["solver"]["halved_steps"], 0);
  EXPECT_EQ(Json::parse(run_program({"run", "twice.toml", "--no-report", "--json"}, folder.path()).output)["constraints"],
            json["constraints"]);
}

TEST(Show, AKilledRunIsRunning) {
  const test::TemporaryFolder folder;
  run_program({"run", test::scene_path("woodpecker"), "--until", "100", "--flush", "0.02", "--quiet"}, folder.path(),
              test::signal_after(folder.path() / "woodpecker.h5", SIGKILL, 0.2));
  const auto show = run_program({"show", "woodpecker.h5"}, folder.path());
  EXPECT_EQ(show.exit_code, 0) << show.errors;
  EXPECT_NE(show.output.find("  status                  running\n"), std::string::npos) << show.output;
  const Json json = Json::parse(run_program({"show", "woodpecker.h5", "--json"}, folder.path()).output);
  EXPECT_EQ(json["status"], "running");
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_GT(json["steps"], 0);
  EXPECT_GT(json["impacts"], 0);
  EXPECT_GT(json["t_end"], 0.0);
}

TEST(Show, WhatIsNoRecordingIsTold) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "text.h5") << "text";
  EXPECT_EQ(run_program({"show", "text.h5"}, folder.path()).exit_code, 4);
  EXPECT_EQ(run_program({"show", "missing.h5"}, folder.path()).exit_code, 4);
  EXPECT_EQ(Json::parse(run_program({"show", "missing.h5", "--json"}, folder.path()).output)["status"], "failed");
  EXPECT_EQ(run_program({"show"}, folder.path()).exit_code, 2);
}

}  // namespace tippe::cli_show_test
