// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tippe {

using Eigen::Vector3d;
using Corner = PolyhedronScratch::Corner;

// The method of Sutherland and Hodgman (1974), side by side. The outline of a convex polygon goes out through a side once at most, and in
// once: that names the corners.
double clip_to_face(const ConvexPolyhedron& solid, int number, double margin, PolyhedronScratch& scratch) {
  const ConvexPolyhedron::Face& face = solid.faces[number];
  std::vector<double>& heights = scratch.heights;
  for (int k = 0; k < face.count; ++k) {
    const Vector3d& side = solid.sides[face.first + k];
    const Vector3d& on_side = solid.vertices[solid.loop[face.first + k]];
    const std::vector<Corner>& outline = scratch.outline;
    heights.resize(outline.size());
    double highest = 0.0;
    for (size_t i = 0; i < outline.size(); ++i) {
      heights[i] = side.dot(outline[i].at - on_side) - margin;
      highest = std::max(highest, heights[i]);
    }
    if (highest <= 0.0) continue;
    scratch.cut_outline.clear();
    for (size_t i = 0; i < outline.size(); ++i) {
      const size_t next = i + 1 < outline.size() ? i + 1 : 0;
      const bool inside = heights[i] <= 0.0, next_inside = heights[next] <= 0.0;
      if (inside) scratch.cut_outline.push_back(outline[i]);
      if (inside == next_inside) continue;
      const double part = heights[i] / (heights[i] - heights[next]);
      scratch.cut_outline.push_back({outline[i].at + part * (outline[next].at - outline[i].at), PolyhedronScratch::kCutHere,
                                     feature::cut(number, k, inside)});
    }
    std::swap(scratch.outline, scratch.cut_outline);
    if (scratch.outline.empty()) return 0.0;
  }
  double reach_in = std::numeric_limits<double>::infinity();
  for (int k = 0; k < face.count; ++k) {
    const Vector3d& side = solid.sides[face.first + k];
    const Vector3d& on_side = solid.vertices[solid.loop[face.first + k]];
    double lowest = 0.0;
    for (const Corner& corner : scratch.outline) lowest = std::min(lowest, side.dot(corner.at - on_side));
    reach_in = std::min(reach_in, -lowest);
  }
  return reach_in;
}

void keep_eight(const ConvexPolyhedron& solid, int number, PolyhedronScratch& scratch) {
  constexpr int kDirections = 8;
  std::vector<Corner>& outline = scratch.outline;
  if (outline.size() <= kDirections) return;
  const ConvexPolyhedron::Face& face = solid.faces[number];
  const Vector3d along = solid.sides[face.first], across = face.normal.cross(along);
  std::array<bool, 128> kept{};
  const size_t count = std::min(outline.size(), kept.size());
  const auto keep_first = [&](const Vector3d& direction) {
    size_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < count; ++i) {
      const double value = direction.dot(outline[i].at);
      if (value > most) most = value, best = i;
    }
    kept[best] = true;
  };
  for (int k = 0; k < kDirections; ++k) {
    // Turned by an angle that faces with symmetries do not have, or round-off would choose.
    const double angle = 0.7 * (EIGEN_PI / kDirections) + k * (2.0 * EIGEN_PI / kDirections);
    keep_first(std::cos(angle) * along + std::sin(angle) * across);
  }
  keep_first(-face.normal);
  size_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    if (kept[i]) outline[last++] = outline[i];
  }
  outline.resize(last);
}

}  // namespace tippe
