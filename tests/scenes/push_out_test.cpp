// SPDX-License-Identifier: Apache-2.0
// moreau and moreau-jean keep contacts by velocities; positions are brought back by pushing out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/scenes.h"
#include "tippe/run/simulate.h"

namespace tippe::scenes_push_out_test {

class PushedOut : public testing::TestWithParam<const char*> {};

Scene scene_with(const std::string& text, const std::string& integrator, bool project_contacts = true) {
  Scene scene = test::scene_from(text);
  scene.run.integrator = integrator;
  scene.run.integrator_options.project_contacts = project_contacts;
  return scene;
}

bool mentions(const std::vector<std::string>& warnings, const std::string& part) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
}

const std::string bead = R"scene(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
potential = "9.81*y"
[[contact]]
name = "ring"
gap = "(1 - x^2 - y^2)/2"
[initial]
x = 1
[run]
dt = 1e-3
until = 20
)scene";

std::string light_part(double stiffness) {
  return fmt::format(R"scene(
[lagrangian]
coordinates = ["y", "Y"]
kinetic = "0.5e-4*y'^2 + 0.5*Y'^2"
potential = "9.81*(1e-4*y + Y) + 0.5*{}*(Y - y - 1)^2"
[[contact]]
name = "floor"
gap = "y"
restitution = 1
[initial]
y = 0.5
Y = 1.5
[run]
dt = 1e-3
until = 2
)scene",
                     stiffness);
}

// A step leaves the circle by (v dt)^2/2 at v^2 <= 2 g, and half of the depth goes every four steps: at most 8 g dt^2 stay.
TEST_P(PushedOut, ABeadStaysOnItsRing) {
  const RunSummary summary = test::run(scene_with(bead, GetParam()));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(summary.worst_penetration, 1.1 * 8.0 * 9.81e-6);
  EXPECT_FALSE(mentions(summary.warnings, "penetrated"));
  EXPECT_GT(summary.energy.pushed_out, 0.0);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-9 * summary.energy.scale);
  EXPECT_LE(summary.energy.pushed_out, summary.energy.lost_in_contacts);
}

TEST_P(PushedOut, TheBareSchemeSinksAndSaysSo) {
  const RunSummary summary = test::run(scene_with(bead, GetParam(), false));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_GT(summary.worst_penetration, 0.05);
  EXPECT_EQ(summary.energy.pushed_out, 0.0);
  EXPECT_TRUE(mentions(summary.warnings, "contact 'ring' was penetrated by"));
  EXPECT_TRUE(mentions(summary.warnings, "project_contacts = true"));
}

// What the first order costs: (v^2 dt)^2/2 a step, at v^2 = 2 g sin a; it vanishes with dt, and is said while it is much.
TEST_P(PushedOut, TheLossOfTheSchemeIsNamed) {
  const Scene coarse = scene_with(bead, GetParam());
  Scene fine = scene_with(bead, GetParam());
  fine.run.dt = 1e-4;
  const RunSummary much = test::run(coarse), little = test::run(fine);
  EXPECT_TRUE(mentions(much.warnings, "contacts that stayed closed"));
  EXPECT_FALSE(mentions(little.warnings, "contacts that stayed closed"));
}

// Velocities stay, and so does what lies at rest: a block of 2 kg that starts 1 mm deep rises by half of the depth every four steps, and
// its potential energy with it.
TEST_P(PushedOut, ADepthDiesAwayByHalves) {
  Scene scene = scene_with(R"scene(
[lagrangian]
coordinates = ["y"]
kinetic = "y'^2"
potential = "20*y"
[[contact]]
name = "floor"
gap = "y"
[initial]
y = -1e-3
[run]
dt = 1e-3
until = 0.01
initial_penetration = 1
)scene",
                           GetParam());
  double depth = 1e-3, energy = 0.0;
  int step = 0;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport& report) {
    if (step++ % 4 == 0) depth *= 0.5;
    energy += report.pushed_out;
    EXPECT_NEAR(state.q[0], -depth, 1e-15);
    EXPECT_NEAR(state.u[0], 0.0, 1e-15);
  });
  EXPECT_NEAR(energy, 20.0 * (1e-3 - depth), 1e-15);
}

// What a deep start gets from being pushed out is not the scheme's to give: here it tightens a spring by 1 m.
TEST_P(PushedOut, EnergyOfADeepStartIsNamed) {
  const std::string text = R"scene(
[lagrangian]
coordinates = ["y", "z"]
kinetic = "0.5*(y'^2 + z'^2)"
potential = "500*(y - z)^2"
[[contact]]
name = "floor"
gap = "y"
[initial]
y = -1
z = -1
[run]
dt = 1e-3
until = 0.5
initial_penetration = 2
)scene";
  EXPECT_TRUE(mentions(test::run(scene_with(text, GetParam())).warnings, "deep at the start"));
  EXPECT_TRUE(test::run(scene_with(text, GetParam(), false)).warnings.empty());
}

// The smallest displacement in the kinetic metric that keeps what touches and what is bound. Under the rod a weighs 2 and b 4: of the 5e-4
// that the gap a + b must grow, a takes (1/2)/(1/2 + 1/4) and b the rest, unless the ceiling holds b.
TEST_P(PushedOut, InTheKineticMetric) {
  const std::string text = R"scene(
[lagrangian]
coordinates = ["a", "b", "c"]
kinetic = "0.5*a'^2 + 2*b'^2 + 0.5*c'^2"
[[contact]]
name = "floor"
gap = "a + b"
[[bilateral]]
name = "rod"
position = "c - a"
[initial]
a = -1e-3
c = -1e-3
[run]
dt = 1e-3
until = 1e-3
initial_penetration = 1
)scene";
  const RunSummary free = test::run(scene_with(text, GetParam()));
  EXPECT_NEAR(free.final_state.q[0], -1e-3 + 5e-4 * 2.0 / 3.0, 1e-8);
  EXPECT_NEAR(free.final_state.q[1], 5e-4 / 3.0, 1e-8);
  EXPECT_NEAR(free.final_state.q[2], free.final_state.q[0], 1e-15);
  const RunSummary held = test::run(scene_with(text + "[[contact]]\nname = \"ceiling\"\ngap = \"-b\"\n", GetParam()));
  EXPECT_NEAR(held.final_state.q[0], -1e-3 + 5e-4, 1e-7);
  EXPECT_NEAR(held.final_state.q[1], 0.0, 1e-7);
}

// A heavy part on a light one: the displacement of the light one against the floor is what a few sweeps do not find.
TEST_P(PushedOut, AHeavyPartOnALightOne) {
  const RunSummary summary = test::run(scene_with(R"scene(
[lagrangian]
coordinates = ["y", "Y"]
kinetic = "0.5*y'^2 + 0.5*100*Y'^2"
potential = "9.81*(y + 100*Y)"
[[contact]]
name = "floor"
gap = "y"
[[contact]]
name = "top"
gap = "Y - y"
[initial]
Y = 0.5
[run]
dt = 1e-2
until = 2
)scene",
                                                  GetParam()));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.final_state.q[0], 0.0, 1e-6);
  EXPECT_NEAR(summary.final_state.q[1], 0.0, 1e-6);
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings[0];
}

// A pin of 1 kg that circles in its hole with 1 m/s, clearance 0.1 mm, dt = 1e-5: (v dt)^2/(2 c) = 5e-7 a step, of which eight stay.
TEST_P(PushedOut, APinStaysInItsHole) {
  const std::string text = R"scene(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
[[contact]]
name = "hole"
gap = "1e-4 - sqrt(x^2 + y^2)"
[initial]
x = 1e-4
"y'" = 1
[run]
dt = 1e-5
until = 1e-2
)scene";
  const RunSummary pushed = test::run(scene_with(text, GetParam())), bare = test::run(scene_with(text, GetParam(), false));
  ASSERT_EQ(pushed.status, RunStatus::kOk) << pushed.message;
  EXPECT_LE(pushed.worst_penetration, 1.1 * 8 * 5e-7);
  EXPECT_GE(bare.worst_penetration, 0.2e-4);
  EXPECT_TRUE(mentions(bare.warnings, "penetrated"));
}

// A thin disc rolls and slips on its rim, tilted by th. Its gap is curved: it sinks with g dt^2, and its loss comes to that of event-driven
// with dt.
TEST_P(PushedOut, ADiscOnItsRimStaysOnIt) {
  const std::string text = R"scene(
[parameters]
m = 0.1
r = 0.1
[lagrangian]
coordinates = ["x", "y", "z", "psi", "th", "phi"]
kinetic = "0.5*m*(x'^2 + y'^2 + z'^2) + m*r^2/8*(th'^2 + psi'^2*sin(th)^2) + m*r^2/4*(phi' + psi'*cos(th))^2"
potential = "9.81*m*z"
[[contact]]
name = "rim"
gap = "z - r*sin(th)"
slip = ["x'*cos(psi) + y'*sin(psi) + r*(phi' + psi'*cos(th))", "y'*cos(psi) - x'*sin(psi) + r*th'*sin(th)"]
friction = 0.3
[initial]
th = 0.6
z = "r*sin(0.6)"
"psi'" = 10
"phi'" = "-10*cos(0.6)"
[run]
dt = 1e-3
until = 0.5
)scene";
  const RunSummary exact = test::run(scene_with(text, "event-driven"));
  ASSERT_EQ(exact.status, RunStatus::kOk) << exact.message;
  for (const double dt : {1e-3, 1e-4}) {
    Scene scene = scene_with(text, GetParam());
    scene.run.dt = dt;
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_LE(summary.worst_penetration, 20.0 * 9.81 * dt * dt) << dt;
    EXPECT_NEAR(summary.energy.lost_in_contacts, exact.energy.lost_in_contacts, 3.0 * dt) << dt;
  }
}

// A block of 1 kg whose weight 9.81 - 30 t turns into a lift: y = 5 (t - t0)^3 from t0 = 0.327 on.
TEST_P(PushedOut, AContactThatIsPulledOpensAtOnce) {
  const RunSummary summary = test::run(scene_with(R"scene(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*y'^2"
potential = "(9.81 - 30*t)*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.5
[run]
dt = 1e-3
until = 0.5
)scene",
                                                  GetParam()));
  const double since = 0.5 - 0.327;
  EXPECT_NEAR(summary.final_state.q[0], 5.0 * std::pow(since, 3), 15.0 * since * since * 1e-3);
  EXPECT_LE(summary.worst_penetration, 1e-18);
}

// A light part below a mass of 1 kg, on a spring, e = 1: it strikes the floor more often than once a step, and where the step resolves
// nothing it is deep, however fast the part that nobody sees swings.
TEST(PushedOutLightPart, ThatIsDeepIsNamed) {
  for (const auto& [stiffness, integrator] : {std::pair(1e2, "moreau"), std::pair(1e5, "moreau-jean")}) {
    const RunSummary summary = test::run(scene_with(light_part(stiffness), integrator));
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_GT(summary.worst_penetration, 0.1) << integrator;
    EXPECT_TRUE(mentions(summary.warnings, "contact 'floor' was penetrated by")) << integrator;
  }
}

// What warnings are relative to: a body at rest has no energy, one on a shaken floor turns much over, and a run may end in the step in
// which a contact closes.
TEST_P(PushedOut, NothingIsWarnedOfWhereNothingIsWrong) {
  const std::string ball =
      "[lagrangian]\ncoordinates = [\"z\"]\nkinetic = \"0.5*z'^2\"\npotential = \"9.81*z\"\n[[contact]]\nname = \"floor\"\n";
  for (const std::string& rest :
       {ball + "gap = \"z\"\n[run]\ndt = 1e-3\nuntil = 0.5\n",
        ball + "gap = \"z - 0.1*sin(8*t)\"\n[initial]\n\"z'\" = 0.8\n[run]\ndt = 1e-3\nuntil = 20\n",
        ball + "gap = \"z\"\nrestitution = 0.5\n[initial]\nz = 0.1\n[run]\ndt = 1e-3\nuntil = 0.143\n"}) {
    const RunSummary summary = test::run(scene_with(rest, GetParam()));
    EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_TRUE(summary.warnings.empty()) << rest << summary.warnings[0];
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, PushedOut, testing::Values("moreau", "moreau-jean"), [](const auto& parameter) {
  return std::string(parameter.param) == "moreau" ? "moreau" : "moreau_jean";
});

}  // namespace tippe::scenes_push_out_test
