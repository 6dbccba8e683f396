// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "support/scenes.h"
#include "support/temporary_folder.h"

namespace tippe::record_quantities_test {

const std::string kPendulum = R"toml(
[parameters]
l = 2
[lagrangian]
coordinates = ["phi"]
kinetic = "0.5*l^2*phi'^2"
potential = "-9.81*l*cos(phi)"
[initial]
phi = 1
[run]
integrator = "rk4"
dt = 0.01
until = 1
[output.quantities]
height = "-l*cos(phi)"
speed = "l*phi'"
clock = "t"
missing = "sqrt(-1 - phi^2)"
)toml";

TEST(Quantities, AreRecordedAtEverySampleInTheOrderOfTheFile) {
  const test::TemporaryFolder folder;
  const Scene scene = test::scene_from(kPendulum);
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
    (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  }
  const RecordedRun run = read_recording(folder.path() / "run.h5");
  EXPECT_EQ(run.quantity.names, (std::vector<std::string>{"height", "speed", "clock", "missing"}));
  ASSERT_EQ(run.time.size(), 101u);
  ASSERT_EQ(run.quantity.values.size(), 4 * run.time.size());
  for (size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_EQ(run.quantity.column(0)[k], -2.0 * std::cos(run.q.values[k]));
    EXPECT_EQ(run.quantity.column(1)[k], 2.0 * run.u.values[k]);
    EXPECT_EQ(run.quantity.column(2)[k], run.time[k]);
    EXPECT_TRUE(std::isnan(run.quantity.column(3)[k]));  // recorded as it is
  }
}

TEST(RecordedDrawing, HasItsColumnsAtEverySample) {
  const test::TemporaryFolder folder;
  const Scene scene = test::scene_from(kPendulum + "[[draw]]\nline = [0, 0, \"l*sin(phi)\", \"-l*cos(phi)\"]\n");
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
    (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  }
  const RecordedRun run = read_recording(folder.path() / "run.h5");
  EXPECT_EQ(run.drawing, scene.run.drawing.document);
  EXPECT_EQ(run.drawing_columns.names, (std::vector<std::string>{"line 0[1].x", "line 0[1].y"}));
  ASSERT_EQ(run.drawing_columns.values.size(), 2 * run.time.size());
  for (size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_EQ(run.drawing_columns.column(0)[k], 2.0 * std::sin(run.q.values[k]));
    EXPECT_EQ(run.drawing_columns.column(1)[k], -2.0 * std::cos(run.q.values[k]));
  }
}

// Two discs pull in a plane, with a spin and without: x is stopped like a point, and the rows of impulses are counted as they act.
TEST(RecordedImpulses, FrictionInAPlaneHasARowForEachVelocity) {
  const test::TemporaryFolder folder;
  for (const char* integrator : {"event-driven", "moreau", "consistent-2"}) {
    Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "a"]
kinetic = "x'^2 + y'^2 + 0.5*a'^2"
[[dry_friction]]
name = "pad"
velocity = ["x'", "y'"]
limit = 1
[[dry_friction]]
name = "disc"
velocity = ["x'", "y'"]
spin = "a'"
limit = { force = 2, mean_drilling_radius = 0.5, set = "ellipsoid" }
[[dry_friction]]
name = "brake"
velocity = "a'"
limit = 0.5
[initial]
"x'" = 3
[run]
integrator = ")toml" + std::string(integrator) +
                                   "\"\ndt = 0.01\nuntil = 1\n");
    {
      Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
      (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
    }
    const RecordedRun run = read_recording(folder.path() / "run.h5");
    ASSERT_EQ(run.impulse.names, (std::vector<std::string>{"pad.t1", "pad.t2", "disc.t1", "disc.t2", "disc.spin", "brake"}));
    ASSERT_EQ(run.impulse.values.size(), 6 * run.time.size());
    std::vector<double> sums(6, 0.0);
    for (size_t row = 0; row < sums.size(); ++row) {
      for (const double value : run.impulse.column(row)) sums[row] += value;
    }
    EXPECT_NEAR(sums[0], -1.0, 1e-9) << integrator;
    EXPECT_NEAR(sums[2], -2.0, 1e-9) << integrator;
    EXPECT_NEAR(std::abs(sums[1]) + std::abs(sums[3]) + std::abs(sums[4]) + std::abs(sums[5]), 0.0, 1e-9) << integrator;
  }
}

}  // namespace tippe::record_quantities_test
