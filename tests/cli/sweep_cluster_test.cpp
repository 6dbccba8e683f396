// SPDX-License-Identifier: Apache-2.0
// Sweeps by several processes that mpirun starts.
#include <stdlib.h>

#include <map>
#include <sstream>

#include "support/program.h"
#include "support/scenes.h"
#include "support/sweeps.h"

namespace tippe::cli_sweep_cluster_test {

using test::after_rows;
using test::expect_same_sweep;
using test::run_program;

std::vector<std::string> pendulum(const std::string& out, const std::string& points) {
  return {"sweep",       test::scene_path("impacting_pendulum"),
          "--vary",      "epsilon=0.5:1:5",
          "--vary",      "phi=0.2:0.4:" + points,
          "--until",     "2",
          "--dt",        "1e-3",
          "--quantity",  "phi:max",
          "--section",   "phi'",
          "--transient", "1",
          "--keep",      "2",
          "--out",       out,
          "--flush",     "0.002",
          "--no-report"};
}

/// A variable of the environment, for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

// A program without its module stands alone in a folder.
TEST(SweepCluster, WithoutMpiSeveralProcessesAreRefusedAndOneIsNot) {
  const test::TemporaryFolder folder, elsewhere;
  const std::filesystem::path alone = elsewhere.path() / "tippe";
  std::filesystem::copy_file(TIPPE_PROGRAM, alone);
  const auto run = [&](std::vector<std::pair<const char*, const char*>> environment, const char* until) {
    std::vector<std::unique_ptr<Variable>> variables;
    for (const auto& [name, value] : environment) variables.push_back(std::make_unique<Variable>(name, value));
    return test::RunningProgram({"sweep", test::scene_path("bouncing_ball"), "--vary", "y=1,2", "--until", until},
                                folder.path(), alone.c_str())
        .wait();
  };
  for (const auto& environment : {std::vector<std::pair<const char*, const char*>>{{"OMPI_COMM_WORLD_SIZE", "4"}},
                                  {{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}},
                                  {{"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", "0"}}}) {
    const auto result = run(environment, "0.1");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.errors.find("started several processes, and this program was built without MPI"), std::string::npos)
        << result.errors;
    EXPECT_TRUE(folder.empty());
  }
  const auto second = run({{"PMIX_RANK", "1"}}, "0.1");  // the first one speaks
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_EQ(second.errors, "");
  // One process; and the script of a Slurm job, which is not started several times.
  for (const auto& environment :
       {std::vector<std::pair<const char*, const char*>>{{"OMPI_COMM_WORLD_SIZE", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}},
        {{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", "1"}},
        {{"PMIX_RANK", "0"}}}) {
    const auto result = run(environment, "0.1");
    EXPECT_EQ(result.exit_code, 0) << result.errors;
  }
}

#ifdef TIPPE_MPIRUN

/// The program as so many processes, more than there are processors, and by root.
class Mpirun {
 public:
  Mpirun() = default;
  test::ProgramResult operator()(int processes, std::vector<std::string> arguments, const std::filesystem::path& folder,
                                 const std::function<void(pid_t)>& meanwhile = {}) const {
    arguments.insert(arguments.begin(), {"-n", std::to_string(processes), TIPPE_PROGRAM});
    test::RunningProgram program(arguments, folder, TIPPE_MPIRUN);
    if (meanwhile) meanwhile(program.pid());
    return program.wait();
  }

 private:
  Variable as_root_{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, confirmed_{"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      more_{"OMPI_MCA_rmaps_base_oversubscribe", "1"};
};

/// The process of this rank among the children of another one; 0 if there is none.
pid_t process_of_rank(pid_t parent, int rank) {
  const std::string process = "/proc/" + std::to_string(parent);
  std::ifstream children(process + "/task/" + std::to_string(parent) + "/children");
  for (pid_t child = 0; children >> child;) {
    std::ostringstream environment;
    environment << std::ifstream("/proc/" + std::to_string(child) + "/environ").rdbuf();
    const std::string text = std::string(1, '\0') + environment.str();
    const std::string own = std::string(1, '\0') + "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + std::string(1, '\0');
    if (text.find(own) != std::string::npos) return child;
  }
  return 0;
}

TEST(SweepCluster, TwoAndThreeProcessesWriteTheBitsOfOneThread) {
  const test::TemporaryFolder folder;
  std::vector<std::string> serial = pendulum("1", "40");
  serial.insert(serial.end(), {"--jobs", "1"});
  ASSERT_EQ(run_program(serial, folder.path()).exit_code, 0);
  const Mpirun mpirun;
  for (const int processes : {2, 3}) {
    const auto result = mpirun(processes, pendulum(std::to_string(processes), "40"), folder.path());
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.output.find("200 points in "), std::string::npos);
    EXPECT_EQ(result.output.find("200 points in "), result.output.rfind("200 points in ")) << "one process speaks";
    expect_same_sweep(folder.path() / "1/impacting_pendulum.sweep.h5",
                      folder.path() / std::to_string(processes) / "impacting_pendulum.sweep.h5");
  }
  {
    const Variable tasks("SLURM_STEP_NUM_TASKS", "2"), task("SLURM_PROCID", "0");
    const auto lone = run_program(pendulum("srun", "40"), folder.path());
    EXPECT_EQ(lone.exit_code, 2);
    EXPECT_NE(lone.errors.find("srun started 2 processes that know nothing of each other"), std::string::npos)
        << lone.errors;
  }
  const auto refused = mpirun(2, {"sweep", "nothing", "--vary", "x=1"}, folder.path());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("nothing: error: no such file"), std::string::npos) << refused.errors;
}

TEST(SweepCluster, LosesNothingWhenAProcessIsKilledAndGoesOn) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_program(pendulum("whole", "400"), folder.path()).exit_code, 0);
  const std::filesystem::path file = folder.path() / "part/impacting_pendulum.sweep.h5";
  const Mpirun mpirun;
  std::int64_t rows = 0;
  for (const int rank : {2, 0}) {
    const auto kill_it = [&](pid_t parent) {
      after_rows(file, 0, 0.0)(parent);  // waits for them
      while (read_sweep(file).rows == rows) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const pid_t process = process_of_rank(parent, rank);
      ASSERT_GT(process, 0);
      kill(process, SIGKILL);
    };
    const bool begun = std::filesystem::exists(file);
    const auto arguments =
        begun ? std::vector<std::string>{"sweep", "--resume", file.string(), "--flush", "0.002"} : pendulum("part", "400");
    EXPECT_NE(mpirun(3, arguments, folder.path(), kill_it).exit_code, 0);
    const std::int64_t now = read_sweep(file).rows;
    EXPECT_GT(now, rows);
    EXPECT_LT(now, 2000);
    rows = now;
  }
  const auto resumed = mpirun(2, {"sweep", "--resume", file.string(), "--no-report"}, folder.path());
  EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
  expect_same_sweep(folder.path() / "whole/impacting_pendulum.sweep.h5", file);
}

#endif

}  // namespace tippe::cli_sweep_cluster_test
