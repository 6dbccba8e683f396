// SPDX-License-Identifier: Apache-2.0
// Coordinates without mass that contacts, dry friction and loads hold: Johnson (13), (33), (34).
#include <tuple>

#include "support/events.h"
#include "tippe/core/error.h"
#include "tippe/run/default_integrator.h"
#include "tippe/study/list_modes.h"

namespace tippe::hybrid_massless_test {

using enum EventKind;

// y = y_e - a cos(w t) with y_e = l - m g/k and a = d - m g/k, up to y = l; then flight for 2 v/g, and stance for 2 t1.
TEST(MasslessFoot, HopsWithoutLosingEnergy) {
  const test::EventRun run = test::run_events(test::load("massless_foot"));
  const double m = 2.0, g = 9.81, k = 400.0, d = 0.2, w = std::sqrt(k / m), sag = m * g / k, a = d - sag;
  const double t1 = std::acos(-sag / a) / w, v = a * w * std::sin(w * t1), flight = 2.0 * v / g;
  EXPECT_EQ(run.start, "c");
  std::vector<test::ExpectedEvent> expected;
  for (double t = t1; t < 2.0; t += 2.0 * t1) {
    expected.push_back({t, kLiftOff, "c", "o"});
    if ((t += flight) < 2.0) expected.push_back({t, kTouch, "o", "c"});
  }
  ASSERT_GE(expected.size(), 5u);
  test::expect_events(run, expected, 1e-10);
  ASSERT_FALSE(run.instants.empty());
  const State& leaves = run.instants[0].state;
  EXPECT_NEAR(leaves.q[0], 0.5, 1e-12);
  EXPECT_NEAR(leaves.u[0], v, 1e-11);
  EXPECT_NEAR(leaves.u[1], v, 1e-11);  // the foot follows at once
  EXPECT_NEAR(run.instants[1].state.u[1], 0.0, 1e-12);
  EXPECT_NEAR(run.instants[1].state.u[0], -v, 1e-10);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.0, 1e-11);
  test::expect_exact(run);
}

// Pressed, it is closed with k d; stretched by a millimetre it would be pulled, and is open: (33).
TEST(MasslessFoot, ModesKnowIt) {
  const Scene pressed = test::load("massless_foot");
  const ModesReport rests = list_modes(*pressed.system, pressed.start, {});
  EXPECT_FALSE(rests.impact.has_value());
  ASSERT_EQ(rests.motion->list.unique(), true) << rests.motion->list.note;
  EXPECT_EQ(rests.motion->list.modes[0].contacts, std::vector{ContactMode::kClosed});
  EXPECT_NEAR(rests.motion->list.modes[0].forces[0], 80.0, 1e-12);
  EXPECT_NEAR(rests.motion->list.modes[0].motion[0], 80.0 / 2.0 - 9.81, 1e-12);
  State stretched = pressed.start;
  stretched.q[0] = 0.501;
  const ModesReport pulled = list_modes(*pressed.system, stretched, {});
  ASSERT_EQ(pulled.motion->list.unique(), true) << pulled.motion->list.note;
  EXPECT_EQ(pulled.motion->list.modes[0].contacts, std::vector{ContactMode::kOpen});
}

// At y = l force and pull are zero, and trending decides: going up it leaves, its gap grows with y', going down it is pressed.
TEST(MasslessFoot, TrendingDecidesAtTheLengthWithoutLoad) {
  const Scene scene = test::load("massless_foot");
  for (const double v : {1.0, -1.0, 0.0}) {
    SCOPED_TRACE(v);
    State state = scene.start;
    state.q = Eigen::Vector2d(0.5, 0.0);
    state.u = Eigen::Vector2d(v, 0.0);
    const ModesReport report = list_modes(*scene.system, state, {});
    ASSERT_EQ(report.motion->list.unique(), true) << report.motion->list.note;
    const ConsistentMode& mode = report.motion->list.modes[0];
    EXPECT_EQ(mode.contacts, std::vector{v > 0.0 ? ContactMode::kOpen : ContactMode::kClosed});
    EXPECT_EQ(mode.trending[0].order, v == 0.0 ? 2 : 1);  // N = k (l - y): its rate is -k v, its second derivative k g
    EXPECT_EQ(mode.trending[0].sign, 1);
  }
}

// A foot on two springs, k upright and c along the floor: it sticks until c x = mu k (l - y), with x = (v/w) sin(w t), w^2 = c/m, and y harmonic: t by
// bisection. No other mode is consistent there, as forces on the foot would not balance. Then it slides with its friction at the limit until it is let go.
TEST(MasslessFoot, SlidesAtItsFrictionAndLeaves) {
  for (const auto& [mu, scale, begin] : std::vector<std::tuple<double, double, double>>{
           {0.6, 1.0, 0.0}, {2.0, 1.0, 0.0}, {0.05, 1.0, 0.0}, {0.6, 1e-9, 0.0}, {0.6, 1.0, 1e3}}) {
    SCOPED_TRACE(fmt::format("mu {} scale {} from {}", mu, scale, begin));
    const Scene scene = test::scene_from(fmt::format(
        "[lagrangian]\ncoordinates = [\"x\", \"y\", \"a\", \"b\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n"
        "potential = \"{1}*9.81*y + 250*(y - b - 0.5*{1})^2 + 10*(x - a)^2\"\n[[contact]]\nname = \"floor\"\ngap = \"b\"\n"
        "slip = \"a'\"\nfriction = {0}\n[initial]\nt = {2}\ny = {3}\n\"x'\" = {4}\n[run]\nintegrator = \"event-driven\"\n"
        "until = {5}\n",
        mu, scale, begin, 0.4 * scale, 1.5 * scale, begin + 0.3));
    const double up = std::sqrt(500.0), along = std::sqrt(20.0), sag = 9.81 / 500.0, a = 0.1 - sag;
    const double leaves = std::acos(-sag / a) / up;
    double low = 0.0, high = leaves;
    while (high - low > 1e-15) {
      const double t = 0.5 * (low + high), push = 500.0 * (sag + a * std::cos(up * t));
      (20.0 * 1.5 / along * std::sin(along * t) < mu * push ? low : high) = t;
    }
    const test::EventRun run = test::run_events(scene);
    EXPECT_EQ(run.start, "s");
    ASSERT_EQ(run.instants.size(), 2u) << run.list();
    EXPECT_NEAR(run.instants[0].t() - begin, low, 1e-11);
    EXPECT_EQ(run.instants[0].after(), "+");
    EXPECT_EQ(run.instants[0].events[0].alternatives, std::optional(0)) << run.list();
    EXPECT_NEAR(run.instants[1].t() - begin, leaves, 1e-11);
    EXPECT_EQ(run.instants[1].kind(), kLiftOff);
    EXPECT_GT(run.energy.lost_in_contacts, 0.0);
  }
}

/// A mass of 1 kg on a spring of 100 N/m to a slider without mass that dry friction of 2 N holds (or a floor with mu = 0.5, pressed with 4 N).
Scene slider(bool on_floor, double v) {
  const std::string law = on_floor ? "[[contact]]\nname = \"pad\"\ngap = \"y\"\nslip = \"z'\"\nfriction = 0.5\n"
                                   : "[[dry_friction]]\nname = \"pad\"\nvelocity = \"z'\"\nlimit = 2\n";
  return test::scene_from(fmt::format(
      "[lagrangian]\ncoordinates = [\"x\", \"z\"{0}]\nkinetic = \"0.5*x'^2\"\npotential = \"50*(x - z)^2{1}\"\n{2}"
      "[initial]\n\"x'\" = {3}\n[run]\nintegrator = \"event-driven\"\nuntil = 2\n",
      on_floor ? ", \"y\"" : "", on_floor ? " + 4*y" : "", law, v));
}

// From rest with v: x = (v/w) sin(w t) until 100 x = 2 N, at t1; from there 2 N brake it, v1/2 s long, and carry the slider along; then it swings
// about where that stopped with +-2 N: 100 (x - z) = 2 N at the turn, so that the friction is just enough, and it never slides again.
TEST(MasslessSlider, YieldsAtItsFriction) {
  for (const bool on_floor : {false, true}) {
    SCOPED_TRACE(on_floor);
    const double v = 0.5, w = 10.0, t1 = std::asin(0.02 * w / v) / w, v1 = v * std::cos(w * t1), t2 = t1 + v1 / 2.0;
    const test::EventRun run = test::run_events(slider(on_floor, v));
    EXPECT_EQ(run.start, "s");
    ASSERT_GE(run.instants.size(), 2u) << run.list();
    EXPECT_EQ(run.instants[0].kind(), kStickToSlip);
    EXPECT_NEAR(run.instants[0].t(), t1, 1e-12);
    EXPECT_NEAR(run.instants[0].state.u[1], v1, 1e-11);  // the slider has the velocity of the mass at once
    EXPECT_EQ(run.instants[1].kind(), kSlipToStick);
    EXPECT_NEAR(run.instants[1].t(), t2, 1e-11);
    const double x2 = 0.02 + v1 * v1 / 4.0;
    EXPECT_NEAR(run.instants[1].state.q[0], x2, 1e-12);
    EXPECT_NEAR(run.instants[1].state.q[1], x2 - 0.02, 1e-12);
    EXPECT_NEAR(run.end.q[0], x2 - 0.02 + 0.02 * std::cos(w * (2.0 - t2)), 1e-9);
    EXPECT_NEAR(run.energy.lost_in_contacts, 2.0 * (x2 - 0.02), 1e-11);
    EXPECT_NEAR(run.end.q[1], x2 - 0.02, 1e-10);
  }
}

// A mass on a spring to a node without mass on a damper: m x'' = -k (x - z), c z' = k (x - z). Of the third order; with m = 1, k = 11, c = 11/6 it has the roots
// -1, -2, -3: m x''' + (k m/c) x'' + k x' = 0 has 0 and those of s^2 + 6 s + 11, -3 +- i sqrt(2).
TEST(MasslessNode, OfADamperAndASpringMoves) {
  const test::EventRun run = test::run_events(test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"z\"]\nkinetic = \"0.5*x'^2\"\npotential = \"5.5*(x - z)^2\"\n"
      "damping = \"11/12*z'^2\"\n[initial]\n\"x'\" = 1\n[run]\nintegrator = \"event-driven\"\nuntil = 1.5\n"));
  // v = x' from v(0) = 1, v'(0) = 0:  v'' + 6 v' + 11 v = 0.
  const double b = std::sqrt(2.0), t = 1.5;
  const double v = std::exp(-3.0 * t) * (std::cos(b * t) + 3.0 / b * std::sin(b * t));
  EXPECT_NEAR(run.end.u[0], v, 1e-11);
  test::expect_exact(run);
}

TEST(MasslessStart, IsHeldOrRefused) {
  // Nothing holds z.
  EXPECT_THROW((void)test::scene_from("[lagrangian]\ncoordinates = [\"x\", \"z\"]\nkinetic = \"x'^2\"\n[run]\n"
                                      "integrator = \"event-driven\"\nuntil = 1\n"),
               InputError);
  const Scene scene = test::load("massless_foot");
  EXPECT_EQ(default_integrator(*scene.system).name, std::string("event-driven"));
  EXPECT_NE(find_integrator("moreau")->misfit(*scene.system).find("needs a mass for every coordinate, and z' has none"),
            std::string::npos);
  // In the air the spring pulls the foot with 4 N.
  State pulled = scene.start;
  pulled.q = Eigen::Vector2d(1.0, 0.49);
  const auto integrator = find_integrator("event-driven")->make(*scene.system, {});
  const StepReport report = integrator->step(pulled, 0.1);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.culprit.find("a force of 4 N acts on coordinates without mass"), std::string::npos) << report.culprit;
}

}  // namespace tippe::hybrid_massless_test
