// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/eigenvalues.h"

#include <gtest/gtest.h>

namespace tippe::core_eigenvalues_test {

// The companion matrix of (x - 3)(x^2 - 2 x + 5) (x + 1/2): roots 3, 1 +- 2i, -1/2.
TEST(GeneralEigenvalues, AreTheRootsOfTheCharacteristicPolynomial) {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.block<3, 3>(1, 0).setIdentity();
  A.col(3) << 7.5, 9.5, -8.5, 4.5;  // x^4 = 4.5 x^3 - 8.5 x^2 + 9.5 x + 7.5
  const std::vector<std::complex<double>> found = general_eigenvalues(A);
  const std::vector<std::complex<double>> roots = {{3.0, 0.0}, {1.0, 2.0}, {1.0, -2.0}, {-0.5, 0.0}};
  ASSERT_EQ(found.size(), roots.size());
  for (size_t i = 0; i < roots.size(); ++i) EXPECT_NEAR(std::abs(found[i] - roots[i]), 0.0, 1e-13) << i;
  EXPECT_TRUE(general_eigenvalues(Eigen::MatrixXd(0, 0)).empty());
}

}  // namespace tippe::core_eigenvalues_test
