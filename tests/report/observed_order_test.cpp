// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/observed_order.h"

#include <cmath>
#include <limits>

namespace tippe::report_observed_order_test {

TEST(ObservedOrder, OfTwoRunsIsTheQuotientOfLogarithms) {
  EXPECT_NEAR(observed_order({{1e-2, 3e-4}, {5e-3, 7.5e-5}}).value(), 2.0, 1e-14);  // half the step, a quarter of the error
  EXPECT_NEAR(observed_order({{1e-3, 1e-5}, {1e-2, 1e-4}}).value(), 1.0, 1e-14);    // in any order
  EXPECT_NEAR(observed_order({{1e-2, 0.7}, {1e-3, 0.7}}).value(), 0.0, 1e-14);
}

// Orders 1 and 3 between three steps that halve: the line through log2 errors 0, -1, -4 has the slope 2.
TEST(ObservedOrder, OfSeveralRunsIsTheLineOfLeastSquares) {
  EXPECT_NEAR(observed_order({{4.0, 1.0}, {2.0, 0.5}, {1.0, 0.0625}}).value(), 2.0, 1e-14);
}

TEST(ObservedOrder, IsNothingWithoutErrorsOrSteps) {
  EXPECT_FALSE(observed_order({}).has_value());
  EXPECT_FALSE(observed_order({{1e-2, 1e-3}}).has_value());
  EXPECT_FALSE(observed_order({{1e-2, 1e-3}, {1e-2, 2e-3}}).has_value());
  EXPECT_FALSE(observed_order({{1e-2, 1e-3}, {1e-3, 0.0}}).has_value());
  EXPECT_FALSE(observed_order({{1e-2, std::numeric_limits<double>::infinity()}, {1e-3, 1.0}}).has_value());
  EXPECT_FALSE(observed_order({{1e-2, std::nan("")}, {1e-3, 1.0}}).has_value());
}

}  // namespace tippe::report_observed_order_test
