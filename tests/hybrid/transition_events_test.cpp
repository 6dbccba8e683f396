// SPDX-License-Identifier: Apache-2.0
// Transitions of every kind, one at a time, in closed form: redundancy, touching, clutches, dry friction, kinks, outcomes that are not unique.
#include "support/events.h"

namespace tippe::hybrid_transition_events_test {

using enum EventKind;

/// Parameters as lines, and what stands in the tables from [lagrangian] to [initial].
Scene scene_of(const std::string& parameters, const std::string& body, double until) {
  return test::scene_from(fmt::format("[parameters]\n{}\n{}\n[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = {}\n",
                                      parameters, body, until));
}

std::vector<std::string> kinds(const test::EventInstant& instant) {
  std::vector<std::string> names;
  for (const Event& event : instant.events) names.emplace_back(name_of(event.kind));
  return names;
}

// A block of 2 kg on two corners, its centre at the height 0.25 m half way between them, 1 m apart; g = 10 m/s2, mu = 0.5: friction carries 10 N.
// Pulled with 4 t N at its centre it slides on from 1 m/s with x' = 1 - 5 t + t^2, stops at (5 - sqrt(21))/2 and slips again when the pull is
// 10 N, with x' = (t - 2.5)^2. It would tip at 40 N. At rest two normals and two tangents hold three coordinates.
TEST(RedundancyEvents, ABlockStopsAndSlipsAgain) {
  const test::EventRun run = test::run_events(scene_of(
      "h = 0.25\nb = 0.5\nmu = 0.5",
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"a\"]\nkinetic = \"x'^2 + y'^2 + 0.1*a'^2\"\npotential = \"20*y\"\n"
      "[lagrangian.forces]\nx = \"4*t\"\n"
      "[[contact]]\nname = \"right\"\ngap = \"y + b*sin(a) - h*cos(a)\"\n"
      "slip = \"x' + (h*cos(a) - b*sin(a))*a'\"\nfriction = \"mu\"\n"
      "[[contact]]\nname = \"left\"\ngap = \"y - b*sin(a) - h*cos(a)\"\n"
      "slip = \"x' + (h*cos(a) + b*sin(a))*a'\"\nfriction = \"mu\"\n"
      "[initial]\ny = \"h\"\n\"x'\" = 1\n",
      3.5));
  EXPECT_EQ(run.start, "++");
  const double stop = (5.0 - std::sqrt(21.0)) / 2.0, slip = 2.5;
  test::expect_events(run, {{stop, kSlipToStick, "++", "ss"}, {slip, kStickToSlip, "ss", "++"}}, 1e-12);
  ASSERT_EQ(run.instants.size(), 2u);
  EXPECT_EQ(kinds(run.instants[0]), (std::vector<std::string>{"slip to stick", "redundancy change"}));
  EXPECT_EQ(kinds(run.instants[1]), (std::vector<std::string>{"stick to slip", "redundancy change"}));
  EXPECT_EQ(run.instants[0].events[1].note, "4 rows hold, 3 of them independent: forces are not unique");
  EXPECT_EQ(run.instants[1].events[1].note, "all rows that hold are independent: forces are unique");
  EXPECT_EQ(run.instants[0].events[0].laws, (std::vector<int>{0, 1}));
  const double way = stop - 2.5 * stop * stop + stop * stop * stop / 3.0 + 1.0 / 3.0;
  EXPECT_NEAR(run.end.q[0], way, 1e-12);
  EXPECT_NEAR(run.end.u[0], 1.0, 1e-12);
  EXPECT_NEAR(run.energy.lost_in_contacts, 10.0 * way, 1e-11);
  test::expect_exact(run);
}

// 2 kg slide straight on with 1 m/s against a pull of 16 N and friction of 10 N, stop after 1/13 s and turn back with 3 m/s^2: on a floor in space, and on a pad
// in a plane. In space the mode is the same before and after.
TEST(SlipEvents, SlidingStraightInSpaceTurnsBack) {
  const std::string motion =
      "[lagrangian]\ncoordinates = [\"x\", \"z\", \"y\"]\nkinetic = \"x'^2 + y'^2 + z'^2\"\npotential = \"20*y\"\n"
      "[lagrangian.forces]\nx = \"-16*0.6\"\nz = \"-16*0.8\"\n";
  const std::string initial = "[initial]\n\"x'\" = 0.6\n\"z'\" = 0.8\n";
  for (const std::string law :
       {"[[contact]]\nname = \"floor\"\ngap = \"y\"\nslip = [\"x'\", \"z'\"]\nfriction = \"mu\"\n",
        "[[bilateral]]\nname = \"floor\"\nposition = \"y\"\n[[dry_friction]]\nname = \"pad\"\nvelocity = [\"x'\", \"z'\"]\n"
        "limit = 10\n"}) {
    const test::EventRun run = test::run_events(scene_of("mu = 0.5", motion + law + initial, 1.0));
    const double stop = 1.0 / 13.0;
    test::expect_events(run, {{stop, kSlipReversal, "~", "~"}}, 1e-12);
    EXPECT_NEAR(run.end.u[0], -0.6 * 3.0 * (1.0 - stop), 1e-11);
    EXPECT_NEAR(run.end.q[1], 0.8 * (0.5 * stop - 1.5 * std::pow(1.0 - stop, 2)), 1e-11);
    test::expect_exact(run);
  }
}

// A pad d on a belt that sticks by dry friction, beside a force of its slip d' + v by abs and sign, which is zero as long: it rides, d = -v t, and the mass on the
// spring swings about it, a = -v (t - sin(w t)/w) with w^2 = 4.7/20.
TEST(KinkEvents, ForcesOfASlipThatSticksStayZero) {
  for (const double v : {0.1, 0.3, 3.3}) {
    SCOPED_TRACE(v);
    const test::EventRun run = test::run_events(scene_of(
        fmt::format("v = {}", v),
        "[lagrangian]\ncoordinates = [\"a\", \"d\"]\nkinetic = \"10*a'^2 + 1.85*d'^2\"\npotential = \"2.35*(d - a)^2\"\n"
        "[lagrangian.forces]\nd = \"30*(1 - exp(-abs(d' + v)/0.5))*sign(d' + v)\"\n"
        "[[dry_friction]]\nname = \"pad\"\nvelocity = \"d' + v\"\nlimit = 100\n[initial]\n\"d'\" = \"-v\"\n",
        20.0));
    EXPECT_EQ(run.start, "s");
    EXPECT_TRUE(run.instants.empty()) << run.list();
    const double w = std::sqrt(4.7 / 20.0);
    EXPECT_NEAR(run.end.q[0], -v * (20.0 - std::sin(20.0 * w) / w), 1e-10);
    EXPECT_NEAR(run.end.q[1], -v * 20.0, 1e-11);
    test::expect_exact(run);
  }
}

// The same with a limit of 3 N, and a force that brakes, not drives: it sticks until the spring pulls harder, 4.7 v sin(w t)/w = 3 N, slips, and comes to stick again.
TEST(KinkEvents, ASlipWithAForceByAbsAndSignSticksAgain) {
  const test::EventRun run = test::run_events(scene_of(
      "v = 0.5",
      "[lagrangian]\ncoordinates = [\"a\", \"d\"]\nkinetic = \"10*a'^2 + 1.85*d'^2\"\npotential = \"2.35*(d - a)^2\"\n"
      "[lagrangian.forces]\nd = \"-30*(1 - exp(-abs(d' + v)/0.5))*sign(d' + v)\"\n"
      "[[dry_friction]]\nname = \"pad\"\nvelocity = \"d' + v\"\nlimit = 3\n[initial]\n\"d'\" = \"-v\"\n",
      20.0));
  const double w = std::sqrt(4.7 / 20.0);
  ASSERT_GE(run.instants.size(), 3u) << run.list();
  EXPECT_EQ(run.instants[0].kind(), kStickToSlip);
  EXPECT_NEAR(run.instants[0].t(), std::asin(3.0 * w / (4.7 * 0.5)) / w, 1e-11);
  EXPECT_EQ(run.instants[1].kind(), kSlipToStick) << run.list();
  EXPECT_EQ(run.instants[2].kind(), kStickToSlip) << run.list();
  for (const test::EventInstant& instant : run.instants) {
    if (instant.kind() != kStickToSlip) continue;
    EXPECT_NEAR(4.7 * std::abs(instant.state.q[1] - instant.state.q[0]), 3.0, 1e-10) << instant.t();
  }
  test::expect_exact(run);
}

/// Thrown up with 4 m/s where g = 8 m/s2: the top of the flight is 1 m high, after 0.5 s.
test::EventRun throw_under_ceiling(const std::string& height) {
  return test::run_events(
      scene_of("H = " + height,
               "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"8*y\"\n"
               "[[contact]]\nname = \"ceiling\"\ngap = \"H - y\"\nslip = \"x'\"\nfriction = 0.5\nrestitution = 0.5\n"
               "[initial]\n\"x'\" = 1\n\"y'\" = 4\n",
               1.0));
}

TEST(TouchEvents, AThrowThatJustReachesTheCeiling) {
  const test::EventRun run = throw_under_ceiling("1");
  test::expect_events(run, {{0.5, kTouch, "o", "o"}}, 1e-12);
  EXPECT_LE((run.end.q - Eigen::Vector2d(1.0, 0.0)).norm(), 1e-13);
  EXPECT_LE((run.end.u - Eigen::Vector2d(1.0, -4.0)).norm(), 1e-13);
  EXPECT_EQ(run.energy.lost_in_contacts, 0.0);
  test::expect_exact(run);
}

// A ceiling 1e-6 m lower is hit with sqrt(16 - 16 H) = 0.004 m/s at 0.5 - 0.0005 s. It comes down with 0.002 m/s, and friction's impulse, 0.5 times
// 0.006 N s, slows it along the ceiling: x' = 0.997.
TEST(TouchEvents, ACeilingSlightlyLowerIsHit) {
  const test::EventRun run = throw_under_ceiling("0.999999");
  ASSERT_EQ(run.instants.size(), 1u) << run.list();
  EXPECT_EQ(run.instants[0].kind(), kImpact);
  EXPECT_NEAR(run.instants[0].t(), 0.4995, 1e-12);
  EXPECT_EQ(run.instants[0].after(), "o");
  EXPECT_LE((run.instants[0].state.u - Eigen::Vector2d(0.997, -0.002)).norm(), 1e-11);
  EXPECT_NEAR(run.end.q[1], 0.999999 - 0.002 * 0.5005 - 4.0 * 0.5005 * 0.5005, 1e-11);
  test::expect_exact(run);
}

TEST(TouchEvents, ACeilingSlightlyHigherIsNot) {
  const test::EventRun run = throw_under_ceiling("1.000001");
  EXPECT_TRUE(run.instants.empty()) << run.list();
  EXPECT_LE((run.end.q - Eigen::Vector2d(1.0, 0.0)).norm(), 1e-13);
}

// Straight past a disc of radius 1 about (2, 1): sqrt((t - 2)^2 + 1) - 1 has a double root at 2.
TEST(TouchEvents, PastADisc) {
  const test::EventRun run = test::run_events(
      scene_of("r = 1",
               "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"0\"\n"
               "[[contact]]\nname = \"disc\"\ngap = \"sqrt((x - 2)^2 + (y - 1)^2) - r\"\nrestitution = 1\n"
               "[initial]\n\"x'\" = 1\n",
               4.5));
  test::expect_events(run, {{2.0, kTouch, "o", "o"}}, 1e-12);
  EXPECT_LE((run.end.q - Eigen::Vector2d(4.5, 0.0)).norm(), 1e-13);
}

Scene wheel_on_the_hill() {
  return test::load("wheel_hill", {.settings = {"mu=2.5"}, .integrator = "event-driven", .dt = {}, .until = "0.01"});
}

// mu > cot(theta/2) = 2.414: it may also jam. Rolling up with V = v (1 + 2 cos(theta))/3 it keeps 3/4 m V^2 of 3/4 m v^2, jammed nothing.
TEST(NotUniqueEvents, ContinueTakesTheOutcomeThatLosesLeast) {
  const Scene scene = wheel_on_the_hill();
  const test::EventRun run = test::run_events(scene);
  const auto impacts = run.of(kImpact);
  ASSERT_GE(impacts.size(), 1u) << run.list();
  const double rolling = (1.0 + std::sqrt(2.0)) / 3.0;
  EXPECT_EQ(impacts[0].t(), 0.0);
  EXPECT_EQ(impacts[0].events[0].alternatives, 1);
  EXPECT_FALSE(impacts[0].events[0].note.empty());
  EXPECT_NEAR(impacts[0].lost(), 1.5 * (1.0 - rolling * rolling), 1e-12);
  EXPECT_LE((impacts[0].state.u - rolling * Eigen::Vector3d(M_SQRT1_2, M_SQRT1_2, -1.0 / 0.3)).norm(), 1e-12);
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kOk);
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings[0].find("(first at t = 0)"), std::string::npos) << summary.warnings[0];
}

TEST(NotUniqueEvents, StopEndsTheRunThere) {
  Scene scene = wheel_on_the_hill();
  scene.run.integrator_options.stop_when_not_unique = true;
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NE(summary.message.find("2 outcomes: the motion is not unique"), std::string::npos) << summary.message;
  EXPECT_EQ(summary.final_state.t, 0.0);
}

// A motor (1 kg m2, torque 3 - t) behind a clutch that a load (2 kg m2, braked with 1 N m) overruns with 4 rad/s: 3 t - t^2/2 = 4 - t/2 catches it.
// Together they turn with (2 - t)/3, the clutch carries (7 - 2 t)/3, and lets go at 3.5 s.
TEST(ClutchEvents, CatchesWithoutAnImpulseAndLetsGo) {
  const Scene scene =
      scene_of("J = 1",
               "[lagrangian]\ncoordinates = [\"p\", \"w\"]\nkinetic = \"0.5*J*p'^2 + w'^2\"\npotential = \"0\"\n"
               "[lagrangian.forces]\np = \"3 - t\"\nw = -1\n[[one_way]]\nname = \"clutch\"\nvelocity = \"w' - p'\"\n"
               "[initial]\n\"w'\" = 4\n",
               5.0);
  const test::EventRun run = test::run_events(scene);
  EXPECT_EQ(run.start, "o");
  const double caught = 3.5 - std::sqrt(4.25), free = 3.5;
  test::expect_events(run, {{caught, kTouch, "o", "c"}, {free, kLiftOff, "c", "o"}}, 1e-12);
  const double impulse = (7.0 * (free - caught) - (free * free - caught * caught)) / 3.0;
  EXPECT_NEAR(run.end.u[0], 3.0 * 5.0 - 12.5 - impulse, 1e-12);
  EXPECT_NEAR(run.end.u[1], 4.0 + 0.5 * (impulse - 5.0), 1e-12);
  test::expect_exact(run);

  const auto integrator = find_integrator("event-driven")->make(*scene.system, scene.run.integrator_options);
  State state = scene.start;
  double sum = 0.0;
  while (state.t < 5.0) {
    ASSERT_TRUE(integrator->step(state, std::min(0.05, 5.0 - state.t)).ok());
    const double carried = integrator->last_laws().impulse[0];
    EXPECT_GE(carried, -1e-15) << state.t;
    sum += carried;
  }
  EXPECT_NEAR(sum, impulse, 1e-9);
}

// Den Hartog: with F/c = 0.1 m the amplitude falls by 0.2 m in each half period pi/2, from 1.05 to -0.05, where the spring is too weak. The way is
// 1.9 + 1.5 + 1.1 + 0.7 + 0.3 = 5.5 m.
TEST(DryFrictionEvents, SwingsOutInHalfPeriods) {
  const test::EventRun run =
      test::run_events(scene_of("m = 2\nc = 8\nF = 0.8",
                                "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*m*x'^2\"\npotential = \"0.5*c*x^2\"\n"
                                "[[dry_friction]]\nname = \"pad\"\nvelocity = \"x'\"\nlimit = \"F\"\n[initial]\nx = 1.05\n",
                                10.0));
  EXPECT_EQ(run.start, "-");
  const double half = M_PI / 2.0;
  test::expect_events(run,
                      {{half, kSlipReversal, "-", "+"},
                       {2 * half, kSlipReversal, "+", "-"},
                       {3 * half, kSlipReversal, "-", "+"},
                       {4 * half, kSlipReversal, "+", "-"},
                       {5 * half, kSlipToStick, "-", "s"}},
                      1e-12);
  EXPECT_NEAR(run.end.q[0], -0.05, 1e-13);
  EXPECT_EQ(run.end.u[0], 0.0);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.8 * 5.5, 1e-12);
  test::expect_exact(run);
}

// Mass 1 in the potential |x|, let go at a = 2: parabolas, period 4 sqrt(2 a) = 8. After 19 s it is 1 s past the middle of the third swing.
TEST(KinkEvents, AreNoEventsOfTheMotion) {
  const test::EventRun run = test::run_events(scene_of(
      "a = 2", "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"abs(x)\"\n[initial]\nx = \"a\"\n",
      19.0));
  EXPECT_TRUE(run.instants.empty()) << run.list();
  EXPECT_NEAR(run.end.q[0], -1.5, 1e-11);
  EXPECT_NEAR(run.end.u[0], -1.0, 1e-11);
  test::expect_exact(run);
}

// 8 |y| above a floor at y = 0 where the ball rebounds: it falls 1 m in 0.5 s, and the force has its kink where the impact is.
TEST(KinkEvents, AtTheInstantOfAnElasticImpact) {
  const test::EventRun run =
      test::run_events(scene_of("m = 1",
                                "[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*m*y'^2\"\npotential = \"8*m*abs(y)\"\n"
                                "[[contact]]\nname = \"floor\"\ngap = \"y\"\nrestitution = 1\n[initial]\ny = 1\n",
                                5.25));
  test::expect_events(run,
                      {{0.5, kImpact, "o", "o"},
                       {1.5, kImpact, "o", "o"},
                       {2.5, kImpact, "o", "o"},
                       {3.5, kImpact, "o", "o"},
                       {4.5, kImpact, "o", "o"}},
                      1e-12);
  EXPECT_NEAR(run.end.q[0], 0.75, 1e-11);
  EXPECT_NEAR(run.end.u[0], -2.0, 1e-11);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.0, 1e-12);
  test::expect_exact(run);
}

// From 1 m/s at rest after 1 s; from then on no branch of the sign goes on with itself.
TEST(KinkEvents, FrictionWrittenAsASignEndsWithAMessage) {
  const RunSummary summary =
      test::run(scene_of("F = 1",
                         "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0\"\n"
                         "[lagrangian.forces]\nx = \"-F*sign(x')\"\n[initial]\n\"x'\" = 1\n",
                         2.0));
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NE(summary.message.find("without progress in time"), std::string::npos) << summary.message;
  EXPECT_NEAR(summary.final_state.t, 1.0, 1e-9);
  EXPECT_NEAR(summary.final_state.q[0], 0.5, 1e-9);
}

}  // namespace tippe::hybrid_transition_events_test
