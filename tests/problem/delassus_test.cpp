// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/delassus.h"

#include "support/random.h"
#include "tippe/problem/delassus_builder.h"

namespace tippe::problem_delassus_test {

/// Random sparse Y: every block touches `reach` consecutive kinetic rows.
SparseColumns random_columns(const std::vector<int>& sizes, int kinetic_rows, int reach, test::Random& random) {
  SparseColumns Y;
  for (const int size : sizes) {
    const int first = random.below(kinetic_rows - reach + 1);
    for (int r = 0; r < size; ++r) {
      for (int k = 0; k < reach; ++k) Y.push(first + k, random.uniform(-1, 1));
      Y.finish_column();
    }
  }
  return Y;
}

Eigen::MatrixXd dense(const SparseColumns& Y, int rows) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, Y.columns());
  for (int k = 0; k < Y.columns(); ++k) Y.add_to(k, 1.0, matrix.col(k).data());
  return matrix;
}

TEST(Delassus, BothFormsMultiplyLikeTheDenseMatrix) {
  test::Random random(31);
  const std::vector<int> sizes = {1, 3, 2, 3, 1, 1, 3, 2};
  for (const int reach : {2, 12}) {
    Delassus G;
    G.Y = random_columns(sizes, 12, reach, random);
    const Eigen::MatrixXd Y = dense(G.Y, 12), expected = Y.transpose() * Y;
    DelassusBuilder builder;
    builder.build(sizes, 12, G);
    EXPECT_FALSE(G.factored);
    const Eigen::VectorXd x = random.vector(16);
    KeptVector product, kinetic;
    G.multiply(x, product, kinetic);
    EXPECT_LE((product - expected * x).norm(), 1e-14 * x.norm() * expected.norm());
    G.factored = true;
    G.multiply(x, product, kinetic);
    EXPECT_LE((product - expected * x).norm(), 1e-14 * x.norm() * expected.norm());
  }
}

TEST(Delassus, ZeroBlocksAreNotStored) {
  test::Random random(32);
  const std::vector<int> sizes(100, 3);
  Delassus G;
  for (int i = 0; i < 100; ++i) {  // contact i touches bodies i and i + 1, six rows each
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 12; ++k) G.Y.push(6 * i + k, random.uniform(-1, 1));
      G.Y.finish_column();
    }
  }
  DelassusBuilder().build(sizes, 606, G);
  EXPECT_FALSE(G.factored);
  EXPECT_EQ(G.blocks.entry.size(), 100u + 2u * 99u);
}

TEST(Delassus, TakesTheFactoredFormWhereGIsFullButTheMechanicsIsNot) {
  // A star: 200 laws, each on its own row and one common row. G is full, Y has two entries per column.
  Delassus G;
  for (int i = 0; i < 200; ++i) {
    G.Y.push(i, 1.0);
    G.Y.push(200, 0.5);
    G.Y.finish_column();
  }
  DelassusBuilder().build(std::vector<int>(200, 1), 201, G);
  EXPECT_TRUE(G.factored);
  EXPECT_EQ(G.blocks.entry.size(), 200u);
  EXPECT_DOUBLE_EQ(G.blocks.diagonal_block(17)[0], 1.25);
}

TEST(Delassus, TheFormCanBeDemanded) {
  test::Random random(33);
  const std::vector<int> sizes = {1, 3, 2, 3};
  Delassus G;
  G.Y = random_columns(sizes, 8, 5, random);
  const Eigen::MatrixXd Y = dense(G.Y, 8), expected = Y.transpose() * Y;
  const Eigen::VectorXd x = random.vector(9);
  KeptVector product, kinetic;
  for (const DelassusForm form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    DelassusBuilder().build(sizes, 8, G, form);
    EXPECT_EQ(G.factored, form == DelassusForm::kFactored);
    G.multiply(x, product, kinetic);
    EXPECT_LE((product - expected * x).norm(), 1e-14 * x.norm() * expected.norm());
  }
  EXPECT_EQ(G.blocks.entry.size(), 4u);  // factored: the block diagonal alone
}

TEST(Delassus, FindsTheIndependentParts) {
  Delassus G;
  for (const auto& [a, b] : {std::pair{0, 1}, std::pair{4, 5}, std::pair{1, 2}, std::pair{5, 6}, std::pair{8, 8}}) {
    G.Y.push(a, 1.0);
    if (b != a) G.Y.push(b, 1.0);
    G.Y.finish_column();
  }
  DelassusBuilder builder;
  builder.build({1, 1, 1, 1, 1}, 9, G);
  std::vector<int> part;
  builder.find_parts(part);
  EXPECT_EQ(part, (std::vector<int>{0, 1, 0, 1, 2}));
}

// One block has a way of its own: in every form it is what the same block is beside another with which it shares nothing.
TEST(Delassus, OneBlockAloneIsAsAmongOthers) {
  test::Random random(35);
  DelassusBuilder builder;
  for (const int size : {1, 2, 3, 4}) {
    for (const int reach : {1, 2, 6}) {
      for (const DelassusForm form : {DelassusForm::kCheaper, DelassusForm::kExplicit, DelassusForm::kFactored}) {
        Delassus alone, beside;
        alone.Y = random_columns({size}, 6, reach, random);
        beside.Y = alone.Y;
        beside.Y.push(6, 1.0);
        beside.Y.finish_column();
        builder.build({size, 1}, 7, beside, form);
        builder.build({size}, 6, alone, form);
        ASSERT_EQ(alone.blocks.blocks(), 1);
        ASSERT_EQ(alone.blocks.entry.size(), 1u);
        for (int k = 0; k < size * size; ++k)
          EXPECT_EQ(alone.blocks.diagonal_block(0)[k], beside.blocks.diagonal_block(0)[k]);
        const bool fewer_numbers = 4 * size * reach < size * size;
        EXPECT_EQ(alone.factored, form == DelassusForm::kFactored || (form == DelassusForm::kCheaper && fewer_numbers));
        std::vector<int> part;
        builder.find_parts(part);
        EXPECT_EQ(part, std::vector<int>{0});
      }
    }
  }
}

TEST(Delassus, RebuildingKeepsNothingOfTheLastProblem) {
  test::Random random(33);
  DelassusBuilder builder;
  Delassus G;
  for (const std::vector<int>& sizes : {std::vector{3, 3, 3}, std::vector{1}, std::vector{2, 1}}) {
    G.Y = random_columns(sizes, 5, 3, random);
    builder.build(sizes, 5, G);
    const Eigen::MatrixXd Y = dense(G.Y, 5);
    const Eigen::VectorXd x = random.vector(Y.cols());
    KeptVector product, kinetic;
    G.multiply(x, product, kinetic);
    EXPECT_LE((product - Y.transpose() * (Y * x)).norm(), 1e-14);
  }
}

}  // namespace tippe::problem_delassus_test
