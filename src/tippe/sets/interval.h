// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cassert>

namespace tippe {

/// prox of the half line R0- = (-inf, 0].                                                   Moeller (2.14)
[[nodiscard]] inline double prox_half_line(double x) {
  return std::min(x, 0.0);
}

/// prox of the interval [lower, upper], lower <= upper; either bound may be infinite.          Moeller (2.15)
[[nodiscard]] inline double prox_interval(double x, double lower, double upper) {
  assert(lower <= upper);
  return std::min(std::max(x, lower), upper);
}

/// prox of the box { x : lower_k <= x_k <= upper_k }.                                      Moeller (2.16),
/// (2.17)
template <class X, class Lower, class Upper>
[[nodiscard]] typename X::PlainObject prox_box(const Eigen::MatrixBase<X>& x, const Eigen::MatrixBase<Lower>& lower,
                                               const Eigen::MatrixBase<Upper>& upper) {
  assert((lower.array() <= upper.array()).all());
  return x.cwiseMax(lower).cwiseMin(upper);
}

}  // namespace tippe
