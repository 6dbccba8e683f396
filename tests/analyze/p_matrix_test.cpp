// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/p_matrix.h"

#include "support/instant_problems.h"

namespace tippe::analyze_p_matrix_test {

using Eigen::MatrixXd;

double determinant(const MatrixXd& A) {
  if (A.rows() == 0) return 1.0;
  double sum = 0.0;
  for (int j = 0; j < A.cols(); ++j) {
    MatrixXd minor(A.rows() - 1, A.cols() - 1);
    for (int k = 0, to = 0; k < A.cols(); ++k) {
      if (k != j) minor.col(to++) = A.col(k).tail(A.rows() - 1);
    }
    sum += (j % 2 == 0 ? 1.0 : -1.0) * A(0, j) * determinant(minor);
  }
  return sum;
}

double smallest_principal_minor(const MatrixXd& A) {
  double smallest = 1e300;
  for (int bits = 1; bits < 1 << A.rows(); ++bits) {
    std::vector<int> set;
    for (int i = 0; i < A.rows(); ++i) {
      if (bits >> i & 1) set.push_back(i);
    }
    smallest = std::min(smallest, determinant(A(set, set)));
  }
  return smallest;
}

// The definition: all principal minors are positive (Cottle, Definition 3.3.1), here by Laplace's expansion.
TEST(PMatrix, IsThatOfTheDefinition) {
  test::Random random(91);
  int yes = 0, no = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = test::random_integer(random, 1, 5);
    const MatrixXd A = test::random_matrix(random, n, n) + random.uniform(0.0, 2.0) * MatrixXd::Identity(n, n);
    const double smallest = smallest_principal_minor(A);
    if (std::abs(smallest) < 1e-6) continue;
    EXPECT_EQ(is_p_matrix(A, 1e-9), smallest > 0.0) << trial;
    (smallest > 0.0 ? yes : no) += 1;
  }
  EXPECT_GT(yes, 50);
  EXPECT_GT(no, 50);
}

// A rotation by 90 degrees has the determinant 1 and zeros on its diagonal.
TEST(PMatrix, NeedsAllMinorsNotTheDeterminant) {
  MatrixXd A(2, 2);
  A << 0, 1, -1, 0;
  EXPECT_FALSE(is_p_matrix(A, 1e-9));
  A(0, 0) = A(1, 1) = 0.1;
  EXPECT_TRUE(is_p_matrix(A, 1e-9));
}

}  // namespace tippe::analyze_p_matrix_test
