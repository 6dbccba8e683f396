// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "tippe/shape/placed_shape.h"

namespace tippe {

/// A face of a polyhedron or an end of a cylinder, in the frame of all: a plane, and where in it the face is. Its outline is moved out
/// by a margin.
class FlatRegion {
 public:
  [[nodiscard]] static FlatRegion face(const PlacedShape& polyhedron, int number, double margin);
  [[nodiscard]] static FlatRegion end(const PlacedShape& cylinder, int number, double margin);

  [[nodiscard]] const Eigen::Vector3d& normal() const { return normal_; }
  [[nodiscard]] double height(const Eigen::Vector3d& place) const { return normal_.dot(place - point_); }
  /// By its projection on the plane.
  [[nodiscard]] bool has(const Eigen::Vector3d& place) const;
  /// The part of from + t (to - from), 0 <= t <= 1, that is above the region, and the features that bound it; low > high: none.
  struct Part {
    double low = 0.0, high = 1.0;
    std::uint32_t low_feature = 0, high_feature = 0;  // 0 where it is an end of the line itself
  };
  [[nodiscard]] Part part_above(const Eigen::Vector3d& from, const Eigen::Vector3d& to) const;
  [[nodiscard]] std::uint32_t feature() const { return feature_; }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_end() const { return solid_ == nullptr; }

 private:
  Eigen::Vector3d normal_, point_;
  double margin_ = 0.0;
  std::uint32_t feature_ = 0;
  int number_ = 0;
  const ConvexPolyhedron* solid_ = nullptr;  // of a face, with its place
  Eigen::Vector3d center_;
  Eigen::Matrix3d axes_;
  double radius_ = 0.0;  // of an end
};

/// Where a line comes into an endless round column and leaves it, from + t (to - from); low > high where it misses.
struct Chord {
  double low = 1.0, high = 0.0;
};
[[nodiscard]] Chord chord_of(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const Eigen::Vector3d& center,
                             const Eigen::Vector3d& axis, double radius);

}  // namespace tippe
