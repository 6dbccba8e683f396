// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tippe/analyze/analysis.h"
#include "tippe/exchange/instant_file.h"

namespace tippe::test {

inline Instant load_example(const std::string& name) {
  return load_instant(std::string(TIPPE_SOURCE_DIR) + "/instants/" + name + ".json");
}

/// Closed forms: accelerations, Delassus matrices, impulses. Results of programs: bounds, coefficients, certificates.
constexpr double kClosedForm = 1e-12, kProgram = 1e-9;

/// |x - expected| <= tolerance (1 + |expected|); infinite ones are equal.
inline void expect_number(double x, double expected, double tolerance, const std::string& what) {
  if (std::isinf(expected)) {
    EXPECT_EQ(x, expected) << what;
  } else {
    EXPECT_NEAR(x, expected, tolerance * (1.0 + std::abs(expected))) << what;
  }
}

inline void expect_vector(const Eigen::VectorXd& x, const std::vector<double>& expected, double tolerance,
                          const std::string& what) {
  ASSERT_EQ(x.size(), static_cast<Eigen::Index>(expected.size())) << what;
  for (size_t i = 0; i < expected.size(); ++i)
    expect_number(x[static_cast<Eigen::Index>(i)], expected[i], tolerance, what + " " + std::to_string(i));
}

/// Equal up to sign.
inline void expect_direction(const Eigen::VectorXd& x, const std::vector<double>& expected, double tolerance,
                             const std::string& what) {
  ASSERT_EQ(x.size(), static_cast<Eigen::Index>(expected.size())) << what;
  const Eigen::Map<const Eigen::VectorXd> e(expected.data(), x.size());
  expect_vector(x.dot(e) < 0.0 ? Eigen::VectorXd(-x) : x, expected, tolerance, what);
}

}  // namespace tippe::test
