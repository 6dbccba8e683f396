// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/contact_rows.h"

#include "support/scenes.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/modes/modes.h"
#include "tippe/study/list_modes.h"

namespace tippe::contact_contact_rows_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ForceLaw contact(double mu1, double mu2) {
  ForceLaw law;
  law.name = "ground";
  law.rows = 3;
  law.mu1 = mu1;
  law.mu2 = mu2;
  law.epsilon = {0.1, 0.2, 0.3, 0.4};
  return law;
}

DenseRows some_rows() {
  return {MatrixXd::Identity(3, 3), Vector3d(1.0, 2.0, 3.0), Vector3d(4.0, 5.0, 6.0), Vector3d(7.0, 8.0, 9.0)};
}

TEST(ContactRowsOfALaw, HaveTangentsScaledByTheirShareOfTheFriction) {
  const ContactRows rows = contact_rows(contact(0.5, 0.125), some_rows(), true, true);
  EXPECT_EQ(rows.mu, 0.5);
  EXPECT_EQ(rows.normal, Vector3d::UnitX());
  EXPECT_EQ(rows.rate, 1.0);
  EXPECT_EQ(rows.drift, 4.0);
  ASSERT_EQ(rows.tangent_count(), 2);
  EXPECT_EQ(rows.tangents.col(1), 0.25 * Vector3d::UnitZ());
  EXPECT_EQ(rows.tangent_drift, Vector2d(5.0, 1.5));
  EXPECT_EQ(rows.slip, Vector2d(8.0, 2.25));
  EXPECT_FALSE(contact_rows(contact(0.5, 0.125), some_rows(), false, false).slides());
}

TEST(ContactRowsOfALaw, LeaveOutTangentsWithoutFriction) {
  const ContactRows second = contact_rows(contact(0.0, 0.5), some_rows(), true, true);
  ASSERT_EQ(second.tangent_count(), 1);
  EXPECT_EQ(second.tangents.col(0), Vector3d::UnitZ());
  EXPECT_EQ(second.slip[0], 9.0);
  EXPECT_EQ(tangential_restitution(contact(0.0, 0.5)), 0.3);
  EXPECT_EQ(tangential_restitution(contact(0.5, 0.0)), 0.2);
  EXPECT_EQ(contact_rows(contact(0.0, 0.0), some_rows(), true, true).tangent_count(), 0);
  EXPECT_FALSE(contact_rows(contact(0.0, 0.0), some_rows(), true, true).mu);
}

/// A block of 2 kg on the ground z = 0 with friction along y alone, pushed by (fx, fy).
Scene pushed_block(double fx, double fy, double speed) {
  return test::scene_from(fmt::format(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*2*(x'^2 + y'^2 + z'^2)"
potential = "2*10*z - ({})*x - ({})*y"
[[contact]]
name = "ground"
gap = "z"
slip = ["x'", "y'"]
friction = [0, 0.25]
[initial]
"y'" = {}
[run]
integrator = "event-driven"
dt = 1e-3
until = 0.5
)toml",
                                      fx, fy, speed));
}

// The friction holds up to 0.25 * 20 N = 5 N along y and nothing along x.
TEST(ContactRowsOfALaw, FrictionAlongOneOfTwoDirectionsHoldsThereAlone) {
  struct Case {
    double fx, fy, speed;
    Vector2d acceleration;
  };
  const std::vector<Case> cases{{3.0, 4.0, 0.0, {1.5, 0.0}},  {3.0, 7.0, 0.0, {1.5, 1.0}},  {3.0, -7.0, 0.0, {1.5, -1.0}},
                                {3.0, 0.0, 1.0, {1.5, -2.5}}, {0.0, 4.0, -2.0, {0.0, 4.5}}, {0.0, 0.0, 0.0, {0.0, 0.0}}};
  for (const Case& known : cases) {
    SCOPED_TRACE(fmt::format("forces {} {}, speed {}", known.fx, known.fy, known.speed));
    const Scene scene = pushed_block(known.fx, known.fy, known.speed);
    const ModeList seen = list_modes(*scene.system, scene.start, {}).motion->list;
    ASSERT_EQ(seen.modes.size(), 1u);
    EXPECT_TRUE(seen.complete);
    EXPECT_LE((seen.modes[0].motion.head(2) - known.acceleration).norm(), 1e-12);
    const ModeList of_instant = list_motion_modes(*instant_of(*scene.system, scene.start, {}).acceleration);
    ASSERT_EQ(of_instant.modes.size(), 1u);
    EXPECT_LE((of_instant.modes[0].motion.head(2) - known.acceleration).norm(), 1e-12);
    if (known.speed != 0.0) continue;  // it stops on the way
    const VectorXd q = test::run(scene).final_state.q;
    EXPECT_LE((q.head(2) - 0.125 * known.acceleration).norm(), 1e-10);
  }
}

// From 1 m/s friction of 2.5 m/s^2 stops it after 0.2 m, while it goes on along x.
TEST(ContactRowsOfALaw, WhatFrictionAlongOneDirectionStopsStaysThere) {
  const VectorXd q = test::run(pushed_block(3.0, 0.0, 1.0)).final_state.q;
  EXPECT_NEAR(q[0], 0.5 * 1.5 * 0.25, 1e-10);
  EXPECT_NEAR(q[1], 0.2, 1e-9);
}

}  // namespace tippe::contact_contact_rows_test
