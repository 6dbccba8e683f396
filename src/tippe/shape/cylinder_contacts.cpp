// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/cylinder_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tippe/shape/flat_region.h"
#include "tippe/shape/lines.h"
#include "tippe/shape/parallel_lines.h"
#include "tippe/shape/rim.h"
#include "tippe/shape/rim_curve.h"
#include "tippe/shape/tolerances.h"

namespace tippe {
namespace {

using Eigen::Vector3d;

constexpr double kNowhere = -std::numeric_limits<double>::infinity();

/// How far down along a unit vector a cylinder goes.
double lowest_of(const PlacedShape& cylinder, const Vector3d& normal) {
  const double along = normal.dot(cylinder.axis());
  return normal.dot(cylinder.center) - cylinder.half_length() * std::abs(along) -
         cylinder.radius() * normal.cross(cylinder.axis()).norm();
}

/// Two curves that cross each other: the axis of a round side, a rim, an edge.
struct Crossing {
  double separation = kNowhere;
  Vector3d normal, place;  // from the first to the second; on the surface of the first
  PairKind kind = PairKind::kLineLine;
  ContactWriter::Side first, second;
};

void add_crossing(const Crossing& crossing, ContactWriter& contacts) {
  contacts.add(crossing.separation, -crossing.normal, crossing.place, crossing.kind, crossing.first, crossing.second);
}

/// Where a rim of the first crosses a line that the second supports as `line_supports` says, if the two are not further apart or
/// deeper than `slack` there: the best so far is replaced by a better one.
template <class Supports>
void cross_rim_and_line(const Rim& rim, const LineSegment& line, double margin, double slack, std::uint32_t name,
                        const Supports& line_supports, Crossing& best) {
  const BesideLine beside(rim, line.center, line.direction);
  const auto slope = [&](double c, double s) { return beside.slope(c, s); };
  const auto is_near = [&](double c, double s) { return beside.length(c, s) <= slack + kRimStep * rim.radius; };
  for_roots(slope, is_near, [&](double angle) {
    const Vector3d place = rim.at(angle), tangent = rim.tangent(angle);
    Vector3d normal = tangent.cross(line.direction);
    const double sine = normal.norm();
    if (sine < kParallel) return;
    normal /= sine;
    if (!rim.supports(place, normal)) normal = -normal;
    if (!rim.supports(place, normal) || !line_supports(normal)) return;
    const double t = line.direction.dot(place - line.center);
    if (std::abs(t) > line.half + margin) return;
    const double separation = normal.dot(line.center - place);
    if (separation <= best.separation) return;
    best = {separation,
            normal,
            place,
            PairKind::kLineLine,
            {.feature = feature::lowest(rim.end), .direction = tangent},
            {.feature = name, .direction = line.direction}};
  });
}

/// What a cylinder has above a flat region whose normal is nearly the one they touch along: the lowest places of its rims, what is between
/// them if it lies, and fixed places of the nearer rim if it stands. `is_first`: the cylinder is the first of the pair.
bool add_above(const PlacedShape& cylinder, const FlatRegion& region, bool is_first, ContactWriter& contacts) {
  const Vector3d& normal = region.normal();
  const Vector3d side = across(normal, cylinder.axis());
  const double sine = side.norm(), cosine = normal.dot(cylinder.axis());
  bool any = false;
  const auto add = [&](const Vector3d& place, std::uint32_t own, std::uint32_t other, bool rim) {
    const double gap = region.height(place);
    if (!(gap <= contacts.reach())) return;
    any = true;
    ContactWriter::Side ours{.feature = own}, theirs{.feature = other};
    if (rim) ours.radius = cylinder.radius(), ours.direction = cylinder.axis();
    if (is_first) {
      contacts.add(gap, normal, place, rim ? PairKind::kRimPlane : PairKind::kPointPlane, ours, theirs);
    } else {
      contacts.add(gap, -normal, place - gap * normal, rim ? PairKind::kPlaneRim : PairKind::kPlanePoint, theirs, ours);
    }
  };
  if (sine > kFlat) {
    const Vector3d low = cylinder.center - cylinder.radius() / sine * side;
    const std::array<Vector3d, 2> ends{low - cylinder.half_length() * cylinder.axis(),
                                       low + cylinder.half_length() * cylinder.axis()};
    if (std::abs(cosine) < kStanding) {
      const FlatRegion::Part part = region.part_above(ends[0], ends[1]);
      if (part.low <= part.high) {
        const Vector3d way = ends[1] - ends[0];
        add(ends[0] + part.low * way, part.low_feature == 0 ? feature::lowest(0) : feature::kWhole,
            part.low_feature == 0 ? region.feature() : part.low_feature, part.low_feature == 0);
        add(ends[0] + part.high * way, part.high_feature == 0 ? feature::lowest(1) : feature::kWhole,
            part.high_feature == 0 ? region.feature() : part.high_feature, part.high_feature == 0);
      }
    } else {
      const int end = cosine > 0.0 ? 0 : 1;
      if (region.has(ends[end])) add(ends[end], feature::lowest(end), region.feature(), true);
    }
  }
  if (sine >= kStanding) return any;
  const int end = cosine > 0.0 ? 0 : 1;
  const Rim rim = rim_of(cylinder, end);
  for (int k = 0; k < kRimPlaces; ++k) {
    const Vector3d place = rim.center + rim_place(cylinder, k);
    if (region.has(place)) add(place, feature::rim(end, k), region.feature(), false);
  }
  return any;
}

/// The polygon of a polyhedron's face against an end of a cylinder: corners above the end, and where sides cross its rim. The gap is
/// measured along `normal`, from the polyhedron to the cylinder; `along_end`: that is the normal of the end, else of the face.
bool add_polygon(const PlacedShape& cylinder, int end, const PlacedShape& placed, int face_number, const Vector3d& normal,
                 bool along_end, double margin, ContactWriter& contacts) {
  const ConvexPolyhedron& solid = *placed.shape->polyhedron;
  const ConvexPolyhedron::Face& face = solid.faces[face_number];
  const Rim rim = rim_of(cylinder, end);
  bool any = false;
  const auto add = [&](const Vector3d& place, std::uint32_t name) {
    // How far the end is above the place.
    const double gap = rim.axis.dot(place - rim.center) / -rim.axis.dot(normal);
    if (!(gap <= contacts.reach())) return;
    any = true;
    contacts.add(gap, normal, place + gap * normal, along_end ? PairKind::kPlanePoint : PairKind::kPointPlane,
                 {.feature = feature::face(end)}, {.feature = name});
  };
  for (int k = 0; k < face.count; ++k) {
    const int from_number = solid.loop[face.first + k], to_number = solid.loop[face.first + (k + 1) % face.count];
    const Vector3d from = placed.center + placed.axes * solid.vertices[from_number];
    const Vector3d to = placed.center + placed.axes * solid.vertices[to_number];
    const Chord chord = chord_of(from, to, rim.center, rim.axis, rim.radius + margin);
    if (chord.low > chord.high || chord.low > 1.0 || chord.high < 0.0) continue;
    if (chord.low <= 0.0) {
      add(from, feature::vertex(from_number));
    } else {
      add(from + chord.low * (to - from), feature::cut(face_number, k, false));
    }
    if (chord.high < 1.0) add(from + chord.high * (to - from), feature::cut(face_number, k, true));
  }
  return any;
}

/// A cylinder and a polyhedron: directions along which they are farthest apart, or overlap least, and the contacts there.
class CylinderOnPolyhedron {
 public:
  CylinderOnPolyhedron(const PlacedShape& cylinder, const PlacedShape& placed, ContactWriter& contacts)
      : cylinder_(cylinder),
        placed_(placed),
        solid_(*placed.shape->polyhedron),
        contacts_(contacts),
        size_(std::min(cylinder.shape->half_size, solid_.half_size)),
        margin_(kAligned * size_),
        win_(kFacesWin * size_),
        axis_(axis_of(cylinder)) {}

  void add_contacts() {
    find_faces();
    if (of_faces_ > contacts_.reach()) return;
    find_ends();
    if (of_ends_ > contacts_.reach()) return;
    find_edges();
    find_corner();
    const double best_crossing = std::max(crossing_.separation, of_parallel_);
    const double best_flat = end_wins() ? of_ends_ : of_faces_;
    if (!(best_crossing > best_flat + win_)) {
      const bool found = end_wins() ? add_end() : add_face(face_);
      const bool crosses = best_crossing >= best_flat - win_ && best_crossing <= contacts_.reach();
      if (found && (!crosses || contacts_.lowest_gap() <= best_crossing + 2.0 * margin_)) return;
      contacts_.forget();
    }
    if (best_crossing < best_flat - win_) return;
    if (parallel_edge_ >= 0 && of_parallel_ >= crossing_.separation - win_ &&
        add_sides(axis_, cylinder_.radius(), line_of(solid_.edges[parallel_edge_]), 0.0, margin_,
                  feature::edge(parallel_edge_), cylinder_.axes.col(0), contacts_))
      return;
    if (crossing_.separation > kNowhere) add_crossing(crossing_, contacts_);
  }

 private:
  [[nodiscard]] Vector3d vertex(int number) const { return placed_.center + placed_.axes * solid_.vertices[number]; }
  [[nodiscard]] int lowest_vertex(const Vector3d& normal) const {
    const Vector3d own = placed_.axes.transpose() * normal;
    int best = 0;
    for (int v = 1; v < static_cast<int>(solid_.vertices.size()); ++v) {
      if (own.dot(solid_.vertices[v]) < own.dot(solid_.vertices[best])) best = v;
    }
    return best;
  }
  [[nodiscard]] LineSegment line_of(const ConvexPolyhedron::Edge& edge) const {
    const Vector3d from = vertex(edge.from), to = vertex(edge.to);
    return {0.5 * (from + to), placed_.axes * edge.direction, 0.5 * (to - from).norm()};
  }
  [[nodiscard]] bool end_wins() const { return of_ends_ > of_faces_ + win_; }

  /// Along the normals of faces, from the polyhedron to the cylinder.
  void find_faces() {
    for (int f = 0; f < static_cast<int>(solid_.faces.size()); ++f) {
      const Vector3d normal = placed_.axes * solid_.faces[f].normal;
      const double separation = lowest_of(cylinder_, normal) - normal.dot(placed_.center) - solid_.faces[f].offset;
      if (separation > of_faces_) of_faces_ = separation, face_ = f;
    }
  }

  /// Along the axis of the cylinder.
  void find_ends() {
    for (const int e : {0, 1}) {
      const Rim rim = rim_of(cylinder_, e);
      const double separation = rim.axis.dot(vertex(lowest_vertex(rim.axis)) - rim.center);
      if (separation > of_ends_) of_ends_ = separation, end_ = e;
    }
  }

  /// Across edges.
  void find_edges() {
    const double slack = std::max(contacts_.reach(), std::abs(std::max(of_faces_, of_ends_)));
    const Vector3d face_normal = placed_.axes * solid_.faces[face_].normal;
    const double lowest_height = lowest_of(cylinder_, face_normal) - slack;
    for (int e = 0; e < static_cast<int>(solid_.edges.size()); ++e) {
      const ConvexPolyhedron::Edge& edge = solid_.edges[e];
      const Vector3d from = vertex(edge.from), to = vertex(edge.to);
      const LineSegment line{0.5 * (from + to), placed_.axes * edge.direction, 0.5 * (to - from).norm()};
      if ((cylinder_.center - line.at(line.nearest(cylinder_.center))).norm() > cylinder_.shape->bound + slack) continue;
      if (std::max(face_normal.dot(from), face_normal.dot(to)) < lowest_height) continue;
      const Vector3d side_1 = placed_.axes * edge.side_1, side_2 = placed_.axes * edge.side_2;
      const auto supports = [&](const Vector3d& normal) { return normal.dot(side_1) <= 0.0 && normal.dot(side_2) <= 0.0; };
      cross_edge(e, line, supports);
      for (const int r : {0, 1})
        cross_rim_and_line(rim_of(cylinder_, r), line, margin_, slack, feature::edge(e), supports, crossing_);
    }
  }

  /// The side of the cylinder and an edge.
  template <class Supports>
  void cross_edge(int number, const LineSegment& line, const Supports& supports) {
    Vector3d normal = axis_.direction.cross(line.direction);
    const double sine = normal.norm();
    if (sine < kParallel) {
      normal = across(line.center - cylinder_.center, axis_.direction);
      const double distance = normal.norm();
      if (distance > kNoLength * size_ && supports(normal) && distance - cylinder_.radius() > of_parallel_)
        of_parallel_ = distance - cylinder_.radius(), parallel_edge_ = number;
      return;
    }
    normal /= sine;
    if (!supports(normal)) normal = -normal;
    const Vector3d between = line.center - axis_.center, cross = axis_.direction.cross(line.direction);
    const double s = between.cross(line.direction).dot(cross) / (sine * sine),
                 t = between.cross(axis_.direction).dot(cross) / (sine * sine);
    const double separation = normal.dot(between) - cylinder_.radius();
    if (supports(normal) && std::abs(s) <= axis_.half && std::abs(t) <= line.half && separation > crossing_.separation) {
      crossing_ = {separation,
                   normal,
                   axis_.at(s) + cylinder_.radius() * normal,
                   PairKind::kLineLine,
                   {.radius = cylinder_.radius(), .direction = axis_.direction},
                   {.feature = feature::edge(number), .direction = line.direction}};
    }
  }

  /// From the corner that is nearest to the axis.
  void find_corner() {
    int nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int v = 0; v < static_cast<int>(solid_.vertices.size()); ++v) {
      const Vector3d from_middle = vertex(v) - cylinder_.center;
      const double distance = across(from_middle, axis_.direction).norm();
      if (distance < least) least = distance, nearest = v;
    }
    if (!(least > kNoLength * size_)) return;
    const Vector3d from_middle = vertex(nearest) - cylinder_.center, normal = across(from_middle, axis_.direction) / least;
    const double along = axis_.direction.dot(from_middle);
    const bool supports = normal.dot(vertex(lowest_vertex(normal)) - cylinder_.center) >= least - kNoLength * size_;
    if (supports && std::abs(along) <= axis_.half && least - cylinder_.radius() > crossing_.separation) {
      crossing_ = {least - cylinder_.radius(),
                   normal,
                   axis_.at(along) + cylinder_.radius() * normal,
                   PairKind::kLinePoint,
                   {.radius = cylinder_.radius(), .direction = axis_.direction},
                   {.feature = feature::vertex(nearest)}};
    }
  }

  bool add_face(int number) {
    const FlatRegion region = FlatRegion::face(placed_, number, margin_);
    const bool above = add_above(cylinder_, region, true, contacts_);
    const bool stands = across(region.normal(), axis_.direction).norm() < kStanding;
    const int nearer = region.normal().dot(axis_.direction) > 0.0 ? 0 : 1;
    const bool corners =
        stands && add_polygon(cylinder_, nearer, placed_, number, region.normal(), false, margin_, contacts_);
    return above || corners;
  }

  /// By the face of the polyhedron that looks against the end.
  bool add_end() {
    const Rim rim = rim_of(cylinder_, end_);
    const int lowest = lowest_vertex(rim.axis);
    int facing = -1;
    double most = 2.0;
    for (int k = solid_.faces_at_first[lowest]; k < solid_.faces_at_first[lowest + 1]; ++k) {
      const double cosine = rim.axis.dot(placed_.axes * solid_.faces[solid_.faces_at[k]].normal);
      if (cosine < most) most = cosine, facing = solid_.faces_at[k];
    }
    return across(placed_.axes * solid_.faces[facing].normal, axis_.direction).norm() < kParallel
               ? add_face(facing)
               : add_polygon(cylinder_, end_, placed_, facing, -rim.axis, true, margin_, contacts_);
  }

  const PlacedShape &cylinder_, &placed_;
  const ConvexPolyhedron& solid_;
  ContactWriter& contacts_;
  double size_, margin_, win_;
  LineSegment axis_;
  int face_ = 0, end_ = 0, parallel_edge_ = -1;
  double of_faces_ = kNowhere, of_ends_ = kNowhere, of_parallel_ = kNowhere;  // separations
  Crossing crossing_;
};

}  // namespace

void cylinder_polyhedron(const PlacedShape& cylinder, const PlacedShape& placed, ContactWriter& contacts) {
  CylinderOnPolyhedron(cylinder, placed, contacts).add_contacts();
}

namespace {

/// Likewise a rim of `cylinder` and the side of another.
void cross_rims_and_side(const PlacedShape& cylinder, const PlacedShape& other, double slack, Crossing& best) {
  const LineSegment axis = axis_of(other);
  for (const int end : {0, 1}) {
    const Rim rim = rim_of(cylinder, end);
    const BesideLine beside(rim, axis.center, axis.direction);
    const auto slope = [&](double c, double s) { return beside.slope(c, s); };
    const auto is_near = [&](double c, double s) {
      return std::abs(beside.length(c, s) - other.radius()) <= slack + kRimStep * rim.radius;
    };
    for_roots(slope, is_near, [&](double angle) {
      const Vector3d place = rim.at(angle), from_axis = across(place - axis.center, axis.direction);
      const double distance = from_axis.norm();
      if (distance == 0.0) return;
      const Vector3d normal = -from_axis / distance;
      const double separation = distance - other.radius();
      if (!rim.supports(place, normal) || separation <= best.separation) return;
      if (std::abs(axis.direction.dot(place - axis.center)) > axis.half) return;
      best = {separation,
              normal,
              place,
              PairKind::kPointLine,
              {.feature = feature::lowest(end)},
              {.radius = other.radius(), .direction = axis.direction}};
    });
  }
}

void cross_rims(const PlacedShape& first, const PlacedShape& second, double slack, Crossing& best) {
  for (const int end : {0, 1}) {
    for (const int other_end : {0, 1}) {
      const Rim rim = rim_of(first, end), other = rim_of(second, other_end);
      // (x - its nearest place on the other rim) . tangent
      const BesideLine beside(rim, other.center, other.axis);
      const double x = rim.x.dot(rim.center - other.center), y = rim.y.dot(rim.center - other.center);
      const auto slope = [&](double c, double s) {
        const double length = beside.length(c, s);
        return c * y - s * x - (length > 0.0 ? other.radius * beside.slope(c, s) / length : 0.0);
      };
      const auto is_near = [&](double c, double s) {
        const Vector3d place = rim.center + rim.radius * (c * rim.x + s * rim.y);
        return (place - other.nearest(place)).norm() <= slack + 2.0 * kRimStep * rim.radius;
      };
      for_roots(slope, is_near, [&](double angle) {
        const Vector3d place = rim.at(angle), other_place = other.nearest(place), tangent = rim.tangent(angle);
        const Vector3d other_tangent = other.axis.cross(other_place - other.center).normalized();
        Vector3d normal = tangent.cross(other_tangent);
        const double sine = normal.norm();
        if (sine < kParallel) return;
        normal /= sine;
        if (!rim.supports(place, normal)) normal = -normal;
        const double separation = normal.dot(other_place - place);
        if (!rim.supports(place, normal) || !other.supports(other_place, -normal) || separation <= best.separation) return;
        // The nearest place may be one of a tangent, not of the rims.
        if ((other_place - place - separation * normal).norm() > kAligned * std::min(rim.radius, other.radius)) return;
        best = {separation,
                normal,
                place,
                PairKind::kLineLine,
                {.feature = feature::lowest(end), .direction = tangent},
                {.feature = feature::lowest(other_end), .direction = other_tangent}};
      });
    }
  }
}

Crossing turned(const Crossing& crossing) {
  Crossing result = crossing;
  result.normal = -crossing.normal;
  result.place = crossing.place + crossing.separation * crossing.normal;
  result.kind = crossing.kind == PairKind::kPointLine ? PairKind::kLinePoint : crossing.kind;
  std::swap(result.first, result.second);
  return result;
}

}  // namespace

void cylinder_cylinder(const PlacedShape& first, const PlacedShape& second, ContactWriter& contacts) {
  const double size = std::min(first.shape->half_size, second.shape->half_size);
  const double margin = kAligned * size, win = kFacesWin * size, reach = contacts.reach();
  const LineSegment axis = axis_of(first), other_axis = axis_of(second);

  const auto best_end = [](const PlacedShape& cylinder, const PlacedShape& other) {
    std::pair<double, int> best{kNowhere, 0};
    for (const int end : {0, 1}) {
      const Rim rim = rim_of(cylinder, end);
      const double separation = lowest_of(other, rim.axis) - rim.axis.dot(rim.center);
      if (separation > best.first) best = {separation, end};
    }
    return best;
  };
  const auto [of_first, first_end] = best_end(first, second);
  if (of_first > reach) return;
  const auto [of_second, second_end] = best_end(second, first);
  if (of_second > reach) return;

  const double slack = std::max(reach, std::abs(std::max(of_first, of_second)));
  Crossing crossing;
  double of_parallel = kNowhere;
  const Vector3d cross = axis.direction.cross(other_axis.direction), between = other_axis.center - axis.center;
  const double sine = cross.norm();
  if (sine < kParallel) {
    const CommonPart common = common_part(axis, other_axis);
    const double middle = 0.5 * (common.low + common.high);
    const double distance =
        across(other_axis.at(other_axis.direction.dot(axis.at(middle) - other_axis.center)) - axis.at(middle),
               axis.direction)
            .norm();
    if (common.high - common.low > margin) of_parallel = distance - first.radius() - second.radius();
  } else {
    Vector3d normal = cross / sine;
    if (normal.dot(between) < 0.0) normal = -normal;
    const double s = between.cross(other_axis.direction).dot(cross) / (sine * sine),
                 t = between.cross(axis.direction).dot(cross) / (sine * sine);
    if (std::abs(s) <= axis.half && std::abs(t) <= other_axis.half) {
      crossing = {normal.dot(between) - first.radius() - second.radius(),
                  normal,
                  axis.at(s) + first.radius() * normal,
                  PairKind::kLineLine,
                  {.radius = first.radius(), .direction = axis.direction},
                  {.radius = second.radius(), .direction = other_axis.direction}};
    }
  }
  cross_rims_and_side(first, second, slack, crossing);
  Crossing from_second;
  cross_rims_and_side(second, first, slack, from_second);
  if (from_second.separation > crossing.separation) crossing = turned(from_second);
  cross_rims(first, second, slack, crossing);

  const double best_crossing = std::max(crossing.separation, of_parallel);
  const bool second_wins = of_second > of_first + win;
  const double best_flat = second_wins ? of_second : of_first;
  if (!(best_crossing > best_flat + win)) {
    const PlacedShape &flat = second_wins ? second : first, &other = second_wins ? first : second;
    const int flat_end = second_wins ? second_end : first_end;
    const FlatRegion region = FlatRegion::end(flat, flat_end, margin);
    bool found = add_above(other, region, second_wins, contacts);
    if (across(region.normal(), other.axis()).norm() < kStanding) {
      // End on end: also the fixed places of this rim above the other end, and where the rims cross.
      const int other_end = region.normal().dot(other.axis()) > 0.0 ? 0 : 1;
      const Rim rim = rim_of(flat, flat_end), other_rim = rim_of(other, other_end);
      const FlatRegion other_region = FlatRegion::end(other, other_end, margin);
      const auto add = [&](const Vector3d& place, std::uint32_t own) {
        const double gap = other_rim.axis.dot(place - other_rim.center) / -other_rim.axis.dot(region.normal());
        if (!(gap <= reach)) return;
        found = true;
        if (second_wins) {
          contacts.add(gap, region.normal(), place + gap * region.normal(), PairKind::kPointPlane,
                       {.feature = feature::face(other_end)}, {.feature = own});
        } else {
          contacts.add(gap, -region.normal(), place, PairKind::kPlanePoint, {.feature = own},
                       {.feature = feature::face(other_end)});
        }
      };
      for (int k = 0; k < kRimPlaces; ++k) {
        const Vector3d place = rim.center + rim_place(flat, k);
        if (other_region.has(place)) add(place, feature::rim(flat_end, k));
      }
      const Vector3d shift = across(other_rim.center - rim.center, rim.axis);
      const double distance = shift.norm();
      if (distance > margin) {
        const double along = 0.5 * (distance + (rim.radius - other_rim.radius) * (rim.radius + other_rim.radius) / distance);
        const double square = (rim.radius - along) * (rim.radius + along);
        if (square > 0.0) {
          const Vector3d direction = shift / distance, beside = rim.axis.cross(direction);
          const double half_chord = std::sqrt(square);
          add(rim.center + along * direction + half_chord * beside, feature::cut(flat_end, 0, true));
          add(rim.center + along * direction - half_chord * beside, feature::cut(flat_end, 0, false));
        }
      }
    }
    const bool crosses = best_crossing >= best_flat - win && best_crossing <= reach;
    if (found && (!crosses || contacts.lowest_gap() <= best_crossing + 2.0 * margin)) return;
    contacts.forget();
  }
  if (best_crossing < best_flat - win) return;
  if (of_parallel >= crossing.separation - win && of_parallel > kNowhere &&
      add_sides(axis, first.radius(), other_axis, second.radius(), margin, feature::kWhole, first.axes.col(0), contacts))
    return;
  if (crossing.separation > kNowhere) add_crossing(crossing, contacts);
}

}  // namespace tippe
