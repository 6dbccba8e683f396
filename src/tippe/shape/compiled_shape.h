// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "tippe/shape/contact_finder.h"
#include "tippe/shape/polyhedron.h"

namespace tippe {

/// What a shape is to those who look for contacts. Its own frame stands at its middle, an axis of symmetry along z.
struct CompiledShape {
  enum class Kind { kSphere, kCapsule, kCylinder, kPolyhedron, kPolygon, kPlane };

  Kind kind = Kind::kSphere;
  bool planar = false;
  bool box = false;  // a polyhedron that make_box made
  int frame = PlacedSolid::kFixed;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  // of its frame in that of the solid; of a plane a point of it
  Eigen::Matrix3d axes =
      Eigen::Matrix3d::Identity();  // columns; the last is the axis of a capsule or cylinder, the normal of a plane
  double radius = 0.0;              // of spheres, capsules, cylinders, and round a polygon
  double half_length = 0.0;         // of capsules and cylinders: from the middle to an end of the axis
  Eigen::Vector3d half = Eigen::Vector3d::Zero();  // of a box round it, along the axes
  std::shared_ptr<const ConvexPolyhedron> polyhedron;
  std::vector<Eigen::Vector3d> corners;  // of a polygon, anticlockwise: one for a disc, two for a stadium
  double bound = 0.0;                    // radius of a ball round it about its middle
  double half_size = 0.0;                // the smallest
};

/// One for each solid.
[[nodiscard]] std::vector<CompiledShape> compile_shapes(const std::vector<PlacedSolid>& solids);

}  // namespace tippe
