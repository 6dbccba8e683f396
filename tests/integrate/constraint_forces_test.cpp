// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/constraint_forces.h"

#include "tippe/model/lagrangian_builder.h"

namespace tippe::integrate_constraint_forces_test {

constexpr double kMass = 2.0, kLength = 0.5, kGravity = 9.81;

/// A mass on `rods` equal rods, g = (x^2 + y^2 - l^2)/2.
std::unique_ptr<const System> pendulum(int rods) {
  LagrangianBuilder builder({"x", "y"});
  builder.kinetic([=](const auto&, const auto& v, auto) { return 0.5 * kMass * (v[0] * v[0] + v[1] * v[1]); });
  builder.potential([=](const auto& q, auto) { return kMass * kGravity * q[1]; });
  for (int k = 0; k < rods; ++k) {
    builder.constrain_position("rod " + std::to_string(k),
                               [=](const auto& q, auto) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - kLength * kLength); });
  }
  return builder.build();
}

State lowest_point(double speed) {
  State state;
  state.q = Eigen::Vector2d(0.0, -kLength);
  state.u = Eigen::Vector2d(speed, 0.0);
  return state;
}

// The rod carries weight and centripetal force: lambda y = m (g + v^2/l).
TEST(ConstraintForces, ARodCarriesWeightAndCentripetalForce) {
  const double tension = kMass * (kGravity + 3.0 * 3.0 / kLength);
  const ConstraintForces forces = constraint_forces(*pendulum(1), lowest_point(3.0));
  EXPECT_EQ(forces.failure, "");
  ASSERT_EQ(forces.lambda.size(), 1);
  EXPECT_NEAR(forces.lambda[0], -tension / kLength, 1e-12 * tension);
  EXPECT_NEAR(forces.on_velocities[0], 0.0, 1e-12 * tension);
  EXPECT_NEAR(forces.on_velocities[1], tension, 1e-12 * tension);
}

TEST(ConstraintForces, EqualRodsShareTheLoad) {
  const ConstraintForces one = constraint_forces(*pendulum(1), lowest_point(1.0));
  const ConstraintForces two = constraint_forces(*pendulum(2), lowest_point(1.0));
  ASSERT_EQ(two.lambda.size(), 2);
  EXPECT_NEAR(two.lambda[0], 0.5 * one.lambda[0], 1e-10);
  EXPECT_NEAR(two.lambda[1], 0.5 * one.lambda[0], 1e-10);
}

TEST(ConstraintForces, AStateWithoutForcesSaysWhy) {
  State state = lowest_point(1.0);
  state.q[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(constraint_forces(*pendulum(1), state).failure, "");
}

}  // namespace tippe::integrate_constraint_forces_test
