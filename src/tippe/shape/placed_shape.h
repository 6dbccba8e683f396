// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/shape/compiled_shape.h"

namespace tippe {

/// A shape where its body is, its frame in axes of space. Those who compare two shapes count places from the middle of one of them, so
/// that pairs far from the origin of space lose no digits.
struct PlacedShape {
  const CompiledShape* shape = nullptr;
  Eigen::Vector3d center;
  Eigen::Matrix3d axes;

  [[nodiscard]] Eigen::Vector3d axis() const { return axes.col(2); }
  [[nodiscard]] double radius() const { return shape->radius; }
  [[nodiscard]] double half_length() const { return shape->half_length; }
};

}  // namespace tippe
