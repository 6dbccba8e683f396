// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

namespace tippe {

/// A convex body with flat faces. Its outlines are what contacts are clipped against, its numbers are what contacts are called by.
struct ConvexPolyhedron {
  struct Face {
    Eigen::Vector3d normal;    // outwards, of length 1
    double offset = 0.0;       // normal . x <= offset in the whole body
    int first = 0, count = 0;  // its outline in `loop` and `sides`
  };
  struct Edge {
    int from = 0, to = 0;       // vertices
    Eigen::Vector3d direction;  // of length 1
    int face_1 = 0, face_2 = 0;
    Eigen::Vector3d side_1, side_2;  // in each of the faces, perpendicular to the edge, away from the face
  };

  std::vector<Eigen::Vector3d> vertices;
  std::vector<Face> faces;
  std::vector<int> loop;               // vertices of the faces one after the other, anticlockwise seen from outside
  std::vector<Eigen::Vector3d> sides;  // of the side from loop[k] to the next: in the face, perpendicular to it, outwards
  std::vector<int> edge_of_side;
  std::vector<Edge> edges;
  std::vector<int> faces_at;  // faces round a vertex, from faces_at_first[vertex] to faces_at_first[vertex + 1]
  std::vector<int> faces_at_first;
  double inner_radius = 0.0;  // of the largest ball about the origin that is inside; 0 if the origin is not
  double half_size = 0.0;     // half the smallest width across a face

  /// Fills all but vertices, faces and loop from these.
  void complete();
};

/// About the origin, its edges along the axes. Vertex number: bit k is set where the coordinate k is positive.
[[nodiscard]] ConvexPolyhedron make_box(const Eigen::Vector3d& half);

/// The convex hull of points. Faces that are flat to 1e-8 of its extent are one, points inside of them or of edges are no vertices;
/// vertices keep the order of the points. Throws ModelError("points", ...) where points are not finite, fewer than four or in a plane.
[[nodiscard]] ConvexPolyhedron make_hull(std::span<const Eigen::Vector3d> points);

/// The convex hull of points in the x-y plane, anticlockwise, from the first of the points that is a corner. Throws ModelError("points",
/// ...) where points are not finite, not in that plane, fewer than three or on a line.
[[nodiscard]] std::vector<Eigen::Vector3d> make_polygon(std::span<const Eigen::Vector3d> points);

}  // namespace tippe
