// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/state_sizes.h"

#include "support/scenes.h"

namespace tippe::contact_state_sizes_test {

/// A mass of 4 kg that falls, and beside it a light wheel.
StateSizes sizes_at(double y, double a, double speed, const PastSizes& past) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"y\", \"a\"]\nkinetic = \"2*y'^2 + 0.005*a'^2\"\npotential = \"4*9.81*y\"\n"
      "[run]\nintegrator = \"dopri5\"\nuntil = 1\n");
  const auto evaluator = scene.system->make_evaluator();
  const State state{0.0, Eigen::Vector2d(y, a), Eigen::Vector2d(speed, 0.0)};
  evaluator->set_state(state.t, state.q, state.u);
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  return {*scene.system, state, dynamics, past};
}

// Kinetic sizes: 1 m of the mass is 2, 1 rad of the wheel 0.1.
TEST(StateSizes, SmallCoordinatesHaveAThousandthOfTheKineticallyLargest) {
  const StateSizes sizes = sizes_at(3.0, 1e-9, 0.0, {});
  EXPECT_DOUBLE_EQ(sizes.reaches()[0], 3.0);
  EXPECT_DOUBLE_EQ(sizes.reaches()[1], 1e-3 * 3.0 * 2.0 / 0.1);
}

// 0.01 sqrt(2 g y), and the speed of the mass for the wheel that nothing drives.
TEST(StateSizes, SpeedsAreThoseOfTheStateOrAPartOfWhatLoadsGive) {
  const double by_loads = 0.01 * std::sqrt(2.0 * 9.81 * 3.0);
  EXPECT_DOUBLE_EQ(sizes_at(3.0, 0.0, 0.0, {}).speeds()[0], by_loads);
  const StateSizes moving = sizes_at(3.0, 0.0, -7.0, {});
  EXPECT_DOUBLE_EQ(moving.speeds()[0], 7.0);
  EXPECT_DOUBLE_EQ(moving.speeds()[1], 1e-3 * 7.0 * 2.0 / 0.1);
}

TEST(StateSizes, ThePastCountsAndTheRunWhereNothingHasASize) {
  PastSizes past{.q = {}, .u = Eigen::Vector2d(5.0, 0.0), .horizon = 2.0};
  EXPECT_DOUBLE_EQ(sizes_at(0.0, 0.0, 0.0, past).speeds()[0], 5.0);
  EXPECT_DOUBLE_EQ(sizes_at(0.0, 0.0, 0.0, past).reaches()[0], 2.0 * 5.0 + 0.5 * 9.81 * 4.0);
  past.note_coordinates({0.0, Eigen::Vector2d(-0.5, 0.0), Eigen::Vector2d::Zero()});
  EXPECT_DOUBLE_EQ(sizes_at(0.0, 0.0, 0.0, past).reaches()[0], 0.5);
}

}  // namespace tippe::contact_state_sizes_test
