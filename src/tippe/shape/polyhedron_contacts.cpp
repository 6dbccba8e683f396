// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/polyhedron_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/shape/clip.h"
#include "tippe/shape/tolerances.h"

namespace tippe {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kNone = -std::numeric_limits<double>::infinity();

/// How far two solids are apart along the normal of a face of one of them; negative if they are not.
struct FaceAxis {
  double separation = kNone;
  int face = -1;
};

/// How far they are apart along the common perpendicular of two edges.
struct EdgeAxis {
  double separation = kNone;
  std::uint32_t first = 0, second = 0;  // features
  Vector3d normal;                      // from first to second
  double gap_at_ends = 0.0;             // by how much the nearest places are beyond the ends of the edges
  Vector3d place;                       // on the edge of the first
  Vector3d direction, other_direction;
};

/// A solid as another sees it: x of its frame is at turn x + offset.
struct Seen {
  const ConvexPolyhedron& solid;
  Matrix3d turn;
  Vector3d offset;
};

double lowest_along(const Seen& seen, const Vector3d& normal) {
  const Vector3d own = seen.turn.transpose() * normal;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vector3d& vertex : seen.solid.vertices) lowest = std::min(lowest, own.dot(vertex));
  return normal.dot(seen.offset) + lowest;
}

FaceAxis best_face(const ConvexPolyhedron& solid, const Seen& other) {
  FaceAxis best;
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f) {
    const ConvexPolyhedron::Face& face = solid.faces[f];
    // The middle of the other is further out than its lowest place.
    if (face.normal.dot(other.offset) - other.solid.inner_radius - face.offset <= best.separation) continue;
    const double separation = lowest_along(other, face.normal) - face.offset;
    if (separation > best.separation) best = {separation, f};
  }
  return best;
}

/// Of boxes with these halves, whose axes are the unit vectors and the columns of `turn`.
FaceAxis best_face_of_box(const Vector3d& half, const Vector3d& other_half, const Matrix3d& turn, const Vector3d& offset) {
  FaceAxis best;
  for (int axis = 0; axis < 3; ++axis) {
    const double separation = std::abs(offset[axis]) - half[axis] - turn.row(axis).cwiseAbs().dot(other_half);
    if (separation > best.separation) best = {separation, 2 * axis + (offset[axis] >= 0.0 ? 1 : 0)};
  }
  return best;
}

/// Where the lines of two edges are nearest to each other.
void set_place(const Vector3d& middle, double half, const Vector3d& other_middle, double other_half, EdgeAxis& axis) {
  const Vector3d cross = axis.direction.cross(axis.other_direction), between = other_middle - middle;
  const double square = cross.squaredNorm();
  const double s = between.cross(axis.other_direction).dot(cross) / square;
  const double t = between.cross(axis.direction).dot(cross) / square;
  axis.gap_at_ends = std::max(std::abs(s) - half, std::abs(t) - other_half);
  axis.place = middle + s * axis.direction;
}

EdgeAxis best_edges_of_boxes(const Vector3d& half, const Vector3d& other_half, const Matrix3d& turn,
                             const Vector3d& offset) {
  EdgeAxis best;
  int best_i = -1, best_j = -1;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double sine_squared = turn(i1, j) * turn(i1, j) + turn(i2, j) * turn(i2, j);
      if (sine_squared < kParallel * kParallel) continue;
      // e_i x b_j has the components 0, -turn(i2, j), turn(i1, j) along e_i, e_i1, e_i2.
      const double distance = std::abs(offset[i2] * turn(i1, j) - offset[i1] * turn(i2, j));
      const double extent = half[i1] * std::abs(turn(i2, j)) + half[i2] * std::abs(turn(i1, j)) +
                            other_half[j1] * std::abs(turn(i, j2)) + other_half[j2] * std::abs(turn(i, j1));
      const double separation = (distance - extent) / std::sqrt(sine_squared);
      if (separation > best.separation) best.separation = separation, best_i = i, best_j = j;
    }
  }
  if (best_i < 0) return best;
  best.direction = Vector3d::Unit(best_i);
  best.other_direction = turn.col(best_j);
  best.normal = best.direction.cross(best.other_direction).normalized();
  if (best.normal.dot(offset) < 0.0) best.normal = -best.normal;
  Vector3d middle = Vector3d::Zero(), other_middle = offset;
  int signs = 0, other_signs = 0;
  for (int k = 0; k < 3; ++k) {
    if (k != best_i) {
      const bool positive = best.normal[k] >= 0.0;
      signs |= positive ? 1 << k : 0;
      middle[k] = positive ? half[k] : -half[k];
    }
    if (k != best_j) {
      const bool positive = best.normal.dot(turn.col(k)) < 0.0;
      other_signs |= positive ? 1 << k : 0;
      other_middle += (positive ? other_half[k] : -other_half[k]) * turn.col(k);
    }
  }
  best.first = feature::edge(8 * best_i + signs);
  best.second = feature::edge(8 * best_j + other_signs);
  set_place(middle, half[best_i], other_middle, other_half[best_j], best);
  return best;
}

/// Only edges that come as near to each other as `nearest` along `normal`, from the solid to the other, can be those that touch.
EdgeAxis best_edges(const ConvexPolyhedron& solid, const Seen& other, const Vector3d& normal, double slack,
                    PolyhedronScratch& scratch) {
  double highest = kNone;
  for (const Vector3d& vertex : solid.vertices) highest = std::max(highest, normal.dot(vertex));
  const double lowest = lowest_along(other, normal);
  const Vector3d other_normal = other.turn.transpose() * normal;
  const double other_offset = normal.dot(other.offset);
  scratch.edges_a.clear();
  scratch.edges_b.clear();
  for (int e = 0; e < static_cast<int>(solid.edges.size()); ++e) {
    const ConvexPolyhedron::Edge& edge = solid.edges[e];
    if (std::max(normal.dot(solid.vertices[edge.from]), normal.dot(solid.vertices[edge.to])) >= lowest - slack)
      scratch.edges_a.push_back(e);
  }
  for (int e = 0; e < static_cast<int>(other.solid.edges.size()); ++e) {
    const ConvexPolyhedron::Edge& edge = other.solid.edges[e];
    if (std::min(other_normal.dot(other.solid.vertices[edge.from]), other_normal.dot(other.solid.vertices[edge.to])) +
            other_offset <=
        highest + slack)
      scratch.edges_b.push_back(e);
  }
  EdgeAxis best;
  int best_a = -1, best_b = -1;
  for (const int b : scratch.edges_b) {
    const ConvexPolyhedron::Edge& theirs = other.solid.edges[b];
    const Vector3d direction = other.turn * theirs.direction, side_1 = other.turn * theirs.side_1,
                   side_2 = other.turn * theirs.side_2;
    const Vector3d end = other.turn * other.solid.vertices[theirs.from] + other.offset;
    for (const int a : scratch.edges_a) {
      const ConvexPolyhedron::Edge& ours = solid.edges[a];
      Vector3d across = ours.direction.cross(direction);
      // The normal must be in the cones of both edges.
      double out_1 = across.dot(ours.side_1);
      const double out_2 = across.dot(ours.side_2);
      if (out_1 * out_2 < 0.0) continue;
      if (out_1 + out_2 < 0.0) across = -across;
      if (across.dot(side_1) > 0.0 || across.dot(side_2) > 0.0) continue;
      const double sine = across.norm();
      if (sine < kParallel) continue;
      const double separation = across.dot(end - solid.vertices[ours.from]) / sine;
      if (separation <= best.separation) continue;
      best.separation = separation;
      best.normal = across / sine;
      best_a = a, best_b = b;
    }
  }
  if (best_a < 0) return best;
  const ConvexPolyhedron::Edge &ours = solid.edges[best_a], &theirs = other.solid.edges[best_b];
  const auto middle_of = [](const ConvexPolyhedron& of, const ConvexPolyhedron::Edge& edge) -> Vector3d {
    return 0.5 * (of.vertices[edge.from] + of.vertices[edge.to]);
  };
  const auto half_of = [](const ConvexPolyhedron& of, const ConvexPolyhedron::Edge& edge) {
    return 0.5 * (of.vertices[edge.to] - of.vertices[edge.from]).norm();
  };
  best.first = feature::edge(best_a);
  best.second = feature::edge(best_b);
  best.direction = ours.direction;
  best.other_direction = other.turn * theirs.direction;
  set_place(middle_of(solid, ours), half_of(solid, ours), other.turn * middle_of(other.solid, theirs) + other.offset,
            half_of(other.solid, theirs), best);
  return best;
}

/// Of the faces round the place of the other that is furthest down along `normal`, the one that looks against it most.
int facing(const Seen& other, const Vector3d& normal) {
  const Vector3d own = other.turn.transpose() * normal;
  int lowest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int v = 0; v < static_cast<int>(other.solid.vertices.size()); ++v) {
    const double height = own.dot(other.solid.vertices[v]);
    if (height < least) least = height, lowest = v;
  }
  int best = -1;
  double most = std::numeric_limits<double>::infinity();
  for (int k = other.solid.faces_at_first[lowest]; k < other.solid.faces_at_first[lowest + 1]; ++k) {
    const double cosine = own.dot(other.solid.faces[other.solid.faces_at[k]].normal);
    if (cosine < most) most = cosine, best = other.solid.faces_at[k];
  }
  return best;
}

/// What the other has above a face, clipped to it, in scratch.outline. Returns how far that reaches in from every side of the face.
double clip_facing(const ConvexPolyhedron& solid, int number, const Seen& other, double margin, PolyhedronScratch& scratch) {
  const ConvexPolyhedron::Face& outline = other.solid.faces[facing(other, solid.faces[number].normal)];
  scratch.outline.clear();
  for (int k = 0; k < outline.count; ++k) {
    const int vertex = other.solid.loop[outline.first + k];
    scratch.outline.push_back(
        {other.turn * other.solid.vertices[vertex] + other.offset, feature::vertex(vertex), feature::face(number)});
  }
  return clip_to_face(solid, number, margin, scratch);
}

/// Of all faces along whose normals the two are `least` apart or more, the one that the other reaches in furthest: where edges of two
/// plates meet, that is a large face, not the narrow one beside it.
int widest_face(const ConvexPolyhedron& solid, const Seen& other, const FaceAxis& best, double least, double margin,
                PolyhedronScratch& scratch) {
  int widest = best.face;
  double most = -1.0;
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f) {
    const ConvexPolyhedron::Face& face = solid.faces[f];
    if (f == best.face || face.normal.dot(other.offset) - other.solid.inner_radius - face.offset < least) continue;
    if (lowest_along(other, face.normal) - face.offset < least) continue;
    if (most < 0.0) most = clip_facing(solid, best.face, other, margin, scratch);
    const double reach_in = clip_facing(solid, f, other, margin, scratch);
    if (reach_in <= most + margin) continue;
    // It must see the two as deep in each other as they are.
    const bool touches =
        std::any_of(scratch.outline.begin(), scratch.outline.end(), [&](const PolyhedronScratch::Corner& corner) {
          return face.normal.dot(corner.at) - face.offset <= best.separation + margin;
        });
    if (touches) most = reach_in, widest = f;
  }
  return widest;
}

/// The manifold on a face of `placed`, one point for each corner of what the other has above it. Returns whether there is one.
bool add_face(const PlacedShape& placed, const Seen& other, int number, bool is_first, double margin,
              PolyhedronScratch& scratch, ContactWriter& contacts) {
  const ConvexPolyhedron& solid = *placed.shape->polyhedron;
  const ConvexPolyhedron::Face& face = solid.faces[number];
  if (clip_facing(solid, number, other, margin, scratch) <= margin) return false;
  std::erase_if(scratch.outline, [&](const PolyhedronScratch::Corner& corner) {
    return !(face.normal.dot(corner.at) - face.offset <= contacts.reach());
  });
  if (scratch.outline.empty()) return false;
  keep_eight(solid, number, scratch);
  const Vector3d normal = placed.axes * face.normal;
  for (const PolyhedronScratch::Corner& corner : scratch.outline) {
    const double gap = face.normal.dot(corner.at) - face.offset;
    const Vector3d place = placed.center + placed.axes * corner.at;
    const std::uint32_t name = corner.own == PolyhedronScratch::kCutHere ? feature::kWhole : corner.own;
    if (is_first) {
      contacts.add(gap, -normal, place - gap * normal, PairKind::kPlanePoint, {.feature = corner.other}, {.feature = name});
    } else {
      contacts.add(gap, normal, place, PairKind::kPointPlane, {.feature = name}, {.feature = corner.other});
    }
  }
  return true;
}

/// The face of one that separates it most from the other, seen from its axes.
FaceAxis face_axis(const PlacedShape& one, const PlacedShape& other, const Seen& other_seen) {
  if (one.shape->box && other.shape->box)
    return best_face_of_box(one.shape->half, other.shape->half, other_seen.turn, other_seen.offset);
  return best_face(*one.shape->polyhedron, other_seen);
}

/// The pair of edges that separates the two most, in the axes of the first. `normal`: of the best face.
EdgeAxis edge_axis(const PlacedShape& one, const PlacedShape& other, const Seen& other_seen, const Vector3d& normal,
                   double slack, PolyhedronScratch& scratch) {
  if (one.shape->box && other.shape->box)
    return best_edges_of_boxes(one.shape->half, other.shape->half, other_seen.turn, other_seen.offset);
  return best_edges(*one.shape->polyhedron, other_seen, normal, slack, scratch);
}

/// Whether a face whose normal is given and the one of the other that looks at it lie on each other.
bool is_flush(const Seen& other, const Vector3d& normal) {
  return (other.turn * other.solid.faces[facing(other, normal)].normal).cross(normal).norm() < kParallel;
}

/// Edges that only meet at their ends do not cross, unless the two are deep in each other there.
bool do_cross(const EdgeAxis& edges, double least_separation, double margin) {
  return edges.separation >= least_separation && edges.gap_at_ends <= (edges.separation < -margin ? margin : -margin);
}

}  // namespace

void polyhedron_polyhedron(const PlacedShape& first, const PlacedShape& second, PolyhedronScratch& scratch,
                           ContactWriter& contacts) {
  const ConvexPolyhedron &one = *first.shape->polyhedron, &other = *second.shape->polyhedron;
  const Matrix3d turn = first.axes.transpose() * second.axes;
  const Vector3d offset = first.axes.transpose() * (second.center - first.center);
  const Vector3d back = -(turn.transpose() * offset);
  const Seen second_seen{other, turn, offset}, first_seen{one, turn.transpose(), back};
  const double size = std::min(one.half_size, other.half_size);
  const double margin = kAligned * size, win = kFacesWin * size, reach = contacts.reach();

  const FaceAxis of_first = face_axis(first, second, second_seen);
  if (of_first.separation > reach) return;
  const FaceAxis of_second = face_axis(second, first, first_seen);
  if (of_second.separation > reach) return;

  const bool second_wins = of_second.separation > of_first.separation + win;
  const auto add_on = [&](bool on_second, int face) {
    return add_face(on_second ? second : first, on_second ? first_seen : second_seen, face, !on_second, margin, scratch,
                    contacts);
  };
  const FaceAxis& best_axis = second_wins ? of_second : of_first;
  const double best_of_faces = std::max(of_first.separation, of_second.separation);

  // Two faces that lie on each other need no look at edges.
  const bool flush =
      is_flush(second_wins ? first_seen : second_seen, (second_wins ? other : one).faces[best_axis.face].normal);
  if (flush && best_axis.separation >= -win && add_on(second_wins, best_axis.face)) return;

  const Vector3d normal =
      second_wins ? Vector3d(-(turn * other.faces[of_second.face].normal)) : one.faces[of_first.face].normal;
  const EdgeAxis edges =
      edge_axis(first, second, second_seen, normal, std::max(reach, std::abs(best_axis.separation)), scratch);
  if (edges.separation > reach) return;
  const double best = std::max(best_of_faces, edges.separation);
  const bool edges_cross = do_cross(edges, best - win, margin);
  const auto try_face = [&](bool on_second) {
    const ConvexPolyhedron& solid = on_second ? other : one;
    const Seen& seen = on_second ? first_seen : second_seen;
    return add_on(on_second,
                  widest_face(solid, seen, on_second ? of_second : of_first, best_of_faces - win, margin, scratch));
  };
  const bool edges_win = edges_cross && edges.separation > best_axis.separation + win;
  if (!edges_win) {
    const bool found =
        try_face(second_wins) || ((second_wins ? of_first : of_second).separation >= best - win && try_face(!second_wins));
    if (found && (!edges_cross || contacts.lowest_gap() <= edges.separation + 2.0 * margin)) return;
    contacts.forget();  // the two are deeper in each other than the corners say
  }
  if (!edges_cross) return;
  contacts.add(edges.separation, first.axes * -edges.normal, first.center + first.axes * edges.place, PairKind::kLineLine,
               {.feature = edges.first, .direction = first.axes * edges.direction},
               {.feature = edges.second, .direction = first.axes * edges.other_direction});
}

}  // namespace tippe
