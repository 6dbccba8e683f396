// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/motion.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/motion_enumeration.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe::motion_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::problem_of;
using test::row;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Motion find(const AccelerationProblem& problem) {
  return find_motion(problem, stack(problem));
}

double largest(const VectorXd& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

// Against all choices of closed contacts; in more coordinates than needed M is singular and joints are redundant.
TEST(Motion, AgreesWithEnumeration) {
  test::Random random(92);
  int solved = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const test::RandomInstant instant = test::random_instant(random);
    const auto expected = test::enumerate_motions(instant.reduced);
    if (expected.empty()) continue;
    ++solved;
    const Motion motion = find(instant.problem), reduced = find(instant.reduced);
    const VectorXd a = expected.front().acceleration;
    EXPECT_TRUE(reduced.unique.yes()) << "trial " << trial;
    EXPECT_LE(largest(reduced.acceleration - a), 1e-12 * (1.0 + largest(a))) << "trial " << trial;
    EXPECT_TRUE(motion.unique.yes()) << "trial " << trial;
    EXPECT_LE(largest(motion.acceleration - instant.embedding * a), 1e-11 * (1.0 + largest(a))) << "trial " << trial;
    EXPECT_LE(motion.residual, 1e-12) << "trial " << trial;
    EXPECT_EQ(motion.lower, motion.acceleration);
    // The multipliers belong to it.
    const StackedProblem stacked = stack(instant.problem);
    const VectorXd w = instant.problem.M * motion.acceleration + instant.problem.F;
    EXPECT_LE(largest(stacked.columns() * motion.multipliers - w), 1e-11 * (1.0 + largest(w))) << "trial " << trial;
  }
  EXPECT_GT(solved, 300);
}

// A massless rider on a cart of 2 kg, whose joint x2 - x1 drives it back by 3 m/s^2; its load of 1 N goes into the cart: 2 a1 - 4 = -1.
TEST(Motion, DrivenMasslessRider) {
  const Motion motion =
      find(problem_of(Vector2d(2, 0).asDiagonal(), Vector2d(-4, 1), {}, {row("drive", Vector2d(-1, 1), 3.0)}));
  EXPECT_TRUE(motion.unique.yes());
  EXPECT_LE((motion.acceleration - Vector2d(1.5, -1.5)).norm(), 1e-14);
  EXPECT_NEAR(motion.multipliers[0], 1.0, 1e-14);
}

// A block that slides freely and carries a massless plate over a floor: without load the plate may rise, and only rise.
TEST(Motion, MasslessPlateMayRise) {
  const AccelerationProblem problem =
      problem_of(Vector3d(2, 0, 3).asDiagonal(), Vector3d(-4, 0, 0), {row("floor", Vector3d(0, 1, 0))});
  const Motion motion = find(problem);
  EXPECT_TRUE(motion.unique.no());
  EXPECT_NEAR(motion.acceleration[0], 2.0, 1e-12);
  EXPECT_NEAR(motion.lower[0], 2.0, 1e-12);
  EXPECT_NEAR(motion.upper[0], 2.0, 1e-12);
  EXPECT_NEAR(motion.lower[1], 0.0, 1e-12);
  EXPECT_EQ(motion.upper[1], kInfinity);
  ASSERT_EQ(motion.free_directions.cols(), 1);
  EXPECT_LE((motion.free_directions.col(0) - Vector3d(0, 1, 0)).norm(), 1e-12);
}

// Pressed on the floor it stays: massless, held by no joint, and yet determined by the contact.
TEST(Motion, MasslessPlateUnderLoadStays) {
  const Motion motion = find(problem_of(Vector2d(2, 0).asDiagonal(), Vector2d(-4, 5), {row("floor", Vector2d(0, 1))}));
  EXPECT_TRUE(motion.unique.yes());
  EXPECT_LE((motion.acceleration - Vector2d(2, 0)).norm(), 1e-12);
  EXPECT_NEAR(motion.multipliers[0], 5.0, 1e-12);
}

// Between a floor and a ceiling that accelerate apart, the plate may be anywhere in between.
TEST(Motion, MasslessPlateBetweenTwoSurfaces) {
  const Motion motion = find(problem_of(Vector2d(2, 0).asDiagonal(), Vector2d(0, 0),
                                        {row("floor", Vector2d(0, 1), 1.0), row("ceiling", Vector2d(0, -2), 6.0)}));
  EXPECT_TRUE(motion.unique.no());
  EXPECT_NEAR(motion.lower[1], -1.0, 1e-12);
  EXPECT_NEAR(motion.upper[1], 3.0, 1e-12);
}

// Nothing has mass, nothing is loaded: the joint alone moves the coordinate, without force.
TEST(Motion, WithoutMassAndLoadFollowsItsRows) {
  const AccelerationProblem problem = problem_of(MatrixXd::Zero(1, 1), VectorXd::Zero(1), {row("a", VectorXd::Ones(1), 1.0)},
                                                 {row("r", VectorXd::Ones(1), 1.0), row("s", -VectorXd::Ones(1), -1.0)});
  const Motion motion = find_motion(problem, stack(problem));
  EXPECT_TRUE(motion.found);
  EXPECT_NEAR(motion.acceleration[0], -1.0, 1e-14);
  EXPECT_EQ(motion.multipliers, VectorXd::Zero(3));
}

// A massless direction that no contact feels: the accelerations along the rows are zero but for round-off, which is relative to the load.
TEST(Motion, IsFoundBesideADirectionThatNothingHolds) {
  MatrixXd M = MatrixXd::Zero(3, 3);
  M(0, 0) = 2.0;
  const AccelerationProblem problem =
      problem_of(M, Vector3d(0.3, 0.0, 0.0), {row("a", Vector3d(1.0, 0.1, 0.0)), row("b", Vector3d(1.0 / 3.0, -0.1, 0.0))});
  const Motion motion = find_motion(problem, stack(problem));
  EXPECT_TRUE(motion.found) << motion.residual;
  EXPECT_TRUE(motion.unique.no());
  EXPECT_NEAR(motion.acceleration[0], 0.0, 1e-14);
}

}  // namespace tippe::motion_test
