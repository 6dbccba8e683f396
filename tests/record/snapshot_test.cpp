// SPDX-License-Identifier: Apache-2.0
// A recording is read whole at any moment of its run.
#include <chrono>
#include <thread>

#include "support/program.h"
#include "support/scenes.h"
#include "tippe/record/recorded_run.h"

namespace tippe::record_snapshot_test {

using namespace std::chrono_literals;

void expect_whole(const RecordedState& state) {
  const RecordedRun& run = state.run;
  const RunSummary& summary = state.recorded.summary;
  for (const RecordedTable* table : {&run.q, &run.u, &run.gap, &run.impulse, &run.energy})
    ASSERT_EQ(table->values.size(), run.time.size() * table->names.size());
  ASSERT_EQ(run.step_residual.size(), run.step_time.size());
  ASSERT_EQ(run.step_iterations.size(), run.step_time.size());
  ASSERT_EQ(run.impact_law.size(), run.impact_time.size());
  ASSERT_EQ(run.impact_lost.size(), run.impact_time.size());
  // Tables and summary are of the same moment, and no row is missing or half written.
  ASSERT_EQ(summary.steps, static_cast<std::int64_t>(run.step_time.size()));
  ASSERT_EQ(summary.impacts, static_cast<std::int64_t>(run.impact_time.size()));
  for (size_t k = 0; k < run.step_time.size(); ++k) ASSERT_NEAR(run.step_time[k], 1e-4 * static_cast<double>(k + 1), 1e-9);
  for (size_t k = 1; k < run.time.size(); ++k) ASSERT_LE(run.time[k - 1], run.time[k]);
  ASSERT_EQ(summary.final_state.t, run.step_time.empty() ? 0.0 : run.step_time.back());
}

// A run that flushes a hundred times in a second, in another process, while its recording is read again and again.
TEST(Snapshot, IsOfOneMomentWhileTheRunWrites) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "tippe_top.h5";
  test::RunningProgram run(
      {"run", test::scene_path("tippe_top"), "--until", "1000", "--no-report", "--quiet", "--flush", "0.01"}, folder.path());
  for (int k = 0; k < 5000 && !std::filesystem::exists(file); ++k) std::this_thread::sleep_for(1ms);
  int snapshots = 0, different = 0;
  std::string last;
  const auto deadline = std::chrono::steady_clock::now() + 30s;  // for a machine that has other work to do
  while ((snapshots < 100 || different < 10) && std::chrono::steady_clock::now() < deadline) {
    const RecordedState state = read_state(file);
    expect_whole(state);
    ASSERT_FALSE(HasFatalFailure()) << "snapshot " << snapshots;
    ASSERT_EQ(state.run.status, RunStatus::kRunning);
    ++snapshots;
    if (state.stamp != last) ++different;
    last = state.stamp;
  }
  EXPECT_GE(snapshots, 100);
  EXPECT_GE(different, 10);
}

TEST(Snapshot, AStampIsThatOfTheFileAndChangesWithIt) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "bouncing_ball.h5";
  EXPECT_EQ(recording_stamp(file), "");
  const std::vector<std::string> arguments = {"run", test::scene_path("bouncing_ball"), "--no-report", "--quiet"};
  ASSERT_EQ(test::run_program(arguments, folder.path()).exit_code, 0);
  const std::string first = read_state(file).stamp;
  EXPECT_NE(first, "");
  EXPECT_EQ(recording_stamp(file), first);
  ASSERT_EQ(test::run_program(arguments, folder.path()).exit_code, 0);
  EXPECT_NE(recording_stamp(file), first);
  EXPECT_EQ(read_state(file).stamp, recording_stamp(file));
}

}  // namespace tippe::record_snapshot_test
