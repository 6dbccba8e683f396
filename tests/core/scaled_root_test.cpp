// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/scaled_root.h"

#include "support/random.h"

namespace tippe::core_scaled_root_test {

TEST(ScaledRoot, IsTheRootToRoundOff) {
  test::Random random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    const double x = random.magnitude(-250.0, 250.0);
    const int k = 1 + random.below(24);
    EXPECT_NEAR(scaled_root(x, k) / std::pow(x, 1.0 / k), 1.0, 4e-14)
        << x << " " << k;  // 1.0/k is rounded, and log x is up to 600
  }
  EXPECT_EQ(scaled_root(0.0, 3), 0.0);
  EXPECT_EQ(scaled_root(std::numeric_limits<double>::infinity(), 3), std::numeric_limits<double>::infinity());
}

TEST(ScaledRoot, KeepsItsDigitsInUnitsOfPowersOfTwo) {
  test::Random random(6);
  for (int trial = 0; trial < 1000; ++trial) {
    const double x = random.magnitude(-20.0, 20.0);
    const int k = 1 + random.below(24), n = random.below(41) - 20;
    EXPECT_EQ(scaled_root(std::ldexp(x, k * n), k), std::ldexp(scaled_root(x, k), n)) << x << " " << k << " " << n;
  }
}

}  // namespace tippe::core_scaled_root_test
