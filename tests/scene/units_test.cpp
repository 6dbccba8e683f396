// SPDX-License-Identifier: Apache-2.0
#include "support/bad_scene.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/run/column_units.h"

namespace tippe::scene_units_test {

using test::BadScene;
using Names = std::vector<std::string>;

std::string scene_with(const std::string& more) {
  return R"toml(
[lagrangian]
coordinates = ["x", "phi", "a1", "h"]
kinetic = "0.5*(x'^2 + phi'^2 + a1'^2 + h'^2) + 0.1*a1'^2*cos(a1)^2"
potential = "9.81*h"
[[contact]]
name = "floor"
gap = "h - 0.1*cos(x)"
slip = "x'"
friction = 0.3
[[contact]]
name = "stop"
gap = "1 - phi"
[[dry_friction]]
name = "pad"
velocity = "a1'"
limit = 0.1
[[bilateral]]
name = "rail"
position = "x - 2*x"
[initial]
h = 1
[run]
integrator = "moreau"
dt = 0.01
until = 0.01
)toml" + more;
}

ColumnUnits units_of(const std::string& text) {
  const Scene scene = test::scene_from(text);
  return column_units(*scene.system, scene.origin, scene.run.observables.names());
}

// phi is called like an angle, a1 has a cosine; x has one too, but is called like a length.
TEST(SceneUnits, OfCoordinatesAreAnglesByNameOrCosineElseLengths) {
  const ColumnUnits units = units_of(scene_with(""));
  EXPECT_EQ(units.q, (Names{"m", "rad", "rad", "m"}));
  EXPECT_EQ(units.u, (Names{"m/s", "rad/s", "rad/s", "m/s"}));
  EXPECT_EQ(units.gap, (Names{"m", "rad"}));
  EXPECT_EQ(units.impulse, (Names{"N s", "N s", "N m s", "N m s"}));
  EXPECT_EQ(units.control_force, (Names{"N", "N m", "N m", "N"}));
}

TEST(SceneUnits, OfQuantitiesFollowFromTheirExpressions) {
  const ColumnUnits units = units_of(scene_with(R"toml([output.quantities]
distance = "sqrt(x^2 + h^2)"
angle = "atan2(h, x)"
speed = "h'"
share = "sin(phi)"
scaled = "3*x"
mixed = "x*phi"
clock = "t"
)toml"));
  EXPECT_EQ(units.quantity, (Names{"m", "rad", "m/s", "1", "SI", "SI", "s"}));
}

// What the scene says comes first, and what follows from it follows.
TEST(SceneUnits, OfTheSceneComeFirst) {
  const ColumnUnits units = units_of(scene_with(R"toml([output.quantities]
work = "3*x"
twice = "x + x"
[units]
x = "mm"
"h'" = "km/h"
work = "J"
stop = "1"
)toml"));
  EXPECT_EQ(units.q[0], "mm");
  EXPECT_EQ(units.u[0], "mm/s");
  EXPECT_EQ(units.u[3], "km/h");
  EXPECT_EQ(units.quantity[0], "J");
  EXPECT_EQ(units.gap[1], "1");
  EXPECT_EQ(units.control_force[0], "J/mm");
}

TEST(SceneUnits, OfBodiesAreKnown) {
  const ColumnUnits units = units_of(R"toml(
[[body]]
name = "top"
mass = 1
inertia = [1, 1, 1]
[run]
integrator = "moreau"
dt = 0.01
until = 0.01
)toml");
  EXPECT_EQ(units.q, (Names{"m", "m", "m", "1", "1", "1", "1"}));
  EXPECT_EQ(units.u, (Names{"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"}));
  EXPECT_EQ(units.quantity, (Names{"kg m/s", "kg m/s", "kg m/s", "kg m^2/s", "kg m^2/s", "kg m^2/s"}));
}

TEST(SceneUnits, AreRecordedBesideTheNames) {
  const test::TemporaryFolder folder;
  const Scene scene = test::scene_from(scene_with("[units]\nx = \"mm\"\n"));
  {
    Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, 0.0);
    (void)simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  }
  const RecordedRun run = read_recording(folder.path() / "run.h5");
  EXPECT_EQ(run.q.units, (Names{"mm", "rad", "rad", "m"}));
  EXPECT_EQ(run.energy.units, Names(8, "J"));
  ASSERT_EQ(run.law_friction.size(), 6u);
  EXPECT_EQ(run.law_friction[0], 0.3);
  EXPECT_TRUE(std::isnan(run.law_friction[4]));
  EXPECT_EQ(run.law_limit[4], 0.1);
}

std::vector<BadScene> bad_scenes() {
  const auto with = [](const std::string& entry) { return "tippe = 1\n" + scene_with("[units]\n" + entry + "\n"); };
  return {{"unknown_name", with("»^phy = \"rad\""), {"unknown key 'phy' in [units]", "did you mean 'phi'"}},
          {"number", with("phi = »^1"), {"the unit of phi must be a string"}},
          {"empty", with("phi = »^\"\""), {"1 to 24 characters"}},
          {"twice", with("x = \"m\"\n»^\"{c} for c in 1..1\" = \"m\""), {"unknown key '1'"}}};
}

class BadUnits : public testing::TestWithParam<BadScene> {};
TEST_P(BadUnits, AreRefusedWithTheirPlace) {
  test::expect_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Scenes, BadUnits, testing::ValuesIn(bad_scenes()),
                         [](const testing::TestParamInfo<BadScene>& param) { return param.param.name; });

}  // namespace tippe::scene_units_test
