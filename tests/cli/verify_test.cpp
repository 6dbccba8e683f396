// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/scenes.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::cli_verify_test {

using test::run_program;
using Json = nlohmann::json;

TEST(Verify, JudgesARecording) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_program({"run", test::scene_path("bouncing_ball"), "--no-report", "--until", "1"}, folder.path()).exit_code,
            0);
  const auto text = run_program({"verify", "bouncing_ball.h5"}, folder.path());
  EXPECT_EQ(text.exit_code, 0) << text.output;
  EXPECT_NE(text.output.find("bouncing_ball.h5: obeys: no check found a violation"), std::string::npos);
  const Json json = Json::parse(run_program({"verify", "bouncing_ball.h5", "--json"}, folder.path()).output);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["verdict"], "obeys");
  EXPECT_GT(json["checks"]["pull"]["checks"], 0);
  EXPECT_EQ(json["checks"]["pull"]["violations"], 0);
}

TEST(Verify, FindsAndNamesAViolation) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_program({"run", test::scene_path("bouncing_ball"), "--no-report", "--until", "1"}, folder.path()).exit_code,
            0);
  {
    Hdf5File file = Hdf5File::open_for_writing(folder.path() / "bouncing_ball.h5", "");
    std::vector<double> times = file.read_table("samples/time");
    times[5] = times[3];
    file.write_numbers("samples/time", times);
    file.flush();
  }
  const auto text = run_program({"verify", "bouncing_ball.h5"}, folder.path());
  EXPECT_EQ(text.exit_code, 3) << text.output;
  EXPECT_NE(text.output.find("bouncing_ball.h5: violated"), std::string::npos) << text.output;
  const auto answer = run_program({"verify", "bouncing_ball.h5", "--json"}, folder.path());
  EXPECT_EQ(answer.exit_code, 3);
  const Json json = Json::parse(answer.output);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_GT(json["checks"]["times"]["violations"], 0);
  EXPECT_GT(json["checks"]["times"]["worst"]["share"], 1.0);
}

TEST(Verify, RefusesWhatItCannotRead) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(run_program({"verify", "nothing.h5"}, folder.path()).exit_code, 4);
  EXPECT_EQ(run_program({"verify"}, folder.path()).exit_code, 2);
  ASSERT_EQ(
      run_program({"run", test::scene_path("bouncing_ball"), "--no-report", "--until", "0.1"}, folder.path()).exit_code, 0);
  Hdf5File::open_for_writing(folder.path() / "bouncing_ball.h5", "").set("/", "format_version", std::int64_t{2});
  const auto old = run_program({"verify", "bouncing_ball.h5"}, folder.path());
  EXPECT_EQ(old.exit_code, 2);
  EXPECT_NE(old.errors.find("format version 2"), std::string::npos);
}

TEST(Verify, JudgesEveryStepOfARun) {
  const test::TemporaryFolder folder;
  const auto run =
      run_program({"run", test::scene_path("incline"), "--no-report", "--until", "0.2", "--verify"}, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_NE(run.output.find("verify: obeys"), std::string::npos);
  const auto answer = run_program(
      {"run", test::scene_path("incline"), "--no-report", "--until", "0.2", "--verify", "--json"}, folder.path());
  const Json json = Json::parse(answer.output);
  EXPECT_EQ(json["verify"]["verdict"], "obeys");
  EXPECT_EQ(json["verify"]["intervals"]["single_steps"], json["steps"]);
}

TEST(Verify, JudgesEveryStepOfARunWithFoundContacts) {
  const test::TemporaryFolder folder;
  for (const char* integrator : {"moreau", "moreau-jean"}) {
    const auto run = run_program({"run", test::scene_path("box_on_box"), "--no-report", "--until", "0.1", "--integrator",
                                  integrator, "--verify", "--json"},
                                 folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.output << run.errors;
    const Json json = Json::parse(run.output);
    EXPECT_EQ(json["verify"]["verdict"], "obeys");
    EXPECT_EQ(json["verify"]["intervals"]["single_steps"], 20);
    EXPECT_GT(json["verify"]["checks"]["friction_direction"]["checks"], 100);
  }
}

}  // namespace tippe::cli_verify_test
