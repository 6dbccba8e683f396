// SPDX-License-Identifier: Apache-2.0
// The practice problems of Johnson as motions: a particle on a cosine hill, a wheel that meets a hill.
#include "support/events.h"

namespace tippe::hybrid_johnson_events_test {

using enum EventKind;

/// m = 2 and g = 10, on y = cos(x) from x with the horizontal speed v, along the hill.
Scene hill(double x, double v, double until) {
  Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\npotential = \"20*y\"\n[[contact]]\nname = "
      "\"hill\"\n"
      "gap = \"y - cos(x)\"\n[initial]\ny = 1\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 1\n");
  scene.start.q = Eigen::Vector2d(x, std::cos(x));
  scene.start.u = Eigen::Vector2d(v, -std::sin(x) * v);
  scene.run.until = until;
  return scene;
}

// The normal force at the top is m (g - v^2): it stays below sqrt(10), and never leaves later either.
TEST(CosineHillEvents, StaysBelowTheCriticalSpeed) {
  for (const double v : {1.0, 3.0, std::sqrt(10.0) * (1.0 - 1e-9)}) {
    const test::EventRun run = test::run_events(hill(0.0, v, 0.8));
    EXPECT_EQ(run.start, "c") << v;
    EXPECT_TRUE(run.instants.empty()) << v << "\n" << run.list();
    EXPECT_NEAR(run.end.q[1], std::cos(run.end.q[0]), 1e-12);
    EXPECT_GT(run.end.q[0], 1.0) << v;
    EXPECT_NEAR(run.energy.lost_in_contacts, 0.0, 1e-11);
    test::expect_exact(run);
  }
}

// At exactly sqrt(10) force and its rate vanish, and its second derivative is 200 > 0: it stays.
TEST(CosineHillEvents, StaysAtTheCriticalSpeed) {
  const test::EventRun run = test::run_events(hill(0.0, std::sqrt(10.0), 0.8));
  EXPECT_EQ(run.start, "c") << run.list();
  EXPECT_TRUE(run.instants.empty()) << run.list();
  EXPECT_NEAR(run.end.q[1], std::cos(run.end.q[0]), 1e-12);
  test::expect_exact(run);
}

// Above it flies from the top on, x = v t, y = 1 - 5 t^2, and lands where cos(v t) = 1 - 5 t^2: roots in 34 digits.
TEST(CosineHillEvents, LeavesAboveTheCriticalSpeedAndLands) {
  const std::vector<std::pair<double, double>> landings = {
      {3.5, 0.4413308813178830458}, {4.0, 0.57967076721405776165}, {5.0, 0.63242224836789157046}};
  for (const auto& [v, t] : landings) {
    const test::EventRun run = test::run_events(hill(0.0, v, 0.8));
    EXPECT_EQ(run.start, "o") << v;
    ASSERT_GE(run.instants.size(), 1u) << v;
    EXPECT_EQ(run.instants[0].kind(), kImpact);
    EXPECT_EQ(run.instants[0].after(), "c");
    EXPECT_NEAR(run.instants[0].t(), t, 1e-12);
    EXPECT_NEAR(run.instants[0].state.q[0], v * t, 1e-11);
    // The velocity normal to the hill is lost, plastically: gap' = -10 t + v sin(v t), w = (sin x, 1).
    const double rate = -10.0 * t + v * std::sin(v * t), sine = std::sin(v * t);
    EXPECT_NEAR(run.instants[0].lost(), rate * rate / (1.0 + sine * sine), 1e-11);
    test::expect_exact(run);
  }
}

// Coming up from x = -1.2 with v^2 (1 + sin^2 x) + 20 cos x = 35 it leaves where v^2 cos x = 10, cos x = (35 - sqrt(425))/20, before the top;
// the time by quadrature, the landing as above. The gap begins with the third power of the time.
TEST(CosineHillEvents, LeavesBeforeTheTop) {
  const double x0 = -1.2, v0 = std::sqrt((35.0 - 20.0 * std::cos(x0)) / (1.0 + std::sin(x0) * std::sin(x0)));
  const test::EventRun run = test::run_events(hill(x0, v0, 1.0));
  ASSERT_EQ(run.instants.size(), 2u) << run.list();
  EXPECT_EQ(run.instants[0].kind(), kLiftOff);
  EXPECT_NEAR(run.instants[0].t(), 0.11457991396454092, 1e-12);
  EXPECT_NEAR(run.instants[0].state.q[0], -std::acos((35.0 - std::sqrt(425.0)) / 20.0), 1e-11);
  EXPECT_EQ(run.instants[1].kind(), kImpact);
  EXPECT_NEAR(run.instants[1].t(), 0.97792512617523103, 1e-12);
  EXPECT_NEAR(run.instants[1].state.q[0], 2.4511216810829981, 1e-11);
  test::expect_exact(run);
}

/// A wheel of m = 2 and r = 1 rolls with v = 3 and meets, after 0.1 s, a hill of the inclination theta.
Scene wheel(double degrees, double mu) {
  const double theta = degrees * M_PI / 180.0, foot = 0.3 + (1.0 - std::cos(theta)) / std::sin(theta);
  return test::scene_from(fmt::format(
      "[parameters]\ntheta = {:.17g}\nfoot = {:.17g}\nmu = {:.17g}\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"phi\"]\n"
      "kinetic = \"x'^2 + y'^2 + 0.5*phi'^2\"\npotential = \"20*y\"\n[[contact]]\nname = \"ground\"\ngap = \"y - 1\"\n"
      "slip = \"x' + phi'\"\nfriction = \"mu\"\n[[contact]]\nname = \"hill\"\n"
      "gap = \"(foot - x)*sin(theta) + y*cos(theta) - 1\"\nslip = \"x'*cos(theta) + y'*sin(theta) + phi'\"\nfriction = "
      "\"mu\"\n"
      "[initial]\ny = 1\n\"x'\" = 3\n\"phi'\" = -3\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 0.15\n",
      theta, foot, mu));
}
test::EventInstant hit(double degrees, double mu) {
  const test::EventRun run = test::run_events(wheel(degrees, mu));
  EXPECT_EQ(run.start, "so") << run.list();
  test::expect_exact(run);
  const std::vector<test::EventInstant> impacts = run.of(kImpact);
  if (impacts.empty()) {
    ADD_FAILURE() << run.list();
    return {};
  }
  EXPECT_NEAR(impacts[0].t(), 0.1, 1e-12);
  return impacts[0];
}

// mu >= tan(theta/2)/3: it rolls up with v (1 + 2 cos(theta))/3, impulses m v sin(theta) and m v (1 - cos(theta))/3.
TEST(WheelEvents, RollsUpTheHill) {
  const test::EventInstant impact = hit(60.0, 0.3);
  ASSERT_FALSE(impact.events.empty());
  EXPECT_LE((impact.state.u - Eigen::Vector3d(1.0, std::sqrt(3.0), -2.0)).norm(), 1e-12) << impact.state.u.transpose();
  EXPECT_NEAR(impact.events[0].impulse[2], 3.0 * std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(impact.events[0].impulse[3], 1.0, 1e-12);
  EXPECT_NEAR(impact.lost(), 7.5, 1e-12);
  EXPECT_EQ(impact.events[0].alternatives, 0);
}

// Less friction: it slides up with v (cos(theta) + mu sin(theta)), and spins with -v/r + 2 mu v sin(theta)/r.
TEST(WheelEvents, SlidesUpTheHill) {
  const test::EventInstant impact = hit(60.0, 0.1);
  ASSERT_FALSE(impact.events.empty());
  const double u = 1.759807621135331594;
  EXPECT_LE((impact.state.u - Eigen::Vector3d(0.5 * u, std::sqrt(0.75) * u, -2.4803847577293368)).norm(), 1e-12);
  EXPECT_EQ(impact.after(), "o-");
  EXPECT_EQ(impact.events[0].alternatives, 0);
}

// theta > 90 degrees and mu <= -cot(theta): it stops between hill and ground, and keeps spinning.
TEST(WheelEvents, StopsButKeepsSpinning) {
  const test::EventInstant impact = hit(100.0, 0.1);
  ASSERT_FALSE(impact.events.empty());
  EXPECT_LE((impact.state.u - Eigen::Vector3d(0.0, 0.0, -2.351433509349974)).norm(), 1e-12);
  EXPECT_NEAR(impact.events[0].impulse[2], 6.0322372983311583, 1e-12);
  EXPECT_NEAR(impact.events[0].impulse[0], 0.4534276081690989, 1e-12);
}

// mu > cot(theta/2): stopping, jammed by self-stress, is consistent too. The run takes the outcome that loses least, and says so.
TEST(WheelEvents, TellsThatItCouldAlsoHaveStopped) {
  const test::EventInstant impact = hit(60.0, 2.0);
  ASSERT_FALSE(impact.events.empty());
  EXPECT_LE((impact.state.u - Eigen::Vector3d(1.0, std::sqrt(3.0), -2.0)).norm(), 1e-12);
  EXPECT_EQ(impact.events[0].alternatives, 1);
  EXPECT_FALSE(impact.events[0].note.empty());
}

}  // namespace tippe::hybrid_johnson_events_test
