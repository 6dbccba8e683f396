// SPDX-License-Identifier: Apache-2.0
// Impacts between smooth pieces, their accumulation, and moving supports, with closed forms or references in 34-digit arithmetic.
#include "support/events.h"

namespace tippe::hybrid_impact_events_test {

using enum EventKind;

// Moeller, section 6.1, in closed form between the events: both masses on the spring, or the heavy one in free fall above the light one,
// which rings with 20,000 rad/s. The first of each pair of impacts throws the light mass down, and it comes back at once.
TEST(OscillatorEvents, SeventeenImpactsInASecond) {
  const test::EventRun run = test::run_events(test::load("oscillator"));
  test::expect_times(
      run.of(kImpact),
      {0.0451524282507449008, 0.152210050727238298, 0.152330382243598556, 0.259308758739920937, 0.259428857433155771,
       0.366398520003461979, 0.366515765611218077, 0.473477885118348861, 0.473589603209874037, 0.580545557449352415,
       0.580648977992877865, 0.687600404480083754, 0.687692560839572096, 0.794641413199275189, 0.794719020711796222,
       0.901667621718902473, 0.901727023011108393},
      1e-12);
  test::expect_times(
      run.of(kLiftOff),
      {0.0619642005066718030, 0.169071837329802955, 0.276170531251875704, 0.383258710767186915, 0.490335031125257095,
       0.597398379261883122, 0.704447815070814111, 0.811482482742045792, 0.918501532984893900},
      1e-12);
  const std::vector<test::EventInstant> impacts = run.of(kImpact);
  for (size_t k = 0; k < impacts.size(); ++k) EXPECT_EQ(impacts[k].after(), k % 2 == 0 ? "c" : "o") << k;
  ASSERT_FALSE(impacts.empty());
  EXPECT_NEAR(impacts[0].events.front().impulse[0], 4.433852703972392e-4, 1e-15);
  EXPECT_NEAR(impacts[0].lost(), 9.83050785275167e-5, 1e-15);
  EXPECT_NEAR(run.end.q[0], 0.103474131536451908, 1e-12);
  EXPECT_NEAR(run.end.q[1], 0.10001089171669163, 1e-12);
  EXPECT_NEAR(run.end.u[0], -0.357121798073366057, 1e-10);
  EXPECT_NEAR(run.end.u[1], -0.384750499579312410, 1e-8);  // 20,000 rad/s times the error of a position
  test::expect_exact(run);
}

// Moeller, section 6.2. A change of the start by 1e-13 moves the events after 6 s by 3e-11, and grows on.
TEST(DoublePendulumEvents, NineteenImpactsInTenSeconds) {
  const test::EventRun run = test::run_events(test::load("double_pendulum"), 1e-14);
  const std::vector<test::EventInstant> impacts = run.of(kImpact);
  test::expect_times(
      impacts,
      {0.929564413664770777, 1.16995897126750849, 1.71548199536509072, 2.51938034430941129, 2.57027617871029624,
       3.285232580103639, 3.37120562458668384, 3.83486937005072928, 4.25330437700600271, 4.32599149053712107,
       4.88747796859419343, 5.3395476776713158, 5.96371450908458515, 6.11546853272835352, 7.0828044009834966,
       8.18488481853152351, 9.13999689716955929, 9.33241935367935309, 9.90451703074421238},
      1e-9);
  ASSERT_EQ(impacts.size(), 19u);
  const std::vector<int> masses = {0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0};  // upper, lower
  for (size_t k = 0; k < masses.size(); ++k) EXPECT_EQ(impacts[k].events.front().laws, (std::vector<int>{masses[k]})) << k;
  EXPECT_EQ(run.instants.size(), 19u) << run.list();
  EXPECT_NEAR(run.energy.final, 3.125, 1e-11);  // 2 m l^2 a'^2 + m l^2 a'^2/2, and the impacts are elastic
  test::expect_exact(run);
}

// Impacts at t0, then after 2 epsilon^k t0 each, t0 = sqrt(2 h/g): infinitely many until t0 (1 + epsilon)/(1 - epsilon).
TEST(BouncingBallEvents, ThroughTheAccumulationAndToRest) {
  const double t0 = std::sqrt(2.0 / 9.81);
  for (const double epsilon : {0.1, 0.5, 0.9}) {
    SCOPED_TRACE(epsilon);
    Scene scene = test::load(
        "bouncing_ball", {.settings = {"epsilon=" + std::to_string(epsilon)}, .integrator = {}, .dt = {}, .until = "20"});
    const test::EventRun run = test::run_events(scene);
    const std::vector<test::EventInstant> impacts = run.of(kImpact), limits = run.of(kAccumulation);
    ASSERT_GE(impacts.size(), 3u) << run.list();
    double t = t0, wait = 2.0 * t0, speed = 9.81 * t0;
    for (const test::EventInstant& impact : impacts) {
      EXPECT_NEAR(impact.t(), t, 1e-12 * std::max(1.0, t));
      EXPECT_NEAR(impact.lost(), 0.5 * speed * speed * (1.0 - epsilon * epsilon), 1e-11);
      EXPECT_NEAR(impact.events.front().impulse[0], (1.0 + epsilon) * speed, 1e-11);
      wait *= epsilon;
      speed *= epsilon;
      t += wait;
    }
    ASSERT_EQ(limits.size(), 1u) << run.list();
    EXPECT_NEAR(limits[0].t(), t0 * (1.0 + epsilon) / (1.0 - epsilon), 1e-11);
    EXPECT_EQ(limits[0].after(), "c");
    double lost = limits[0].lost();
    for (const test::EventInstant& impact : impacts) lost += impact.lost();
    EXPECT_NEAR(lost, 9.81, 1e-8);                      // m g h, all of it, by the impacts before and the rest
    EXPECT_EQ(run.instants.back().t(), limits[0].t());  // then nothing more
    EXPECT_NEAR(run.end.q[0], 0.0, 1e-15);
    EXPECT_EQ(run.end.u[0], 0.0);
    EXPECT_NEAR(run.energy.lost_in_contacts, 9.81, 1e-11);
    test::expect_exact(run);
  }
}

// On a table that is lifted with the acceleration a the ball falls relative to it with g + a. Once it rests it is lifted too.
TEST(BouncingBallEvents, OnATableThatIsLifted) {
  const test::EventRun run = test::run_events(test::scene_from(
      "[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n[[contact]]\nname = \"table\"\n"
      "gap = \"y - t^2\"\nrestitution = 0.5\n[initial]\ny = 1\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 2\n"));
  const double t0 = std::sqrt(2.0 / 11.81);
  const std::vector<test::EventInstant> impacts = run.of(kImpact), limits = run.of(kAccumulation);
  ASSERT_GE(impacts.size(), 3u) << run.list();
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(impacts[k].t(), t0 * (3.0 - 2.0 * std::pow(0.5, k)), 1e-12);
  ASSERT_EQ(limits.size(), 1u) << run.list();
  EXPECT_NEAR(limits[0].t(), 3.0 * t0, 1e-11);
  EXPECT_NEAR(run.end.q[0], 4.0, 1e-12);
  EXPECT_NEAR(run.end.u[0], 4.0, 1e-12);
  EXPECT_GT(run.energy.work_done, 9.81 * 3.0 + 8.0);  // and what was lost in impacts
  test::expect_exact(run);
}

// A ball without restitution on a table A sin(w t): it is thrown off where A w^2 sin(w t) = g, lands where the parabola meets the table again
// (a root in 34 digits), and rides until the next period.
TEST(BouncingBallEvents, OnAVibratingTable) {
  const test::EventRun run = test::run_events(test::scene_from(
      "[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n[[contact]]\nname = \"table\"\n"
      "gap = \"y - 0.02*sin(30*t)\"\n[initial]\n\"y'\" = 0.6\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 1\n"));
  EXPECT_EQ(run.start, "c");
  const double off = std::asin(9.81 / 18.0) / 30.0, on = 0.16446063259160435565, period = 2.0 * M_PI / 30.0;
  std::vector<test::ExpectedEvent> expected;
  for (int k = 0; k < 5; ++k) {
    if (off + k * period < 1.0) expected.push_back({off + k * period, kLiftOff, "c", "o"});
    if (on + k * period < 1.0) expected.push_back({on + k * period, kImpact, "o", "c"});
  }
  test::expect_events(run, expected, 1e-12);
  for (const test::EventInstant& impact : run.of(kImpact)) EXPECT_NEAR(impact.lost(), 0.55502899621533548, 1e-12);
  test::expect_exact(run);
}

// Housner's block: the angular momentum about the corner that hits is kept, omega+ = (1 - 3/2 sin^2(atan(L/l))) omega- = 0.85 omega-, the
// other corner lifts off, and neither slips. Times by quadrature of the rocking about one corner, in 34 digits.
TEST(RockingBlockEvents, TipsRocksAndStandsAgain) {
  const test::EventRun run = test::run_events(test::load("rocking_block"));
  EXPECT_EQ(run.start, "ss");
  const std::vector<test::EventInstant> lift_offs = run.of(kLiftOff), impacts = run.of(kImpact),
                                        limits = run.of(kAccumulation);
  ASSERT_EQ(lift_offs.size(), 1u) << run.list();
  EXPECT_NEAR(lift_offs[0].t(), 0.5 / M_PI * std::asin(3 * 9.81 * 0.4 / (1.2 * 16.0)), 1e-12);
  EXPECT_EQ(lift_offs[0].after(), "so");
  const std::vector<double> times = {1.14458339373090937, 1.7218603725650227, 2.1695308125852364, 2.5300801754761942,
                                     2.8261779603400993,  3.0721472232158802, 3.2779584675056785, 3.4509922366803293,
                                     3.5969407807618432,  3.7203199053344602, 3.8247835434041769, 3.9133298159619548};
  ASSERT_GE(impacts.size(), times.size()) << run.list();
  for (size_t k = 0; k < times.size(); ++k) {
    EXPECT_NEAR(impacts[k].t(), times[k], 1e-11) << k;
    EXPECT_NEAR(impacts[k].lost(), 0.207292233275657 * std::pow(0.85, 2.0 * static_cast<double>(k)), 1e-11) << k;
    EXPECT_EQ(impacts[k].after(), k % 2 == 0 ? "os" : "so") << k;
  }
  ASSERT_EQ(limits.size(), 1u) << run.list();
  EXPECT_NEAR(limits[0].t(), 4.4125044738799944, 1e-9);
  EXPECT_EQ(limits[0].after(), "ss");
  EXPECT_NEAR(run.energy.lost_in_contacts, 0.207292233275657 / (1.0 - 0.7225), 1e-11);
  EXPECT_NEAR(run.end.q[2], 0.0, 1e-14);
  EXPECT_LE(run.end.u.norm(), 1e-14);
  EXPECT_TRUE(run.of(kStickToSlip).empty());
  test::expect_exact(run);
}

// Slip and gap are coupled by the mass matrix more than friction allows: contacts that slide would have to pull at the limit. Normal velocities
// obey v+ = -e v- whatever friction does, with y'' = -10/0.36 in flight; friction takes the rest of the 0.125 + 1 J, and all stands still.
TEST(BouncingEvents, FrictionThatIsCoupledWithTheNormalStopsAtTheLimit) {
  const Scene scene = test::scene_from(R"scene([lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2 + 0.8*x'*y'"
potential = "10*y"
[[contact]]
name = "floor"
gap = "y"
slip = "x'"
friction = 2
restitution = 0.7
restitution_tangential = 1
[initial]
y = 0.1
"x'" = -0.5
[run]
integrator = "event-driven"
until = 1
)scene");
  const test::EventRun run = test::run_events(scene);
  const std::vector<test::EventInstant> limits = run.of(kAccumulation);
  ASSERT_EQ(limits.size(), 1u) << run.list();
  EXPECT_NEAR(limits[0].t(), std::sqrt(0.2 * 0.36 / 10.0) * 1.7 / 0.3, 1e-9);
  EXPECT_NEAR(run.energy.lost_in_contacts, 1.125, 1e-11);
  EXPECT_LE(run.end.u.norm(), 1e-12);
}

// Normal impulses of the compression that are zero but for round-off load no friction, in units in which round-off is large, too.
TEST(PoissonsImpact, RoundOffOfItsCompressionDoesNotPull) {
  Scene scene = test::scene_from(R"scene([world]
gravity = [78982.96017365713,-3320432.039527209,-9810000.0]
[[body]]
name = "b"
mass = 1
inertia = [20000000000.0,20000000000.0,20000000000.0]
position = [0,0,100000.0]
velocity = [922305.841157107,970565.3285538425,0]
angular_velocity = [0,0,-1.9698511422441172]
[[body.box]]
size = [400000.0,400000.0,200000.0]
[[plane]]
name = "fl"
normal = [0,0,1]
[[contact_law]]
between = ["*","*"]
friction = 5
restitution = 0.4
[initial]
t = 0.0

[run]
impact_law = "poisson"
dt = 0.001
until = 0.4
)scene");
  scene.run.integrator = "event-driven";
  scene.run.until = 0.05;
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
}

}  // namespace tippe::hybrid_impact_events_test
