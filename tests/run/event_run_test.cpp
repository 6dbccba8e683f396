// SPDX-License-Identifier: Apache-2.0
// Runs of integrators that find events: jumps without length, samples at events, what is counted, recorded and taken over.
#include <cmath>

#include "support/exact_ball.h"
#include "support/same_run.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::run_event_run_test {

constexpr double kGravity = test::ExactBall::kGravity;

/// A ball from one metre, with samples every 0.1 s.
Scene ball(const std::string& run = "") {
  std::string text = test::load("bouncing_ball").origin.scene_text;
  text.insert(text.find("[run]\n") + 6, run);
  Scene scene = read_scene(text, "ball.toml");
  scene.run.integrator = "dopri5";  // any name of one that chooses its steps
  scene.run.dt = 0.05;
  scene.run.every = 0.1;
  return scene;
}

RunSummary run_ball(const Scene& scene, Recording* recording, const test::ExactBall::Options& options = {}) {
  return simulate_with(std::make_unique<test::ExactBall>(*scene.system, options), *scene.system, scene.start, scene.run,
                       {.recorder = recording});
}

struct Recorded {
  RunSummary summary;
  RecordedRun run;
};
Recorded record(const Scene& scene, const test::ExactBall::Options& options = {}) {
  const test::TemporaryFolder folder;
  Recorded recorded;
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, scene.start.t);
    recorded.summary = run_ball(scene, &recording, options);
  }
  recorded.run = read_recording(folder.path() / "run.h5");
  EXPECT_EQ(read_summary(folder.path() / "run.h5").summary.events.by_kind, recorded.summary.events.by_kind);
  return recorded;
}

/// Impact n = 0, 1, ...: t_0 = sqrt(2 h/g), then flights of 2 epsilon^n v/g each.
double impact_time(int n) {
  const double first = std::sqrt(2.0 / kGravity);
  return first * (1.0 + 2.0 * (0.5 - std::pow(0.5, n + 1)) / 0.5);
}

// v = 4.43 m/s; after impact n it is 4.43/2^(n+1): below 0.1 m/s after the sixth, n = 5.
TEST(EventRun, EventsAreCountedAndReadBack) {
  const auto [summary, run] = record(ball());
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EventCounts expected;
  expected[EventKind::kStart] = 1;
  expected[EventKind::kImpact] = 6;
  expected[EventKind::kAccumulation] = 1;
  EXPECT_EQ(summary.events.by_kind, expected.by_kind);
  ASSERT_EQ(run.events.size(), 8u);
  EXPECT_EQ(run.events[0].kind, EventKind::kStart);
  EXPECT_EQ(run.events[0].t, 0.0);
  EXPECT_TRUE(run.events[0].laws.empty());
  const double v = std::sqrt(2.0 * kGravity);
  for (int n = 0; n < 6; ++n) {
    const Event& event = run.events[static_cast<size_t>(n) + 1];
    const double closing = v * std::pow(0.5, n);
    EXPECT_EQ(event.kind, EventKind::kImpact);
    EXPECT_NEAR(event.t, impact_time(n), 1e-14);
    EXPECT_EQ(event.laws, std::vector<int>{0});
    EXPECT_EQ(event.before, std::vector{ContactMode::kOpen});
    EXPECT_EQ(event.after, std::vector{ContactMode::kOpen});
    ASSERT_EQ(event.impulse.size(), 1);
    EXPECT_NEAR(event.impulse[0], 1.5 * closing, 1e-13);
    EXPECT_NEAR(event.lost, 0.375 * closing * closing, 1e-13);
    EXPECT_EQ(event.alternatives, 0);
    EXPECT_EQ(event.note, "");
  }
  const Event& last = run.events.back();
  EXPECT_EQ(last.kind, EventKind::kAccumulation);
  EXPECT_NEAR(last.t, 3.0 * std::sqrt(2.0 / kGravity), 1e-14);
  EXPECT_EQ(last.after, std::vector{ContactMode::kClosed});
  EXPECT_FALSE(last.alternatives.has_value());
  EXPECT_EQ(last.note, "infinitely many impacts");
  // The six, but not those that accumulate; nor the contact that begins to rest.
  EXPECT_EQ(summary.impacts, 6);
  EXPECT_EQ(summary.impacts_by_law, std::vector<std::int64_t>{6});
  ASSERT_EQ(run.impact_time.size(), 6u);
  for (int n = 0; n < 6; ++n) EXPECT_EQ(run.impact_time[static_cast<size_t>(n)], run.events[static_cast<size_t>(n) + 1].t);
  EXPECT_NEAR(run.impact_speed[1], 0.5 * v, 1e-14);
  EXPECT_NEAR(summary.energy.lost_in_contacts, kGravity, 1e-13);  // m g h
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-13);
}

TEST(EventRun, ThereAreSamplesBeforeAndAfterEveryJump) {
  const auto [summary, run] = record(ball());
  // 21 at multiples of 0.1 s, two at each impact, one before and one after the accumulation; after the sixth impact and before the
  // accumulation is the same.
  EXPECT_EQ(run.time.size(), 21u + 2 * 6 + 1);
  for (size_t k = 1; k < run.time.size(); ++k) EXPECT_GE(run.time[k], run.time[k - 1]);
  int jumps = 0;
  for (size_t k = 1; k < run.time.size(); ++k) {
    if (run.time[k] != run.time[k - 1]) continue;
    EXPECT_NEAR(run.time[k], impact_time(jumps), 1e-14);
    EXPECT_EQ(run.q.values[k], run.q.values[k - 1]);
    EXPECT_LT(run.u.values[k - 1], 0.0);
    EXPECT_NEAR(run.u.values[k], -0.5 * run.u.values[k - 1], 1e-15);
    EXPECT_NEAR(run.impulse.values[k], -1.5 * run.u.values[k - 1], 1e-14);  // since the sample before: the jump alone
    EXPECT_EQ(run.impulse.values[k - 1], 0.0);
    ++jumps;
  }
  EXPECT_EQ(jumps, 6);
  // Energy is explained at each of them.
  for (size_t k = 0; k < run.time.size(); ++k) EXPECT_LE(std::abs(run.energy.values[8 * k + 7]), 1e-13);
}

// The ball rests from t = 1.35 s on, in one step to the end: between samples its weight is carried.
TEST(EventRun, SamplesWithinAStepHaveTheImpulsesUntilThere) {
  const auto [summary, run] = record(ball());
  const double rest = run.events.back().t;
  int samples = 0;
  for (size_t k = 1; k < run.time.size(); ++k) {
    if (run.time[k] <= rest) continue;
    EXPECT_NEAR(run.impulse.values[k], kGravity * (run.time[k] - run.time[k - 1]), 1e-13) << run.time[k];
    ++samples;
  }
  EXPECT_EQ(samples, 7);
  double sum = 0.0;
  for (const double impulse : run.impulse.values) sum += impulse;
  EXPECT_NEAR(sum, kGravity * 2.0, 1e-12);  // it starts and ends at rest: all impulses together hold the weight
}

// An impact without collision comes at the end of a piece of motion: the state before the jump is that of dense output there.
TEST(EventRun, AJumpAtTheEndOfAStepHasBothSamplesToo) {
  const auto [summary, run] = record(ball(), {.at_end = true});
  EXPECT_EQ(summary.impacts, 6);
  int jumps = 0;
  for (size_t k = 1; k < run.time.size(); ++k) {
    if (run.time[k] != run.time[k - 1] || run.u.values[k] == run.u.values[k - 1]) continue;
    EXPECT_NEAR(run.time[k], impact_time(jumps), 1e-14);
    EXPECT_NEAR(run.q.values[k - 1], 0.0, 1e-14);
    EXPECT_NEAR(run.u.values[k], -0.5 * run.u.values[k - 1], 1e-14);
    EXPECT_NEAR(run.impulse.values[k], -1.5 * run.u.values[k - 1], 1e-14);
    ++jumps;
  }
  EXPECT_EQ(jumps, 6);
  for (size_t k = 0; k < run.time.size(); ++k) EXPECT_LE(std::abs(run.energy.values[8 * k + 7]), 1e-13);
}

TEST(EventRun, AnEventWithinAStepHasASample) {
  const auto [summary, run] = record(ball(), {.mark_top = true});
  int tops = 0;
  for (const Event& event : run.events) {
    if (event.kind != EventKind::kTouch) continue;
    ++tops;
    const auto found = std::find(run.time.begin(), run.time.end(), event.t);
    ASSERT_NE(found, run.time.end());
    EXPECT_NEAR(run.u.values[static_cast<size_t>(found - run.time.begin())], 0.0, 1e-14);
    EXPECT_EQ(event.note, "at the top");
  }
  EXPECT_EQ(tops, 5);
  EXPECT_EQ(summary.impacts, 6);  // a touch is none
}

TEST(EventRun, AJumpMayEndTheRun) {
  const auto [summary, run] = record(ball("stop_when = \"y' - 1e-9\"\n"));
  ASSERT_TRUE(summary.stopped.has_value());
  EXPECT_NEAR(summary.stopped->time, impact_time(0), 1e-15);
  EXPECT_GT(summary.final_state.u[0], 2.0);
  EXPECT_EQ(summary.impacts, 1);
  EXPECT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.time.back(), run.time[run.time.size() - 2]);
}

// The run ends in the flight after the first impact, before its top.
TEST(EventRun, EventsBehindTheEndAreLeftOut) {
  const auto [summary, run] = record(ball("stop_when = \"min(y - 0.2, y')\"\n"), {.mark_top = true});
  ASSERT_TRUE(summary.stopped.has_value());
  EXPECT_NEAR(summary.final_state.q[0], 0.2, 1e-12);
  EXPECT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events.back().kind, EventKind::kImpact);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-12);
}

TEST(EventRun, AtRestTheImpulseUntilTheEndIsThatOfTheWeight) {
  const auto [summary, run] = record(ball("stop_when = \"t - 1.65\"\n"));
  EXPECT_NEAR(run.time.back(), 1.65, 1e-12);
  EXPECT_NEAR(run.impulse.values.back(), kGravity * (run.time.back() - run.time[run.time.size() - 2]), 1e-12);
  EXPECT_NEAR(run.time[run.time.size() - 2], 1.6, 1e-12);
}

TEST(EventRun, JumpsWithoutEndAreAFailure) {
  const auto [summary, run] = record(ball(), {.stuck = true});
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NE(summary.message.find("did not advance the time"), std::string::npos) << summary.message;
  EXPECT_NEAR(summary.final_state.t, impact_time(0), 1e-15);
}

/// Runs and stops after a number of steps; goes on from a checkpoint if there is one.
RunSummary run_until_step(const Scene& scene, const std::filesystem::path& path, std::int64_t step, const Checkpoint* from) {
  std::optional<Recording> recording;
  if (from != nullptr) {
    recording.emplace(path, *scene.system, scene.run, *from);
  } else {
    recording.emplace(path, *scene.system, scene.origin, scene.run, scene.start.t);
  }
  recording->set_flush_interval(std::chrono::seconds(0));  // and a look after every step
  std::atomic<bool> stop{false};
  const test::ExactBall::Options marked{.mark_top = true};
  return simulate_with(std::make_unique<test::ExactBall>(*scene.system, marked), *scene.system, scene.start, scene.run,
                       {.recorder = &*recording,
                        .progress = [&](const Progress& now) { stop = now.steps >= step; },
                        .stop = &stop,
                        .from = from});
}

// Steps: the start, flight and impact in turn, the accumulation, the rest. Interrupted after any of them, also between the end of a
// flight and its impact, the rest of the run is the same to the bit, and so are all tables.
TEST(EventRun, AResumedRunIsTheSame) {
  const Scene scene = ball();
  const test::TemporaryFolder folder;
  const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
  const RunSummary all = run_until_step(scene, whole, 1000, nullptr);
  EXPECT_EQ(all.status, RunStatus::kOk);
  ASSERT_GT(all.steps, 13);
  for (std::int64_t step = 1; step < all.steps; ++step) {
    SCOPED_TRACE(step);
    EXPECT_EQ(run_until_step(scene, parts, step, nullptr).status, RunStatus::kInterrupted);
    const RecordedCheckpoint recorded = read_checkpoint(parts);
    const RunSummary rest = run_until_step(scene, parts, 1000, &recorded.checkpoint);
    EXPECT_EQ(rest.status, RunStatus::kOk);
    EXPECT_EQ(rest.events.by_kind, all.events.by_kind);
    test::expect_same_run(whole, parts);
  }
}

TEST(EventRun, RecordingsOfOtherIntegratorsHaveNoEvents) {
  const test::TemporaryFolder folder;
  const Scene scene = test::load("bouncing_ball");
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
    EXPECT_EQ(simulate(*scene.system, scene.start, scene.run, {.recorder = &recording}).events.total(), 0);
  }
  EXPECT_FALSE(Hdf5File::open(folder.path() / "run.h5").has("events"));
  EXPECT_TRUE(read_recording(folder.path() / "run.h5").events.empty());
  EXPECT_EQ(read_summary(folder.path() / "run.h5").summary.events.total(), 0);
}

TEST(EventRun, ADamagedTableIsRefused) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "events.h5";
  const Scene scene = ball();
  for (const std::string column : {"kind", "mode_after", "note"}) {
    SCOPED_TRACE(column);
    {
      Recording recording(file, *scene.system, scene.origin, scene.run, 0.0);
      (void)run_ball(scene, &recording);
    }
    {
      Hdf5File opened = Hdf5File::open_for_writing(file, file);
      Hdf5Table table = opened.open_table("events/" + column, column == "mode_after" ? 1 : 0);
      table.truncate(7);
      table.append(10.0);  // neither a kind nor a mode nor a note
      table.flush();
    }
    EXPECT_THROW((void)read_recording(file), FileError);
  }
}

}  // namespace tippe::run_event_run_test
