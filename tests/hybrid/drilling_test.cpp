// SPDX-License-Identifier: Apache-2.0
// Friction in a plane with a given limit, and friction with drilling, set = "ellipsoid": closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/events.h"
#include "support/scenes.h"
#include "tippe/analyze/analysis.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/study/list_modes.h"
#include "tippe/study/reached_instant.h"

namespace tippe::hybrid_drilling_test {

using enum EventKind;
using Eigen::VectorXd;

constexpr double kMass = 2.0, kInertia = 0.006, kLimit = 3.0, kRadius = 0.05;

/// A puck that slides and spins under friction whose limit is given (`pad`), or under its weight with the same limit.
std::string puck(bool pad, const std::string& initial, const std::string& forces = "", double inertia = kInertia) {
  std::string text = "[parameters]\nm = 2\nJ = " + std::to_string(inertia) +
                     "\nL = 3\nR = 0.05\ng = 10\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\", \"a\"]\n"
                     "kinetic = \"0.5*m*(x'^2 + y'^2 + z'^2) + 0.5*J*a'^2\"\npotential = \"m*g*z\"\n";
  if (!forces.empty()) text += "[lagrangian.forces]\n" + forces;
  if (pad) {
    text +=
        "[[bilateral]]\nname = \"floor\"\nposition = \"z\"\n[[dry_friction]]\nname = \"foot\"\n"
        "velocity = [\"x'\", \"y'\"]\nspin = \"a'\"\n"
        "limit = { force = \"L\", mean_drilling_radius = \"R\", set = \"ellipsoid\" }\n";
  } else {
    text +=
        "[[contact]]\nname = \"foot\"\ngap = \"z\"\nslip = [\"x'\", \"y'\"]\nspin = \"a'\"\n"
        "friction = { mu = \"L/(m*g)\", mean_drilling_radius = \"R\", set = \"ellipsoid\" }\n";
  }
  return text + "[initial]\n" + initial + "[run]\nintegrator = \"event-driven\"\nuntil = 4\n";
}

// With J = m R^2 the vector (x', y', R a') is stopped like a point, along its own direction: after m s/L.
TEST(DrillingEvents, APuckWithTheInertiaOfItsRadiusStopsLikeAPoint) {
  for (const bool pad : {true, false}) {
    const test::EventRun run = test::run_events(
        test::scene_from(puck(pad, "\"x'\" = 1.2\n\"y'\" = -0.5\n\"a'\" = 30\n", "", kMass * kRadius * kRadius)));
    const double s = std::sqrt(1.44 + 0.25 + 1.5 * 1.5), stop = kMass * s / kLimit;
    test::expect_events(run, {{stop, kSlipToStick, "~", "s"}}, 1e-9);
    EXPECT_NEAR(run.end.q[0], 1.2 * stop / 2, 1e-9) << pad;
    EXPECT_NEAR(run.end.q[1], -0.5 * stop / 2, 1e-9);
    EXPECT_NEAR(run.end.q[3], 30 * stop / 2, 1e-8);
    EXPECT_NEAR(run.energy.lost_in_contacts, 0.5 * kMass * s * s, 1e-9);
    test::expect_exact(run);
  }
}

// m v' = -L v/s and J w' = -L R^2 w/s: v and w^(J/(m R^2)) stay proportional, here with the exponents 1.2 and 3.
TEST(DrillingEvents, SlidingAndSpinFollowAPowerLaw) {
  for (const bool pad : {true, false}) {
    for (const double exponent : {1.2, 3.0}) {
      Scene scene = test::scene_from(puck(pad, "\"x'\" = 1\n\"a'\" = 30\n", "", exponent * kMass * kRadius * kRadius));
      scene.run.until = 0.6;
      const test::EventRun run = test::run_events(scene);
      ASSERT_EQ(run.instants.size(), 0u) << run.list();
      ASSERT_LT(run.end.u[3], 27.0);
      EXPECT_NEAR(run.end.u[0], std::pow(run.end.u[3] / 30.0, exponent), 1e-9) << pad << " " << exponent;
      EXPECT_NEAR(run.energy.lost_in_contacts,
                  0.5 * kMass * (1 - run.end.u[0] * run.end.u[0]) +
                      0.5 * exponent * kMass * kRadius * kRadius * (900 - run.end.u[3] * run.end.u[3]),
                  1e-9);
      test::expect_exact(run);
    }
  }
}

// A force 0.8 t and a moment 0.03 t: it gives way when (0.8 t/L)^2 + (0.03 t/(L R))^2 = 1, and goes along both.
TEST(DrillingEvents, AForceAndAMomentTogetherBreakLoose) {
  for (const bool pad : {true, false}) {
    const test::EventRun run =
        test::run_events(test::scene_from(puck(pad, "", "x = \"0.8*t\"\na = \"0.03*t\"\n", kMass * kRadius * kRadius)));
    EXPECT_EQ(run.start, "s");
    const double rate = std::hypot(0.8, 0.03 / kRadius), loose = kLimit / rate;
    test::expect_events(run, {{loose, kStickToSlip, "s", "~"}}, 1e-9);
    // As a point that is pushed with `rate` t against L: x = rate (t - loose)^3/(6 m) along its direction.
    const double way = rate * std::pow(4.0 - loose, 3) / (6 * kMass);
    EXPECT_NEAR(run.end.q[0], way * 0.8 / rate, 1e-6) << pad;
    EXPECT_NEAR(run.end.q[3], way * 0.03 / kRadius / rate / kRadius, 1e-5);
    test::expect_exact(run);
  }
}

/// A disc of 2 kg with J = 0.01 kg m^2 under its weight, 1 m/s or 0 at first and 30 rad/s, with the force F along x: mu = 0.3, g = 9.81 m/s^2.
test::EventRun spinning_disc(double radius, double speed, double force, double until, double inertia = 0.01,
                             double spin = 30.0) {
  return test::run_events(test::scene_from(fmt::format(
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\", \"a\"]\nkinetic = \"x'^2 + y'^2 + z'^2 + 0.5*{3}*a'^2\"\n"
      "potential = \"2*9.81*z\"\n[lagrangian.forces]\nx = \"{2}\"\n[[contact]]\nname = \"foot\"\ngap = \"z\"\n"
      "slip = [\"x'\", \"y'\"]\nspin = \"a'\"\nfriction = {{ mu = 0.3, mean_drilling_radius = {0}, set = \"ellipsoid\" }}\n"
      "[initial]\n\"x'\" = {1}\n\"a'\" = {4}\n[run]\nintegrator = \"event-driven\"\nuntil = {5}\n",
      radius, speed, force, inertia, spin, until)));
}

// With a small radius the slip stops like that of a point, after v/(mu g), and is slow from then on: friction takes it away in m R w/(mu m g), 1e-8 s for R = 1e-9 m, while the
// spin falls with mu m g R/J for hours. While both act they change each other by (R w)^2 ln(v/(R w)).
TEST(DrillingEvents, ADiscOfAnyRadiusSpinsOnWhereItsSlipHasStopped) {
  const double stop = 1.0 / (0.3 * 9.81), way = 0.5 * stop;
  for (const double radius : {1e-4, 1e-6, 1e-9}) {
    SCOPED_TRACE(radius);
    const test::EventRun run = spinning_disc(radius, 1.0, 0.0, 2.0);
    EXPECT_EQ(run.start, "~");
    EXPECT_TRUE(run.instants.empty()) << run.list();
    EXPECT_NEAR(run.end.u[3], 30.0 - 0.3 * 2 * 9.81 * radius * (2.0 - stop) / 0.01, 2e5 * radius * radius + 1e-13);
    EXPECT_NEAR(run.end.q[0], way, 2e3 * radius * radius + 1e-13);
    EXPECT_NEAR(run.end.u[0], 0.0, 1e-20);
    EXPECT_LE(run.steps, 100);
    test::expect_exact(run);
  }
}

// A force c mu m g that is too small to move it at rest makes the spinning disc creep: friction lies along (v, R w), so that v = R w c/sqrt(1 - c^2), and the moment is
// mu m g R sqrt(1 - c^2).
TEST(DrillingEvents, ASpinningDiscCreepsUnderAnyForce) {
  for (const double radius : {1e-6, 1e-9}) {
    for (const double force : {1.0, 5.5}) {
      SCOPED_TRACE(fmt::format("{} {}", radius, force));
      const double limit = 0.3 * 2 * 9.81, c = force / limit, rest = std::sqrt(1.0 - c * c);
      const test::EventRun run = spinning_disc(radius, 0.0, force, 1.0);
      EXPECT_NEAR(run.end.u[3], 30.0 - limit * radius * rest / 0.01, 1e5 * radius * radius + 1e-12);
      EXPECT_NEAR(run.end.u[0] / (radius * run.end.u[3] * c / rest), 1.0, 1e-2 * std::sqrt(radius));
      EXPECT_LE(run.steps, 60);
      test::expect_exact(run);
    }
  }
}

// J/(m R^2) = 100: the slip is gone long before the spin, v = (w/w_0)^100, and both stop at once. All energy is lost, and the spin falls with mu m g R/J from where the slip is gone.
TEST(DrillingEvents, AHeavyRotorStops) {
  const test::EventRun run = spinning_disc(0.05, 1.0, 0.0, 60.0, 100 * 2 * 0.05 * 0.05, 30.0);
  ASSERT_EQ(run.instants.size(), 1u) << run.list();
  EXPECT_EQ(run.instants[0].kind(), kSlipToStick);
  EXPECT_LE(run.steps, 60);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.5 * 2 + 0.5 * 0.5 * 900, 1e-8);
  EXPECT_EQ(run.end.u.norm(), 0.0);
  test::expect_exact(run);
}

constexpr const char* kEllipse = R"(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "x'^2 + y'^2"
[lagrangian.forces]
x = "0.9"
y = "b*t"
[parameters]
b = 0.5
[[dry_friction]]
name = "foot"
velocity = ["x'", "y'"]
limit = [3, 1]
[run]
integrator = "event-driven"
until = 2
)";

// Along x 0.9 N of 3 N, along y t/2 of 1 N: loose at t = 2 sqrt(1 - 0.09).
TEST(PlaneFrictionEvents, AnEllipseGivesWay) {
  const test::EventRun run = test::run_events(test::scene_from(kEllipse));
  test::expect_events(run, {{2 * std::sqrt(0.91), kStickToSlip, "s", "~"}}, 1e-11);
  test::expect_exact(run);
}

// What gives way first goes along the gradient of the ellipse at its force: (0.9/9, sqrt(0.91)).
TEST(PlaneFrictionEvents, AnEllipseIsLeftAlongItsNormal) {
  Scene scene = test::scene_from(kEllipse);
  scene.run.until = 2 * std::sqrt(0.91) + 1e-3;
  const test::EventRun run = test::run_events(scene);
  EXPECT_GT(run.end.u[1], 0.0);
  EXPECT_NEAR(run.end.u[0] / run.end.u[1], 0.1 / std::sqrt(0.91), 1e-3);
}

// Friction without limits does nothing, in a plane as along a line: free fall along x and y.
TEST(PlaneFrictionEvents, OneWithoutLimitsIsNotThere) {
  for (const char* velocity : {"velocity = [\"x'\", \"y'\"]\nlimit = 0", "velocity = [\"x'\", \"y'\"]\nlimit = [0, 0]",
                               "velocity = [\"x'\", \"y'\"]\nspin = \"a'\"\nlimit = { force = 0, mean_drilling_radius = 1, "
                               "set = \"ellipsoid\" }",
                               "velocity = \"x'\"\nlimit = 0"}) {
    const test::EventRun run = test::run_events(test::scene_from(
        std::string("[lagrangian]\ncoordinates = [\"x\", \"y\", \"a\"]\nkinetic = \"0.5*(x'^2 + y'^2 + a'^2)\"\n"
                    "potential = \"2*x - y\"\n[[dry_friction]]\nname = \"pad\"\n") +
        velocity + "\n[initial]\n\"x'\" = 3\n\"a'\" = 1\n[run]\nintegrator = \"event-driven\"\nuntil = 2\n"));
    EXPECT_NEAR(run.end.q[0], 2.0, 1e-11) << velocity;
    EXPECT_NEAR(run.end.q[1], 2.0, 1e-11) << velocity;
    EXPECT_NEAR(run.end.q[2], 2.0, 1e-11) << velocity;
    EXPECT_EQ(run.energy.lost_in_contacts, 0.0);
  }
}

/// `share` of what the ellipse of the foot takes along the loads (0.9, 0.5).
TEST(PlaneFrictionInstants, AreJudged) {
  const double share = std::sqrt(0.09 + 0.25);
  Scene scene = test::scene_from(kEllipse);
  State state = scene.start;
  state.t = 1.0;
  const Analysis holds = analyze(instant_of(*scene.system, state, {}));
  ASSERT_TRUE(holds.sticking);
  EXPECT_TRUE(holds.sticking->feasible.yes());
  EXPECT_NEAR(holds.sticking->mu_factor, share, 1e-8);
  EXPECT_FALSE(holds.closure) << "there is no contact";
  EXPECT_FALSE(holds.delassus);
  const ModesReport modes = list_modes(*scene.system, state, {}, {});
  ASSERT_TRUE(modes.motion);
  ASSERT_EQ(modes.motion->list.modes.size(), 1u);
  EXPECT_EQ(modes.motion->list.modes[0].contacts[0], ContactMode::kStick);
  // Later it slides: the force of the ellipse is of unit size in its own measure, and the acceleration normal to it.
  state.t = 4.0;
  const ModesReport slides = list_modes(*scene.system, state, {}, {});
  ASSERT_EQ(slides.motion->list.modes.size(), 1u);
  const ConsistentMode& mode = slides.motion->list.modes[0];
  EXPECT_EQ(mode.contacts[0], ContactMode::kSlide);
  const Eigen::Vector2d force = 2.0 * mode.motion.head(2) - Eigen::Vector2d(0.9, 2.0);
  EXPECT_NEAR(std::hypot(force[0] / 3.0, force[1]), 1.0, 1e-9);
  EXPECT_NEAR(mode.motion[0] * force[1], mode.motion[1] * force[0] / 9.0, 1e-9);
  EXPECT_TRUE(analyze(instant_of(*scene.system, state, {})).sticking->feasible.no());
}

/// A block that slides on an elliptic contact and under a pad: forces by the principle of maximal dissipation, by hand.
TEST(PlaneFrictionInstants, APadThatSlidesLoadsAContactThatSlides) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2)"
potential = "10*z - 0.3*y"
[[contact]]
name = "floor"
gap = "z"
slip = ["x'", "y'"]
friction = [0.7, 0.4]
[[dry_friction]]
name = "pad"
velocity = ["x'", "y'"]
limit = 2
[initial]
"x'" = 1
"y'" = 0.2
[run]
integrator = "moreau"
dt = 1e-3
until = 1
)toml");
  const double ellipse = std::hypot(0.7, 0.4 * 0.2), slip = std::hypot(1.0, 0.2);
  const Eigen::Vector3d expected(-10.0 * 0.49 / ellipse - 2.0 / slip, 0.3 - 10.0 * 0.16 * 0.2 / ellipse - 0.4 / slip, 0.0);
  const ModesReport modes = list_modes(*scene.system, scene.start, {}, {});
  ASSERT_EQ(modes.motion->list.modes.size(), 1u);
  EXPECT_EQ(modes.motion->list.modes[0].motion.size(), 3);
  EXPECT_LE((modes.motion->list.modes[0].motion.head(3) - expected).norm(), 1e-9);
  const Analysis analysis = analyze(instant_of(*scene.system, scene.start, {}));
  ASSERT_TRUE(analysis.motion);
  EXPECT_LE((analysis.motion->acceleration - expected).norm(), 1e-9);
}

/// The foot of a puck under its weight, at rest: what the load takes of the ellipsoid.
TEST(DrillingInstants, AContactAtRestHoldsForceAndMoment) {
  for (const bool pad : {true, false}) {
    Scene scene = test::scene_from(puck(pad, "", "x = \"1.2\"\na = \"0.06\"\n"));
    const Analysis analysis = analyze(instant_of(*scene.system, scene.start, {}));
    ASSERT_TRUE(analysis.sticking);
    EXPECT_TRUE(analysis.sticking->feasible.yes());
    EXPECT_NEAR(analysis.sticking->mu_factor, std::hypot(0.4, 0.4), 1e-8) << pad;
  }
}

// Contensou's set at u = |slip|/(R spin) = 1: 9 pi/32 of the force, 3/8 of the moment.
TEST(DrillingInstants, SlidingFrictionIsThatOfTheExactSet) {
  const std::string text = R"(
[lagrangian]
coordinates = ["x", "y", "z", "a"]
kinetic = "x'^2 + y'^2 + z'^2 + 0.5*a'^2"
potential = "20*z"
[[contact]]
name = "foot"
gap = "z"
slip = ["x'", "y'"]
spin = "a'"
friction = { mu = 0.5, contact_radius = 0.1 }
[initial]
"x'" = 2
"a'" = -20
[run]
integrator = "moreau"
dt = 1e-3
until = 1
)";
  const Scene scene = test::scene_from(text);
  const ModesReport modes = list_modes(*scene.system, scene.start, {}, {});
  ASSERT_TRUE(modes.motion);
  ASSERT_EQ(modes.motion->list.modes.size(), 1u);
  const VectorXd& a = modes.motion->list.modes[0].motion;
  EXPECT_NEAR(a[0], -10 * 9 * M_PI / 32 / 2, 1e-9);
  EXPECT_NEAR(a[3], 10 * (3 * M_PI * 0.1 / 16) * 3 / 8, 1e-9);
}

// The tippe top: quaternion-2 comes to the event-driven motion with the second order of its steps.
TEST(DrillingEvents, SchemesConvergeToTheTippeTop) {
  const test::EventRun exact =
      test::run_events(test::load("tippe_top", {.settings = {}, .integrator = "event-driven", .dt = {}, .until = "0.1"}));
  ASSERT_EQ(exact.instants.size(), 1u) << exact.list();  // it falls by 0.01 um first
  std::vector<double> errors;
  for (const char* dt : {"4e-4", "2e-4", "1e-4"}) {
    const RunSummary run =
        test::run(test::load("tippe_top", {.settings = {}, .integrator = "quaternion-2", .dt = dt, .until = "0.1"}));
    errors.push_back((run.final_state.q - exact.end.q).norm());
  }
  EXPECT_LT(errors[2], 3e-3);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.3) << errors[0];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.15) << errors[1];
}

// The handle touches when quaternion-2 says so for dt -> 0 (docs/systems/tippe_top.md).
TEST(DrillingEvents, TheHandleOfTheTippeTopTouches) {
  const test::EventRun run =
      test::run_events(test::load("tippe_top", {.settings = {}, .integrator = "event-driven", .dt = {}, .until = "1.4"}));
  ASSERT_EQ(run.instants.size(), 2u) << run.list();
  EXPECT_NEAR(run.instants[1].t(), 1.37104, 1e-5);
  EXPECT_EQ(run.instants[1].kind(), kImpact);
  test::expect_exact(run);
}

}  // namespace tippe::hybrid_drilling_test
