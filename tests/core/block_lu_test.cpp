// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/block_lu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/linear_algebra.h"
#include "support/random.h"

namespace tippe::core_block_lu_test {

/// Blocks of 1 to 7 rows; which pairs have one is symmetric, their values are not.
struct Matrix {
  std::vector<int> sizes;
  std::vector<LowerEntry> couplings;
  Eigen::MatrixXd dense;
  std::vector<int> row{0};
};

Matrix make_matrix(const std::vector<int>& sizes, const std::vector<LowerEntry>& couplings, double diagonal,
                   test::Random& random) {
  Matrix matrix{sizes, couplings, {}, {0}};
  for (const int size : sizes) matrix.row.push_back(matrix.row.back() + size);
  matrix.dense.setZero(matrix.row.back(), matrix.row.back());
  const auto fill = [&](int a, int b) {
    for (int i = matrix.row[a]; i < matrix.row[a + 1]; ++i) {
      for (int j = matrix.row[b]; j < matrix.row[b + 1]; ++j) matrix.dense(i, j) = random.uniform(-1, 1);
    }
  };
  for (int a = 0; a < static_cast<int>(sizes.size()); ++a) fill(a, a);
  for (const auto& [a, b] : couplings) {
    fill(a, b);
    fill(b, a);
  }
  matrix.dense.diagonal().array() += diagonal;
  return matrix;
}

Matrix random_matrix(int nodes, double density, double diagonal, test::Random& random) {
  std::vector<int> sizes;
  std::vector<LowerEntry> couplings;
  for (int a = 0; a < nodes; ++a) {
    sizes.push_back(1 + static_cast<int>(random.uniform(0, 6.99)));
    for (int b = 0; b < a; ++b) {
      if (random.uniform(0, 1) < density) couplings.push_back({a, b});
    }
  }
  return make_matrix(sizes, couplings, diagonal, random);
}

void fill(const Matrix& matrix, BlockLU& lu) {
  lu.clear();
  const auto add = [&](int a, int b) {
    const BlockLU::Block block = lu.block(a, b);
    for (int j = 0; j < matrix.sizes[b]; ++j) {
      for (int i = 0; i < matrix.sizes[a]; ++i)
        block.data[j * block.stride + i] += matrix.dense(matrix.row[a] + i, matrix.row[b] + j);
    }
  };
  for (int a = 0; a < static_cast<int>(matrix.sizes.size()); ++a) add(a, a);
  for (const auto& [a, b] : matrix.couplings) {
    add(a, b);
    add(b, a);
  }
}

double error_of_solution(const Matrix& matrix, BlockLU& lu, test::Random& random) {
  std::vector<LowerEntry> couplings = matrix.couplings;
  couplings.insert(couplings.end(), matrix.couplings.begin(), matrix.couplings.end());  // twice
  lu.analyze(matrix.sizes, couplings);
  fill(matrix, lu);
  if (!lu.factorize()) return 1.0;
  const Eigen::VectorXd b = random.vector(matrix.row.back());
  Eigen::VectorXd x = b;
  lu.solve_in_place(x);
  return (matrix.dense * x - b).norm() / b.norm();
}

TEST(BlockLU, SolvesLikeTheDenseMatrix) {
  test::Random random(1);
  BlockLU lu;
  for (const int nodes : {1, 2, 3, 10, 40}) {
    for (const double density : {0.0, 0.05, 0.3, 1.0}) {
      const Matrix matrix = random_matrix(nodes, density, 8.0, random);
      EXPECT_LT(error_of_solution(matrix, lu, random), 1e-11) << nodes << ' ' << density;
    }
  }
}

/// A grid in three dimensions has large fronts, of more than one panel.
TEST(BlockLU, SolvesGrids) {
  test::Random random(2);
  constexpr int kSide = 6;
  std::vector<LowerEntry> couplings;
  const auto node = [](int x, int y, int z) { return x + kSide * (y + kSide * z); };
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) {
      for (int z = 0; z < kSide; ++z) {
        if (x > 0) couplings.push_back({node(x, y, z), node(x - 1, y, z)});
        if (y > 0) couplings.push_back({node(x, y - 1, z), node(x, y, z)});
        if (z > 0) couplings.push_back({node(x, y, z), node(x, y, z - 1)});
      }
    }
  }
  const Matrix matrix = make_matrix(std::vector<int>(kSide * kSide * kSide, 4), couplings, 20.0, random);
  BlockLU lu;
  EXPECT_LT(error_of_solution(matrix, lu, random), 1e-12);
  const auto& fronts = lu.fronts();
  EXPECT_GT(std::ranges::max(fronts.fronts, {}, &EliminationFronts::Front::pivots).pivots, 100);
  // What a dense factorization costs, and what the fronts cost.
  EXPECT_LT(fronts.work(), 0.2 * std::pow(matrix.row.back(), 3) / 3.0);
}

/// Without the exchange of rows the first pivot would be zero.
TEST(BlockLU, ExchangesRowsWithinAFront) {
  BlockLU lu;
  std::vector<LowerEntry> couplings;
  lu.analyze(std::vector<int>{2}, couplings);
  lu.clear();
  const BlockLU::Block block = lu.block(0, 0);
  block.data[1] = 2.0;             // (1, 0)
  block.data[block.stride] = 4.0;  // (0, 1)
  ASSERT_TRUE(lu.factorize());
  Eigen::VectorXd x(2);
  x << 8.0, 6.0;
  lu.solve_in_place(x);
  EXPECT_EQ(x, Eigen::Vector2d(3.0, 2.0));
}

TEST(BlockLU, SaysThatAMatrixIsSingular) {
  BlockLU lu;
  std::vector<LowerEntry> couplings{{1, 0}};
  lu.analyze(std::vector<int>{3, 3}, couplings);
  lu.clear();
  EXPECT_FALSE(lu.factorize());
  lu.clear();
  *lu.block(0, 0).data = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(lu.factorize());
}

TEST(BlockLU, TakesNothing) {
  BlockLU lu;
  std::vector<LowerEntry> couplings;
  lu.analyze({}, couplings);
  lu.clear();
  EXPECT_TRUE(lu.factorize());
  Eigen::VectorXd x(0);
  lu.solve_in_place(x);
}

/// An arrow: all nodes touch the last one. Eliminated from the tips no fill arises.
TEST(BlockLU, OrdersSoThatLittleFillsIn) {
  constexpr int kNodes = 200;
  std::vector<LowerEntry> couplings;
  for (int k = 0; k + 1 < kNodes; ++k) couplings.push_back({kNodes - 1, k});
  BlockLU lu;
  lu.analyze(std::vector<int>(kNodes, 6), couplings);
  EXPECT_LT(lu.fronts().entries(), 3.5 * 36 * kNodes);
}

}  // namespace tippe::core_block_lu_test
