// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/sparse_ldlt.h"

#include "support/linear_algebra.h"
#include "support/random.h"

namespace tippe::core_sparse_ldlt_test {

struct SparseMatrix {
  std::vector<LowerEntry> pattern;
  std::vector<double> values;
  Eigen::MatrixXd dense;
};

/// Random symmetric, diagonally dominant, hence positive definite.
SparseMatrix random_matrix(int n, double density, test::Random& random) {
  SparseMatrix matrix;
  matrix.dense.setZero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (random.uniform(0, 1) > density) continue;
      matrix.dense(i, j) = matrix.dense(j, i) = random.uniform(-1, 1);
      matrix.pattern.push_back({i, j});
    }
    matrix.pattern.push_back({i, i});
  }
  for (int i = 0; i < n; ++i) matrix.dense(i, i) = matrix.dense.row(i).cwiseAbs().sum() + random.uniform(0.1, 1);
  for (const auto& [row, column] : matrix.pattern) matrix.values.push_back(matrix.dense(row, column));
  return matrix;
}

TEST(SparseLDLT, SolvesLikeADenseFactorization) {
  test::Random random(1);
  for (int n : {1, 2, 3, 6, 7, 20, 60}) {
    for (double density : {0.0, 0.1, 0.5, 1.0}) {
      const SparseMatrix matrix = random_matrix(n, density, random);
      SparseLDLT factor(n, matrix.pattern);
      ASSERT_TRUE(factor.factorize(matrix.values));
      const Eigen::VectorXd b = random.vector(n);
      Eigen::VectorXd x = b;
      factor.solve_in_place(x);
      EXPECT_LE((matrix.dense * x - b).norm(), 1e-13 * b.norm()) << "n = " << n << ", density " << density;
    }
  }
}

TEST(SparseLDLT, KineticColumnsGiveTheDelassusMatrix) {  // y_i . y_j = w_i' M^-1 w_j
  test::Random random(2);
  for (int n : {3, 12, 40}) {
    const SparseMatrix matrix = random_matrix(n, 0.15, random);
    SparseLDLT factor(n, matrix.pattern);
    ASSERT_TRUE(factor.factorize(matrix.values));
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, 4);
    SparseColumns Y;
    for (int k = 0; k < 4; ++k) {
      std::vector<int> rows;
      std::vector<double> values;
      for (int entry = 0; entry < 2; ++entry) {
        rows.push_back((7 * k + 3 * entry) % n);
        values.push_back(random.uniform(-1, 1));
        W(rows.back(), k) += values.back();
      }
      factor.append_kinetic_column(rows, values, Y);
    }
    const Eigen::MatrixXd G = W.transpose() * test::inverse(matrix.dense) * W;
    for (int i = 0; i < 4; ++i) {
      Eigen::VectorXd y = Eigen::VectorXd::Zero(n);
      Y.add_to(i, 1.0, y.data());
      for (int j = 0; j < 4; ++j) EXPECT_NEAR(Y.dot(j, y.data()), G(i, j), 1e-13);
    }
  }
}

TEST(SparseLDLT, ChainHasLinearFillAndShortColumns) {
  for (int n : {1000, 10000}) {
    std::vector<LowerEntry> pattern;
    for (int i = 0; i < n; ++i) {
      pattern.push_back({i, i});
      if (i > 0) pattern.push_back({i, i - 1});
    }
    std::vector<double> values;
    for (const auto& [row, column] : pattern) values.push_back(row == column ? 2.1 : -1.0);
    SparseLDLT factor(n, pattern);
    ASSERT_TRUE(factor.factorize(values));
    EXPECT_LE(factor.factor_entries(), 2 * n);
  }
}

TEST(SparseLDLT, NamesADirectionWithoutPositiveEnergy) {
  // T = (x' + y')^2 / 2 has no energy along (1, -1).
  const std::vector<LowerEntry> pattern = {{0, 0}, {1, 0}, {1, 1}};
  SparseLDLT factor(2, pattern);
  EXPECT_FALSE(factor.factorize(std::vector{1.0, 1.0, 1.0}));
  const Eigen::VectorXd z = factor.failed_direction();
  EXPECT_NEAR(z[0], -z[1], 1e-15);
  EXPECT_DOUBLE_EQ(z.cwiseAbs().maxCoeff(), 1.0);

  test::Random random(3);  // indefinite: z'Mz <= 0
  for (int trial = 0; trial < 50; ++trial) {
    SparseMatrix matrix = random_matrix(9, 0.4, random);
    const int bad = random.below(9);
    matrix.dense(bad, bad) = random.uniform(-2.0, 0.0);
    for (size_t p = 0; p < matrix.pattern.size(); ++p)
      matrix.values[p] = matrix.dense(matrix.pattern[p].row, matrix.pattern[p].column);
    SparseLDLT indefinite(9, matrix.pattern);
    ASSERT_FALSE(indefinite.factorize(matrix.values));
    const Eigen::VectorXd direction = indefinite.failed_direction();
    EXPECT_LE(direction.dot(matrix.dense * direction), 1e-12);
  }
}

TEST(SparseLDLT, RefusesNaN) {
  SparseLDLT factor(1, std::vector<LowerEntry>{{0, 0}});
  EXPECT_FALSE(factor.factorize(std::vector{std::nan("")}));
}

}  // namespace tippe::core_sparse_ldlt_test
