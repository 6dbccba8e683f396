// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/complementarity.h"

#include <limits>

#include "support/random.h"
#include "tippe/core/error.h"

namespace tippe::problem_complementarity_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// M = [2 1; 1 4], q = (-2, 4): s = (1/2, 1/4), s q = (-1, 1). At z = (1, 1): M z + q = (1, 9), s w = (0.5, 2.25), e = (0.5, 1).
TEST(ComplementarityResidual, OfAnLcpByHand) {
  const LcpProblem problem{(MatrixXd(2, 2) << 2, 1, 1, 4).finished(), Vector2d(-2, 4)};
  const ComplementarityResidual residual = evaluate_residual(problem, Vector2d(1, 1));
  EXPECT_DOUBLE_EQ(residual.relative, std::sqrt(1.25) / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(residual.worst, 1.0);
  EXPECT_EQ(residual.worst_row, 1);
  EXPECT_DOUBLE_EQ(evaluate_residual(problem, Vector2d(1, 0)).relative, 0.0);
}

// 4 u + 2 v - 8 = 0, 0 <= v _|_ -u + 0.5 v + 3 >= 0: s = (1/4, 1), scale (-2, 3). At u = 1, v = 1: e = (-0.5, 1).
TEST(ComplementarityResidual, OfAnMlcpByHand) {
  const auto scalar = [](double x) { return MatrixXd::Constant(1, 1, x); };
  const MlcpProblem problem{scalar(4), scalar(0.5), scalar(2), scalar(-1), scalar(-8), scalar(3)};
  const ComplementarityResidual residual = evaluate_residual(problem, scalar(1).col(0), scalar(1).col(0));
  EXPECT_DOUBLE_EQ(residual.relative, std::sqrt(1.25) / std::sqrt(13.0));
  EXPECT_DOUBLE_EQ(residual.worst, 1.0 / 3.0);
  EXPECT_EQ(residual.worst_row, 1);
  EXPECT_DOUBLE_EQ(evaluate_residual(problem, scalar(2).col(0), scalar(0).col(0)).relative, 0.0);
}

TEST(ComplementarityResidual, IgnoresUnitsAndTheOrderOfRows) {
  test::Random random(101);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 5;
    const LcpProblem problem{MatrixXd::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); }), random.vector(n)};
    const VectorXd z = random.vector(n);
    const double before = evaluate_residual(problem, z).relative;
    const double force = 1e6, velocity = 1e-3;
    EXPECT_NEAR(evaluate_residual(LcpProblem{problem.M * (velocity / force), problem.q * velocity}, z * force).relative,
                before, 1e-12 * before);
    Eigen::PermutationMatrix<Eigen::Dynamic> P(n);
    P.indices() << 3, 0, 4, 1, 2;
    EXPECT_NEAR(evaluate_residual(LcpProblem{P * problem.M * P.transpose(), P * problem.q}, P * z).relative, before,
                1e-14 * before);
  }
}

TEST(ComplementarityResidual, OfZeroRowsEmptyAndNonFiniteData) {
  const LcpProblem zero{MatrixXd::Zero(2, 2), Vector2d(1, -3)};
  EXPECT_DOUBLE_EQ(evaluate_residual(zero, Vector2d(0, 0)).relative, 3.0 / std::sqrt(10.0));  // s = 1
  EXPECT_DOUBLE_EQ(evaluate_residual(LcpProblem{MatrixXd::Identity(2, 2), Vector2d(0, 0)}, Vector2d(0, 0.5)).relative, 0.5);
  EXPECT_DOUBLE_EQ(evaluate_residual(LcpProblem{MatrixXd(0, 0), VectorXd(0)}, VectorXd(0)).relative, 0.0);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(evaluate_residual(zero, Vector2d(std::nan(""), 0)).relative, infinity);
  EXPECT_EQ(evaluate_residual(LcpProblem{MatrixXd::Identity(2, 2), Vector2d(infinity, 0)}, Vector2d(0, 0)).relative,
            infinity);
}

TEST(ComplementarityProblem, RefusesSizesThatDoNotFit) {
  try {
    require_sizes(LcpProblem{MatrixXd(2, 3), VectorXd(2)});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "M is 2 x 3 and must be 2 x 2: square, of the size of q");
  }
  MlcpProblem problem{MatrixXd(1, 1), MatrixXd(2, 2), MatrixXd(1, 2), MatrixXd(2, 1), VectorXd(1), VectorXd(2)};
  require_sizes(problem);
  problem.D.resize(1, 2);
  EXPECT_THROW(require_sizes(problem), InputError);
}

}  // namespace tippe::problem_complementarity_test
