// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/rank_decision.h"

#include <gtest/gtest.h>

namespace tippe::core_rank_decision_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Columns (1,0,0), (0,1,0) and their sum over sqrt 2: the Gram matrix has the eigenvalues 2, 1 and 0.
TEST(RankDecision, SplitsImageAndKernel) {
  MatrixXd A(3, 3);
  A << 1, 0, std::sqrt(0.5), 0, 1, std::sqrt(0.5), 0, 0, 0;
  const RankSplit split = decide_rank(A);
  EXPECT_EQ(split.rank, 2);
  EXPECT_NEAR(split.smallest_kept, 1.0, 1e-14);
  EXPECT_LT(split.largest_dropped, 1e-15);
  EXPECT_LT((split.range * split.range.transpose() * A - A).norm(), 1e-14);
  ASSERT_EQ(split.null_space.cols(), 1);
  EXPECT_LT((A * split.null_space).norm(), 1e-14);
}

// A matrix that is all round-off has no direction: a cut-off relative to its largest singular value would find one.
TEST(RankDecision, RoundOffHasRankZero) {
  EXPECT_EQ(decide_rank(MatrixXd::Constant(3, 2, 1e-16)).rank, 0);
  EXPECT_EQ(decide_rank(MatrixXd::Zero(0, 2)).null_space.cols(), 2);
  EXPECT_EQ(decide_rank(MatrixXd::Zero(3, 0)).rank, 0);
}

// x1 + x2 = 2 twice, once with an error of 1: the shortest x nearest to both is (1, 1) for the mean of 2 and 2.
TEST(RankDecision, LeastNormOfRedundantRows) {
  const MatrixXd A = MatrixXd::Ones(2, 2);
  const VectorXd x = solve_least_norm(decompose_singular(A), Vector2d(1.5, 2.5), 1e-10);
  EXPECT_LT((x - Vector2d(1.0, 1.0)).norm(), 1e-14);
}

TEST(RankDecision, UnitColumnsKeepTheirLengths) {
  MatrixXd A(3, 2);
  A << 3, 0, 4, 1e-14, 0, 0;
  VectorXd lengths;
  const MatrixXd unit = unit_columns(A, 1e-12, &lengths);
  EXPECT_LT((unit.col(0) - Vector3d(0.6, 0.8, 0.0)).norm(), 1e-15);
  EXPECT_EQ(unit.col(1), Vector3d::Zero());
  EXPECT_NEAR(lengths[0], 5.0, 1e-15);
}

}  // namespace tippe::core_rank_decision_test
