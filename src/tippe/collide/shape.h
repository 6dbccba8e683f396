// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

namespace tippe {

/// Shapes of a body, in its frame: m from the centre of mass along the body axes. Of a planar body the spheres are discs and the
/// boxes rectangles.
struct SphereShape {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  double radius = 0.0;
};
struct BoxShape {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Vector3d size = Eigen::Vector3d::Zero();      // lengths of the edges; the last 0 for a rectangle
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // columns: directions of the edges
};
struct CapsuleShape {
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  // centres of the two half spheres
  double radius = 0.0;
};
using Shape = std::variant<SphereShape, BoxShape, CapsuleShape>;

/// Spheres whose convex hull the shape is, so that it touches a plane where one of them does: a sphere itself, both ends of a
/// capsule, the corners of a box (radius 0; eight, or four of a rectangle).
[[nodiscard]] std::vector<SphereShape> spheres_of(const Shape& shape);

/// A plane fixed in space: points r with normal . r = offset. What the normal points away from is solid.
struct Plane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // of length 1
  double offset = 0.0;                                // m
};

}  // namespace tippe
