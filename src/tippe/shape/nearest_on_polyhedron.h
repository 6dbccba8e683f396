// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/polyhedron.h"

namespace tippe {

/// Where a polyhedron is nearest to a point, all in its own frame. Of a point inside, the nearest face.
struct NearestOnPolyhedron {
  enum class Part { kFace, kEdge, kVertex };

  double distance = 0.0;   // negative inside
  Eigen::Vector3d normal;  // from the polyhedron to the point, of length 1
  Part part = Part::kFace;
  int face = 0;  // the one whose plane the point is furthest above
  int edge = 0;
};
[[nodiscard]] NearestOnPolyhedron nearest_on_polyhedron(const ConvexPolyhedron& polyhedron, const Eigen::Vector3d& point);

}  // namespace tippe
