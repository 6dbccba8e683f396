// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "tippe/shape/placed_shape.h"

namespace tippe {

/// The fixed places of a rim: so many, at equal angles. A standing cylinder would tip over the sides of this polygon, but for the lowest
/// place of its rim, which carries as soon as it is tilted by kFlat.
inline constexpr int kRimPlaces = 8;

/// Of place number k, from the centre of the rim.
[[nodiscard]] inline Eigen::Vector3d rim_place(const PlacedShape& cylinder, int k) {
  const double c = std::sqrt(0.5);
  constexpr int n = kRimPlaces;
  const std::array<double, n> cosine{1.0, c, 0.0, -c, -1.0, -c, 0.0, c};
  return cylinder.radius() * (cosine[k] * cylinder.axes.col(0) + cosine[(k + n - 2) % n] * cylinder.axes.col(1));
}

}  // namespace tippe
