// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/polyhedron.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tippe {

using Eigen::Vector3d;

void ConvexPolyhedron::complete() {
  sides.resize(loop.size());
  edge_of_side.resize(loop.size());
  edges.clear();
  std::map<std::pair<int, int>, int> edge_of;  // by its vertices, the smaller first
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    const Face& face = faces[f];
    for (int k = 0; k < face.count; ++k) {
      const int from = loop[face.first + k], to = loop[face.first + (k + 1) % face.count];
      const Vector3d direction = (vertices[to] - vertices[from]).normalized();
      const Vector3d side = direction.cross(face.normal).normalized();
      sides[face.first + k] = side;
      const auto [place, is_new] =
          edge_of.try_emplace(std::pair<int, int>(std::minmax(from, to)), static_cast<int>(edges.size()));
      edge_of_side[face.first + k] = place->second;
      if (is_new) {
        edges.push_back({from, to, direction, f, f, side, side});
      } else {
        edges[place->second].face_2 = f;
        edges[place->second].side_2 = side;
      }
    }
  }
  faces_at_first.assign(vertices.size() + 1, 0);
  for (const int vertex : loop) ++faces_at_first[vertex + 1];
  for (size_t v = 0; v < vertices.size(); ++v) faces_at_first[v + 1] += faces_at_first[v];
  faces_at.resize(loop.size());
  std::vector<int> next(faces_at_first.begin(), faces_at_first.end() - 1);
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    for (int k = 0; k < faces[f].count; ++k) faces_at[next[loop[faces[f].first + k]]++] = f;
  }
  inner_radius = std::numeric_limits<double>::infinity();
  half_size = std::numeric_limits<double>::infinity();
  for (const Face& face : faces) {
    inner_radius = std::min(inner_radius, face.offset);
    double lowest = face.offset;
    for (const Vector3d& vertex : vertices) lowest = std::min(lowest, face.normal.dot(vertex));
    half_size = std::min(half_size, 0.5 * (face.offset - lowest));
  }
  inner_radius = std::max(inner_radius, 0.0);
}

ConvexPolyhedron make_box(const Vector3d& half) {
  ConvexPolyhedron box;
  for (int corner = 0; corner < 8; ++corner) {
    Vector3d vertex = half;
    for (int axis = 0; axis < 3; ++axis) {
      if (((corner >> axis) & 1) == 0) vertex[axis] = -vertex[axis];
    }
    box.vertices.push_back(vertex);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << ((axis + 1) % 3), v = 1 << ((axis + 2) % 3);
    for (const bool positive : {false, true}) {
      const int base = positive ? 1 << axis : 0;
      Vector3d normal = Vector3d::Zero();
      normal[axis] = positive ? 1.0 : -1.0;
      box.faces.push_back({normal, half[axis], static_cast<int>(box.loop.size()), 4});
      if (positive) {
        box.loop.insert(box.loop.end(), {base, base + u, base + u + v, base + v});
      } else {
        box.loop.insert(box.loop.end(), {base, base + v, base + u + v, base + u});
      }
    }
  }
  box.complete();
  return box;
}

}  // namespace tippe
