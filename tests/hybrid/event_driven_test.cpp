// SPDX-License-Identifier: Apache-2.0
// What the event-driven integrator owes as an integrator: balance, gaps, dense output, the limit of the other schemes, and going on from a
// checkpoint.
#include <random>

#include "support/events.h"
#include "support/same_run.h"
#include "support/temporary_folder.h"

namespace tippe::hybrid_event_driven_test {

Scene load(const std::string& name, const std::string& until, double tolerance = 1e-12) {
  Scene scene = test::load(name, {.settings = {}, .integrator = "event-driven", .dt = {}, .until = until});
  scene.run.integrator_options.tolerance = tolerance;
  return scene;
}

// Through the run loop: the events of its steps, samples by dense output, impacts counted.
TEST(EventDriven, RunsAsAnyIntegrator) {
  const Scene scene = load("oscillator", "1");
  double deepest = 0.0, last = -1.0;
  int impacts = 0, samples = 0;
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run,
                                      {.after_step =
                                           [&](const StepView& step) {
                                             EXPECT_LE(step.begin, step.end);
                                             for (const Event& event : step.integrator.last_events()) {
                                               EXPECT_GE(event.t, step.begin);
                                               EXPECT_LE(event.t, step.end);
                                               EXPECT_GE(event.t, last);
                                               EXPECT_EQ(event.after.size(), 1u);
                                               last = event.t;
                                               impacts += event.kind == EventKind::kImpact ? 1 : 0;
                                             }
                                           },
                                       .on_sample =
                                           [&](const Sample& sample) {
                                             deepest = std::max(deepest, -sample.gaps.minCoeff());
                                             ++samples;
                                           }});
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_EQ(summary.final_state.t, 1.0);
  EXPECT_EQ(impacts, 17);
  EXPECT_EQ(summary.impacts, 17);
  EXPECT_GE(samples, 10001);
  EXPECT_LE(deepest, 1e-12);
  EXPECT_LE(summary.worst_penetration, 1e-12);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-11 * summary.energy.scale);
  EXPECT_EQ(summary.failed_steps, 0);
}

// Where nothing happens it is an integrator of smooth motion: two turns of an ellipse of eccentricity 0.6.
TEST(EventDriven, SmoothMotionToItsTolerance) {
  Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"-1/sqrt(x^2 + y^2)\"\n"
      "[initial]\nx = 0.4\n\"y'\" = 2\n[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = 1\n");
  scene.run.until = 4.0 * M_PI;
  const test::EventRun run = test::run_events(scene, 1e-13);
  EXPECT_TRUE(run.instants.empty());
  EXPECT_LE((run.end.q - scene.start.q).norm(), 1e-10);
  EXPECT_LE((run.end.u - scene.start.u).norm(), 1e-10);
}

// All scenes of contacts in minimal coordinates: nothing gained, nothing lost unseen, nothing sinks.
TEST(EventDriven, EveryJouleIsExplained) {
  for (const char* name : {"bouncing_ball", "oscillator", "double_pendulum", "impacting_pendulum", "rocking_block",
                           "painleve_rod", "incline", "belt", "shaken_block", "cradle"}) {
    SCOPED_TRACE(name);
    const Scene scene = test::load(name);
    const test::EventRun run = test::run_events(scene, 1e-12);
    EXPECT_NEAR(run.end.t, scene.run.until, 1e-12);
    test::expect_exact(run);
  }
}

// A coarser tolerance gives the same events, less accurately.
TEST(EventDriven, ErrorsFollowTheTolerance) {
  const double exact = 0.49899132734947542;  // the last slip of the woodpecker in half a second
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const test::EventRun run = test::run_events(test::load("woodpecker"), tolerance);
    ASSERT_EQ(run.instants.size(), 29u) << tolerance;
    EXPECT_NEAR(run.instants.back().t(), exact, 100.0 * tolerance) << tolerance;
  }
}

/// The slope of log error over log dt, by least squares.
double observed_order(const std::vector<double>& dt, const std::vector<double>& error) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t k = 0; k < dt.size(); ++k) {
    const double x = std::log(dt[k]), y = std::log(error[k]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// Across impacts time stepping is of first order. The heavy mass of the oscillator after its first impact and lift-off, at steps that fit
// no pattern.
TEST(EventDriven, IsTheLimitOfMoreausScheme) {
  const State exact = test::run_events(load("oscillator", "0.1"), 1e-13).end;
  std::mt19937 random(8);
  std::vector<double> steps, errors;
  for (const double dt : {4e-5, 2e-5, 1e-5, 5e-6, 2.5e-6}) {
    for (int k = 0; k < 4; ++k) {
      Scene scene = test::load("oscillator", {.settings = {}, .integrator = "moreau", .dt = {}, .until = "0.1"});
      scene.run.dt = dt * std::uniform_real_distribution<double>(0.8, 1.25)(random);
      const State end = test::run(scene).final_state;
      steps.push_back(scene.run.dt);
      errors.push_back(std::abs(end.q[0] - exact.q[0]) + 0.01 * std::abs(end.u[0] - exact.u[0]));
    }
  }
  EXPECT_NEAR(observed_order(steps, errors), 2.0, 0.4);  // what an impact leaves behind in its contact is pushed out; else 1
  EXPECT_LT(errors.back(), 1e-5);
}

/// Stops after a number of steps; goes on from a checkpoint if there is one.
RunSummary run_until_step(const Scene& scene, const std::filesystem::path& path, std::int64_t step, const Checkpoint* from) {
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
}

// Modes, proposed steps and what an accumulation remembers of earlier impacts are all taken over; stops fall before, on and after events.
TEST(EventDriven, GoesOnFromACheckpointToTheBit) {
  for (const auto& [name, until] :
       std::vector<std::pair<std::string, std::string>>{{"woodpecker", "0.3"}, {"bouncing_ball", "2"}, {"belt", "1.5"}}) {
    const Scene scene = load(name, until);
    const test::TemporaryFolder folder;
    const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
    const RunSummary summary = run_until_step(scene, whole, 1000000, nullptr);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    ASSERT_GT(summary.steps, 8);
    for (std::int64_t step = 1; step < summary.steps; step += std::max<std::int64_t>(1, summary.steps / 7)) {
      SCOPED_TRACE(name + " " + std::to_string(step));
      EXPECT_EQ(run_until_step(scene, parts, step, nullptr).status, RunStatus::kInterrupted);
      const RecordedCheckpoint recorded = read_checkpoint(parts);
      EXPECT_EQ(run_until_step(scene, parts, 1000000, &recorded.checkpoint).status, RunStatus::kOk);
      test::expect_same_run(whole, parts);
    }
  }
}

// A forged checkpoint: modes, sides and counts that there are not.
TEST(EventDriven, RemembersWhatThereIsOnly) {
  const Scene scene = load("woodpecker", "0.1");
  const auto integrator = find_integrator("event-driven")->make(*scene.system, scene.run.integrator_options);
  State state = scene.start;
  ASSERT_TRUE(integrator->step(state, 1e-3).ok());
  const NamedArrays memory = integrator->memory();
  integrator->restore_memory(memory);
  constexpr size_t kFirstMode = 4;
  for (const double mode : {7.0, -1.0, 0.5, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    NamedArrays forged = memory;
    std::vector<double>& numbers = forged.begin_array("event_driven");
    numbers = memory.at("event_driven");
    numbers[kFirstMode] = mode;
    EXPECT_THROW(integrator->restore_memory(forged), std::invalid_argument) << mode;
  }
}

// The dense output at the ends of a step is the state there, and an impact is a step without a length.
TEST(EventDriven, DenseOutputMeetsTheSteps) {
  const Scene scene = load("double_pendulum", "3");
  const auto integrator = find_integrator("event-driven")->make(*scene.system, scene.run.integrator_options);
  State state = scene.start, before, within;
  int jumps = 0;
  while (state.t < 3.0) {
    before = state;
    const double wish = integrator->adaptive()->proposed_step();
    ASSERT_TRUE(integrator->step(state, std::min(wish > 0.0 ? wish : 1e-3, 3.0 - state.t)).ok());
    if (state.t == before.t) {
      jumps += state.u == before.u ? 0 : 1;
      EXPECT_EQ(state.q, before.q);
      continue;
    }
    ASSERT_TRUE(integrator->adaptive()->interpolate(before.t, within).ok());
    EXPECT_LE((within.q - before.q).norm() + (within.u - before.u).norm(), 1e-13);
    ASSERT_TRUE(integrator->adaptive()->interpolate(state.t, within).ok());
    EXPECT_LE((within.q - state.q).norm() + (within.u - state.u).norm(), 1e-11);
  }
  EXPECT_EQ(jumps, 5);  // impacts at 0.93, 1.17, 1.72, 2.52 and 2.57 s
}

}  // namespace tippe::hybrid_event_driven_test
