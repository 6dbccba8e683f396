// SPDX-License-Identifier: Apache-2.0
// The rimless wheel in closed form: a pendulum upside down about the foot from theta = slope - pi/n to slope + pi/n (from the vertical), and eta = (J + m l^2 cos(2 pi/n))/(J + m l^2)
// of the angular velocity at each landing.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/scenes.h"
#include "tippe/hybrid/periodic_orbit.h"
#include "tippe/study/scene_branch.h"

namespace tippe::scenes_rimless_wheel_test {

using std::numbers::pi;

struct Wheel {
  double n = 8, m = 1.0, J = 0.5, l = 1.0, g = 9.81, slope = 0.1;
  [[nodiscard]] double inertia() const { return J + m * l * l; }
  [[nodiscard]] double eta() const { return (J + m * l * l * std::cos(2 * pi / n)) / inertia(); }
  /// After each landing on the periodic motion.
  [[nodiscard]] double speed() const {
    const double K = 4 * m * g * l * std::sin(pi / n) * std::sin(slope) / inertia();
    return std::sqrt(eta() * eta() * K / (1 - eta() * eta()));
  }
  /// From one landing to the next: the integral of d theta/omega, by Simpson's rule.
  [[nodiscard]] double step_time() const {
    const double begin = slope - pi / n, width = 2 * pi / n;
    const auto integrand = [&](double s) {
      const double theta = begin + s * width;
      return width / std::sqrt(speed() * speed() + 2 * m * g * l / inertia() * (std::cos(begin) - std::cos(theta)));
    };
    constexpr int kParts = 2000;
    double sum = integrand(0.0) + integrand(1.0);
    for (int k = 1; k < kParts; ++k) sum += (k % 2 == 1 ? 4.0 : 2.0) * integrand(static_cast<double>(k) / kParts);
    return sum / (3.0 * kParts);
  }
};

// A revolution is a period: the angle grows by a full turn, and the wheel moves on by the sides of its polygon.
TEST(RimlessWheel, RollsPeriodicallyAsInClosedForm) {
  const Wheel wheel;
  const Scene scene = test::load("rimless_wheel");
  const PeriodicOrbit orbit =
      find_periodic_orbit(*scene.system, scene.start, {.until = scene.run.until, .section = "impact:foot 0"});
  ASSERT_EQ(orbit.status, PeriodicOrbit::Status::kConverged) << orbit.message;
  EXPECT_EQ(orbit.returns, 1);
  EXPECT_NEAR(orbit.period, wheel.n * wheel.step_time(), 1e-9);
  EXPECT_NEAR(orbit.state.u[2], wheel.speed(), 1e-10);
  ASSERT_EQ(orbit.multipliers.size(), 1u);
  EXPECT_NEAR(orbit.multipliers[0].real(), std::pow(wheel.eta(), 2 * wheel.n), 1e-8);
  EXPECT_EQ(orbit.stability, PeriodicOrbit::Stability::kStable);
  ASSERT_EQ(orbit.drift.size(), 2u);
  EXPECT_NEAR(orbit.drift[0].per_period, wheel.n * 2 * wheel.l * std::sin(pi / wheel.n), 1e-10);
  EXPECT_NEAR(orbit.drift[1].per_period, 2 * pi, 1e-10);
}

// The branch over the slope keeps the closed form.
TEST(RimlessWheel, IsFollowedOverTheSlope) {
  const SceneBranches branches =
      follow_branch_of(test::load("rimless_wheel").origin.scene_text, "test.toml", {}, parse_branch("slope=0.1:0.12"),
                       {.section = "impact:foot 0"}, {.most_points = 4});
  const OrbitBranch& branch = branches.found.branches.at(0);
  ASSERT_EQ(branch.points.size(), 4u);
  for (const BranchPoint& point : branch.points) {
    const Wheel wheel{.slope = point.parameter};
    EXPECT_NEAR(point.period, wheel.n * wheel.step_time(), 1e-8);
    EXPECT_NEAR(point.multipliers.at(0).real(), std::pow(wheel.eta(), 2 * wheel.n), 1e-7);
  }
}

}  // namespace tippe::scenes_rimless_wheel_test
