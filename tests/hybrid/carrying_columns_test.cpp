// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/carrying_columns.h"

#include <gtest/gtest.h>

#include "support/full_pivot.h"
#include "support/random.h"

namespace tippe::hybrid_carrying_columns_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// b = A x with x >= 0 in all columns but the free ones: a basis that carries b exists (Caratheodory), also where x is a vertex with
// fewer forces than rows, where columns are given twice, and where a column is zero.
TEST(CarryingColumns, FormABasisInWhichSignedForcesPush) {
  test::Random random(17);
  for (int trial = 0; trial < 500; ++trial) {
    const int rows = 1 + random.below(5), columns = rows + random.below(6);
    MatrixXd A = MatrixXd::Zero(rows, columns);
    VectorXd x = VectorXd::Zero(columns);
    std::vector<bool> free;
    for (int c = 0; c < columns; ++c) {
      A.col(c) = random.magnitude(-3, 3) * random.vector(rows);
      if (c > 0 && random.below(5) == 0) A.col(c) = 2.0 * A.col(c - 1);
      if (random.below(10) == 0) A.col(c).setZero();
      free.push_back(random.below(3) == 0);
      if (random.below(2) == 0)
        x[c] = (free.back() ? random.uniform(-1, 1) : random.uniform(0, 1)) * random.magnitude(-3, 3);
    }
    if (test::dimension_of_kernel(A.transpose(), 1e-8) > 0) continue;
    const VectorXd b = A * x;
    const std::vector<int> chosen = choose_carrying_columns(A, b, free);
    ASSERT_EQ(static_cast<int>(chosen.size()), rows) << "trial " << trial;
    const VectorXd carried = test::solve_by_pivots(A(Eigen::all, chosen), b);
    EXPECT_LE((A(Eigen::all, chosen) * carried - b).norm(), 1e-9 * (1e-300 + b.norm())) << "trial " << trial;
    for (int k = 0; k < rows; ++k) {
      if (free[static_cast<size_t>(chosen[static_cast<size_t>(k)])]) continue;
      const double effect = carried[k] * A.col(chosen[static_cast<size_t>(k)]).norm();
      EXPECT_GE(effect, -1e-9 * b.norm()) << "trial " << trial << ", column " << chosen[static_cast<size_t>(k)];
    }
  }
}

}  // namespace tippe::hybrid_carrying_columns_test
