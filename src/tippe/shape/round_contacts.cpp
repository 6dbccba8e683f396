// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/round_contacts.h"

#include <array>
#include <cmath>
#include <limits>

#include "tippe/shape/lines.h"
#include "tippe/shape/nearest_on_polyhedron.h"
#include "tippe/shape/tolerances.h"

namespace tippe {
namespace {

using Eigen::Vector3d;

LineSegment core_of(const PlacedShape& capsule) {
  return {capsule.center, capsule.axis(), capsule.half_length()};
}

/// Any direction that is perpendicular to this one.
Vector3d perpendicular_to(const Vector3d& direction) {
  int least = 0;
  direction.cwiseAbs().minCoeff(&least);
  return direction.cross(Vector3d::Unit(least)).normalized();
}

/// Two balls about points; where these coincide, `otherwise` is the normal.
void add_balls(const Vector3d& one, double radius, const Vector3d& other, double other_radius, const Vector3d& otherwise,
               PairKind kind, ContactWriter::Side first, ContactWriter::Side second, ContactWriter& contacts) {
  const Vector3d between = one - other;
  const double distance = between.norm();
  const Vector3d normal = distance > 0.0 ? Vector3d(between / distance) : otherwise;
  first.radius = radius;
  second.radius = other_radius;
  contacts.add(distance - radius - other_radius, normal, one - radius * normal, kind, first, second);
}

}  // namespace

void sphere_sphere(const PlacedShape& first, const PlacedShape& second, ContactWriter& contacts) {
  add_balls(first.center, first.radius(), second.center, second.radius(), Vector3d::UnitZ(), PairKind::kPointPoint, {}, {},
            contacts);
}

void sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, ContactWriter& contacts) {
  const LineSegment core = core_of(capsule);
  const double t = core.nearest(sphere.center);
  const bool at_end = std::abs(t) == core.half;
  add_balls(sphere.center, sphere.radius(), core.at(t), capsule.radius(), perpendicular_to(core.direction),
            at_end ? PairKind::kPointPoint : PairKind::kPointLine, {}, {.direction = core.direction}, contacts);
}

void sphere_cylinder(const PlacedShape& sphere, const PlacedShape& cylinder, ContactWriter& contacts) {
  const Vector3d axis = cylinder.axis(), from_middle = sphere.center - cylinder.center;
  const double along = axis.dot(from_middle), above_end = std::abs(along) - cylinder.half_length();
  const Vector3d across = from_middle - along * axis;
  const double distance = across.norm(), above_side = distance - cylinder.radius();
  const Vector3d outwards = distance > 0.0 ? Vector3d(across / distance) : perpendicular_to(axis);
  const double radius = sphere.radius();
  if (above_side > 0.0 && above_end > 0.0) {
    const Vector3d rim =
        cylinder.center + std::copysign(cylinder.half_length(), along) * axis + cylinder.radius() * outwards;
    add_balls(sphere.center, radius, rim, 0.0, outwards, PairKind::kPointPoint, {}, {}, contacts);
  } else if (above_end > above_side) {
    const Vector3d normal = std::copysign(1.0, along) * axis;
    contacts.add(above_end - radius, normal, sphere.center - radius * normal, PairKind::kPointPlane, {.radius = radius}, {});
  } else {
    contacts.add(above_side - radius, outwards, sphere.center - radius * outwards, PairKind::kPointLine, {.radius = radius},
                 {.radius = cylinder.radius(), .direction = axis});
  }
}

void sphere_polyhedron(const PlacedShape& sphere, const PlacedShape& solid, ContactWriter& contacts) {
  using Part = NearestOnPolyhedron::Part;
  const Vector3d center = solid.axes.transpose() * (sphere.center - solid.center);
  const NearestOnPolyhedron nearest = nearest_on_polyhedron(*solid.shape->polyhedron, center);
  const Vector3d normal = solid.axes * nearest.normal;
  const double radius = sphere.radius();
  const PairKind kind = nearest.part == Part::kFace   ? PairKind::kPointPlane
                        : nearest.part == Part::kEdge ? PairKind::kPointLine
                                                      : PairKind::kPointPoint;
  ContactWriter::Side second;
  if (nearest.part == Part::kEdge) second.direction = solid.axes * solid.shape->polyhedron->edges[nearest.edge].direction;
  contacts.add(nearest.distance - radius, normal, sphere.center - radius * normal, kind, {.radius = radius}, second);
}

void capsule_capsule(const PlacedShape& first, const PlacedShape& second, ContactWriter& contacts) {
  const LineSegment one = core_of(first), other = core_of(second);
  const Vector3d cross = one.direction.cross(other.direction);
  const double sine = cross.norm();
  const NearestOnSegments nearest = nearest_on_segments(one, other);
  const bool inside = std::abs(nearest.s) < one.half, other_inside = std::abs(nearest.t) < other.half;
  const CommonPart common = common_part(one, other);
  const double least = kAligned * std::min(first.radius(), second.radius());
  const bool along_a_line = sine < kParallel && common.high - common.low > least;
  if (along_a_line) {
    int number = 0;
    for (const double s : {common.low, common.high}) {
      const Vector3d place = one.at(s);
      const Vector3d foot = other.at(other.direction.dot(place - other.center));
      add_balls(place, first.radius(), foot, second.radius(), perpendicular_to(one.direction), PairKind::kPointLine,
                {.feature = feature::end(number++)}, {.direction = other.direction}, contacts);
    }
    if (sine < kFlat || !inside || !other_inside) return;
  }
  const Vector3d otherwise = sine > kNoLength ? Vector3d(cross / sine) : perpendicular_to(one.direction);
  const PairKind kind = inside && other_inside && sine > kNoLength ? PairKind::kLineLine
                        : inside                                   ? PairKind::kLinePoint
                        : other_inside                             ? PairKind::kPointLine
                                                                   : PairKind::kPointPoint;
  add_balls(one.at(nearest.s), first.radius(), other.at(nearest.t), second.radius(), otherwise, kind,
            {.direction = one.direction}, {.direction = other.direction}, contacts);
}

namespace {

/// How the core of a capsule is nearest to a polyhedron, or least deep in it, all in the frame of the polyhedron.
struct NearestToCore {
  double distance = std::numeric_limits<double>::infinity();
  Vector3d normal = Vector3d::UnitZ();  // from the polyhedron to the capsule
  double t = 0.0;                       // of the core
  PairKind kind = PairKind::kPointPlane;
  int edge = -1;
  int face = -1;  // whose normal it is
};

LineSegment segment_of(const ConvexPolyhedron& solid, const ConvexPolyhedron::Edge& edge) {
  const Vector3d &from = solid.vertices[edge.from], &to = solid.vertices[edge.to];
  return {0.5 * (from + to), edge.direction, 0.5 * (to - from).norm()};
}

/// The part of the core that is inside the polyhedron; empty if low > high.
CommonPart inner_part(const LineSegment& core, const ConvexPolyhedron& solid) {
  CommonPart inner{-core.half, core.half};
  for (const ConvexPolyhedron::Face& face : solid.faces) {
    const double height = face.normal.dot(core.center) - face.offset, slope = face.normal.dot(core.direction);
    if (slope == 0.0) {
      if (height > 0.0) return {1.0, -1.0};
    } else if (slope > 0.0) {
      inner.high = std::min(inner.high, -height / slope);
    } else {
      inner.low = std::max(inner.low, -height / slope);
    }
  }
  return inner;
}

NearestToCore nearest_outside(const LineSegment& core, const ConvexPolyhedron& solid) {
  using Part = NearestOnPolyhedron::Part;
  NearestToCore best;
  for (const double t : {-core.half, core.half}) {
    const NearestOnPolyhedron nearest = nearest_on_polyhedron(solid, core.at(t));
    if (!(nearest.distance < best.distance)) continue;
    best.distance = nearest.distance;
    best.normal = nearest.normal;
    best.t = t;
    best.edge = nearest.part == Part::kEdge ? nearest.edge : -1;
    best.face = nearest.part == Part::kFace ? nearest.face : -1;
    best.kind = nearest.part == Part::kFace   ? PairKind::kPointPlane
                : nearest.part == Part::kEdge ? PairKind::kPointLine
                                              : PairKind::kPointPoint;
  }
  for (int e = 0; e < static_cast<int>(solid.edges.size()); ++e) {
    const ConvexPolyhedron::Edge& edge = solid.edges[e];
    const LineSegment side = segment_of(solid, edge);
    const NearestOnSegments nearest = nearest_on_segments(core, side);
    if (std::abs(nearest.s) >= core.half) continue;  // an end, which was looked at
    const Vector3d away = core.at(nearest.s) - side.at(nearest.t);
    const double square = away.squaredNorm();
    if (!(square < best.distance * best.distance) || square == 0.0) continue;
    best.distance = std::sqrt(square);
    best.normal = away / best.distance;
    best.t = nearest.s;
    best.edge = e;
    best.face = -1;
    best.kind = std::abs(nearest.t) < side.half ? PairKind::kLineLine : PairKind::kLinePoint;
  }
  return best;
}

/// Of a core that goes through the polyhedron: the shortest way out, along the normal of a face or across an edge.
NearestToCore least_deep(const LineSegment& core, const ConvexPolyhedron& solid, double face_margin) {
  NearestToCore best;
  best.distance = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f) {
    const ConvexPolyhedron::Face& face = solid.faces[f];
    const double slope = face.normal.dot(core.direction);
    const double height = face.normal.dot(core.center) - face.offset - std::abs(slope) * core.half;
    if (height <= best.distance) continue;
    best.distance = height;
    best.normal = face.normal;
    best.face = f;
    best.t = slope > 0.0 ? -core.half : core.half;
  }
  const double faces = best.distance;
  for (int e = 0; e < static_cast<int>(solid.edges.size()); ++e) {
    const ConvexPolyhedron::Edge& edge = solid.edges[e];
    Vector3d normal = edge.direction.cross(core.direction);
    const double sine = normal.norm();
    if (sine < kParallel) continue;
    normal /= sine;
    if (normal.dot(edge.side_1) < 0.0) normal = -normal;
    if (normal.dot(edge.side_1) < 0.0 || normal.dot(edge.side_2) < 0.0) continue;
    const double height = normal.dot(core.center - solid.vertices[edge.from]);
    if (height <= best.distance || height <= faces + face_margin) continue;
    best.distance = height;
    best.normal = normal;
    best.face = -1;
    best.edge = e;
    best.kind = PairKind::kLineLine;
    best.t = nearest_on_segments(core, segment_of(solid, edge)).s;
  }
  return best;
}

/// A capsule and a polyhedron that may touch, in the axes of the polyhedron.
struct CapsuleOnPolyhedron {
  const PlacedShape& placed;
  const ConvexPolyhedron& solid;
  const LineSegment core;
  const double radius, size;

  CapsuleOnPolyhedron(const PlacedShape& capsule, const PlacedShape& polyhedron)
      : placed(polyhedron),
        solid(*polyhedron.shape->polyhedron),
        core{placed.axes.transpose() * (capsule.center - placed.center), placed.axes.transpose() * capsule.axis(),
             capsule.half_length()},
        radius(capsule.radius()),
        size(std::min(radius, solid.half_size)) {}
  [[nodiscard]] Vector3d in_space(const Vector3d& place) const { return placed.center + placed.axes * place; }
};

/// Along a face, the one whose normal is nearest. False, and no contacts, if it does not lie there.
bool lie_along_face(const CapsuleOnPolyhedron& pair, const NearestToCore& nearest, ContactWriter& contacts) {
  const auto& [placed, solid, core, radius, size] = pair;
  int face_number = 0;
  double best = -2.0;
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f) {
    const double cosine = solid.faces[f].normal.dot(nearest.normal);
    if (cosine > best) best = cosine, face_number = f;
  }
  const ConvexPolyhedron::Face& face = solid.faces[face_number];
  if (!(nearest.normal.cross(face.normal).norm() < kParallel && best > 0.0)) return false;
  struct End {
    double t;
    std::uint32_t own, other;
  };
  End low{-core.half, feature::vertex(0), feature::face(face_number)},
      high{core.half, feature::vertex(1), feature::face(face_number)};
  bool above = true;
  for (int k = 0; k < face.count && above; ++k) {
    const Vector3d& side = solid.sides[face.first + k];
    const double height = side.dot(core.center - solid.vertices[solid.loop[face.first + k]]) - kAligned * size;
    const double slope = side.dot(core.direction);
    if (slope == 0.0) {
      above = height <= 0.0;
    } else if (slope > 0.0) {
      if (-height / slope < high.t) high = {-height / slope, feature::kWhole, feature::cut(face_number, k, true)};
    } else if (-height / slope > low.t) {
      low = {-height / slope, feature::kWhole, feature::cut(face_number, k, false)};
    }
  }
  if (!above || low.t > high.t) return false;
  const Vector3d normal = placed.axes * face.normal;
  for (const End& end : {low, high}) {
    const Vector3d place = core.at(end.t);
    contacts.add(face.normal.dot(place) - face.offset - radius, normal, pair.in_space(place) - radius * normal,
                 PairKind::kPointPlane, {.feature = end.own, .radius = radius}, {.feature = end.other});
  }
  if (!contacts.empty() && contacts.lowest_gap() <= nearest.distance - radius + 2.0 * kAligned * size) return true;
  contacts.forget();
  return false;
}

/// Along an edge, one that is as near as the nearest place is.
bool lie_along_edge(const CapsuleOnPolyhedron& pair, const NearestToCore& nearest, ContactWriter& contacts) {
  const auto& [placed, solid, core, radius, size] = pair;
  if (nearest.face >= 0 || nearest.distance <= 0.0) return false;
  for (int e = 0; e < static_cast<int>(solid.edges.size()); ++e) {
    const ConvexPolyhedron::Edge& edge = solid.edges[e];
    if (core.direction.cross(edge.direction).norm() > kParallel) continue;
    const LineSegment side = segment_of(solid, edge);
    const CommonPart common = common_part(core, side);
    if (common.high - common.low <= kAligned * size) continue;
    const NearestOnSegments beside = nearest_on_segments(core, side);
    if ((core.at(beside.s) - side.at(beside.t)).norm() > nearest.distance + kAligned * size) continue;
    int number = 0;
    for (const double t : {common.low, common.high}) {
      const Vector3d place = core.at(t), foot = side.at(side.direction.dot(place - side.center));
      const double distance = (place - foot).norm();
      const Vector3d normal = placed.axes * ((place - foot) / distance);
      contacts.add(distance - radius, normal, pair.in_space(place) - radius * normal, PairKind::kPointLine,
                   {.feature = feature::end(number++), .radius = radius},
                   {.feature = feature::edge(e), .direction = placed.axes * edge.direction});
    }
    return true;
  }
  return false;
}

}  // namespace

void capsule_polyhedron(const PlacedShape& capsule, const PlacedShape& placed, ContactWriter& contacts) {
  const CapsuleOnPolyhedron pair(capsule, placed);
  const ConvexPolyhedron& solid = pair.solid;
  const LineSegment& core = pair.core;
  const double radius = pair.radius;
  const CommonPart inner = inner_part(core, solid);
  NearestToCore nearest =
      inner.low <= inner.high ? least_deep(core, solid, kFacesWin * pair.size) : nearest_outside(core, solid);
  if (nearest.distance - radius > contacts.reach()) return;
  if (lie_along_face(pair, nearest, contacts) || lie_along_edge(pair, nearest, contacts)) return;

  const Vector3d normal = placed.axes * nearest.normal;
  ContactWriter::Side second;
  if (nearest.edge >= 0) second.direction = placed.axes * solid.edges[nearest.edge].direction;
  contacts.add(nearest.distance - radius, normal, pair.in_space(core.at(nearest.t)) - radius * normal, nearest.kind,
               {.radius = radius, .direction = capsule.axis()}, second);
}

}  // namespace tippe
