// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "support/random.h"
#include "support/scenes.h"

namespace tippe::integrate_impact_law_test {

/// Moeller, Fig. 3.12: two masses m = 1 in a row, a one-way clutch on the first (u1 >= 0), a contact between them.
Scene clutch_and_contact(const std::string& impact_law, double u1, double u2) {
  return test::scene_from(fmt::format(R"toml(
[lagrangian]
coordinates = ["x1", "x2"]
kinetic = "0.5*x1'^2 + 0.5*x2'^2"
[[one_way]]
name = "clutch"
velocity = "x1'"
impact_law = "{}"
[[contact]]
name = "contact"
gap = "x2 - x1"
restitution = 1
[initial]
"x1'" = {}
"x2'" = {}
[run]
integrator = "moreau"
dt = 1e-6
until = 1e-6
)toml",
                                      impact_law, u1, u2));
}

// Moeller (3.163)-(3.168): with epsilon = (0, 1) Newton's law gives u1+ = 0, u2+ = u1- - u2- and a gain of -m u1- u2-.
TEST(ImpactLaw, NewtonCreatesEnergyAtClutchAndContactAndSaysSo) {
  const RunSummary summary = test::run(clutch_and_contact("newton", 2.0, -3.0));
  EXPECT_NEAR(summary.final_state.u[0], 0.0, 1e-8);
  EXPECT_NEAR(summary.final_state.u[1], 5.0, 1e-8);
  EXPECT_NEAR(-summary.energy.lost_in_contacts, 6.0, 1e-8);
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings[0].find("'contact', 'clutch': 6 were gained"), std::string::npos) << summary.warnings[0];
}

// The same in the consistent schemes, in one step and in two: the gain is that of the impact law, and is told.
TEST(ImpactLaw, ConsistentSchemesTellOfTheGainToo) {
  for (const std::string integrator : {"quaternion-1", "quaternion-2", "consistent-2", "consistent-mq"}) {
    Scene scene = clutch_and_contact("newton", 2.0, -3.0);
    scene.run.integrator = integrator;
    const RunSummary summary = test::run(scene);
    EXPECT_NEAR(summary.final_state.u[1], 5.0, 1e-9) << integrator;
    EXPECT_NEAR(-summary.energy.lost_in_contacts, 6.0, 1e-9) << integrator;
    ASSERT_EQ(summary.warnings.size(), 1u) << integrator;
    EXPECT_NE(summary.warnings[0].find("6 were gained"), std::string::npos) << summary.warnings[0];
  }
}

// Poisson: compression to rest (u = 0 both, the clutch holds), expansion with the impulse of the compression: u2+ = -u2-.
TEST(ImpactLaw, PoissonCuresIt) {
  const RunSummary slow_first = test::run(clutch_and_contact("poisson", 2.0, -3.0));
  EXPECT_NEAR(slow_first.final_state.u[0], 0.0, 1e-8);
  EXPECT_NEAR(slow_first.final_state.u[1], 3.0, 1e-8);
  EXPECT_NEAR(slow_first.energy.lost_in_contacts, 2.0, 1e-8);
  EXPECT_TRUE(slow_first.warnings.empty());
  // With the first mass faster the compression ends at the common velocity 0.5; the expansion then drives it onto the clutch.
  const RunSummary fast_first = test::run(clutch_and_contact("poisson", 4.0, -3.0));
  EXPECT_NEAR(fast_first.final_state.u[0], 0.0, 1e-8);
  EXPECT_NEAR(fast_first.final_state.u[1], 4.0, 1e-8);
  EXPECT_NEAR(fast_first.energy.lost_in_contacts, 4.5, 1e-8);
}

// One frictionless contact: all three laws return the ball with epsilon times its speed, and a resting one rests.
TEST(ImpactLaw, AllAgreeForABall) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const std::string text = fmt::format(R"toml(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*y'^2"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.5
impact_law = "{}"
[initial]
y = 1
[run]
integrator = "moreau"
dt = 1e-4
until = 2
)toml",
                                         law);
    const RunSummary summary = test::run(test::scene_from(text));
    EXPECT_EQ(summary.impacts, 10) << law;
    EXPECT_NEAR(summary.final_state.q[0], 0.0, 1e-4) << law;
    EXPECT_NEAR(summary.final_state.u[0], 0.0, 1e-12) << law;
    // Exact for Newton's law; for the others the weight acts on the velocity after the impact for the whole step: m g dt / 2 times
    // the jumps, which add up to (1 + epsilon) v / (1 - epsilon).
    const double jumps = std::string(law) == "newton" ? 0.0 : 1.5 * std::sqrt(2 * 9.81) / 0.5;
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-11 + 1.01 * 0.5 * 9.81 * 1e-4 * jumps) << law;
  }
}

// Moreau's law scales a plastic impact, friction included: an oblique ball that sticks in the compression (mu large) leaves with
// -epsilon times its whole velocity.
TEST(ImpactLaw, MoreauReversesAllDirectionsAlike) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "z"]
kinetic = "0.5*(x'^2 + z'^2)"
[[contact]]
name = "floor"
gap = "z"
slip = "x'"
friction = 10
restitution = 0.5
[initial]
"x'" = 1
"z'" = -2
[run]
impact_law = "moreau"
dt = 1e-3
until = 1e-3
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_NEAR(summary.final_state.u[0], -0.5, 1e-9);
  EXPECT_NEAR(summary.final_state.u[1], 1.0, 1e-9);
}

// Poisson with friction never gained energy in a seeded search over eccentric impacts of a rod, where Newton's law does.
TEST(ImpactLaw, PoissonDoesNotGainWhereNewtonDoes) {
  double worst_newton = 0.0, worst_poisson = 0.0;
  for (const char* law : {"newton", "poisson"}) {
    for (int k = 0; k < 40; ++k) {
      const Scene scene = test::scene_from(fmt::format(R"toml(
[lagrangian]
coordinates = ["x", "y", "a"]
kinetic = "0.5*(x'^2 + y'^2) + 0.5*a'^2/12"
[[contact]]
name = "tip"
gap = "y - 0.5*sin(a)"
slip = "x' + 0.5*sin(a)*a'"
friction = 0.8
restitution = 0.9
impact_law = "{}"
[initial]
a = {}
y = "0.5*sin({})"
"x'" = {}
"y'" = -1
[run]
integrator = "moreau"
dt = 1e-6
until = 1e-6
)toml",
                                                       law, 0.3 + 0.03 * k, 0.3 + 0.03 * k, 0.2 + 0.1 * (k % 7)));
      double& worst = std::string(law) == "newton" ? worst_newton : worst_poisson;
      worst = std::max(worst, -test::run(scene).energy.lost_in_contacts);
    }
  }
  EXPECT_GT(worst_newton, 1e-3);
  EXPECT_LE(worst_poisson, 1e-9);
}

/// A block on two frictional corners.
std::string corner_block(const std::string& law, const std::string& initial) {
  return fmt::format(R"toml(
[lagrangian]
coordinates = ["x", "y", "a"]
kinetic = "0.5*2*(x'^2 + y'^2) + 0.5*0.05*a'^2"
potential = "2*9.81*y"
[[contact]]
name = "left"
gap = "y - 0.1*cos(a) - 0.2*sin(a)"
slip = "x' + (0.1*cos(a) + 0.2*sin(a))*a'"
friction = 0.4
restitution = 0.5
impact_law = "{}"
[[contact]]
name = "right"
gap = "y - 0.1*cos(a) + 0.2*sin(a)"
slip = "x' + (0.1*cos(a) - 0.2*sin(a))*a'"
friction = 0.4
restitution = 0.5
[initial]
{}
[run]
integrator = "moreau"
dt = 1e-3
until = 1
)toml",
                     law, initial);
}

// At rest the velocities are round-off, which is no impact; nothing moves, nothing is warned of.
TEST(ImpactLaw, ABlockAtRestStaysAtRest) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const RunSummary summary = test::run(test::scene_from(corner_block(law, "y = 0.1")));
    EXPECT_EQ(summary.status, RunStatus::kOk) << law << ": " << summary.message;
    EXPECT_LE(std::abs(summary.final_state.q[0]), 1e-12) << law;
    EXPECT_NEAR(summary.final_state.q[1], 0.1, 1e-12) << law;
    EXPECT_TRUE(summary.warnings.empty()) << law << ": " << summary.warnings[0];
  }
}

TEST(ImpactLaw, ADroppedAndSlidingBlockIsSolved) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const RunSummary summary = test::run(test::scene_from(corner_block(law, "y = 0.4\na = 0.3\n\"x'\" = 2")));
    EXPECT_EQ(summary.status, RunStatus::kOk) << law << ": " << summary.message;
    EXPECT_LE(summary.worst_residual, 1e-10) << law;
  }
}

// A rod that falls on its tip: the first impact loses energy, the second, turned, gains. The warning belongs to the second and tells
// the energy that the impact gained.
TEST(ImpactLaw, AGainIsSaidWhenItComes) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "phi"]
kinetic = "0.5*(x'^2 + y'^2) + 0.5*0.08*phi'^2"
potential = "9.81*y"
[[contact]]
name = "tip"
gap = "y - 0.5*sin(phi)"
slip = "x' + 0.5*sin(phi)*phi'"
friction = 0.5
restitution = 0.9
[initial]
y = 0.8
phi = 0.3
[run]
integrator = "moreau"
dt = 1e-3
until = 0.6
)toml");
  std::vector<double> lost, times;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport& report) {
    if (!(integrator.last_laws().impulse[0] > 0.0)) return;
    lost.push_back(report.lost_in_contacts);
    times.push_back(state.t);
  });
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_GT(lost[0], 0.0);
  EXPECT_LT(lost[1], -0.1);
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings[0].find(fmt::format("{:.3g} were gained at t = {:.6g}", -lost[1], times[1])), std::string::npos)
      << summary.warnings[0];
}

// With drilling friction one common restitution needs that of the spin: what is reversed keeps its energy.
TEST(ImpactLaw, TheSpinHasTheTangentialRestitution) {
  const Scene scene = test::scene_from(R"toml(
[[body]]
name = "ball"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0.1]
velocity = [0, 0, -1]
angular_velocity = [0, 0, 1]
[[body.sphere]]
radius = 0.1
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["ball", "floor"]
restitution = 1
restitution_tangential = 1
friction = { mu = 10, mean_drilling_radius = 0.5, set = "ellipsoid" }
[run]
integrator = "quaternion-2"
dt = 1e-6
until = 1e-6
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_NEAR(summary.final_state.u[2], 1.0, 1e-9);
  EXPECT_NEAR(summary.final_state.u[5], -1.0, 1e-9);
  EXPECT_NEAR(summary.energy.lost_in_contacts, 0.0, 1e-9);
}

// A column of blocks of very different masses lands without bouncing: the compression ends all motion, and what its round-off leaves is no
// expansion.
TEST(ImpactLaw, AColumnLandsByEveryLaw) {
  test::Random random(1);
  for (int column = 0; column < 6; ++column) {
    std::string coordinates, kinetic, potential, contacts, initial;
    for (int i = 0; i < 20; ++i) {
      const double mass = random.magnitude(-1.0, 1.0);
      coordinates += fmt::format("{}\"x{}\"", i > 0 ? ", " : "", i);
      kinetic += fmt::format("{}{}*x{}'^2", i > 0 ? " + " : "", 0.5 * mass, i);
      potential += fmt::format("{}{}*x{}", i > 0 ? " + " : "", 9.81 * mass, i);
      contacts += fmt::format("[[contact]]\nname = \"c{0}\"\ngap = \"x{0}{1}\"\nrestitution = 0\n", i,
                              i > 0 ? fmt::format(" - x{}", i - 1) : "");
      initial += fmt::format("x{} = 0.0101\n", i);
    }
    for (const char* law : {"poisson", "moreau"}) {
      const Scene scene = test::scene_from(fmt::format(
          "[lagrangian]\ncoordinates = [{}]\nkinetic = \"{}\"\npotential = \"{}\"\n{}[initial]\n{}[run]\nintegrator = "
          "\"moreau\"\nimpact_law = \"{}\"\ndt = 1e-3\nuntil = 0.1\n",
          coordinates, kinetic, potential, contacts, initial, law));
      const RunSummary summary = test::run(scene);
      EXPECT_EQ(summary.status, RunStatus::kOk) << law << ": " << summary.message;
    }
  }
}

Scene clutch_at_a_wall(double e, const char* integrator, const char* law) {
  return test::scene_from(fmt::format(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n[[contact]]\nname = \"wall\"\n"
      "gap = \"0.8*y - 0.6*x + 1\"\nrestitution = {0}\n[[one_way]]\nname = \"clutch\"\nvelocity = \"x'\"\nrestitution = "
      "{0}\n"
      "[initial]\n\"x'\" = 1\n\"y'\" = -2\n[run]\nintegrator = \"{1}\"\nimpact_law = \"{2}\"\ndt = 1e-3\nuntil = 1\n",
      e, integrator, law));
}

// Without loss the wall throws the point back, (1, -2) -> (-1, 2) in the corner of wall and clutch, and the clutch that then runs backwards
// turns it once more: (1, 2), whatever scheme and law.
TEST(ImpactLaw, AClutchThatIsThrownBackIsHitAtOnce) {
  // With e the clutch goes from 1 to -e to e^2, and along the wall nothing changes but by it.
  for (const double e : {1.0, 0.8, 0.5}) {
    for (const char* integrator : {"moreau", "consistent-2", "consistent-mq", "event-driven"}) {
      const RunSummary summary = test::run(clutch_at_a_wall(e, integrator, "newton"));
      ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
      EXPECT_NEAR(summary.final_state.u[0], e * e, 1e-9) << e << " " << integrator;
    }
  }
  for (const char* law : {"newton", "moreau"}) {
    for (const char* integrator : {"moreau", "consistent-2", "event-driven"}) {
      const RunSummary summary = test::run(clutch_at_a_wall(1.0, integrator, law));
      ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
      EXPECT_NEAR(summary.final_state.u[0], 1.0, 1e-12) << law << " " << integrator;
      EXPECT_NEAR(summary.energy.lost_in_contacts, 0.0, 1e-11) << law << " " << integrator;
    }
  }
}

}  // namespace tippe::integrate_impact_law_test
