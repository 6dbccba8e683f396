// SPDX-License-Identifier: Apache-2.0
// `stop_when` ends a run at the root of its value, within a step.
#include <cmath>

#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::run_stop_test {

/// A scene of the project with a condition that ends it.
Scene load_with_stop(const std::string& name, const std::string& condition, const SceneOverrides& overrides = {}) {
  std::string text = test::load(name).origin.scene_text;
  text.insert(text.find("[run]\n") + 6, "stop_when = \"" + condition + "\"\n");
  return read_scene(text, name + ".toml", overrides);
}

TEST(StopWhen, FreeFallEndsAtTheRootWithinAStep) {
  const RunSummary summary =
      test::run(load_with_stop("bouncing_ball", "0.5 - y", {.settings = {}, .integrator = {}, .dt = "0.03", .until = {}}));
  EXPECT_EQ(summary.status, RunStatus::kOk);
  ASSERT_TRUE(summary.stopped.has_value());
  EXPECT_EQ(summary.stopped->because, "stop_when");
  EXPECT_EQ(summary.stopped->time, summary.final_state.t);
  EXPECT_NEAR(summary.final_state.t, std::sqrt(2.0 * 0.5 / 9.81), 1e-13);  // free fall is exact for any step
  EXPECT_NEAR(summary.final_state.q[0], 0.5, 1e-13);
  EXPECT_EQ(summary.steps, 11);
}

TEST(StopWhen, HoldsForRungeKutta) {
  const RunSummary summary = test::run(test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n[initial]\nx = "
      "1\n[run]\nintegrator = \"rk4\"\ndt = 0.01\nuntil = 9\nstop_when = \"-x\"\n"));
  EXPECT_NEAR(summary.final_state.t, M_PI / 2, 1e-9);
  EXPECT_NEAR(summary.final_state.q[0], 0.0, 1e-13);
}

// The velocity jumps at the impact: the run ends with the smallest step that holds the jump.
TEST(StopWhen, AJumpEndsRightAfterIt) {
  const Scene scene = load_with_stop("bouncing_ball", "y'", {.settings = {}, .integrator = {}, .dt = "0.01", .until = {}});
  const RunSummary summary = test::run(scene);
  ASSERT_TRUE(summary.stopped.has_value());
  EXPECT_EQ(summary.impacts, 1);
  EXPECT_GT(summary.final_state.u[0], 0.0);
  // Closed at the midpoint of the step: the contact is found within half of it.
  EXPECT_NEAR(summary.final_state.t, std::sqrt(2.0 / 9.81), 0.01);
  EXPECT_LT(std::abs(summary.energy.unexplained()), 1e-12);
}

TEST(StopWhen, WithoutItOrWithoutARootTheRunGoesToItsEnd) {
  EXPECT_FALSE(test::run(test::load("bouncing_ball")).stopped.has_value());
  const RunSummary summary = test::run(load_with_stop("bouncing_ball", "y - 2"));
  EXPECT_FALSE(summary.stopped.has_value());
  EXPECT_EQ(summary.final_state.t, test::load("bouncing_ball").run.until);
  // Not a number is not positive.
  EXPECT_FALSE(test::run(load_with_stop("bouncing_ball", "sqrt(y - 0.5) - 5")).stopped.has_value());
}

// Watching changes nothing until the end: the same bits as without.
TEST(StopWhen, DoesNotDisturbTheRunBefore) {
  const RunSummary free =
      test::run(test::load("woodpecker", {.settings = {}, .integrator = {}, .dt = "1e-4", .until = "0.1"}));
  const RunSummary watched =
      test::run(load_with_stop("woodpecker", "-1 - 0*t", {.settings = {}, .integrator = {}, .dt = "1e-4", .until = "0.1"}));
  EXPECT_EQ(free.final_state.q, watched.final_state.q);
  EXPECT_EQ(free.final_state.u, watched.final_state.u);
}

TEST(StopWhen, TheRecordingEndsThere) {
  const test::TemporaryFolder folder;
  const Scene scene = load_with_stop("bouncing_ball", "0.5 - y");
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
    (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  }
  EXPECT_NEAR(read_recording(folder.path() / "run.h5").time.back(), std::sqrt(1.0 / 9.81), 1e-13);
  const Hdf5File file = Hdf5File::open(folder.path() / "run.h5");
  EXPECT_EQ(file.text_attribute("summary", "stopped_because"), "stop_when");
  EXPECT_NEAR(file.number_attribute("summary", "stopped_time"), std::sqrt(1.0 / 9.81), 1e-13);
}

// What memory() holds is all that a step depends on beside the state.
TEST(IntegratorMemory, AnotherIntegratorContinuesToTheBit) {
  for (const char* name : {"woodpecker", "incline", "double_pendulum"}) {
    const Scene scene = test::load(name, {.settings = {}, .integrator = {}, .dt = "1e-4", .until = "0.3"});
    const auto make = [&] { return find_integrator("moreau")->make(*scene.system, scene.run.integrator_options); };
    const auto first = make();
    State state = scene.start;
    for (int k = 0; k < 1500; ++k) ASSERT_TRUE(first->step(state, 1e-4).ok());
    const auto second = make();
    State copy = state;
    second->restore_memory(first->memory());
    for (int k = 0; k < 500; ++k) {
      (void)first->step(state, 1e-4);
      (void)second->step(copy, 1e-4);
    }
    EXPECT_EQ(state.q, copy.q) << name;
    EXPECT_EQ(state.u, copy.u) << name;
  }
}

}  // namespace tippe::run_stop_test
