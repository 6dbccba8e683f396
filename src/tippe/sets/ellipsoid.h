// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>

namespace tippe {

/// Euclidean prox of the ellipsoid { x : sum_k (x_k / a_k)^2 <= 1 } with semi-axes a_k >= 0; where a_k = 0
/// the set is flat (x_k = 0). Any dimension; result may alias x. Relative accuracy about 1e-15 for any ratio
/// of the axes.
///
/// Outside, p_k = a_k^2 x_k / (a_k^2 + tau), where tau > 0 solves the secular equation sum_k (a_k x_k /
/// (a_k^2 + tau))^2 = 1.
void prox_ellipsoid(std::span<const double> x, std::span<const double> semi_axes, std::span<double> result);

/// sum_k (x_k / a_k)^2 with 0/0 = 0: at most 1 inside the ellipsoid.
[[nodiscard]] double ellipsoid_level(std::span<const double> x, std::span<const double> semi_axes);

/// The same on fixed-size vectors.
template <class X, class A>
[[nodiscard]] typename X::PlainObject prox_ellipsoid(const Eigen::MatrixBase<X>& x, const Eigen::MatrixBase<A>& semi_axes) {
  const typename X::PlainObject point = x;
  const typename A::PlainObject axes = semi_axes;
  typename X::PlainObject result = point;
  const auto size = static_cast<size_t>(point.size());
  prox_ellipsoid(std::span(point.data(), size), std::span(axes.data(), size), std::span(result.data(), size));
  return result;
}

}  // namespace tippe
