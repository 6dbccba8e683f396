// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace tippe {

/// x^(1/k) for x >= 0 and k >= 1, such that 2^(k n) x has a root with the same digits: units that are powers of two change none.
[[nodiscard]] inline double scaled_root(double x, int k) {
  if (!(x > 0.0) || !std::isfinite(x)) return std::pow(x, 1.0 / k);
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  const int whole = exponent >= 0 ? exponent / k : -((k - 1 - exponent) / k);  // rounded down
  return std::ldexp(std::pow(std::ldexp(mantissa, exponent - k * whole), 1.0 / k), whole);
}

}  // namespace tippe
