// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/checkpoint.h"

#include "support/constrained_scenes.h"
#include "support/same_run.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"

namespace tippe::run_checkpoint_test {

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
  return simulate(*scene.system, scene.start, scene.run,
                  {.recorder = &*recording,
                   .progress = [&](const Progress& now) { stop = now.steps >= step; },
                   .stop = &stop,
                   .from = from});
}

// The ball falls, bounces at steps 46, 91, ... and rests: what counts impacts, sums impulses and chooses samples must all be
// taken over. Every third step is a sample.
TEST(Checkpoint, HoldsAllThatTheRestOfARunDependsOn) {
  Scene scene = test::load("bouncing_ball", {.settings = {}, .integrator = {}, .dt = "0.01", .until = "1.995"});
  scene.run.every = 0.03;
  const test::TemporaryFolder folder;
  const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
  EXPECT_EQ(run_until_step(scene, whole, 1000, nullptr).status, RunStatus::kOk);
  for (const std::int64_t step : {1, 44, 45, 46, 47, 50, 120, 170, 199}) {
    SCOPED_TRACE(step);
    const RunSummary first = run_until_step(scene, parts, step, nullptr);
    EXPECT_EQ(first.status, RunStatus::kInterrupted);
    EXPECT_EQ(first.steps, step);
    const RecordedCheckpoint recorded = read_checkpoint(parts);
    EXPECT_EQ(recorded.checkpoint.steps, step);
    EXPECT_EQ(run_until_step(scene, parts, 1000, &recorded.checkpoint).status, RunStatus::kOk);
    test::expect_same_run(whole, parts);
  }
}

// Violations are looked at in every step and forces with laws summed between samples, here every tenth step.
TEST(Checkpoint, HoldsWhatConstraintsDid) {
  const std::string with_floor = "[[contact]]\nname = \"floor\"\ngap = \"y + 1.2\"\nrestitution = 0.5\n";
  std::string moreau = test::kPendulum;
  moreau.replace(moreau.find("\"rk4\""), 5, "\"moreau\"").insert(moreau.find("[initial]"), with_floor);
  for (const std::string& body : {test::twice(test::kPendulum), test::kKnifeEdge, moreau}) {
    Scene scene = test::scene_from(body);
    scene.run.dt = 0.005;
    scene.run.until = 1;
    scene.run.every = 0.05;
    const test::TemporaryFolder folder;
    const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
    EXPECT_EQ(run_until_step(scene, whole, 1000, nullptr).status, RunStatus::kOk);
    for (const std::int64_t step : {1, 105, 155}) {
      SCOPED_TRACE(scene.run.integrator + " " + std::to_string(step));
      EXPECT_EQ(run_until_step(scene, parts, step, nullptr).status, RunStatus::kInterrupted);
      const RecordedCheckpoint recorded = read_checkpoint(parts);
      EXPECT_EQ(run_until_step(scene, parts, 1000, &recorded.checkpoint).status, RunStatus::kOk);
      test::expect_same_run(whole, parts);
    }
  }
}

// What the consistent schemes remember of laws and motion: a top that slides and drills, levers between stops.
TEST(Checkpoint, HoldsWhatConsistentSchemesRemember) {
  for (const auto& [name, integrator] :
       std::vector<std::pair<std::string, std::string>>{{"tippe_top", "quaternion-2"}, {"wheel", "consistent-2"}}) {
    Scene scene = test::load(name, {.settings = {}, .integrator = integrator, .dt = "1e-3", .until = "0.24"});
    scene.run.every = 0.02;
    const test::TemporaryFolder folder;
    const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
    EXPECT_EQ(run_until_step(scene, whole, 1000, nullptr).status, RunStatus::kOk);
    for (const std::int64_t step : {1, 137, 201}) {
      SCOPED_TRACE(name + " " + std::to_string(step));
      EXPECT_EQ(run_until_step(scene, parts, step, nullptr).status, RunStatus::kInterrupted);
      const RecordedCheckpoint recorded = read_checkpoint(parts);
      EXPECT_EQ(run_until_step(scene, parts, 1000, &recorded.checkpoint).status, RunStatus::kOk);
      test::expect_same_run(whole, parts);
    }
  }
}

// After an impact with 10 m/s one with 5 mm/s is below the threshold; whoever forgot the first would count the second.
TEST(Checkpoint, RemembersTheFastestImpact) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"0.01*y\"\n[[contact]]\nname = \"floor\"\n"
      "gap = \"y\"\nrestitution = 0.0005\n[initial]\ny = 0.95\n\"y'\" = -10\n[run]\nintegrator = \"moreau\"\ndt = "
      "0.01\nuntil = 2\n");
  const test::TemporaryFolder folder;
  const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
  EXPECT_EQ(run_until_step(scene, whole, 1000, nullptr).impacts, 1);
  EXPECT_EQ(run_until_step(scene, parts, 50, nullptr).impacts, 1);
  const RecordedCheckpoint recorded = read_checkpoint(parts);
  EXPECT_EQ(run_until_step(scene, parts, 1000, &recorded.checkpoint).impacts, 1);
  test::expect_same_run(whole, parts);
}

TEST(Checkpoint, OneOfAnotherSystemIsRefused) {
  Checkpoint checkpoint;
  CheckpointWriter writer(checkpoint);
  writer("t", 1.0);
  writer("q", std::vector<double>{1.0, 2.0});
  EXPECT_EQ(checkpoint.names, std::vector<std::string>{"t"});
  EXPECT_EQ(checkpoint.arrays.at("q"), (std::vector<double>{1.0, 2.0}));
  double t = 0.0;
  std::vector<double> q(3);
  CheckpointReader reader(checkpoint);
  reader("t", t);
  EXPECT_EQ(t, 1.0);
  EXPECT_THROW(reader("q", q), FileError);  // too few
  CheckpointReader other(checkpoint);
  EXPECT_THROW(other("time", t), FileError);  // another name
}

TEST(Checkpoint, NumbersThatDoNotFitAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto read = [](double stored, auto value) {
    const Checkpoint checkpoint{{"a"}, {stored}, {}, {}, {}, 0, 0, 0, 0};
    CheckpointReader reader(checkpoint);
    reader("a", value);
    return static_cast<double>(value);
  };
  EXPECT_EQ(read(infinity, 0.0), infinity);  // of something that has not happened yet
  EXPECT_THROW(read(nan, 0.0), FileError);
  for (const double number : {nan, infinity, -infinity, 0.5, 1e300, 2.0 * 9007199254740992.0})
    EXPECT_THROW(read(number, std::int64_t{0}), FileError) << number;
  for (const double number : {nan, 2147483648.0, -2147483649.0}) EXPECT_THROW(read(number, 0), FileError) << number;
  EXPECT_EQ(read(-2147483648.0, 0), -2147483648.0);
  for (const double number : {nan, -1.0, 2.0}) EXPECT_THROW(read(number, false), FileError) << number;
  EXPECT_EQ(read(1.0, false), 1.0);
}

}  // namespace tippe::run_checkpoint_test
