// SPDX-License-Identifier: Apache-2.0
// Johnson (18)-(20): forces, gaps and friction that leave zero with a high power of the time, or with none.
#include "support/events.h"
#include "tippe/study/list_modes.h"

namespace tippe::hybrid_trending_test {

using enum EventKind;

/// A block of 1 kg and 10 N on a floor with mu = 0.5, pushed with 5 N + `more`, from the clock `begin` on.
Scene pushed(const std::string& more, double begin = 0.0) {
  return test::scene_from(fmt::format(
      "[parameters]\nt0 = {0:.17g}\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n"
      "potential = \"10*y\"\n[lagrangian.forces]\nx = \"5 + {1}\"\n[[contact]]\nname = \"floor\"\ngap = \"y\"\n"
      "slip = \"x'\"\nfriction = 0.5\n[initial]\nt = \"t0\"\n[run]\nintegrator = \"event-driven\"\ndt = 0.01\n"
      "until = \"t0 + 1\"\n",
      begin, more));
}

ConsistentMode the_mode(const Scene& scene, std::string* note = nullptr) {
  const ModesReport report = list_modes(*scene.system, scene.start, {});
  EXPECT_FALSE(report.impact.has_value());
  EXPECT_EQ(report.motion->list.unique(), true) << report.motion->list.note;
  EXPECT_EQ(report.motion->list.modes.size(), 1u);
  if (note != nullptr) *note = report.motion->list.note;
  return report.motion->list.modes.empty() ? ConsistentMode{} : report.motion->list.modes[0];
}

// Friction is at its limit at t = 0 for all p: x'' = t^p, so that at t = 1 the speed is 1/(p + 1) and the way 1/((p + 1)(p + 2)). Up to the
// 16th order derivatives tell, of the slip one more than of the force; beyond, and for powers without derivatives, a simulation.
TEST(Trending, APushThatGrowsWithAHighPowerSlides) {
  for (const auto& [power, simulated] :
       std::vector<std::pair<double, bool>>{{1, false}, {5, false}, {7, false}, {12, false}, {20, true}, {7.5, true}}) {
    SCOPED_TRACE(power);
    const Scene scene = pushed(fmt::format("t^{}", power));
    std::string note;
    const ConsistentMode mode = the_mode(scene, &note);
    EXPECT_EQ(mode.contacts, std::vector{ContactMode::kSlideForward});
    EXPECT_TRUE(mode.ties.empty());
    ASSERT_EQ(mode.trending.size(), 1u);
    EXPECT_EQ(mode.trending[0].sign, 1);
    EXPECT_EQ(mode.trending[0].of, Trend::Of::kSlip);
    if (!simulated) {
      EXPECT_EQ(mode.trending[0].order, static_cast<int>(power) + 1);
      EXPECT_EQ(mode.trending[0].after, 0.0);
      EXPECT_EQ(note, "");
    } else {
      EXPECT_GT(mode.trending[0].after, 0.0);
      EXPECT_NE(note.find("of simulation decide"), std::string::npos) << note;
    }
    if (power == 7.5) continue;  // event-driven needs derivatives
    const test::EventRun run = test::run_events(scene);
    EXPECT_EQ(run.start, "+");
    EXPECT_NEAR(run.end.u[0], 1.0 / (power + 1.0), 1e-10) << run.list();
    EXPECT_NEAR(run.end.q[0], 1.0 / ((power + 1.0) * (power + 2.0)), 1e-10);
  }
}

TEST(Trending, APushThatFallsWithAHighPowerSticks) {
  for (const double power : {1.0, 7.0, 20.0, 7.5}) {
    SCOPED_TRACE(power);
    const Scene scene = pushed(fmt::format("-t^{}", power));
    const ConsistentMode mode = the_mode(scene);
    EXPECT_EQ(mode.contacts, std::vector{ContactMode::kStick});
    EXPECT_EQ(mode.trending[0].of, Trend::Of::kReserve);
    EXPECT_EQ(mode.trending[0].sign, 1);
    if (power == 7.5) continue;
    const test::EventRun run = test::run_events(scene);
    EXPECT_EQ(run.start, "s");
    EXPECT_TRUE(run.instants.empty()) << run.list();
    EXPECT_NEAR(run.end.q[0], 0.0, 1e-15);
  }
}

/// A block of 2 kg on a floor with mu = 0.5, with a force beside those that balance: "x" pushes it when friction is at its limit, in space along (0.6, 0.8), "y" lifts it
/// when its weight is carried.
Scene loaded(const std::string& more, const std::string& along, bool in_space = false) {
  const std::string z = in_space ? "\"x\", \"z\", \"y\"" : "\"x\", \"y\"";
  std::string forces = along == "y" ? fmt::format("y = \"m*g + {}\"\n", more) : "";
  if (along == "x" && !in_space) forces = fmt::format("x = \"0.5*m*g + {}\"\n", more);
  if (along == "x" && in_space) forces = fmt::format("x = \"0.6*(0.5*m*g + {0})\"\nz = \"0.8*(0.5*m*g + {0})\"\n", more);
  return test::scene_from(
      fmt::format("[parameters]\nm = 2\ng = 9.81\n[lagrangian]\ncoordinates = [{}]\nkinetic = \"0.5*m*(x'^2 + y'^2{})\"\n"
                  "potential = \"m*g*y\"\n[lagrangian.forces]\n{}[[contact]]\nname = \"floor\"\ngap = \"y\"\n"
                  "slip = {}\nfriction = 0.5\n[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = 1\n",
                  z, in_space ? " + z'^2" : "", forces, in_space ? "[\"x'\", \"z'\"]" : "\"x'\""));
}

// x'' = t^p / m from rest: at t = 1 the speed is 1/(m (p + 1)), the way 1/(m (p + 1)(p + 2)), and the energy explained to round-off of the work. Beyond the order of
// the polynomials of a step nothing of it is seen at t = 0.
TEST(Trending, PushesOfAnyPowerSlideAndTheBooksBalance) {
  for (const bool in_space : {false, true}) {
    for (const int power : {8, 9, 11, 12, 13, 14, 15, 16, 17, 20, 30, 64}) {
      SCOPED_TRACE(fmt::format("{} {}", in_space, power));
      const test::EventRun run = test::run_events(loaded(fmt::format("t^{}", power), "x", in_space));
      EXPECT_EQ(run.start, in_space ? "~" : "+");
      EXPECT_TRUE(run.instants.empty()) << run.list();
      const double speed = 0.5 / (power + 1), share = in_space ? 0.6 : 1.0;
      EXPECT_NEAR(run.end.u[0], share * speed, 1e-10);
      EXPECT_NEAR(run.end.q[0], share * speed / (power + 2), 1e-10);
      EXPECT_NEAR(run.energy.unexplained(), 0.0, 1e-11);
      const test::EventRun held = test::run_events(loaded(fmt::format("-t^{}", power), "x", in_space));
      EXPECT_EQ(held.start, "s");
      EXPECT_TRUE(held.instants.empty()) << held.list();
      EXPECT_NEAR(held.end.q[0], 0.0, 1e-15);
    }
  }
}

TEST(Trending, GapsThatForcesOfAnyPowerOpen) {
  for (const int power : {1, 8, 9, 12, 14, 15, 16, 17, 20, 30, 64}) {
    SCOPED_TRACE(power);
    const test::EventRun run = test::run_events(loaded(fmt::format("t^{}", power), "y"));
    EXPECT_EQ(run.start, "o");
    EXPECT_TRUE(run.instants.empty()) << run.list();
    EXPECT_NEAR(run.end.u[1], 0.5 / (power + 1), 1e-12);
    EXPECT_NEAR(run.end.q[1], 0.5 / (power + 1) / (power + 2), 1e-12);
    EXPECT_NEAR(run.energy.unexplained(), 0.0, 1e-11);
    const test::EventRun held = test::run_events(loaded(fmt::format("-t^{}", power), "y"));
    EXPECT_EQ(held.start, "s");
    EXPECT_TRUE(held.instants.empty()) << held.list();
    EXPECT_NEAR(held.end.q[1], 0.0, 1e-15);
  }
}

// A pad that holds a growing force: the energies are round-off of the work that it takes, 1e-35 J of 1e-19 J, and nothing is unexplained.
TEST(Trending, APadThatHoldsExplainsItsRoundOff) {
  const RunSummary summary = test::run(test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*0.3*x'^2\"\n[lagrangian.forces]\nx = \"3 - t^17\"\n"
      "[[dry_friction]]\nname = \"pad\"\nvelocity = \"x'\"\nlimit = 3\n[run]\nintegrator = \"event-driven\"\n"
      "dt = 0.001\nuntil = 1\n"));
  EXPECT_EQ(summary.status, RunStatus::kOk);
  for (const std::string& warning : summary.warnings) EXPECT_EQ(warning.find("unexplained"), std::string::npos) << warning;
}

// The square of its friction has powers beyond the polynomials of a step. Friction reaches its other limit where 1e6 t^12 = 2 mu m g.
TEST(Trending, FrictionInSpaceReachesItsOtherLimitWithAHighPower) {
  const test::EventRun run = test::run_events(loaded("-1e6*t^12", "x", true));
  EXPECT_EQ(run.start, "s");
  ASSERT_EQ(run.instants.size(), 1u) << run.list();
  EXPECT_EQ(run.instants[0].kind(), kStickToSlip);
  EXPECT_NEAR(run.instants[0].t(), std::pow(2.0 * 9.81 * 1e-6, 1.0 / 12.0), 1e-10);
}

// Nothing changes: the reserve is zero for good, which is sticking, Johnson (23); that no derivative says so is said.
TEST(Trending, AFrictionReserveThatStaysZeroIsATie) {
  const Scene scene = pushed("0*t");
  std::string note;
  const ConsistentMode mode = the_mode(scene, &note);
  EXPECT_EQ(mode.contacts, std::vector{ContactMode::kStick});
  EXPECT_EQ(mode.ties, std::vector<int>{0});
  EXPECT_EQ(mode.trending[0].of, Trend::Of::kReserve);
  EXPECT_EQ(mode.trending[0].sign, 0);
  EXPECT_NE(note.find("'floor' is undecided: derivatives up to the 16th are zero"), std::string::npos) << note;
  EXPECT_NE(note.find("taken as sticking"), std::string::npos) << note;
  EXPECT_EQ(test::run_events(scene).end.q[0], 0.0);
}

// Far from t = 0 the clock knows only 1e-10 s.
TEST(Trending, TheClockDoesNotMatter) {
  const Scene scene = pushed("(t - t0)^7", 1e6);
  EXPECT_EQ(the_mode(scene).contacts, std::vector{ContactMode::kSlideForward});
  EXPECT_NEAR(test::run_events(scene).end.u[0], 1.0 / 8.0, 1e-8);
}

/// Johnson, Fig. 1, with any power: a = s x^n + 2^n y, without a load, and a particle that goes along y = 0 from x0.
Scene figure(int s, int n, double x0) {
  Scene scene = test::scene_from(fmt::format(
      "[parameters]\ns = {0}\nn = {1}\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n"
      "[[contact]]\nname = \"curve\"\ngap = \"s*x^n + 2^n*y\"\nrestitution = 0\n[initial]\nx = {2}\n\"x'\" = 1\n"
      "[run]\nintegrator = \"event-driven\"\ndt = 0.01\nuntil = 1\n",
      s, n, x0));
  scene.run.until = 1.0 - x0;
  return scene;
}

// It leaves for s > 0, whatever the power, and flies along y = 0. For s < 0 the curve turns it: it stays, and keeps its energy.
TEST(Trending, ACurveOfHighOrderIsLeftOrFollowed) {
  for (const int n : {2, 3, 6, 7, 8, 11, 16}) {
    SCOPED_TRACE(n);
    const ConsistentMode leaves = the_mode(figure(1, n, 0.0)), stays = the_mode(figure(-1, n, 0.0));
    EXPECT_EQ(leaves.contacts, std::vector{ContactMode::kOpen});
    EXPECT_EQ(leaves.trending[0].order, n);
    EXPECT_EQ(stays.contacts, std::vector{ContactMode::kClosed});
    EXPECT_EQ(stays.trending[0].order, n - 2);  // the force is that of the acceleration of the gap
    const test::EventRun flight = test::run_events(figure(1, n, 0.0));
    EXPECT_EQ(flight.start, "o");
    EXPECT_TRUE(flight.instants.empty()) << flight.list();
    EXPECT_NEAR(flight.end.q[0], 1.0, 1e-13);
    EXPECT_EQ(flight.end.q[1], 0.0);
    const test::EventRun along = test::run_events(figure(-1, n, 0.0));
    EXPECT_EQ(along.start, "c");
    EXPECT_NEAR(along.end.q[1], std::pow(along.end.q[0] / 2.0, n), 1e-12);
    EXPECT_NEAR(along.end.u.squaredNorm(), 1.0, 1e-11);
  }
}

// It comes along y = 0 and grazes the curve at x = 0. Even powers and s > 0: it goes on as if nothing were there. Odd powers and s < 0: it
// follows the curve from there on.
TEST(Trending, GrazingOfHighOrderIsPassed) {
  for (const int n : {2, 4, 6, 7, 8, 9}) {
    SCOPED_TRACE(n);
    const test::EventRun run = test::run_events(figure(n % 2 == 0 ? 1 : -1, n, -1.0));
    EXPECT_EQ(run.start, "o");
    EXPECT_NEAR(run.end.t, 2.0, 1e-13);
    EXPECT_NEAR(run.end.u.squaredNorm(), 1.0, 1e-9);
    if (n % 2 == 0) {
      EXPECT_NEAR(run.end.q[0], 1.0, 1e-9);
      EXPECT_NEAR(run.end.q[1], 0.0, 1e-9);
    } else {
      EXPECT_NEAR(run.end.q[1], std::pow(run.end.q[0] / 2.0, n), 1e-9);
    }
  }
}

}  // namespace tippe::hybrid_trending_test
