// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

namespace tippe {

/// Shapes of a body, in its frame: m from the origin of the frame along its axes. Of a planar body the spheres are discs, the boxes
/// rectangles, the capsules stadiums and the hulls polygons, all in the x-y plane.
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
struct CylinderShape {
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  // centres of the two flat ends
  double radius = 0.0;
};
/// The convex hull of points, at least four that are not in a plane; of a planar body at least three that are not on a line.
struct HullShape {
  std::vector<Eigen::Vector3d> points;
};
/// Points r with normal . r = offset. What the normal points away from is solid.
struct Plane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // of length 1
  double offset = 0.0;                                // m
};
/// All that can touch.
using Solid = std::variant<SphereShape, BoxShape, CapsuleShape, CylinderShape, HullShape, Plane>;

}  // namespace tippe
