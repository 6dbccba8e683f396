// SPDX-License-Identifier: Apache-2.0
// What a recording says of bilateral constraints, against forces in closed form.
#include <cmath>

#include "support/constrained_scenes.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::record_constraint_recording_test {

struct Result {
  RecordedRun run;
  RunSummary summary, read_back;
};

Result record(const Scene& scene) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  Result result;
  {
    Recording recording(path, *scene.system, scene.origin, scene.run, scene.start.t);
    result.summary = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  }
  result.run = read_recording(path);
  result.read_back = read_summary(path).summary;
  return result;
}

// A pendulum let go from the horizontal has v^2 = -2 g y, and the rod (x^2 + y^2 - l^2)/2 pulls with -lambda (x, y), where
// l^2 lambda / m = g y - v^2: lambda = 3 m g y / l^2.
TEST(ConstraintRecording, ARodOfAPendulumPullsWithThreeTimesTheWeightAtTheLowestPoint) {
  Scene scene = test::scene_from(test::kPendulum);
  scene.run.every = scene.run.dt;
  const auto [run, summary, read_back] = record(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_EQ(run.constraint_force.names, std::vector<std::string>{"rod"});
  EXPECT_EQ(run.control_force.names, (std::vector<std::string>{"x", "y"}));
  ASSERT_EQ(run.constraint_force.values.size(), run.time.size());
  double largest = 0.0;
  for (size_t k = 0; k < run.time.size(); ++k) {
    const double x = run.q.values[2 * k], y = run.q.values[2 * k + 1], lambda = 3 * 2 * 9.81 * y / (1.5 * 1.5);
    ASSERT_NEAR(run.constraint_force.values[k], lambda, 1e-9);
    ASSERT_NEAR(run.control_force.values[2 * k], lambda * x, 1e-9);
    ASSERT_NEAR(run.control_force.values[2 * k + 1], lambda * y, 1e-9);
    ASSERT_EQ(run.redundant[k], 0.0);
    largest = std::max(largest, -1.5 * run.constraint_force.values[k]);
  }
  // At most half a millisecond beside the lowest point, where it swings with sqrt(2 g / l): 1 - cos(angle) is below 1.7e-6.
  EXPECT_NEAR(largest, 3 * 2 * 9.81, 1e-4);
  EXPECT_TRUE(summary.notes.empty());
}

TEST(ConstraintRecording, TheSameRodTwiceCarriesHalfEachAndSaysThatItNeedNot) {
  const auto [run, summary, read_back] = record(test::scene_from(test::twice(test::kPendulum)));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  for (size_t k = 0; k < run.time.size(); ++k) {
    const double half = 1.5 * 2 * 9.81 * run.q.column(1)[k] / (1.5 * 1.5);
    EXPECT_NEAR(run.constraint_force.column(0)[k], half, 1e-9);
    EXPECT_NEAR(run.constraint_force.column(1)[k], half, 1e-9);
    EXPECT_NEAR(run.control_force.column(1)[k], 2 * half * run.q.column(1)[k], 1e-9);  // the motion is the same
    EXPECT_EQ(run.redundant[k], 1.0);
  }
  EXPECT_EQ(summary.constraints.rows, 2);
  EXPECT_EQ(summary.constraints.rank_at_start, 1);
  EXPECT_EQ(summary.constraints.smallest_rank, 1);
  const std::vector<std::string> notes = {
      "rows 'rod', 'rod again' are redundant: the motion is unique, their forces are not (least-norm ones are recorded)"};
  EXPECT_EQ(summary.notes, notes);
  EXPECT_EQ(read_back.notes, notes);
}

// A mass that is led along x = sin t needs the force m x'' = -m sin t: a control force in the sense of Kalaba-Udwadia (33).
TEST(ConstraintRecording, APrescribedMotionNeedsItsInertiaAsControlForce) {
  const auto [run, summary, read_back] = record(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*3*x'^2"
[[bilateral]]
name = "drive"
position = "x - sin(t)"
[initial]
"x'" = 1
[run]
integrator = "rk4"
dt = 0.01
until = 6
)toml"));
  ASSERT_EQ(run.time.size(), 601u);
  for (size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.control_force.values[k], -3 * std::sin(run.time[k]), 1e-12);
    EXPECT_NEAR(run.constraint_force.values[k], -3 * std::sin(run.time[k]), 1e-12);
    EXPECT_EQ(run.constraint_position.values[k], run.q.values[k] - std::sin(run.time[k]));
    EXPECT_NEAR(run.constraint_velocity.values[k], run.u.values[k] - std::cos(run.time[k]), 1e-15);
  }
}

// A knife edge of mass 2 that glides with 3 m/s and turns with 2 rad/s goes along a circle: the blade pushes with m v w.
TEST(ConstraintRecording, AKnifeEdgeHasAForceAndAVelocityButNoPosition) {
  const auto [run, summary, read_back] = record(test::scene_from(test::kKnifeEdge));
  EXPECT_TRUE(run.constraint_position.names.empty());
  EXPECT_TRUE(run.constraint_position.values.empty());
  EXPECT_EQ(run.constraint_velocity.names, std::vector<std::string>{"blade"});
  EXPECT_EQ(run.control_force.names, (std::vector<std::string>{"x", "y", "th"}));
  for (size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.constraint_force.values[k], 12.0, 1e-9);
    EXPECT_NEAR(run.control_force.column(0)[k], -12 * std::sin(2 * run.time[k]), 1e-9);
    EXPECT_NEAR(run.control_force.column(1)[k], 12 * std::cos(2 * run.time[k]), 1e-9);
    EXPECT_NEAR(run.control_force.column(2)[k], 0.0, 1e-12);
  }
  EXPECT_EQ(summary.constraints.holonomic, 0);
  EXPECT_LE(summary.constraints.velocity.value, 1e-14);
}

// Control forces act on velocities; where these are of one's own choice, they have their names.
TEST(ConstraintRecording, ControlForcesHaveTheNamesOfChosenVelocities) {
  const auto [run, summary, read_back] = record(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*3*x'^2"
[velocities]
names = ["v"]
[velocities.rates]
x = "2*v"
[[bilateral]]
name = "drive"
position = "x - sin(t)"
[initial]
v = 0.5
[run]
integrator = "rk4"
dt = 0.01
until = 1
)toml"));
  EXPECT_EQ(run.control_force.names, std::vector<std::string>{"v"});
  for (size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.constraint_force.values[k], -3 * std::sin(run.time[k]), 1e-11);
    EXPECT_NEAR(run.control_force.values[k], -6 * std::sin(run.time[k]), 1e-11);  // (dx'/dv) times the force on x
  }
}

TEST(ConstraintRecording, TheSummaryNamesTheWorstRowAndTheDrift) {
  Scene scene = test::scene_from(test::kPendulum);
  scene.run.integrator_options.project = false;
  const auto [run, summary, read_back] = record(scene);
  const ConstraintSummary& drifting = summary.constraints;
  EXPECT_EQ(drifting.position.at, "rod");
  EXPECT_EQ(drifting.position_at_start, 0.0);
  EXPECT_GT(drifting.position_at_end, 1e-13);  // nothing holds it back
  double worst = 0.0, time = 0.0;
  scene.run.every = scene.run.dt;  // every step is a sample
  const RecordedRun all = record(scene).run;
  for (size_t k = 0; k < all.time.size(); ++k) {
    const double x = all.q.values[2 * k], y = all.q.values[2 * k + 1], g = std::abs(0.5 * (x * x + y * y - 2.25));
    if (g <= worst * (1.0 + 1e-3)) continue;
    worst = g;
    time = all.time[k];
  }
  EXPECT_NEAR(drifting.position.value, worst, 1e-3 * worst + 1e-15);
  EXPECT_NEAR(drifting.position.time, time, 0.1);
  EXPECT_NEAR(drifting.position_at_end, std::abs(all.constraint_position.values.back()), 1e-15);
  EXPECT_EQ(read_back.constraints.position.at, "rod");
  EXPECT_EQ(read_back.constraints.position.value, drifting.position.value);
  EXPECT_EQ(read_back.constraints.position.time, drifting.position.time);
  EXPECT_EQ(read_back.constraints.velocity.value, drifting.velocity.value);
  EXPECT_EQ(read_back.constraints.velocity_at_end, drifting.velocity_at_end);

  scene.run.integrator_options.project = true;
  EXPECT_LE(record(scene).summary.constraints.position.value, 1e-14);
}

// x' = 0 and x' + (t - 1) y' = 0 say the same at t = 1 and only there.
TEST(ConstraintRecording, RowsThatBecomeRedundantAreToldWithTheTime) {
  const auto scene = [](const std::string& factor) {
    return test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n[[bilateral]]\nname = \"a\"\n"
        "velocity = \"x'\"\n[[bilateral]]\nname = \"b\"\nvelocity = \"x' + " +
        factor + "*y'\"\n[run]\nintegrator = \"rk4\"\ndt = 0.25\nuntil = 2\n");
  };
  const auto [run, summary, read_back] = record(scene("(t - 1)"));
  EXPECT_EQ(run.redundant, (std::vector<double>{0, 0, 0, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(read_back.constraints.rank_at_start, 2);
  EXPECT_EQ(read_back.constraints.smallest_rank, 1);
  EXPECT_EQ(
      read_back.notes,
      std::vector<std::string>{"rows 'a', 'b' are redundant at t = 1 (rank 1, at the start 2): their forces are not unique "
                               "there (least-norm ones are recorded)"});

  const Result rising = record(scene("t"));
  EXPECT_EQ(rising.run.redundant, (std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0, 0}));
  ASSERT_EQ(rising.summary.notes.size(), 2u);
  EXPECT_EQ(rising.summary.notes[1], "the rank of the 2 rows is larger at t = 0.25 than at the start, where it is 1");
}

// Masses 3 and 1 on a rod run with 4 m/s into a wall with restitution 1/2. The wall turns both, (1 + 1/2) (3 + 1) 4 = 24 N s; the
// rod passes on the share of the mass behind, (1 + 1/2) 3 4 = 18 N s. A third mass, 2, rests in a slot against its weight.
TEST(ConstraintRecording, WithContactsMeanForcesHoldTheImpulsesOfImpacts) {
  const auto [run, summary, read_back] = record(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x1", "x2", "y"]
kinetic = "0.5*3*x1'^2 + 0.5*1*x2'^2 + 0.5*2*y'^2"
potential = "2*9.81*y"
[[contact]]
name = "wall"
gap = "2 - x2"
restitution = 0.5
[[bilateral]]
name = "rod"
position = "x2 - x1 - 1"
[[bilateral]]
name = "slot"
position = "y"
[initial]
x2 = 1
"x1'" = 4
"x2'" = 4
[run]
integrator = "moreau"
dt = 1e-3
until = 0.5
[output]
every = 0.07
)toml"));
  ASSERT_EQ(summary.impacts, 1);
  double rod = 0.0, on_first = 0.0, wall = 0.0;
  for (size_t k = 1; k < run.time.size(); ++k) {
    const double interval = run.time[k] - run.time[k - 1];
    rod += interval * run.constraint_force.column(0)[k];
    on_first += interval * run.control_force.column(0)[k];
    wall += run.impulse.values[k];
    EXPECT_NEAR(run.constraint_force.column(1)[k], 2 * 9.81, 1e-10);
  }
  EXPECT_NEAR(wall, 24.0, 1e-10);
  EXPECT_NEAR(rod, 18.0, 1e-10);
  EXPECT_NEAR(on_first, -18.0, 1e-10);
  EXPECT_NEAR(run.constraint_force.values[1], 2 * 9.81, 1e-10);  // at the start, as if there were no wall
}

TEST(ConstraintRecording, ASystemWithoutConstraintsHasNoTables) {
  const test::TemporaryFolder folder;
  const Scene scene = test::load("bouncing_ball", {.settings = {}, .integrator = {}, .dt = "0.01", .until = "0.1"});
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
    (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  }
  const Hdf5File file = Hdf5File::open(folder.path() / "run.h5");
  for (const char* name :
       {"samples/constraint_force", "samples/constraint_force_names", "samples/control_force", "samples/constraint_position",
        "samples/constraint_velocity", "samples/redundant", "summary/constraints"})
    EXPECT_FALSE(file.has(name)) << name;
  EXPECT_EQ(read_summary(folder.path() / "run.h5").summary.constraints.rows, 0);
}

}  // namespace tippe::record_constraint_recording_test
