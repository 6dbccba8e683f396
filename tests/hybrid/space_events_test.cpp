// SPDX-License-Identifier: Apache-2.0
// Friction with two tangents: stopping, rolling and slipping in space, in closed form.
#include "support/events.h"

namespace tippe::hybrid_space_events_test {

using enum EventKind;

// t1 = 2 (v + r w)/(7 mu g); friction has no moment about the lowest point, so that it rolls with (5 v - 2 r w)/7 = 4/7 m/s. Of 0.76 J it
// keeps 0.7 m (4/7)^2.
TEST(SpaceEvents, ABallBeginsToRoll) {
  const test::EventRun run = test::run_events(test::load("rolling_ball"));
  EXPECT_EQ(run.start, "~");
  const double rolls = 2.0 * 5.0 / (7.0 * 0.2 * 9.81), speed = 4.0 / 7.0;
  test::expect_events(run, {{rolls, kSlipToStick, "~", "s"}}, 1e-11);
  const double way = 0.5 * (2.0 + speed) * rolls + speed * (1.0 - rolls);
  EXPECT_NEAR(run.end.q[0], way, 1e-10);
  EXPECT_NEAR(run.end.q[1], 0.0, 1e-12);
  EXPECT_NEAR(run.end.u[0], speed, 1e-11);
  EXPECT_NEAR(run.end.u[4], speed / 0.03, 1e-9);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.76 - 0.7 * 0.2 * speed * speed, 1e-11);
  test::expect_exact(run);
}

/// On a slope of the angle a, x and y in it and z along its normal; downhill is (0.8, 0.6).
Scene slope(const std::string& mu, double vx, double vy, double until) {
  return test::scene_from(
      fmt::format("[parameters]\nm = 2\ng = 9.81\na = 0.3\nmu = \"{}\"\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\n"
                  "kinetic = \"0.5*m*(x'^2 + y'^2 + z'^2)\"\npotential = \"m*g*(z*cos(a) - (0.8*x + 0.6*y)*sin(a))\"\n"
                  "[[contact]]\nname = \"slope\"\ngap = \"z\"\nslip = [\"x'\", \"y'\"]\nfriction = \"mu\"\n"
                  "[initial]\n\"x'\" = {}\n\"y'\" = {}\n[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = {}\n",
                  mu, vx, vy, until));
}

// Straight down with v = 1.5 m/s against b = g (mu cos(a) - sin(a)): stops after v/b and v^2/(2 b).
TEST(SpaceEvents, APointStopsOnASlope) {
  const test::EventRun run = test::run_events(slope("0.5", 1.2, 0.9, 2.0));
  EXPECT_EQ(run.start, "~");
  const double braking = 9.81 * (0.5 * std::cos(0.3) - std::sin(0.3)), way = 1.5 * 1.5 / (2.0 * braking);
  test::expect_events(run, {{1.5 / braking, kSlipToStick, "~", "s"}}, 1e-11);
  EXPECT_LE((run.end.q - way * Eigen::Vector3d(0.8, 0.6, 0.0)).norm(), 1e-11);
  EXPECT_LE(run.end.u.norm(), 1e-12);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.5 * 2.0 * 9.81 * std::cos(0.3) * way, 1e-10);
  test::expect_exact(run);
}

// With mu = tan(a) the speed falls as fast as its part downhill grows: their sum stays. Pushed off level with 1 m/s the point turns downhill.
TEST(SpaceEvents, APointTurnsDownhill) {
  const test::EventRun run = test::run_events(slope("tan(a)", -0.6, 0.8, 3.0));
  EXPECT_TRUE(run.instants.empty()) << run.list();
  const double downhill = 0.8 * run.end.u[0] + 0.6 * run.end.u[1];
  EXPECT_NEAR(run.end.u.norm() + downhill, 1.0, 1e-11);
  EXPECT_GT(downhill, 0.4);
  test::expect_exact(run);
}

// Four legs with a load beside the middle slip together when the push is mu (m g + load) = 55.24 N, from then on with 11 x'' = 60 (t - t1).
TEST(SpaceEvents, ATableOnFourLegsSlips) {
  const test::EventRun run = test::run_events(test::load("four_legged_table"), 1e-10);
  EXPECT_EQ(run.start, "cssss");
  const auto slips = run.of(kStickToSlip);
  ASSERT_EQ(slips.size(), 1u) << run.list();
  const double onset = (0.4 * (98.1 + 40.0) - 30.0) / 60.0;
  EXPECT_NEAR(slips[0].t(), onset, 1e-8);
  EXPECT_EQ(slips[0].after(), "c~~~~");
  EXPECT_NEAR(run.end.u[0], 30.0 / 11.0 * (0.8 - onset) * (0.8 - onset), 1e-7);
}

/// A plate of 2 kg on feet, pushed with 2 t N.
Scene plate_on(int feet) {
  std::string spheres;
  for (int k = 0; k < feet; ++k) {
    const double angle = 2.0 * M_PI * k / feet;
    spheres += fmt::format("[[body.sphere]]\nname = \"foot{}\"\nradius = 0.01\ncenter = [{}, {}, -0.09]\n", k + 1,
                           0.1 * std::cos(angle), 0.1 * std::sin(angle));
  }
  return test::scene_from(
      "[world]\ngravity = [0, 0, -10]\n[[body]]\nname = \"plate\"\nmass = 2\ninertia = [0.02, 0.02, 0.02]\n"
      "position = [0, 0, 0.1]\n" +
      spheres + "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[force]]\non = \"plate\"\nforce = [\"2*t\", 0, 0]\n" +
      "[[contact_law]]\nbetween = [\"plate\", \"floor\"]\nfriction = { static = 0.4, kinetic = 0.3 }\n" +
      "[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = 5\n");
}

// They slip at 8 N. Which other modes would go on is searched for two feet at the most, and every event says so.
TEST(SpaceEvents, SayUpToHowManyContactsOtherModesAreSearched) {
  const test::EventRun three = test::run_events(plate_on(3), 1e-8);
  const auto slips = three.of(kStickToSlip);
  ASSERT_EQ(slips.size(), 1u) << three.list();
  EXPECT_NEAR(slips[0].t(), 4.0, 1e-5);
  EXPECT_FALSE(slips[0].events.front().alternatives.has_value());
  EXPECT_EQ(slips[0].events.front().note, "3 contacts in space may stick or slide, and others are searched for up to 2");
}

// The motion leaves the loads of four legs one number free. A choice of it that fits at the beginning of a run, but not later, pulls at a leg.
TEST(SpaceEvents, LegsOfATablePushWithinTheirCones) {
  const Scene scene = test::load("four_legged_table");
  const auto integrator = find_integrator("event-driven")->make(*scene.system, {});
  State state = scene.start, within;
  constexpr double kMu = 0.4, kLeg = (10.0 * 9.81 + 40.0) / 4.0, kDt = 0.02;
  double weakest = kLeg, least_reserve = kLeg;
  int looked_at = 0;
  while (state.t < 0.8) {
    const double begin = state.t;
    ASSERT_TRUE(integrator->step(state, std::min(kDt, 0.8 - state.t)).ok());
    if (!(state.t > begin)) continue;
    const LawStep& laws = integrator->last_laws();
    for (int leg = 1; leg <= 4; ++leg, ++looked_at) {
      const Eigen::Vector3d force = laws.impulse.segment(laws.first_row[static_cast<size_t>(leg)], 3) / (state.t - begin);
      weakest = std::min(weakest, force[0]);
      least_reserve = std::min(least_reserve, kMu * force[0] - force.tail(2).norm());
    }
  }
  EXPECT_GT(looked_at, 160);
  EXPECT_GT(weakest, 0.0);
  EXPECT_GE(least_reserve, -1e-7 * kLeg);  // while they slide all friction is used
}

/// 1 kg on a floor with friction along one of two tangents only.
Scene rails(const std::string& friction, double px, double py, double vx, double vy, double z, double restitution) {
  return test::scene_from(fmt::format(
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\npotential = \"10*z\"\n"
      "[lagrangian.forces]\nx = {}\ny = {}\n[[contact]]\nname = \"floor\"\ngap = \"z\"\nslip = [\"x'\", \"y'\"]\n"
      "friction = {}\nrestitution = {}\n[initial]\n\"x'\" = {}\n\"y'\" = {}\nz = {}\n"
      "[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = 1\n",
      px, py, friction, restitution, vx, vy, z));
}

// Along the other tangent nothing holds: y = F t^2/2. Friction 3 N holds 2 N, and brakes a push of 5 N to 2 m/s^2.
TEST(SpaceEvents, FrictionAlongOneTangentHoldsNotTheOther) {
  const test::EventRun holds = test::run_events(rails("[0.3, 0]", 2, 1, 0, 0, 0, 0));
  EXPECT_EQ(holds.start, "s");
  EXPECT_EQ(holds.end.q[0], 0.0);
  EXPECT_NEAR(holds.end.q[1], 0.5, 1e-12);
  const test::EventRun slides = test::run_events(rails("[0.3, 0]", 5, 1, 0, 0, 0, 0));
  EXPECT_EQ(slides.start, "~");
  EXPECT_NEAR(slides.end.q[0], 1.0, 1e-12);
  EXPECT_NEAR(slides.end.q[1], 0.5, 1e-12);
  const test::EventRun other = test::run_events(rails("[0, 0.3]", 1, 2, 0, 0, 0, 0));
  EXPECT_EQ(other.start, "s");
  EXPECT_NEAR(other.end.q[0], 0.5, 1e-12);
  EXPECT_EQ(other.end.q[1], 0.0);
  test::expect_exact(holds);
  test::expect_exact(slides);
  test::expect_exact(other);
}

// It stops along x after v/(mu g) = 1/3 s and v^2/(2 mu g) = 1/6 m, and goes on along y.
TEST(SpaceEvents, FrictionAlongOneTangentStopsOnlyThat) {
  const test::EventRun run = test::run_events(rails("[0.3, 0]", 0, 0, 1, -2, 0, 0));
  test::expect_events(run, {{1.0 / 3.0, kSlipToStick, "~", "s"}}, 1e-11);
  EXPECT_NEAR(run.end.q[0], 1.0 / 6.0, 1e-11);
  EXPECT_NEAR(run.end.q[1], -2.0, 1e-12);
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.5, 1e-12);
  test::expect_exact(run);
}

// Falls 0.05 m in 0.1 s and bounces with 0.5: at rest after 0.3 s, until when all normal impulses are the weight times 0.3 s. Friction takes 0.3 times that from
// x', and the rest of it in the sliding that follows; y' stays through all impacts.
TEST(SpaceEvents, BouncesKeepTheSpeedAlongATangentWithoutFriction) {
  const test::EventRun run = test::run_events(rails("[0.3, 0]", 0, 0, 2, 1, 0.05, 0.5));
  ASSERT_EQ(run.of(kAccumulation).size(), 1u) << run.list();
  EXPECT_NEAR(run.of(kAccumulation)[0].t(), 0.3, 1e-11);
  const double at_rest = 2.0 - 0.3 * 10.0 * 0.3;  // the mean normal force until then is the weight
  EXPECT_NEAR(run.of(kAccumulation)[0].state.u[0], at_rest, 1e-8);
  EXPECT_EQ(run.instants.back().kind(), kSlipToStick);
  EXPECT_NEAR(run.instants.back().t(), 0.3 + at_rest / 3.0, 1e-8);
  EXPECT_NEAR(run.end.u[0], 0.0, 1e-12);
  EXPECT_NEAR(run.end.u[1], 1.0, 1e-12);
  EXPECT_NEAR(run.end.q[1], 1.0, 1e-12);
  test::expect_exact(run);
}

// A box of 0.4 x 0.4 x 0.2 m lies on a slope that falls by 1/2 along both of its axes, tan = sqrt(1/2), and slides down along its diagonal: its lowest corner and
// the opposite one carry all, the two others share what is left, nothing. From rest g (sin - mu cos) t^2/2.
TEST(SpaceEvents, ABoxSlidesDownAlongItsDiagonal) {
  const double size = std::sqrt(1.5), angle = std::atan(std::sqrt(0.5)), mu = 0.3;
  const Scene scene = test::scene_from(fmt::format(
      "[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = 2\ninertia = [0.03, 0.03, 0.05]\n"
      "position = [{0:.17g}, {0:.17g}, {1:.17g}]\norientation = {{ axis = [1, -1, 0], angle = {2:.17g} }}\n"
      "[[body.box]]\nsize = [0.4, 0.4, 0.2]\n[[plane]]\nname = \"slope\"\nnormal = [-0.5, -0.5, 1]\npoint = [0, 0, 0]\n"
      "[[contact_law]]\nbetween = [\"*\", \"*\"]\nfriction = {3}\n[run]\nintegrator = \"event-driven\"\nuntil = 1\n",
      -0.05 / size, 0.1 / size, angle, mu));
  const test::EventRun run = test::run_events(scene, 1e-12);
  EXPECT_EQ(run.start, "~~~~oooo");
  EXPECT_TRUE(run.instants.empty()) << run.list();
  const double way = 0.5 * 9.81 * (std::sin(angle) - mu * std::cos(angle));
  const Eigen::Vector3d downhill =
      Eigen::Vector3d(-std::cos(angle) / std::sqrt(2.0), -std::cos(angle) / std::sqrt(2.0), -std::sin(angle));
  EXPECT_LE((run.end.q.head<3>() - scene.start.q.head<3>() - way * downhill).norm(), 1e-11);
  test::expect_exact(run);
}

// A box that tilts about an edge which sticks, and falls back: at the top its velocities vanish, and it must not be held there. Rolling
// about the edge the centre is at a = sqrt(b^2 + h^2) from it, and a'' follows from the energy: what the planar box does.
TEST(SpaceEvents, ABoxThatTiltsFallsBack) {
  const std::string run = "[run]\nintegrator = \"event-driven\"\nuntil = 0.05\n";
  const RunSummary space = test::run(
      test::scene_from("[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [0.05, 0.04, "
                       "0.03]\nposition = [0, 0, 0.1]\n"
                       "velocity = [0, 0.05, 0.075]\nangular_velocity = [-0.5, 0, 0]\n[[body.box]]\nsize = [0.5, 0.3, "
                       "0.2]\n[[plane]]\nname = "
                       "\"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"b\", \"floor\"]\nfriction = 0.8\n" +
                       run));
  ASSERT_EQ(space.status, RunStatus::kOk) << space.message;
  EXPECT_LE(std::abs(space.energy.unexplained()), 1e-11 * space.energy.scale);
  // In the plane: the angle about the edge alone, without contacts. J = 0.05 + b^2 + h^2, V = g (h cos + b sin) with the angle upwards.
  const RunSummary plane = test::run(test::scene_from(
      "[lagrangian]\ncoordinates = [\"p\"]\nkinetic = \"0.5*(0.05 + 0.15^2 + 0.1^2)*p'^2\"\npotential = \"9.81*(0.1*cos(p) "
      "+ "
      "0.15*sin(p))\"\n[initial]\n\"p'\" = 0.5\n[run]\nintegrator = \"dopri5\"\ntolerance = 1e-12\nuntil = 0.05\n"));
  EXPECT_NEAR(space.final_state.u[3], -plane.final_state.u[0], 1e-9);
}

// Beside a box whose four sticking corners share its weight in many ways, a sledge of 10 N is lifted by 20 N/s t: it leaves at 0.5 s, with what friction of 0.1 (10 - 20 t) N/kg left
// of 3 m/s. That the corners share says nothing of the sledge.
TEST(SpaceEvents, ALiftOffBesideContactsThatShareTheirLoad) {
  const test::EventRun run = test::run_events(test::scene_from(
      "[world]\ngravity = [0, 0, -10]\n[[body]]\nname = \"box\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [0, 0, "
      "0.1]\n[[body.box]]\nsize = [0.3, 0.4, 0.2]\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, "
      "1]\n[[contact_law]]\nbetween "
      "= [\"*\", \"*\"]\nfriction = 0.5\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*(x'^2 + y'^2 + "
      "z'^2)\"\npotential = \"10*z\"\n[lagrangian.forces]\nz = \"20*t\"\n[[contact]]\nname = \"sledge\"\ngap = \"z\"\nslip "
      "= "
      "[\"x'\", \"y'\"]\nfriction = 0.1\n[initial]\n\"x'\" = 3\n[run]\nintegrator = \"event-driven\"\nuntil = 1\n"));
  const auto departures = run.of(kLiftOff);
  ASSERT_EQ(departures.size(), 1u) << run.list();
  EXPECT_NEAR(departures[0].t(), 0.5, 1e-9);
  EXPECT_NEAR((run.end.u.array() - 2.75).abs().minCoeff(), 0.0, 1e-9);
  EXPECT_NEAR((run.end.u.array() - 2.5).abs().minCoeff(), 0.0, 1e-8);  // it rises with 10 (t - 0.5)^2
}

// The forces of MotionModes.OtherMotionsThatFrictionInSpaceAllowsAreFound: the tip may open, stick or slide.
TEST(SpaceEvents, AMotionThatFrictionLeavesOpenIsTold) {
  const std::string text =
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\n"
      "potential = \"-0.1*x - 0.92/0.6*y\"\n"
      "[[contact]]\nname = \"tip\"\ngap = \"x\"\nslip = [\"0.8*x' + 0.6*y'\", \"z'\"]\nfriction = 2\n"
      "[run]\nintegrator = \"event-driven\"\nuntil = 0.1\n";
  const Scene scene = test::scene_from(text);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings[0].find("several contact modes are consistent"), std::string::npos) << summary.warnings[0];
  RunOptions strict = scene.run;
  strict.integrator_options.stop_when_not_unique = true;
  EXPECT_EQ(simulate(*scene.system, scene.start, strict).status, RunStatus::kFailed);
}

// Four spheres fall into a box. At 0.23948 s one of them is pushed against a wall that then carries nothing, and falls along it from rest: it slides the way that it falls.
TEST(SpaceEvents, FourSpheresFallAndOneSlidesAlongAWallWithoutAForce) {
  std::string text = "[world]\ngravity = [0, 0, -9.81]\n";
  for (const char* place : {"0.0235, 0.0258, 0.06", "-0.0012, -0.0191, 0.17", "-0.04, 0.013, 0.28", "-0.0024, 0.0208, 0.39"})
    text += fmt::format(
        "[[body]]\nname = \"s{}\"\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [{}]\n[[body.sphere]]\nradius = "
        "0.05\n",
        text.size(), place);
  for (const auto& [normal, point] :
       {std::array{"1, 0, 0", "-0.1, 0, 0"}, std::array{"-1, 0, 0", "0.1, 0, 0"}, std::array{"0, 1, 0", "0, -0.1, 0"},
        std::array{"0, -1, 0", "0, 0.1, 0"}, std::array{"0, 0, 1", "0, 0, 0"}})
    text += fmt::format("[[plane]]\nname = \"p{}\"\nnormal = [{}]\npoint = [{}]\n", text.size(), normal, point);
  text += "[[contact_law]]\nbetween = [\"*\", \"*\"]\nfriction = 0.2\n[run]\nintegrator = \"event-driven\"\nuntil = 0.245\n";
  const RunSummary run = test::run(test::scene_from(text));
  ASSERT_EQ(run.status, RunStatus::kOk) << run.message;
  EXPECT_LE(std::abs(run.energy.unexplained()), 1e-9 * run.energy.scale);
}

}  // namespace tippe::hybrid_space_events_test
