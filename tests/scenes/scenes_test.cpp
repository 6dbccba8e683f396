// SPDX-License-Identifier: Apache-2.0
// What is known of the scenes, from closed forms and published numbers.
#include "support/scenes.h"

namespace tippe::scenes_scenes_test {

Scene load(const std::string& name, const std::string& dt, const std::string& until,
           std::vector<std::string> settings = {}) {
  return test::load(name, {.settings = std::move(settings), .integrator = {}, .dt = dt, .until = until});
}

// Impacts at t1 = sqrt(2 h / g), then after 2 epsilon^k t1: rest at t1 (1 + epsilon) / (1 - epsilon).
TEST(BouncingBall, ComesToRestAtTheZenoTime) {
  const double zeno = std::sqrt(2.0 / 9.81) * 1.5 / 0.5;
  for (const double dt : {1e-3, 1e-4, 1e-5}) {
    double last_free = 0.0;
    test::watch(load("bouncing_ball", std::to_string(dt), "2"),
                [&](const State& state, const Integrator& integrator, const StepReport&) {
                  if (integrator.last_laws().impulse[0] == 0.0) last_free = state.t;
                });
    EXPECT_NEAR(last_free, zeno, 20 * dt) << "dt = " << dt;  // O(dt): a few steps per resolved bounce
  }
}

TEST(Incline, SticksBelowTheFrictionAngleWithoutCreep) {
  for (const char* angle : {"angle=0.0", "angle=0.1", "angle=0.29", "angle=atan(mu) - 1e-9"}) {
    const RunSummary summary = test::run(load("incline", "1e-3", "10", {angle}));
    EXPECT_LE(std::abs(summary.final_state.q[0]), 1e-15) << angle;
    EXPECT_LE(std::abs(summary.final_state.u[0]), 1e-15) << angle;
    EXPECT_LE(std::abs(summary.final_state.q[1]), 1e-15) << angle;
  }
}

TEST(Incline, SlidesAboveTheFrictionAngleAsInTheClosedForm) {
  for (const double angle : {0.2915, 0.3, 0.5, 1.2}) {
    const RunSummary summary = test::run(load("incline", "1e-3", "1", {"angle=" + std::to_string(angle)}));
    const double acceleration = 9.81 * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(summary.final_state.u[0], acceleration, 1e-9) << angle;
    EXPECT_NEAR(summary.final_state.q[0], 0.5 * acceleration, 1e-9) << angle;
    // The friction force over the way: all that is lost.
    EXPECT_NEAR(summary.energy.lost_in_contacts, 0.3 * 2 * 9.81 * std::cos(angle) * 0.5 * acceleration, 1e-8);
  }
}

TEST(ImpactingPendulum, EachImpactLeavesEpsilonSquaredOfTheEnergy) {
  const Scene scene = load("impacting_pendulum", "1e-4", "6");
  const auto evaluator = scene.system->make_evaluator();
  double expected = 0.5 * 9.81 * 0.8 * (1 - std::cos(1.0));
  int impacts = 0;
  bool carried = false;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    const bool carries = integrator.last_laws().impulse[0] > 0.0;
    if (carries && !carried) {
      ++impacts;
      expected *= 0.64;
      evaluator->set_state(state.t, state.q, state.u);
      const Energies energies = evaluator->evaluate_energies();
      EXPECT_NEAR(energies.kinetic + energies.potential, expected, 1e-4 * expected) << "impact " << impacts;
    }
    carried = carries;
  });
  EXPECT_EQ(impacts, 7);
}

// The period of a pendulum let go at the angle a is 4 sqrt(l/g) K(sin(a/2)): after it, back at the start, with an error of order
// dt^2. Without multipliers for the velocity the rod's velocity is as large as the scheme is wrong.
TEST(PendulumCartesian, HasThePeriodOfThePendulumAndAStiffRod) {
  const double period = 4.0 * std::sqrt(0.5 / 9.81) * std::comp_ellint_1(std::sin(0.5 * std::atan2(0.6, 0.8)));
  const auto distance = [&](int steps) {
    Scene scene = test::load("pendulum_cartesian");
    scene.run.dt = period / steps;
    scene.run.until = period;
    const RunSummary summary = test::run(scene);
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-14);
    return (summary.final_state.q - scene.start.q).norm() + (summary.final_state.u - scene.start.u).norm();
  };
  const double coarse = distance(100), fine = distance(200);
  EXPECT_LE(coarse, 2e-2);
  EXPECT_NEAR(coarse / fine, 4.0, 0.1);
  const auto largest_velocity = [](const std::string& integrator) {
    double largest = 0.0;
    test::watch(test::load("pendulum_cartesian", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}}),
                [&](const State& state, const Integrator&, const StepReport&) {
                  largest = std::max(largest, std::abs(state.q.dot(state.u)) / 0.5);
                });
    return largest;
  };
  EXPECT_LE(largest_velocity("conserving-ggl"), 1e-14);
  EXPECT_GE(largest_velocity("conserving"), 1e-4);
}

// Moeller, section 6.1: explicit classical forces are stable below dt = 2 / sqrt(c / m2) = 1e-4 s and not
// above.
TEST(Oscillator, MoreauIsUnstableAboveTheLimitAndBoundedBelow) {
  const RunSummary below = test::run(load("oscillator", "9.9e-5", "1"));
  EXPECT_EQ(below.status, RunStatus::kOk);
  EXPECT_LE(std::abs(below.energy.final - below.energy.initial), 0.1);
  const RunSummary above = test::run(load("oscillator", "1.01e-4", "1"));
  EXPECT_TRUE(above.status == RunStatus::kFailed || above.energy.final > 1e6 * above.energy.initial)
      << name_of(above.status) << above.energy.final;
}

TEST(Oscillator, HasTheImpactsOfTheExactSolution) {
  Scene scene = load("oscillator", "1e-6", "1");
  double first = -1.0;
  test::watch(load("oscillator", "1e-6", "0.05"), [&](const State& state, const Integrator& integrator, const StepReport&) {
    if (first < 0.0 && integrator.last_laws().impulse[0] > 0.0) first = state.t;
  });
  EXPECT_NEAR(first, 0.045152428251, 2e-6);
  EXPECT_EQ(test::run(scene).impacts, 17);
}

// Moeller, Fig. 6.6: at dt = 0.01 the energy of Moreau's rule wanders between 0.56 and 1.03 of its initial
// value.
TEST(DoublePendulum, EnergyOfMoreauWandersAsPublished) {
  const Scene scene = load("double_pendulum", "0.01", "10");
  const auto evaluator = scene.system->make_evaluator();
  double smallest = 1e9, largest = 0.0;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
    evaluator->set_state(state.t, state.q, state.u);
    const Energies energies = evaluator->evaluate_energies();
    const double ratio = (energies.kinetic + energies.potential) / 3.125;
    smallest = std::min(smallest, ratio);
    largest = std::max(largest, ratio);
  });
  EXPECT_NEAR(smallest, 0.56, 0.005);
  EXPECT_NEAR(largest, 1.03, 0.005);
}

TEST(DoublePendulum, FirstImpactsConvergeToTheExactOnes) {
  const std::vector<double> exact = {0.929564413664771, 1.169958971267508, 1.715481995365091};
  std::vector<double> previous;
  for (const double dt : {1e-3, 1e-4, 1e-5}) {
    std::vector<double> times;
    bool carried = true;  // both contacts start closed and opening
    test::watch(load("double_pendulum", std::to_string(dt), "1.8"),
                [&](const State& state, const Integrator& integrator, const StepReport&) {
                  const bool carries = integrator.last_laws().impulse.maxCoeff() > 0.0;
                  if (carries && !carried) times.push_back(state.t);
                  carried = carries;
                });
    ASSERT_GE(times.size(), 3u);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(times[k], exact[k], 3 * dt * (k + 1)) << "dt = " << dt;
  }
}

}  // namespace tippe::scenes_scenes_test
