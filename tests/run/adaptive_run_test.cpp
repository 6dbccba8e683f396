// SPDX-License-Identifier: Apache-2.0
// Runs with variable steps: samples by dense output, the ledger at each, early ends, checkpoints.
#include <cmath>

#include "support/same_run.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"

namespace tippe::run_adaptive_run_test {

Scene oscillator(const std::string& more, const std::string& output = "") {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n[initial]\nx = 1\nt = 2\n"
      "[run]\nintegrator = \"dopri5\"\ndt = 0.01\n" +
      more + output);
}

RecordedRun record(const Scene& scene, RunSummary* summary = nullptr) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "run.h5";
  {
    Recording recording(file, *scene.system, scene.origin, scene.run, scene.start.t);
    const RunSummary result = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
    if (summary != nullptr) *summary = result;
  }
  return read_recording(file);
}

TEST(AdaptiveRun, SamplesAreAtMultiplesOfEveryWhateverTheSteps) {
  RunSummary summary;
  const RecordedRun run = record(oscillator("until = 12\ntolerance = 1e-9\n", "[output]\nevery = 0.1\n"), &summary);
  EXPECT_EQ(summary.status, RunStatus::kOk);
  ASSERT_EQ(run.time.size(), 101u);
  EXPECT_EQ(run.time.back(), 12.0);
  for (size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.time[k], 2.0 + 0.1 * static_cast<double>(k), 1e-13);
    EXPECT_NEAR(run.q.values[k], std::cos(run.time[k] - 2.0), 2e-8) << run.time[k];
    EXPECT_NEAR(run.u.values[k], -std::sin(run.time[k] - 2.0), 2e-8) << run.time[k];
  }
  // Every accepted step is a row, and the last one ends the run.
  EXPECT_EQ(static_cast<std::int64_t>(run.step_time.size()), summary.steps);
  EXPECT_EQ(run.step_time.back(), 12.0);
  EXPECT_NEAR(run.step_time.front(), 2.01, 1e-15);
  for (size_t k = 1; k < run.step_time.size(); ++k) EXPECT_GT(run.step_time[k], run.step_time[k - 1]);
  EXPECT_GT(run.step_time[summary.steps / 2] - run.step_time[summary.steps / 2 - 1], 0.02);
}

TEST(AdaptiveRun, HasAThousandSamplesByDefaultAndTheEndWhereItIsNoMultiple) {
  const RecordedRun run = record(oscillator("until = 12\n"));
  ASSERT_EQ(run.time.size(), 1001u);
  EXPECT_EQ(run.time.front(), 2.0);
  EXPECT_EQ(run.time.back(), 12.0);
  const std::vector<double> times = record(oscillator("until = 3\n", "[output]\nevery = 0.4\n")).time;
  ASSERT_EQ(times.size(), 4u);
  EXPECT_NEAR(times[2], 2.8, 1e-15);
  EXPECT_EQ(times[3], 3.0);
}

// How many steps of dt the run would have does not matter.
TEST(AdaptiveRun, AFirstStepMayBeTiny) {
  const RunSummary summary = test::run(test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n[initial]\nx = 1\n"
      "[run]\nintegrator = \"dopri5\"\ndt = 1e-200\nuntil = 3\n"));
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LT(summary.steps, 400);  // each at most ten times as long as the one before
  EXPECT_NEAR(summary.final_state.q[0], std::cos(3.0), 1e-8);
}

TEST(AdaptiveRun, AFirstStepLongerThanTheRunIsCut) {
  const RecordedRun run = record(oscillator("until = 2.001\n"));
  ASSERT_EQ(run.step_time.size(), 1u);
  EXPECT_EQ(run.step_time[0], 2.001);
}

// The system of the ledger test of rk4: forces, damping, and motions prescribed in T and V.
TEST(AdaptiveRun, TheLedgerBalancesAtEverySample) {
  const Scene scene = test::scene_from(R"toml(
[parameters]
w = 3
[lagrangian]
coordinates = ["phi", "x"]
kinetic = "0.5*0.7*((0.1*w*cos(w*t) + 0.4*cos(phi)*phi')^2 + (0.4*sin(phi)*phi')^2) + 0.5*(1 + 0.2*sin(t))*x'^2"
potential = "-0.7*9.81*0.4*cos(phi) + 0.5*(5 + t)*(x - 0.1*sin(t))^2"
damping = "0.5*0.3*phi'^2 + 0.1*x'^2"
[lagrangian.forces]
x = "sin(2*t) - 0.1*phi'"
[initial]
phi = 1
"x'" = 0.5
[run]
integrator = "dopri5"
dt = 0.001
until = 3
)toml");
  RunSummary summary;
  const RecordedRun run = record(scene, &summary);
  EXPECT_GT(summary.energy.lost_in_damping, 0.1);
  EXPECT_GT(std::abs(summary.energy.work_done), 0.1);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-9);
  const auto columns = run.energy.names.size();
  ASSERT_EQ(columns, 8u);
  for (size_t k = 0; k < run.time.size(); ++k)
    EXPECT_LE(std::abs(run.energy.values[k * columns + 7]), 2e-9) << run.time[k];  // unexplained
  EXPECT_LT(summary.steps, 500);                                                   // far fewer than the samples
}

// Samples within a step are on the constraints as its end is.
TEST(AdaptiveRun, SamplesAreProjected) {
  const RecordedRun run = record(test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\n"
      "[[bilateral]]\nname = \"rod\"\nposition = \"0.5*(x^2 + y^2 - 1)\"\n[initial]\nx = 1\n"
      "[run]\nintegrator = \"dopri5\"\ndt = 0.001\nuntil = 3\ntolerance = 1e-5\n"));
  for (size_t k = 0; k < run.time.size(); ++k) {
    const double x = run.q.values[2 * k], y = run.q.values[2 * k + 1];
    EXPECT_NEAR(x * x + y * y, 1.0, 4e-15) << run.time[k];  // Newton's method ends at 8 epsilon of half of it
    EXPECT_NEAR(x * run.u.values[2 * k] + y * run.u.values[2 * k + 1], 0.0, 1e-14) << run.time[k];
  }
}

TEST(AdaptiveRun, StopWhenEndsAtTheRoot) {
  RunSummary summary;
  const RecordedRun run = record(oscillator("until = 12\nstop_when = \"-x\"\n"), &summary);
  ASSERT_TRUE(summary.stopped.has_value());
  EXPECT_NEAR(summary.final_state.t, 2.0 + M_PI / 2, 1e-8);
  EXPECT_NEAR(summary.final_state.q[0], 0.0, 1e-12);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-9);
  EXPECT_EQ(run.time.back(), summary.final_state.t);
  EXPECT_EQ(run.step_time.back(), summary.final_state.t);
  EXPECT_LT(run.time[run.time.size() - 2], run.time.back());
}

// Steps are as long as 0.3 here; a value that is positive for a third of one is not missed.
TEST(AdaptiveRun, StopWhenIsLookedAtWithinLongSteps) {
  RunSummary summary = test::run(oscillator("until = 12\ntolerance = 1e-5\nstop_when = \"0.05 - abs(t - 7.33)\"\n"));
  ASSERT_TRUE(summary.stopped.has_value());
  EXPECT_NEAR(summary.final_state.t, 7.28, 1e-12);
  EXPECT_NEAR(summary.final_state.q[0], std::cos(5.28), 1e-3);
}

TEST(AdaptiveRun, ProgressIsTheFractionOfTheTime) {
  const Scene scene = oscillator("until = 12\n");
  const test::TemporaryFolder folder;
  Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 2.0);
  recording.set_flush_interval(std::chrono::seconds(0));  // a look after every step
  int looks = 0;
  (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording, .progress = [&](const Progress& now) {
                                                           EXPECT_NEAR(now.fraction, (now.t - 2.0) / 10.0, 1e-15);
                                                           ++looks;
                                                         }});
  EXPECT_GT(looks, 10);
}

// Step sizes, their history, the sizes of the coordinates and the place among the samples are all taken over.
TEST(AdaptiveRun, GoesOnFromACheckpointToTheBit) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*(x'^2 + y'^2 + 2*z'^2)\"\n"
      "potential = \"9.81*y + z^2*(1 + x)\"\ndamping = \"0.05*z'^2\"\n[[bilateral]]\nname = \"rod\"\n"
      "position = \"0.5*(x^2 + y^2 - 1)\"\n[[bilateral]]\nname = \"again\"\nposition = \"x^2 + y^2 - 1\"\n"
      "[initial]\nx = 1\nz = 0.5\n[run]\nintegrator = \"dopri5\"\ndt = 0.1\nuntil = 5\ntolerance = 1e-7\n");
  const auto run = [&](const std::filesystem::path& path, std::int64_t step, const Checkpoint* from) {
    std::optional<Recording> recording;
    if (from != nullptr) {
      recording.emplace(path, *scene.system, scene.run, *from);
    } else {
      recording.emplace(path, *scene.system, scene.origin, scene.run, scene.start.t);
    }
    recording->set_flush_interval(std::chrono::seconds(0));
    std::atomic<bool> stop{false};
    return simulate(*scene.system, scene.start, scene.run,
                    {.recorder = &*recording,
                     .progress = [&](const Progress& now) { stop = now.steps >= step; },
                     .stop = &stop,
                     .from = from});
  };
  const test::TemporaryFolder folder;
  const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
  const RunSummary summary = run(whole, 1000000, nullptr);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_GT(summary.rejected_steps, 0);
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{2}, std::int64_t{17}, summary.steps - 1}) {
    SCOPED_TRACE(step);
    EXPECT_EQ(run(parts, step, nullptr).status, RunStatus::kInterrupted);
    const RecordedCheckpoint recorded = read_checkpoint(parts);
    EXPECT_EQ(run(parts, 1000000, &recorded.checkpoint).status, RunStatus::kOk);
    test::expect_same_run(whole, parts);
  }
}

}  // namespace tippe::run_adaptive_run_test
