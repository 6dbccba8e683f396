// SPDX-License-Identifier: Apache-2.0
// The woodpecker of Moeller, section 6.4. It is linear in each of its modes; the expected values are from the power series of the exponential
// in 34-digit arithmetic, with the modes by enumeration.
#include <array>

#include "support/events.h"

namespace tippe::hybrid_woodpecker_events_test {

using enum EventKind;

// The sleeve starts 0.88 micrometres inside the pole and slides there: where it lifts off it is still inside, which is no impact.
TEST(WoodpeckerEvents, AreAllFoundAtTheirTimes) {
  const test::EventRun run = test::run_events(test::load("woodpecker"));
  EXPECT_EQ(run.start, "o-o");  // beak, sleeve top, sleeve bottom
  test::expect_events(run,
                      {
                          {0.0216492701670184, kSlipToStick, "o-o", "oso"}, {0.0612286867373417, kStickToSlip, "oso", "o-o"},
                          {0.0670385485726780, kLiftOff, "o-o", "ooo"},     {0.0779071939920452, kImpact, "ooo", "ooo"},
                          {0.0810134973842303, kImpact, "ooo", "ooo"},      {0.0815972400042020, kImpact, "ooo", "oo+"},
                          {0.0834416410373976, kLiftOff, "oo+", "ooo"},     {0.1186968336423514, kImpact, "ooo", "ooo"},
                          {0.1213489828652503, kImpact, "ooo", "o-o"},      {0.1674056033432424, kSlipToStick, "o-o", "oso"},
                          {0.2070155156272083, kStickToSlip, "oso", "o-o"}, {0.2128447846455002, kLiftOff, "o-o", "ooo"},
                          {0.2237603271875430, kImpact, "ooo", "ooo"},      {0.2268540656233912, kImpact, "ooo", "ooo"},
                          {0.2274280207829647, kImpact, "ooo", "oo+"},      {0.2292934045476232, kLiftOff, "oo+", "ooo"},
                          {0.2646044045932631, kImpact, "ooo", "ooo"},      {0.2673845074520467, kImpact, "ooo", "o-o"},
                          {0.3135550327083965, kSlipToStick, "o-o", "oso"}, {0.3531356965804170, kStickToSlip, "oso", "o-o"},
                          {0.3589493103005442, kLiftOff, "o-o", "ooo"},     {0.3698164834558840, kImpact, "ooo", "ooo"},
                          {0.3729239050242418, kImpact, "ooo", "ooo"},      {0.3735079062038200, kImpact, "ooo", "oo+"},
                          {0.3753538994721076, kLiftOff, "oo+", "ooo"},     {0.4106234942003718, kImpact, "ooo", "ooo"},
                          {0.4133090000985559, kImpact, "ooo", "o-o"},      {0.4593872184566524, kSlipToStick, "o-o", "oso"},
                          {0.4989913273494754, kStickToSlip, "oso", "o-o"},
                      },
                      1e-9);
  const Eigen::Vector3d q(-0.0626205106811543164, -0.103448275862068966, -0.187452231164496033);
  const Eigen::Vector3d u(-0.000860772119263557167, 0.0, 17.5069357181045942);
  EXPECT_LE((run.end.q - q).norm(), 1e-10) << run.end.q.transpose();
  EXPECT_LE((run.end.u - u).norm(), 1e-8) << run.end.u.transpose();
  EXPECT_LE(std::abs(run.energy.unexplained()), 1e-11 * run.energy.scale);
  EXPECT_NEAR(run.deepest, 0.88e-6, 1e-12);  // the printed start
}

TEST(WoodpeckerEvents, TellImpulsesAndLosses) {
  const std::vector<test::EventInstant> impacts = test::run_events(test::load("woodpecker")).of(kImpact);
  const std::vector<double> lost = {3.956146424736e-6, 9.65563464326e-5, 1.46781409499e-5, 8.90237883689e-6,
                                    1.04067873863e-6,  3.77992469546e-6, 9.56665946868e-5, 1.4539030565e-5,
                                    8.8575453715e-6,   1.15848739643e-6, 3.95759311101e-6, 9.63765959377e-5,
                                    1.46561314457e-5,  8.8864290295e-6,  1.06998160333e-6};
  ASSERT_EQ(impacts.size(), lost.size());
  for (size_t k = 0; k < lost.size(); ++k) {
    EXPECT_NEAR(impacts[k].lost(), lost[k], 1e-8 * lost[k]) << k;
    EXPECT_EQ(impacts[k].events.front().alternatives, 0) << k;  // by enumeration each impact has one outcome
  }
  const Event& bottom = impacts[0].events.front();
  EXPECT_EQ(bottom.laws, (std::vector<int>{2}));
  ASSERT_EQ(bottom.impulse.size(), 6);
  EXPECT_NEAR(bottom.impulse[4], 4.859255148288e-5, 1e-13);
  EXPECT_NEAR(bottom.impulse[5], 1.457776544486e-5, 1e-13);  // sliding: mu times the normal one
  EXPECT_EQ(impacts[1].events.front().laws, (std::vector<int>{0}));
}

/// The woodpecker where its sleeve begins to slip: the friction is at its limit, so that phi is known, and phi' is free.
Scene at_onset_of_slip(double bird_speed, const std::string& until) {
  Scene scene = test::load("woodpecker", {.settings = {}, .integrator = {}, .dt = {}, .until = until});
  scene.start.q = Eigen::Vector3d(0.0, -0.0006 / 0.0058, -0.20513534924352577);
  scene.start.u = Eigen::Vector3d(0.0, 0.0, bird_speed);
  return scene;
}
constexpr double kPeriod = 0.14597606514375183;
constexpr double kBirdSpeed = 17.574666205576078;  // rad/s   at the onset of slip on the cycle

test::EventInstant next_onset(double bird_speed) {
  for (const test::EventInstant& instant : test::run_events(at_onset_of_slip(bird_speed, "0.2")).instants)
    if (instant.kind() == kStickToSlip && instant.t() > 0.1) return instant;
  ADD_FAILURE() << "it does not slip again";
  return {};
}

// The limit cycle found by Newton's method on the return map in 34-digit arithmetic. Sticking forgets all but the bird's speed, so that the
// map has one multiplier other than 0.
TEST(WoodpeckerEvents, TheLimitCycleCloses) {
  const test::EventInstant onset = next_onset(kBirdSpeed);
  ASSERT_FALSE(onset.events.empty());
  EXPECT_NEAR(onset.t(), kPeriod, 1e-11);
  EXPECT_NEAR(onset.state.q[0], -0.019445379284716536, 1e-12);
  EXPECT_NEAR(onset.state.q[2], -0.20513534924352577, 1e-11);
  EXPECT_NEAR(onset.state.u[2], kBirdSpeed, 1e-9);
}

TEST(WoodpeckerEvents, TheLimitCycleHasItsMultiplier) {
  const double step = 1e-4;
  const test::EventInstant faster = next_onset(kBirdSpeed + step), slower = next_onset(kBirdSpeed - step);
  ASSERT_FALSE(faster.events.empty() || slower.events.empty());
  EXPECT_NEAR((faster.state.u[2] - slower.state.u[2]) / (2 * step), -0.83915565304758465, 1e-6);
}

}  // namespace tippe::hybrid_woodpecker_events_test
