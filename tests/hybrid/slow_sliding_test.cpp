// SPDX-License-Identifier: Apache-2.0
// Contacts that slide slowly in space, where friction turns the velocity much faster than the motion changes. Motions are chosen first, and the force that they need
// follows: F = m v' + mu m g v/|v|.
#include "support/events.h"

namespace tippe::hybrid_slow_sliding_test {

using enum EventKind;

/// 1 kg on a floor with the velocity s (cos(2 T), sin(2 T)) while T > 0. `time`: T, `speed`, `rate`: s and ds/dT, as expressions of t.
Scene turning_point(const std::string& time, const std::string& speed, const std::string& rate, double vx, double until) {
  return test::scene_from(fmt::format(
      "[parameters]\nmu = 0.3\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\n"
      "potential = \"10*z\"\n[lagrangian.forces]\nx = \"({2} + 10*mu)*cos(2*({0})) - 2*({1})*sin(2*({0}))\"\n"
      "y = \"({2} + 10*mu)*sin(2*({0})) + 2*({1})*cos(2*({0}))\"\n"
      "[[contact]]\nname = \"floor\"\ngap = \"z\"\nslip = [\"x'\", \"y'\"]\nfriction = \"mu\"\n[initial]\n\"x'\" = "
      "{3:.17g}\n"
      "[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = {4}\n",
      time, speed, rate, vx, until));
}

void expect_velocity(const test::EventRun& run, double speed, double T, double error) {
  EXPECT_NEAR(run.end.u[0], speed * std::cos(2.0 * T), error);
  EXPECT_NEAR(run.end.u[1], speed * std::sin(2.0 * T), error);
}

// From rest with an acceleration: s = t. x = int t cos(2 t) dt.
TEST(SlowSliding, BeginsWithAnAcceleration) {
  const test::EventRun run = test::run_events(turning_point("t", "t", "1", 0.0, 1.0), 1e-12);
  EXPECT_EQ(run.start, "~");
  EXPECT_TRUE(run.instants.empty()) << run.list();
  expect_velocity(run, 1.0, 1.0, 1e-11);
  EXPECT_NEAR(run.end.q[0], 0.5 * std::sin(2.0) + 0.25 * (std::cos(2.0) - 1.0), 1e-11);
  EXPECT_LE(run.steps, 20);
  test::expect_exact(run);
}

// The limit is exceeded slowly, s = T^2: until T = 0 it sticks, as (2 T + mu g)^2 + 4 T^4 < (mu g)^2 there.
TEST(SlowSliding, BeginsWhereTheLimitIsSlowlyExceeded) {
  const test::EventRun run = test::run_events(turning_point("t - 0.2", "(t - 0.2)^2", "2*(t - 0.2)", 0.0, 0.7), 1e-12);
  EXPECT_EQ(run.start, "s");
  test::expect_events(run, {{0.2, kStickToSlip, "s", "~"}}, 1e-11);
  expect_velocity(run, 0.25, 0.5, 1e-10);
  EXPECT_LE(run.steps, 30);
  test::expect_exact(run);
}

// s = 1e-6 (1 + t) m/s is turned in 3e-7 s by friction, and takes 1 s.
TEST(SlowSliding, GoesOnWithoutStiffness) {
  const test::EventRun run = test::run_events(turning_point("t", "1e-6*(1 + t)", "1e-6", 1e-6, 1.0), 1e-12);
  EXPECT_EQ(run.start, "~");
  EXPECT_TRUE(run.instants.empty()) << run.list();
  expect_velocity(run, 2e-6, 1.0, 1e-12);  // the tolerance, of what 3 N alone would do in 1 s
  EXPECT_LE(run.steps, 60);
  test::expect_exact(run);
}

// Along a direction that turns a slow slip stops like any other: s = 1e-4 (1 - t/0.6), with 1e-4/0.6 m/s^2. Then it sticks, as the force is below mu g.
TEST(SlowSliding, Stops) {
  const test::EventRun run = test::run_events(turning_point("t", "1e-4*(1 - t/0.6)", "-1e-4/0.6", 1e-4, 0.7), 1e-12);
  test::expect_events(run, {{0.6, kSlipToStick, "~", "s"}}, 1e-8);
  EXPECT_LE(run.end.u.norm(), 1e-13);
  EXPECT_LE(run.steps, 100);
}

// Spheres of 1 kg fall onto each other. From 0.1241 s on a contact begins to slip as t^2, and is turned by friction in 1e-9 s. Moreau's rule with steps of 20 us is
// of first order.
TEST(SlowSliding, EightSpheresInAHeap) {
  std::string text = "[world]\ngravity = [0, 0, -9.81]\n";
  int number = 0;
  for (const char* position :
       {"-0.057096, -0.054646, 0.050000", "0.053960, -0.054169, 0.050000", "-0.053994, 0.051524, 0.050000",
        "0.051105, 0.057700, 0.050000", "-0.001925, -0.002125, 0.150000", "0.113965, -0.000238, 0.160000",
        "-0.107308, -0.000189, 0.160000", "0.001113, -0.002795, 0.260000"}) {
    text += fmt::format(
        "[[body]]\nname = \"s{}\"\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [{}]\n[[body.sphere]]\nradius = "
        "0.05\n",
        number++, position);
  }
  text += "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\n";
  const RunSummary events =
      test::run(test::scene_from(text + "[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = 0.127\n"));
  ASSERT_EQ(events.status, RunStatus::kOk) << events.message;
  EXPECT_LE(events.steps, 200);
  EXPECT_LE(std::abs(events.energy.unexplained()), 1e-11 * events.energy.scale);
  const RunSummary rule = test::run(test::scene_from(text + "[run]\nintegrator = \"moreau\"\ndt = 2e-5\nuntil = 0.127\n"));
  ASSERT_EQ(rule.status, RunStatus::kOk) << rule.message;
  EXPECT_LE((events.final_state.q - rule.final_state.q).cwiseAbs().maxCoeff(),
            1e-3);  // of quaternions: spheres of 5 cm spin with up to 10 rad/s
  for (int i = 0; i < 8; ++i) EXPECT_LE((events.final_state.q - rule.final_state.q).segment(7 * i, 3).norm(), 2e-5) << i;
}

// Eight contacts on five ways to move down: forces are not unique, the motion depends on them while links slide. In the end all links lie still, with the potential
// energy n m g r.
TEST(SlowSliding, AChainFallsAndComesToRest) {
  Scene scene = test::load("chain_drop");
  scene.run.integrator = "event-driven";
  const RunSummary run = test::run(scene);
  ASSERT_EQ(run.status, RunStatus::kOk) << run.message;
  EXPECT_NEAR(run.energy.final, 4 * 0.05 * 9.81 * 0.01, 1e-9);
  EXPECT_LE(run.final_state.u.norm(), 1e-9);
  EXPECT_LE(std::abs(run.energy.unexplained()), 1e-9 * run.energy.scale);
  EXPECT_LE(run.worst_penetration, 1e-12);
  EXPECT_LE(run.steps, 1000);
}

// A box that slides and spins on its four lower corners comes to rest in both at one instant. Which corner carries how much is not unique, and the motion depends on it a little;
// all of its kinetic energy is lost in any case.
TEST(SlowSliding, ABoxThatSlidesAndSpinsStopsOnFourCorners) {
  const std::string text =
      "[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = 2\ninertia = [0.041, 0.034, 0.051]\nposition = "
      "[0, 0, 0.13]\n"
      "velocity = [0.58, -0.36, 0]\nangular_velocity = [0, 0, -2]\n[[body.box]]\nsize = [0.36, 0.42, 0.26]\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"*\", \"*\"]\nfriction = 0.1\n";
  const test::EventRun run =
      test::run_events(test::scene_from(text + "[run]\nintegrator = \"event-driven\"\nuntil = 1.2\n"), 1e-10);
  const auto stops = run.of(kSlipToStick);
  ASSERT_EQ(stops.size(), 1u) << run.list();
  EXPECT_EQ(stops[0].before(), "~~~~oooo");
  EXPECT_EQ(stops[0].after(), "ssssoooo");
  EXPECT_LE(run.end.u.norm(), 1e-12);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.5 * 2.0 * (0.58 * 0.58 + 0.36 * 0.36) + 0.5 * 0.051 * 4.0, 1e-9);
  const RunSummary rule = test::run(test::scene_from(text + "[run]\nintegrator = \"moreau\"\ndt = 1e-4\nuntil = 1.2\n"));
  EXPECT_LE((run.end.q - rule.final_state.q).cwiseAbs().maxCoeff(), 0.02);
}

}  // namespace tippe::hybrid_slow_sliding_test
