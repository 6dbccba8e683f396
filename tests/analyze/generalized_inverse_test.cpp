// SPDX-License-Identifier: Apache-2.0
// Kalaba-Udwadia (30): motion under bilateral constraints, redundant or not, with singular M.
#include <gtest/gtest.h>

#include "support/instant_problems.h"
#include "tippe/analyze/generalized_inverse.h"

namespace tippe::analyze_generalized_inverse_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// A pendulum in Cartesian coordinates at angle alpha with speed v: tension m (g cos alpha + v^2/l), here as the multiplier of
// (x^2 + y^2 - l^2)/2, whose gradient has the length l.
TEST(GeneralizedInverse, OfAPendulumIsItsTension) {
  const double m = 2.0, l = 0.5, g = 9.81, alpha = 0.6, v = 1.3;
  const Vector2d r(l * std::sin(alpha), -l * std::cos(alpha));
  const AccelerationProblem problem =
      test::problem_of(m * MatrixXd::Identity(2, 2), Vector2d(0.0, m * g), {}, {test::row("rod", r, v * v)});
  const GeneralizedInverse result = constrained_acceleration(problem);
  const double tension = m * (g * std::cos(alpha) + v * v / l);
  EXPECT_TRUE(result.consistent.yes());
  ASSERT_EQ(result.multipliers.size(), 1);
  EXPECT_NEAR(result.multipliers[0], -tension / l, 1e-12 * tension);
  EXPECT_TRUE(result.multipliers_unique);
  EXPECT_NEAR((result.constraint_force + tension * r / l).norm(), 0.0, 1e-12 * tension);
  EXPECT_NEAR(*result.gaussian, tension * tension / m, 1e-11 * tension * tension);
  EXPECT_NEAR(result.acceleration.dot(r) + v * v, 0.0, 1e-12);
}

// The same constraint twice: the same motion, the multiplier of least norm halves.
TEST(GeneralizedInverse, SharesTheForceOfRedundantRows) {
  const Vector2d r(0.3, -0.4);
  const auto once = constrained_acceleration(
      test::problem_of(MatrixXd::Identity(2, 2), Vector2d(0.0, 9.81), {}, {test::row("a", r, 1.0)}));
  const auto twice = constrained_acceleration(
      test::problem_of(MatrixXd::Identity(2, 2), Vector2d(0.0, 9.81), {}, {test::row("a", r, 1.0), test::row("b", r, 1.0)}));
  EXPECT_TRUE(twice.consistent.yes());
  EXPECT_FALSE(twice.multipliers_unique);
  EXPECT_LT((twice.acceleration - once.acceleration).norm(), 1e-13);
  EXPECT_NEAR(twice.multipliers[0], 0.5 * once.multipliers[0], 1e-13);
  EXPECT_NEAR(twice.multipliers[1], 0.5 * once.multipliers[0], 1e-13);
}

TEST(GeneralizedInverse, NamesRowsThatContradictEachOther) {
  const Vector2d r(0.3, -0.4);
  const auto result = constrained_acceleration(
      test::problem_of(MatrixXd::Identity(2, 2), Vector2d(0.0, 9.81), {},
                       {test::row("a", r, 1.0), test::row("b", r, 1.1), test::row("c", Vector2d(4.0, 3.0))}));
  EXPECT_TRUE(result.consistent.no());
  EXPECT_EQ(result.culprits, (std::vector<std::string>{"a.n", "b.n"}));
}

// The KKT equations hold for random M of every rank that the constraints complete, with redundant rows.
TEST(GeneralizedInverse, SolvesTheKktEquationsForSingularMass) {
  test::Random random(73);
  int singular = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = test::random_integer(random, 2, 7), rank = test::random_integer(random, 1, n),
              p = test::random_integer(random, n - rank, n - 1);
    const MatrixXd R = test::random_matrix(random, n, rank), G = test::random_matrix(random, n, p);
    const VectorXd target = random.vector(n);  // an acceleration that fulfils the rows
    std::vector<ContactRows> joints;
    for (int j = 0; j < p; ++j) joints.push_back(test::row("j" + std::to_string(j), G.col(j), -G.col(j).dot(target)));
    if (p > 1) joints.push_back(test::row("sum", G.col(0) + 3.0 * G.col(1), -(G.col(0) + 3.0 * G.col(1)).dot(target)));
    const AccelerationProblem problem = test::problem_of(R * R.transpose(), random.vector(n), {}, joints);
    const GeneralizedInverse result = constrained_acceleration(problem);
    ASSERT_TRUE(result.determined) << trial;
    EXPECT_TRUE(result.consistent.yes()) << trial;
    singular += rank < n ? 1 : 0;
    VectorXd balance = problem.M * result.acceleration + problem.F;
    for (size_t j = 0; j < joints.size(); ++j) {
      EXPECT_NEAR(joints[j].normal.dot(result.acceleration) + joints[j].drift, 0.0,
                  1e-8 * (1.0 + result.acceleration.norm()))
          << trial;
      balance -= joints[j].normal * result.multipliers[static_cast<Eigen::Index>(j)];
    }
    EXPECT_LT(balance.norm(), 1e-8 * (1.0 + result.multipliers.norm())) << trial;
  }
  EXPECT_GT(singular, 100);
}

// Rows in other units: the multiplier of a row of length 1e-11 that holds 1 N is 1e11.
TEST(GeneralizedInverse, MultipliersDoNotLoseShortRows) {
  const auto result =
      constrained_acceleration(test::problem_of(MatrixXd::Identity(2, 2), Vector2d(1.0, 1.0), {},
                                                {test::row("a", Vector2d(1.0, 0.0)), test::row("b", Vector2d(0.0, 1e-11))}));
  EXPECT_TRUE(result.multipliers_unique);
  EXPECT_NEAR(result.multipliers[0], 1.0, 1e-12);
  EXPECT_NEAR(result.multipliers[1] * 1e-11, 1.0, 1e-12);
}

TEST(GeneralizedInverse, TellsOfAMasslessDirectionThatNothingHolds) {
  MatrixXd M = MatrixXd::Zero(2, 2);
  M(0, 0) = 1.0;
  const auto result =
      constrained_acceleration(test::problem_of(M, Vector2d(1.0, 0.0), {}, {test::row("rail", Vector2d(1.0, 0.0))}));
  EXPECT_FALSE(result.determined);
  EXPECT_NEAR(std::abs(result.undetermined_direction[1]), 1.0, 1e-12);
  EXPECT_NEAR(result.undetermined_direction[0], 0.0, 1e-12);
  EXPECT_TRUE(result.consistent.yes());
  EXPECT_TRUE(result.multipliers_unique);
  // The same rail again, twice as long a row: half of its acceleration agrees with it, another one does not.
  for (const double drift : {2.0, 1.0}) {
    ContactRows again = test::row("again", Vector2d(2.0, 0.0)), rail = test::row("rail", Vector2d(1.0, 0.0));
    rail.drift = 1.0;
    again.drift = drift;
    const auto both = constrained_acceleration(test::problem_of(M, Vector2d(1.0, 0.0), {}, {rail, again}));
    EXPECT_FALSE(both.determined);
    EXPECT_FALSE(both.multipliers_unique);
    EXPECT_EQ(both.consistent.yes(), drift == 2.0);
    EXPECT_EQ(both.consistent.no(), drift == 1.0);
  }
}

}  // namespace tippe::analyze_generalized_inverse_test
