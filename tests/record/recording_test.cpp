// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/recording.h"

#include <sys/stat.h>

#include <fstream>

#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::record_recording_test {

RecordedRun record(const Scene& scene, RunSummary* summary = nullptr) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  {
    Recording recording(path, *scene.system, scene.origin, scene.run, scene.start.t);
    const RunSummary result = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
    if (summary != nullptr) *summary = result;
  }
  return read_recording(path);
}

TEST(Recording, HoldsTheRunThatWasMade) {
  const Scene scene = test::load("woodpecker", {.settings = {"mu=0.31"}, .integrator = {}, .dt = "1e-4", .until = "0.1"});
  RunSummary summary;
  const RecordedRun run = record(scene, &summary);
  EXPECT_EQ(run.status, RunStatus::kOk);
  EXPECT_EQ(run.origin.scene_text, scene.origin.scene_text);
  EXPECT_EQ(run.origin.settings, std::vector<std::string>{"mu=0.31"});
  EXPECT_EQ(run.integrator, "moreau");
  EXPECT_EQ(run.q.names, (std::vector<std::string>{"y", "alpha", "phi"}));
  EXPECT_EQ(run.u.names, (std::vector<std::string>{"y'", "alpha'", "phi'"}));
  EXPECT_EQ(run.impulse.names, (std::vector<std::string>{"beak.n", "beak.t", "sleeve top.n", "sleeve top.t",
                                                         "sleeve bottom.n", "sleeve bottom.t"}));
  EXPECT_EQ(run.gap.names, (std::vector<std::string>{"beak", "sleeve top", "sleeve bottom"}));
  EXPECT_EQ(run.step_time.size(), 1000u);
  EXPECT_EQ(run.time.front(), 0.0);
  EXPECT_EQ(run.time.back(), 0.1);
  EXPECT_EQ(run.q.column(2).front(), -0.2788);
  EXPECT_EQ(run.q.column(0).back(), summary.final_state.q[0]);
  EXPECT_EQ(run.energy.column(2).back(), summary.energy.final);
  EXPECT_EQ(run.impact_time.size(), static_cast<size_t>(summary.impacts));
  EXPECT_EQ(*std::max_element(run.step_residual.begin(), run.step_residual.end()), summary.worst_residual);
}

// The ledger of every step: its losses add up, and it balances.
TEST(Recording, HoldsTheLedgerOfEveryStep) {
  const test::TemporaryFolder folder;
  const Scene scene = test::load("woodpecker", {.settings = {}, .integrator = {}, .dt = "1e-4", .until = "0.1"});
  Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  const RecordedTable steps{{"total", "contacts", "damping", "work", "pushed out"},
                            Hdf5File::open(folder.path() / "run.h5").read_table("steps/energy")};
  double lost = 0.0;
  for (const double loss : steps.column(1)) lost += loss;
  EXPECT_NEAR(lost, summary.energy.lost_in_contacts, 1e-15);
  EXPECT_EQ(steps.column(0).back(), summary.energy.final);
}

// Impulses are summed between samples: for the ball their total is the change of momentum, whatever `every`
// is.
TEST(Recording, LosesNoImpulseBetweenSamples) {
  Scene scene = test::load("bouncing_ball");
  scene.run.every = 0.0317;
  const RecordedRun run = record(scene);
  double total = 0.0;
  for (const double impulse : run.impulse.column(0)) total += impulse;
  EXPECT_NEAR(total, 9.81 * 2.0 + run.u.column(0).back(), 1e-10);
}

TEST(Recording, SamplesAreAtTheNearestStepAndAtImpacts) {
  Scene scene = test::load("bouncing_ball", {.settings = {}, .integrator = {}, .dt = "0.01", .until = "0.5"});
  scene.run.every = 0.025;  // nearest steps: 0, 3 (0.025 -> 2.5 rounds up), 5, 8, 10, ...
  const RecordedRun run = record(scene);
  ASSERT_EQ(run.impact_time.size(), 1u);
  std::vector<double> expected = {0.0,  0.03, 0.05, 0.08, 0.1,  0.13, 0.15, 0.18, 0.2,  0.23, 0.25,
                                  0.28, 0.3,  0.33, 0.35, 0.38, 0.4,  0.43, 0.45, 0.48, 0.5};
  expected.push_back(run.impact_time[0]);
  expected.push_back(run.impact_time[0] - 0.01);  // and the state before
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end(), [](double a, double b) { return std::abs(a - b) < 1e-9; }),
                 expected.end());
  ASSERT_EQ(run.time.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(run.time[k], expected[k], 1e-12);
}

TEST(Recording, AnOrdinaryFileIsNoRecording) {
  const test::TemporaryFolder folder;
  EXPECT_THROW((void)read_recording(folder.path() / "missing.h5"), FileError);
  std::ofstream(folder.path() / "text.h5") << "not HDF5";
  EXPECT_THROW((void)read_recording(folder.path() / "text.h5"), FileError);
}

TEST(Recording, APipeOrDeviceIsLeftAlone) {
  const test::TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe.h5";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Scene scene = test::load("bouncing_ball");
  EXPECT_THROW(Recording(pipe, *scene.system, scene.origin, scene.run, 0.0), FileError);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

// A recording that says nonsense about how it looks is damaged, not a crash of whoever shows it.
TEST(Recording, ADamagedDrawingIsTold) {
  const test::TemporaryFolder folder;
  Scene scene = test::load("bouncing_ball");
  scene.run.drawing.document = "{\"primitives\": ";
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
    (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  }
  EXPECT_THROW((void)read_recording(folder.path() / "run.h5"), FileError);
}

TEST(Recording, AFolderThatDoesNotExistIsTold) {
  const Scene scene = test::load("bouncing_ball");
  try {
    const Recording recording("/nonexistent/run.h5", *scene.system, scene.origin, scene.run, 0.0);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/run.h5"), std::string::npos);
  }
}

}  // namespace tippe::record_recording_test
