// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/islands.h"

#include "support/contact_problems.h"

namespace tippe::solve_islands_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(const InclusionProblem& problem) {
  const int n = problem.rows();
  MatrixXd G(n, n);
  for (int k = 0; k < n; ++k) G.col(k) = test::velocities(problem, VectorXd::Unit(n, k)) - problem.c;
  return G;
}

/// Every block in one island, nothing between islands, each copied as it is.
void expect_partition(Islands& islands, const InclusionProblem& problem) {
  islands.find(problem);
  const MatrixXd G = dense(problem);
  std::vector<int> island_of(static_cast<size_t>(problem.rows()), -1);
  InclusionProblem part;
  std::vector<int> rows;
  int blocks = 0;
  for (int k = 0; k < islands.count(); ++k) {
    islands.extract(problem, k, part, rows);
    ASSERT_EQ(part.rows(), static_cast<int>(rows.size()));
    ASSERT_EQ(part.G.blocks.blocks(), islands.size(k));
    ASSERT_EQ(part.laws.size(), static_cast<size_t>(islands.size(k)));
    EXPECT_EQ(part.G.factored, problem.G.factored);
    blocks += islands.size(k);
    const MatrixXd G_part = dense(part);
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(island_of[rows[i]], -1);
      island_of[rows[i]] = k;
      EXPECT_EQ(part.c[static_cast<Eigen::Index>(i)], problem.c[rows[i]]);
      for (size_t j = 0; j < rows.size(); ++j)
        EXPECT_NEAR(G_part(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), G(rows[i], rows[j]), 1e-15);
    }
    int row = 0;
    for (int i = 0; i < part.G.blocks.blocks(); ++i) {
      // Laws follow their rows: the variants agree, and so do the diagonals.
      const auto at = std::find(problem.G.blocks.row.begin(), problem.G.blocks.row.end(), rows[row]);
      const auto given = static_cast<size_t>(at - problem.G.blocks.row.begin());
      EXPECT_EQ(part.laws[i].index(), problem.laws[given].index());
      EXPECT_EQ(part.G.blocks.diagonal_block(i)[0], problem.G.blocks.diagonal_block(static_cast<int>(given))[0]);
      row += part.G.blocks.block_size(i);
    }
  }
  EXPECT_EQ(blocks, problem.G.blocks.blocks());
  for (int i = 0; i < problem.rows(); ++i) {
    for (int j = 0; j < problem.rows(); ++j) EXPECT_TRUE(island_of[i] == island_of[j] || G(i, j) == 0.0) << i << ", " << j;
  }
}

TEST(Islands, PartitionRandomBodies) {
  test::Random random(11);
  Islands islands;
  int several = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto form = trial % 2 == 0 ? DelassusForm::kExplicit : DelassusForm::kFactored;
    const auto problem = test::bodies_in_contact(
        {.bodies = 1 + random.below(30), .contacts = random.below(25), .kinds = test::kAllKinds, .form = form}, random);
    expect_partition(islands, problem);
    if (islands.count() > 1) ++several;
  }
  EXPECT_GT(several, 20);
}

// Two bodies on the ground, two contacts each, in turns: two islands of two.
TEST(Islands, ByHand) {
  MatrixXd G = MatrixXd::Identity(4, 4);
  G(0, 2) = G(2, 0) = 0.5;
  G(1, 3) = 0.5;  // in one direction only
  const auto problem = test::make_problem(G, VectorXd::Ones(4), std::vector<LawSet>(4, HalfLine{}), {1, 1, 1, 1});
  Islands islands;
  islands.find(problem);
  ASSERT_EQ(islands.count(), 2);
  InclusionProblem part;
  std::vector<int> rows;
  islands.extract(problem, 0, part, rows);
  EXPECT_EQ(rows, (std::vector<int>{0, 2}));
  islands.extract(problem, 1, part, rows);
  EXPECT_EQ(rows, (std::vector<int>{1, 3}));
}

TEST(Islands, NothingAndLonelyBlocks) {
  Islands islands;
  islands.find(test::make_problem(MatrixXd(0, 0), VectorXd(0), {}, {}));
  EXPECT_EQ(islands.count(), 0);
  islands.find(test::make_problem(MatrixXd::Zero(3, 3), VectorXd::Ones(3), std::vector<LawSet>(3, HalfLine{}), {1, 1, 1}));
  EXPECT_EQ(islands.count(), 3);
  const InclusionProblem one =
      test::make_problem(MatrixXd::Identity(3, 3), VectorXd::Ones(3), {CoulombContact{0.3, 0.3}}, {3});
  islands.find(one);
  EXPECT_EQ(islands.count(), 1);
  EXPECT_EQ(islands.size(0), 1);
  InclusionProblem part;
  std::vector<int> rows;
  islands.extract(one, 0, part, rows);
  EXPECT_EQ(rows, (std::vector<int>{0, 1, 2}));
}

}  // namespace tippe::solve_islands_test
