// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cassert>

namespace tippe {

/// prox of the ball { x : |x| <= radius }, radius >= 0, in any dimension.                      Moeller (2.19)
/// For radius = 0 the ball is its centre.
template <class X>
[[nodiscard]] typename X::PlainObject prox_ball(const Eigen::MatrixBase<X>& x, double radius) {
  assert(radius >= 0.0);
  const double norm = x.stableNorm();
  if (norm <= radius) return x;
  return (x / norm) * radius;  // in this order nothing overflows
}

}  // namespace tippe
