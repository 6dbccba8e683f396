// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/nearest_on_polyhedron.h"

#include <cmath>
#include <limits>

#include "tippe/shape/tolerances.h"

namespace tippe {

using Eigen::Vector3d;

NearestOnPolyhedron nearest_on_polyhedron(const ConvexPolyhedron& polyhedron, const Vector3d& point) {
  using Part = NearestOnPolyhedron::Part;
  NearestOnPolyhedron nearest;
  double highest = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < static_cast<int>(polyhedron.faces.size()); ++f) {
    const double height = polyhedron.faces[f].normal.dot(point) - polyhedron.faces[f].offset;
    if (height > highest) highest = height, nearest.face = f;
  }
  nearest.distance = highest;
  nearest.normal = polyhedron.faces[nearest.face].normal;
  if (highest <= kNoLength * polyhedron.half_size) return nearest;

  // Outside: of the faces that the point is above, the nearest, which is nearer than the outlines of all others.
  double best_square = std::numeric_limits<double>::infinity();
  for (int f = 0; f < static_cast<int>(polyhedron.faces.size()); ++f) {
    const ConvexPolyhedron::Face& face = polyhedron.faces[f];
    const double height = face.normal.dot(point) - face.offset;
    if (height <= 0.0 || height * height >= best_square) continue;
    bool above = true;
    for (int k = 0; k < face.count; ++k) {
      const int from = polyhedron.loop[face.first + k], to = polyhedron.loop[face.first + (k + 1) % face.count];
      const Vector3d start = polyhedron.vertices[from], beside = point - start;
      if (polyhedron.sides[face.first + k].dot(beside) <= 0.0) continue;
      above = false;
      const Vector3d side = polyhedron.vertices[to] - start;
      const double length = side.norm();
      const double along = side.dot(beside) / length;
      const bool at_start = along <= 0.0, at_end = along >= length;
      const Vector3d foot = at_start ? start : at_end ? polyhedron.vertices[to] : Vector3d(start + along / length * side);
      const Vector3d away = point - foot;
      if (away.squaredNorm() >= best_square) continue;
      best_square = away.squaredNorm();
      nearest.distance = std::sqrt(best_square);
      nearest.normal = away / nearest.distance;
      nearest.part = at_start || at_end ? Part::kVertex : Part::kEdge;
      nearest.edge = polyhedron.edge_of_side[face.first + k];
    }
    if (above) {
      best_square = height * height;
      nearest.distance = height;
      nearest.normal = face.normal;
      nearest.part = Part::kFace;
    }
  }
  return nearest;
}

}  // namespace tippe
