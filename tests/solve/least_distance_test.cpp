// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/least_distance.h"

#include <gtest/gtest.h>

#include "support/complementarity.h"
#include "tippe/solve/quadratic_program.h"

namespace tippe::solve_least_distance_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double largest(const VectorXd& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

// Redundant constraints of both kinds, ties and contradictions, against Lemke's method on the KKT conditions.
TEST(LeastDistance, AgreesWithLemkesMethod) {
  test::Random random(81);
  int infeasible = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int n = 1 + random.below(6), p = random.below(4), m = random.below(10);
    LeastDistanceProblem problem;
    const int rank_eq = 1 + random.below(2);
    problem.equalities = test::random_matrix(random, n, rank_eq) * test::random_matrix(random, rank_eq, p);
    const int rank = 1 + random.below(n);
    problem.inequalities = test::random_matrix(random, n, rank) * test::random_matrix(random, rank, m);
    const VectorXd inside = random.vector(n);
    problem.g_eq = problem.equalities.transpose() * inside;
    problem.g_in = problem.inequalities.transpose() * inside;
    for (int i = 0; i < m; ++i) problem.g_in[i] -= random.below(2) * random.uniform(0, 1);
    if (trial % 3 == 0) problem.g_in += 0.5 * random.vector(m);
    const LeastDistance shortest = solve_least_distance(problem);
    const ProgramSolution expected =
        solve_quadratic_program({MatrixXd::Identity(n, n), VectorXd::Zero(n), problem.equalities.transpose(), problem.g_eq,
                                 -problem.inequalities.transpose(), -problem.g_in});
    if (expected.status == ProgramStatus::kInfeasible) {
      ++infeasible;
      EXPECT_EQ(shortest.status, LeastDistanceStatus::kInfeasible) << "trial " << trial;
      continue;
    }
    ASSERT_TRUE(expected.optimal()) << "trial " << trial;
    ASSERT_EQ(shortest.status, LeastDistanceStatus::kSolved) << "trial " << trial;
    EXPECT_LE(largest(shortest.v - expected.x), 1e-9 * (1.0 + largest(expected.x))) << "trial " << trial;
    EXPECT_LE(shortest.residual, 1e-11) << "trial " << trial;
    // Its own proof: stationary, signs, complementary.
    const VectorXd gradient = shortest.v - problem.equalities * shortest.y_eq - problem.inequalities * shortest.y_in;
    EXPECT_LE(largest(gradient), 1e-11 * (1.0 + largest(shortest.v))) << "trial " << trial;
    const VectorXd slack = problem.inequalities.transpose() * shortest.v - problem.g_in;
    EXPECT_TRUE(m == 0 || slack.minCoeff() >= -1e-11 * (1.0 + largest(shortest.v))) << "trial " << trial;
    EXPECT_TRUE(m == 0 || shortest.y_in.minCoeff() >= 0.0);
    for (int i = 0; i < m; ++i) EXPECT_LE(std::min(shortest.y_in[i], slack[i]), 1e-11 * (1.0 + largest(shortest.v)));
  }
  EXPECT_GT(infeasible, 20);
}

// 300 half spaces through one point at distance 1 from the origin: it is the nearest, whatever the multipliers.
TEST(LeastDistance, ManyPlanesThroughOnePoint) {
  test::Random random(82);
  LeastDistanceProblem problem{MatrixXd(5, 0), VectorXd(0), MatrixXd(5, 300), VectorXd(300)};
  const VectorXd point = VectorXd::Unit(5, 2);
  for (int i = 0; i < 300; ++i) {
    problem.inequalities.col(i) = point + 0.9 * random.vector(5) * (i % 2);
    problem.g_in[i] = problem.inequalities.col(i).dot(point);
  }
  const LeastDistance shortest = solve_least_distance(problem);
  ASSERT_EQ(shortest.status, LeastDistanceStatus::kSolved);
  EXPECT_LE((shortest.v - point).norm(), 1e-12);
}

}  // namespace tippe::solve_least_distance_test
