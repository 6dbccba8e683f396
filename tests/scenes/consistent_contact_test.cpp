// SPDX-License-Identifier: Apache-2.0
// Bodies that slide, roll and hit each other with quaternion-2: closed forms and invariants.
#include "support/bodies.h"
#include "support/guarantees.h"

namespace tippe::scenes_consistent_contact_test {

Scene load(const std::string& name, const std::string& dt, const std::string& until,
           std::vector<std::string> settings = {}) {
  return test::load(name, {.settings = std::move(settings), .integrator = "quaternion-2", .dt = dt, .until = until});
}

// Friction has no moment about the lowest point: a ball with J = 2/5 m r^2 decelerates with mu g until t1 = 2 (v0 + r w0)/(7 mu g),
// and rolls with (5 v0 - 2 r w0)/7 from then on.
TEST(ConsistentContact, ABallBeginsToRollAsInTheClosedForm) {
  const double v0 = 2.0, r = 0.03, w0 = 100.0, mu = 0.2, g = 9.81;
  const double rolling = (5 * v0 - 2 * r * w0) / 7, t1 = 2 * (v0 + r * w0) / (7 * mu * g);
  const Scene scene = load("rolling_ball", "1e-3", "1");
  double worst = 0.0, worst_rolling = 0.0;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
    EXPECT_NEAR(test::coordinate(scene, state, "ball.z"), r, 1e-15);
    const double error = std::abs(test::velocity(scene, state, "ball.vx") - std::max(v0 - mu * g * state.t, rolling));
    if (state.t < t1 - scene.run.dt) worst = std::max(worst, error);
    if (state.t > t1 + scene.run.dt) worst_rolling = std::max(worst_rolling, error);
  });
  EXPECT_LE(worst, 1e-12);
  EXPECT_LE(worst_rolling, mu * g * scene.run.dt);  // friction acts on the path of a step: sticking velocities oscillate
}

// Elastic and smooth: the energy is kept through the break and off the cushions, the momentum until the first cushion.
TEST(ConsistentContact, BilliardBallsKeepEnergyAndMomentum) {
  const Scene scene = load("billiards", "2e-4", "2");
  const test::Guarantees seen = test::watch_guarantees(scene, "quaternion-2", 2e-4, 10000);
  EXPECT_LE(seen.change, 1e-10 * seen.scale);
  int hits = 0;
  bool cushion = false;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    const LawStep& step = integrator.last_laws();
    for (size_t i = 0; i < scene.system->laws().size(); ++i) {
      if (step.impulse[step.first_row[i]] == 0.0) continue;
      const std::string& name = scene.system->laws()[i].name;
      ++hits;
      for (const char* side : {"left", "right", "bottom", "top"}) cushion = cushion || name.find(side) != std::string::npos;
    }
    if (cushion) return;
    EXPECT_NEAR(test::quantity(scene, state, "momentum.x"), 0.17 * 3.0, 1e-13);
    EXPECT_NEAR(test::quantity(scene, state, "momentum.y"), 0.0, 1e-13);
  });
  EXPECT_GE(hits, 10);
  EXPECT_TRUE(cushion);
}

// With gaps the last ball takes the whole speed; without, Newton's law with restitution 1 gives -3/5 v and 2/5 v for the other four.
TEST(ConsistentContact, TheGapsOfTheCradleDecideWhichBallsLeave) {
  for (const bool gaps : {true, false}) {
    const Scene scene = load("cradle", "2e-5", "0.25", {gaps ? "gap=1e-4" : "gap=0"});
    const double v = std::sqrt(2 * 9.81 * 0.2 * (1 - std::cos(0.5)));
    const test::Guarantees seen = test::watch_guarantees(scene, "quaternion-2", 2e-5, 12500);
    EXPECT_LE(seen.change, 1e-10 * seen.scale);
    EXPECT_LE(seen.position, 1e-12);
    EXPECT_LE(seen.velocity, 1e-12);
    double hit_at = -1.0;
    Eigen::VectorXd after;
    test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
      if (hit_at < 0.0 && integrator.last_laws().impulse.maxCoeff() > 0.0) hit_at = state.t;
      if (hit_at >= 0.0 && state.t <= hit_at + (gaps ? 6e-4 / v : 0.0)) after = state.u;
    });
    ASSERT_GT(hit_at, 0.0);
    const std::vector<double> expected =
        gaps ? std::vector<double>{0, 0, 0, 0, 1} : std::vector<double>{-0.6, 0.4, 0.4, 0.4, 0.4};
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(after[3 * k], expected[static_cast<size_t>(k)] * v, 3e-3) << "ball " << k + 1;
  }
}

// The links hit one after the other until all lie; the joints hold at both levels.
TEST(ConsistentContact, AChainOfBodiesFallsOnTheFloor) {
  const Scene scene = load("chain_drop", "2e-4", "0.26");
  const test::Guarantees seen = test::watch_guarantees(scene, "quaternion-2", 2e-4, 1300);
  EXPECT_TRUE(seen.ok);
  EXPECT_GT(seen.energy.lost_in_contacts, 0.2);
  EXPECT_LE(seen.rise(), 1e-12);
  EXPECT_LE(seen.unexplained(), 1e-11);
  EXPECT_LE(seen.position, 1e-12);
  EXPECT_LE(seen.velocity, 1e-12);
  EXPECT_LE(seen.residual, 1e-12);
  EXPECT_LE(seen.sink, 1e-14);
}

}  // namespace tippe::scenes_consistent_contact_test
