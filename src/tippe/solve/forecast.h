// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tippe {

/// How long an iteration will take, from the rate of its last six measurements.
class Forecast {
 public:
  Forecast() { history_.fill(std::numeric_limits<double>::infinity()); }

  /// In measurements; 0 while there is too little to judge by.
  [[nodiscard]] double measurements_to_go(double residual, double tolerance) {
    double& before = history_[static_cast<size_t>(count_++) % history_.size()];
    double result = 0.0;
    if (std::isfinite(before)) {
      const double decades = std::max(std::log10(before / residual), 1e-10);
      result = static_cast<double>(history_.size()) * std::log10(residual / tolerance) / decades;
    }
    before = residual;
    return result;
  }

 private:
  std::array<double, 6> history_;
  int count_ = 0;
};

}  // namespace tippe
