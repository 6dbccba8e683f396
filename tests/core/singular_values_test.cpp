// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/singular_values.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "support/random.h"

namespace tippe::core_singular_values_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::random_matrix;

/// A product of reflections.
MatrixXd random_orthogonal(test::Random& random, int n) {
  MatrixXd Q = MatrixXd::Identity(n, n);
  for (int k = 0; k < n; ++k) {
    const VectorXd v = random.vector(n);
    const VectorXd projected = Q.transpose() * v;
    Q -= (2.0 / v.squaredNorm()) * v * projected.transpose();
  }
  return Q;
}

/// What must hold of every decomposition, to round-off of the largest value; `expected` are the values, descending.
void expect_decomposes(const MatrixXd& A, const VectorXd& expected) {
  const SingularValues svd = decompose_singular(A);
  const auto count = std::min(A.rows(), A.cols());
  const double largest = count > 0 ? expected[0] : 0.0, tolerance = 1e-14 * static_cast<double>(1 + A.rows() + A.cols());
  ASSERT_EQ(svd.values.size(), count);
  ASSERT_EQ(svd.U.cols(), count);
  ASSERT_EQ(svd.V.cols(), A.cols());
  EXPECT_LE((svd.V.transpose() * svd.V - MatrixXd::Identity(A.cols(), A.cols())).norm(), tolerance);
  EXPECT_LE((svd.U * svd.values.asDiagonal() * svd.V.leftCols(count).transpose() - A).norm(), tolerance * largest);
  EXPECT_LE((A * svd.V.rightCols(A.cols() - count)).norm(), tolerance * largest);
  EXPECT_LE((svd.values - expected).norm(), tolerance * largest);
  for (Eigen::Index k = 1; k < count; ++k) EXPECT_GE(svd.values[k - 1], svd.values[k]);
  if (count == 0) return;
  MatrixXd B = A.rows() < A.cols() ? MatrixXd(A.transpose()) : A;
  VectorXd values;
  find_singular_values(B, values);
  EXPECT_LE((values - expected).norm(), tolerance * largest);
}

/// A matrix made of its singular values.
void expect_decomposes_into(test::Random& random, int rows, int columns, const VectorXd& values) {
  MatrixXd S = MatrixXd::Zero(rows, columns);
  for (Eigen::Index k = 0; k < values.size(); ++k) S(k, k) = values[k];
  expect_decomposes(random_orthogonal(random, rows) * S * random_orthogonal(random, columns), values);
}

TEST(SingularValues, OfRandomMatricesOfEveryShape) {
  test::Random random(1);
  for (const int rows : {1, 2, 3, 7, 20, 60}) {
    for (const int columns : {1, 2, 3, 7, 20, 60}) {
      VectorXd values = random.vector(std::min(rows, columns)).cwiseAbs();
      std::sort(values.data(), values.data() + values.size(), std::greater<>());
      expect_decomposes_into(random, rows, columns, values);
    }
  }
}

TEST(SingularValues, OfMatricesWithoutFullRank) {
  test::Random random(2);
  for (const int rank : {0, 1, 3, 10}) {
    for (const auto& [rows, columns] : {std::pair{10, 30}, {30, 10}, {25, 25}}) {
      VectorXd values = VectorXd::Zero(std::min(rows, columns));
      for (int k = 0; k < rank; ++k) values[k] = 1.0 + rank - k;
      expect_decomposes_into(random, rows, columns, values);
    }
  }
}

TEST(SingularValues, OfSizesFarFromOne) {
  test::Random random(3);
  const MatrixXd A = random_matrix(random, 6, 4);
  const VectorXd values = decompose_singular(A).values;
  for (const double scale : {0x1p-900, 0x1p-500, 0x1p500, 0x1p900})
    EXPECT_EQ(VectorXd(decompose_singular(scale * A).values / scale), values) << scale;
}

// With orthogonal columns times a diagonal matrix the small values are determined as well as the large ones.
TEST(SingularValues, AreAccurateRelativeToThemselvesWhereColumnsAreGraded) {
  test::Random random(4);
  const int n = 8;
  VectorXd graded(n);
  for (int k = 0; k < n; ++k) graded[k] = std::pow(10.0, -1.5 * k);
  const MatrixXd A = random_orthogonal(random, n) * graded.asDiagonal();
  const VectorXd values = decompose_singular(A).values;
  for (int k = 0; k < n; ++k) EXPECT_NEAR(values[k] / graded[k], 1.0, 1e-13) << k;
}

TEST(SingularValues, OfEqualValuesZerosAndNothing) {
  expect_decomposes(MatrixXd::Identity(5, 5), VectorXd::Ones(5));
  expect_decomposes(MatrixXd::Ones(4, 6), std::sqrt(24.0) * VectorXd::Unit(4, 0));
  expect_decomposes(MatrixXd::Zero(3, 2), VectorXd::Zero(2));
  expect_decomposes(MatrixXd(0, 3), VectorXd());
  expect_decomposes(MatrixXd(3, 0), VectorXd());
  EXPECT_EQ(decompose_singular(MatrixXd::Zero(3, 2)).U, MatrixXd::Zero(3, 2));
}

TEST(SingularValues, OfNoNumbersAreNoNumbers) {
  MatrixXd A = MatrixXd::Identity(3, 3);
  A(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(decompose_singular(A).values.allFinite());
  VectorXd values;
  find_singular_values(A, values);
  EXPECT_FALSE(values.allFinite());
}

}  // namespace tippe::core_singular_values_test
