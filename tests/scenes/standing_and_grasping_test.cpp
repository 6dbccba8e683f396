// SPDX-License-Identifier: Apache-2.0
// Scenes whose contacts stand, stick and grip: what is known of their motion, and that they start as the problems of instants/ say.
#include "support/examples.h"
#include "support/scenes.h"
#include "tippe/integrate/instant_of_system.h"

namespace tippe::scenes_standing_and_grasping_test {

State state_at(const std::string& name, const std::string& until, SceneOverrides overrides = {}) {
  overrides.until = until;
  const Scene scene = test::load(name, overrides);
  State last = scene.start;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) { last = state; });
  return last;
}

void expect_same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  if (a.size() == 0) return;
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-13 * (1.0 + b.cwiseAbs().maxCoeff())) << what << "\n" << a << "\n\n" << b;
}

void expect_same(const std::vector<ContactRows>& a, const std::vector<ContactRows>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    expect_same(a[i].normal, b[i].normal, "normal");
    expect_same(a[i].tangents, b[i].tangents, "tangents");
    expect_same(a[i].tangent_drift, b[i].tangent_drift, "drift of the tangents");
    EXPECT_NEAR(a[i].drift, b[i].drift, 1e-13);
    EXPECT_EQ(a[i].mu, b[i].mu);
    EXPECT_EQ(a[i].slides(), b[i].slides());
    if (a[i].slides()) expect_same(a[i].slip_direction(), b[i].slip_direction(), "slip");
  }
}

// The matrices of instants/ are the formulas of Brogliato B with the corrections; those of the scenes come from energies, gaps and slips.
TEST(StandingAndGrasping, ScenesStartAsTheProblemsGivenAsMatrices) {
  for (const auto& [scene_name, instant_name] : {std::pair{"block_pendulum", "block_with_pendulum"},
                                                 {"three_fingers", "three_fingers"},
                                                 {"two_fingers", "two_fingers_lifting"},
                                                 {"painleve_rod", "painleve_rod_unique"},
                                                 {"ladder", "ladder_slips"}}) {
    SCOPED_TRACE(scene_name);
    const Scene scene = test::load(scene_name);
    const Instant seen = instant_of(*scene.system, scene.start, {.closed_tolerance = 1e-12, .past = nullptr, .around = {}});
    const Instant given = test::load_example(instant_name);
    ASSERT_TRUE(seen.acceleration && given.acceleration);
    expect_same(seen.acceleration->M, given.acceleration->M, "M");
    expect_same(seen.acceleration->F, given.acceleration->F, "F");
    expect_same(seen.acceleration->unilateral, given.acceleration->unilateral);
    expect_same(seen.acceleration->bilateral, given.acceleration->bilateral);
  }
}

// It tips when P sin(pi t/T) l/2 exceeds m g L/2: after T/pi asin(9.81/16) = 0.1051 s. In the end it stands again.
TEST(StandingAndGrasping, BlockRocksOnceThePushExceedsItsWeight) {
  const State before = state_at("rocking_block", "0.105"), after = state_at("rocking_block", "0.12"),
              end = state_at("rocking_block", "5");
  EXPECT_LT(before.u.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(after.q[2], -1e-6);
  EXPECT_LT(end.u.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(end.q[2], 0.0, 1e-4);
  EXPECT_NEAR(end.q[1], 0.6, 2e-4);  // it sinks by impacts of the length dt
}

// With the grip c = 1 - t/2 finger 3 needs the friction 20.965 + 10 c of at most 0.7*45 c: until t = 0.04977 s.
TEST(StandingAndGrasping, BoxSlipsFromThreeFingersThatLetGo) {
  EXPECT_LT(state_at("three_fingers", "0.049").u.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(state_at("three_fingers", "0.06").u[1], -1e-5);
}

// Brogliato B, Example 6, corrected: all three rise with -(g + F1y + F2y)/3.
TEST(StandingAndGrasping, TwoFingersLiftAMass) {
  const State end = state_at("two_fingers", "1");
  for (const int i : {1, 3, 5}) EXPECT_NEAR(end.q[i], 4.19 / 6, 1e-12);
}

// mu = 2: no force, but an impulse (0.9, 1.2) times the speed of 4 m/s brings the tip to rest at once, up to what gravity does in a step.
TEST(StandingAndGrasping, PainlevesRodStopsWithoutACollision) {
  SceneOverrides overrides;
  overrides.settings = {"mu=2"};
  overrides.dt = "1e-6";
  const State after = state_at("painleve_rod", "1e-6", overrides);
  EXPECT_NEAR(after.u[0], -4 + 4.8 / 3, 1e-4);
  EXPECT_NEAR(after.u[1], 3.6 / 3, 1e-4);
  EXPECT_NEAR(after.u[2], (9.6 - 3.6) / 5, 1e-4);
  overrides.settings = {"mu=1"};  // below 4/3 it goes on sliding, with x'' = 24.525
  EXPECT_NEAR(state_at("painleve_rod", "1e-6", overrides).u[0], -4 + 24.525e-6, 1e-9);
}

// From t0 = (0.4*138.1 - 30)/60 on 11 kg move with 60 (t - t0): x = 10 (t - t0)^3/11. The legs share the load as they like.
TEST(StandingAndGrasping, TableSlidesWhenThePushExceedsItsFriction) {
  EXPECT_LT(state_at("four_legged_table", "0.42").u.cwiseAbs().maxCoeff(), 1e-8);
  const State end = state_at("four_legged_table", "0.8");
  const double s = 0.8 - (0.4 * 138.1 - 30) / 60;
  const int vx = 1;  // after the hand
  EXPECT_NEAR(end.u[vx], 30 * s * s / 11, 1e-3);
  EXPECT_NEAR(end.q[vx], 10 * s * s * s / 11, 1e-3);
}

TEST(StandingAndGrasping, LadderHoldsFromOneThirdOn) {
  SceneOverrides overrides;
  overrides.settings = {"mu=0.34"};
  EXPECT_LT(state_at("ladder", "0.2", overrides).u.cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(state_at("ladder", "0.2").u[0], 1e-3);
}

}  // namespace tippe::scenes_standing_and_grasping_test
