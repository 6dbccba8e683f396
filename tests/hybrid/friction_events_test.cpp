// SPDX-License-Identifier: Apache-2.0
// Sticking, slipping and lifting off without impacts: closed forms.
#include <fmt/format.h>

#include "support/events.h"

namespace tippe::hybrid_friction_events_test {

using enum EventKind;

Scene belt(std::vector<std::string> settings, const std::string& until) {
  return test::load("belt", {.settings = std::move(settings), .integrator = {}, .dt = {}, .until = until});
}
constexpr double kBeltFriction = 0.5 * 9.81, kStiffness = 100.0, kBeltSpeed = 0.2, kFrequency = 10.0;
constexpr double kOnset = kBeltFriction / kStiffness;  // m   where the spring pulls as friction holds

// From rest x = x_s (1 - cos(w t)) until the speed of the belt, then with it to x_s. With Coulomb's friction alone it swings about x_s from then
// on, x' = v cos(w s): it touches the speed of the belt once a period and does not stick, as the spring pulls harder than friction holds.
TEST(BeltEvents, CoulombFrictionSticksOnceAndSwingsForEver) {
  const test::EventRun run = test::run_events(belt({"c=0"}, "10"));
  EXPECT_EQ(run.start, "-");
  ASSERT_GE(run.instants.size(), 2u) << run.list();
  const double stick = std::asin(kBeltSpeed / (kOnset * kFrequency)) / kFrequency;
  const double slip = stick + kOnset * std::cos(kFrequency * stick) / kBeltSpeed;
  EXPECT_NEAR(run.instants[0].t(), stick, 1e-12);
  EXPECT_EQ(run.instants[0].kind(), kSlipToStick);
  EXPECT_NEAR(run.instants[1].t(), slip, 1e-12);
  EXPECT_EQ(run.instants[1].kind(), kStickToSlip);
  for (size_t k = 2; k < run.instants.size(); ++k) EXPECT_EQ(run.instants[k].after(), "-") << run.list();
  EXPECT_NEAR(run.end.q[0], kOnset + kBeltSpeed / kFrequency * std::sin(kFrequency * (10.0 - slip)), 1e-10);
  EXPECT_NEAR(run.end.u[0], kBeltSpeed * std::cos(kFrequency * (10.0 - slip)), 1e-9);
  test::expect_exact(run);
}

// With friction that falls with the slip, z = x - x_e obeys z'' - 2 d z' + w0^2 z = 0 and z'' = 0 at the onset: the speed is
// v exp(d s) (cos(w s) - d/w sin(w s)). It is v again after s; the rest of the period it rides. Roots in 34 digits.
TEST(BeltEvents, FallingFrictionGivesAPeriod) {
  const test::EventRun run = test::run_events(belt({}, "5"));
  const double stick = 0.043869482137085412, slip = 0.26715416241646998, slips = 0.52667194025784209,
               rides = 0.14701177891867141;
  std::vector<test::ExpectedEvent> expected = {{stick, kSlipToStick, "-", "s"}, {slip, kStickToSlip, "s", "-"}};
  for (double t = slip; t + slips < 5.0; t += slips + rides) {
    expected.push_back({t + slips, kSlipToStick, "-", "s"});
    if (t + slips + rides < 5.0) expected.push_back({t + slips + rides, kStickToSlip, "s", "-"});
  }
  EXPECT_EQ(expected.size(), 16u);
  test::expect_events(run, expected, 1e-12);
  for (const test::EventInstant& instant : run.of(kStickToSlip)) EXPECT_NEAR(instant.state.q[0], kOnset, 1e-13);
  test::expect_exact(run);
}

// A dry-friction oscillator that is let go: each half period takes 2 F/k off its amplitude, until the spring is weaker than friction.
TEST(BeltEvents, OnAFixedBeltAmplitudesFallByTwiceTheOnset) {
  const test::EventRun run = test::run_events(belt({"c=0", "v=0", "x0=0.23"}, "3"));
  test::expect_events(run, {{M_PI / kFrequency, kSlipReversal, "-", "+"}, {2 * M_PI / kFrequency, kSlipToStick, "+", "s"}},
                      1e-12);
  EXPECT_NEAR(run.end.q[0], 0.23 - 4.0 * kOnset, 1e-13);
  EXPECT_EQ(run.end.u[0], 0.0);
  EXPECT_NEAR(run.energy.lost_in_contacts, 50.0 * (0.23 * 0.23 - 0.0338 * 0.0338), 1e-12);
  test::expect_exact(run);
}

// A block on a shaken plate: it slips where A w^2 sin(w t) exceeds mu g, and is caught where the two speeds meet, cos(p) - cos(w t) =
// e (w t - p) with p the phase of the onset (a root in 34 digits); the same half a period later to the other side.
TEST(ShakenBlockEvents, SlipsAndSticksTwiceAPeriod) {
  const test::EventRun run = test::run_events(test::load("shaken_block"));
  EXPECT_EQ(run.start, "s");
  const double slip = std::asin(0.3 * 9.81 / 5.0) / 10.0, stick = 0.35571486534582148, half = M_PI / 10.0;
  std::vector<test::ExpectedEvent> expected;
  for (int k = 0; slip + k * half < 2.0; ++k) {
    const std::string direction = k % 2 == 0 ? "+" : "-";
    expected.push_back({slip + k * half, kStickToSlip, "s", direction});
    if (stick + k * half < 2.0) expected.push_back({stick + k * half, kSlipToStick, direction, "s"});
  }
  test::expect_events(run, expected, 1e-12);
  // Friction's force times the way on the plate, for the slips that are over.
  const double each = 0.3 * 2.0 * 9.81 * 0.041821978237757576;
  EXPECT_GE(run.energy.lost_in_contacts, 5.0 * each - 1e-11);
  EXPECT_LE(run.energy.lost_in_contacts, 7.0 * each + 1e-11);
  test::expect_exact(run);
}

// Where the plate is faster the block's speed is a triangle between -V and V, V = mu g pi/(2 w), and meets the plate's twice a period.
TEST(ShakenBlockEvents, SlidesToAndFroWithoutRest) {
  Scene scene = test::load("shaken_block", {.settings = {"mu=0.1"}, .integrator = {}, .dt = {}, .until = "3"});
  const double top = 0.1 * 9.81 * M_PI / 20.0, meets = std::acos(top / 0.5) / 10.0;
  scene.start.t = meets;
  scene.start.u[0] = top;
  const test::EventRun run = test::run_events(scene);
  std::vector<test::ExpectedEvent> expected;
  for (int k = 1; meets + k * M_PI / 10.0 < 3.0; ++k)
    expected.push_back({meets + k * M_PI / 10.0, kSlipReversal, k % 2 == 1 ? "+" : "-", k % 2 == 1 ? "-" : "+"});
  ASSERT_EQ(expected.size(), 9u);
  test::expect_events(run, expected, 1e-12);
  test::expect_exact(run);
}

// Painleve's rod with mu below its critical value. Times in 34-digit arithmetic.
TEST(PainleveRodEvents, SlidesSticksAndFallsFlat) {
  const test::EventRun run = test::run_events(test::load("painleve_rod"));
  EXPECT_EQ(run.start, "-o");
  ASSERT_GE(run.instants.size(), 3u) << run.list();
  const std::vector<test::EventInstant> first(run.instants.begin(), run.instants.begin() + 3);
  test::expect_times(first, {0.0770983788346032194, 1.33818578959064906, 1.67503659159596884}, 1e-11);
  EXPECT_EQ(first[0].after(), "so");
  EXPECT_EQ(first[1].after(), "-o");
  EXPECT_EQ(first[2].kind(), kImpact);
  EXPECT_EQ(first[2].after(), "ss");
  EXPECT_NEAR(first[2].lost(), 70.9394887829201, 1e-9);
  const Eigen::VectorXd& impulse = first[2].events.front().impulse;
  ASSERT_EQ(impulse.size(), 4);
  EXPECT_NEAR(impulse[0], 5.70090129411133, 1e-10);
  EXPECT_NEAR(impulse[2], 11.4018025882227, 1e-10);
  EXPECT_NEAR(impulse[1] + impulse[3], 5.96939074907297, 1e-10);  // their shares are not determined
  EXPECT_NEAR(run.end.q[0], -3.61069620389971869, 1e-10);
  EXPECT_NEAR(run.end.q[2], M_PI, 1e-11);
  EXPECT_LE(run.end.u.norm(), 1e-12);
  test::expect_exact(run);
}

// With mu = 2 sliding would need a force of -36.8 N, and without a force the tip would sink: an impact without collision makes it stick. By hand,
// G = (8 -6; -6 17)/15 and G Lambda = (0, 4): impulses 3.6 and 4.8 N s within the cone, u = (-2.4, 1.2, 1.2), 4.8 times 4/2 = 9.6 J lost.
TEST(PainleveRodEvents, StopsByAnImpactWithoutCollision) {
  const test::EventRun run =
      test::run_events(test::load("painleve_rod", {.settings = {"mu=2"}, .integrator = {}, .dt = {}, .until = {}}));
  ASSERT_GE(run.instants.size(), 3u) << run.list();
  const test::EventInstant& jam = run.instants[0];
  EXPECT_EQ(jam.kind(), kImpact);
  EXPECT_EQ(jam.t(), 0.0);
  EXPECT_NEAR(jam.events.front().impulse[0], 3.6, 1e-12);
  EXPECT_NEAR(jam.events.front().impulse[1], 4.8, 1e-12);
  EXPECT_NEAR(jam.lost(), 9.6, 1e-12);
  EXPECT_LE((jam.state.u - Eigen::Vector3d(-2.4, 1.2, 1.2)).norm(), 1e-12);
  EXPECT_EQ(jam.after(), "so");
  EXPECT_FALSE(jam.events.front().note.empty());
  EXPECT_NEAR(run.instants[1].t(), 1.24051888961942095, 1e-11);
  EXPECT_NEAR(run.instants[2].t(), 1.55757956076825397, 1e-11);
  EXPECT_NEAR(run.instants[2].lost(), 71.4490092003927, 1e-9);
  EXPECT_NEAR(run.end.q[0], -3.42396347403542026, 1e-10);
  test::expect_exact(run);
}

// A light mass on a stiff spring, and two clutches that slip. One sticks, and changes all accelerations; the other goes on with the slip that it has,
// however small that is beside the largest accelerations: s0 = 0.088 y' + 0.118 x' falls at a rate that Newton's law of the two masses gives.
TEST(SlipEvents, ASlipGoesOnWhenAnotherLawSticks) {
  const Scene scene = test::scene_from(R"scene(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "1.137e-6*x'^2 + 0.694*y'^2"
potential = "6.246*x - 0.036*y + 41.719*(x - y)^2"
[[dry_friction]]
name = "d0"
velocity = "0.088*y' + 0.118*x'"
limit = 6.569
[[dry_friction]]
name = "d1"
velocity = "0.717*y' - 0.84*x'"
limit = 4.667
[initial]
"x'" = -0.366
"y'" = 0.039
[run]
dt = 1e-4
until = 0.02
)scene");
  const test::EventRun run = test::run_events(scene);
  ASSERT_EQ(run.instants.size(), 3u) << run.list();
  const test::EventInstant &sticks = run.instants[1], &reverses = run.instants[2];
  EXPECT_EQ(sticks.kind(), kSlipToStick);
  EXPECT_EQ(sticks.after(), "+s");
  // From now on x' = r y', and s0 = s y'.
  const double r = 0.717 / 0.84, s = 0.088 + 0.118 * r;
  const double slip = s * sticks.state.u[1], mass = 2.0 * (0.694 + 1.137e-6 * r * r);
  EXPECT_NEAR(slip, 0.0069, 1e-4);
  const double x = sticks.state.q[0], y = sticks.state.q[1], stretched = 2.0 * 41.719 * (x - y);
  const double rate = s * ((-6.246 - stretched) * r + 0.036 + stretched - 6.569 * s) / mass;
  EXPECT_EQ(reverses.kind(), kSlipReversal);
  EXPECT_EQ(reverses.after(), "-s");
  EXPECT_NEAR(reverses.t() - sticks.t(), -slip / rate, 1e-3 * reverses.t());  // the spring changes by that much
  EXPECT_GT(run.energy.lost_in_contacts, 0.0);
  test::expect_exact(run);
}

// Two bodies that know nothing of each other: one swings, slowly and for long, the other one slides to rest after v^2 m/(2 F) at v m/F. What the first
// one's polynomial does far beyond its step is no size of anything.
TEST(SlipEvents, ASlowBodyHidesNoStopOfAnother) {
  for (const double m : {1e-4, 1e-2, 1.0, 20.0}) {
    for (const double F : {1.0, 100.0}) {
      for (const double k : {4.0, 40.0}) {
        for (const double swing : {-1.45, 0.1}) {
          for (const bool contact : {false, true}) {
            SCOPED_TRACE(fmt::format("m = {}, F = {}, k = {}, swing = {}, contact = {}", m, F, k, swing, contact));
            const double v = 0.01;
            const std::string law =
                contact ? fmt::format("[[contact]]\nname = \"floor\"\ngap = \"y\"\nslip = \"z'\"\nfriction = {}\n", F)
                        : fmt::format("[[dry_friction]]\nname = \"pad\"\nvelocity = \"z'\"\nlimit = {}\n", F);
            const test::EventRun run = test::run_events(test::scene_from(fmt::format(
                "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"10*x'^2 + 0.5*{0}*(y'^2 + z'^2)\"\n"
                "potential = \"x + 0.5*{1}*x^2 + y\"\n{2}[initial]\n\"x'\" = {3}\n\"z'\" = {4}\n[run]\ndt = 1e-4\nuntil = "
                "0.5\n",
                m, k, law, swing, v)));
            const double stop = v * m / F;
            if (stop < 0.5) {
              ASSERT_EQ(run.instants.size(), 1u) << run.list();
              EXPECT_NEAR(run.instants[0].t(), stop, 1e-12);
              EXPECT_NEAR(run.end.q[2], 0.5 * v * stop, 1e-14);
              EXPECT_EQ(run.end.u[2], 0.0);
              EXPECT_NEAR(run.energy.lost_in_contacts, 0.5 * m * v * v, 1e-12);
            } else {
              EXPECT_TRUE(run.instants.empty()) << run.list();
            }
            EXPECT_LE(std::abs(run.energy.unexplained()), 1e-11 * run.energy.scale);
          }
        }
      }
    }
  }
}

// A gap whose gradient vanishes where it closes: no force can act, which is no reason to crash.
TEST(SlipEvents, RowsThatVanishCarryNothing) {
  for (const char* law :
       {"[[contact]]\nname = \"c\"\ngap = \"max(y, 0)\"\n", "[[one_way]]\nname = \"c\"\nvelocity = \"(y - 0.1)*y'\"\n",
        "[[contact]]\nname = \"c\"\ngap = \"y^2\"\n"}) {
    const Scene scene = test::scene_from(
        std::string("[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n") + law +
        "[initial]\ny = 0.2\n[run]\nintegrator = \"event-driven\"\nuntil = 0.6\n");
    const RunSummary summary = test::run(scene);
    EXPECT_TRUE(summary.status != RunStatus::kOk || std::isfinite(summary.final_state.q[0])) << law;
    if (summary.status != RunStatus::kOk) {
      EXPECT_FALSE(summary.message.empty());
    }
  }
}

}  // namespace tippe::hybrid_friction_events_test
