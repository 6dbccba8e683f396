// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace tippe {

/// center + t direction, |t| <= half.
struct LineSegment {
  Eigen::Vector3d center, direction;  // the direction of length 1
  double half = 0.0;

  [[nodiscard]] Eigen::Vector3d at(double t) const { return center + t * direction; }
  [[nodiscard]] double nearest(const Eigen::Vector3d& point) const {
    return std::clamp(direction.dot(point - center), -half, half);
  }
};

/// Parameters of the places of two segments that are nearest to each other; of several pairs one.
struct NearestOnSegments {
  double s = 0.0, t = 0.0;
};
[[nodiscard]] inline NearestOnSegments nearest_on_segments(const LineSegment& one, const LineSegment& other) {
  const Eigen::Vector3d between = one.center - other.center;
  const double c = one.direction.dot(other.direction);
  const double p = one.direction.dot(between), q = other.direction.dot(between);
  // 1 - c^2 without cancellation
  const double square = one.direction.cross(other.direction).squaredNorm();
  NearestOnSegments result;
  if (square > 1e-30) {
    const Eigen::Vector3d cross = one.direction.cross(other.direction);
    result.s = std::clamp((-between).cross(other.direction).dot(cross) / square, -one.half, one.half);
  } else {
    // Parallel: the middle of what they have in common.
    const double middle = -p, reach = std::abs(c) * other.half;
    const double low = std::max(-one.half, middle - reach), high = std::min(one.half, middle + reach);
    result.s = std::clamp(0.5 * (low + high), -one.half, one.half);
  }
  result.t = std::clamp(q + c * result.s, -other.half, other.half);
  result.s = std::clamp(c * result.t - p, -one.half, one.half);
  return result;
}

/// The part of a segment that another, nearly parallel one is beside.
struct CommonPart {
  double low = 0.0, high = 0.0;
};
[[nodiscard]] inline CommonPart common_part(const LineSegment& one, const LineSegment& other) {
  const double middle = one.direction.dot(other.center - one.center);
  const double reach = std::abs(one.direction.dot(other.direction)) * other.half;
  return {std::max(-one.half, middle - reach), std::min(one.half, middle + reach)};
}

}  // namespace tippe
