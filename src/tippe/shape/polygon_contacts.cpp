// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/polygon_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tippe/shape/tolerances.h"

namespace tippe {
namespace {

using Eigen::Vector3d;

/// A polygon in its place. A segment has two sides, there and back.
class Outline {
 public:
  explicit Outline(const PlacedShape& placed) : placed_(placed) {}

  [[nodiscard]] int count() const { return static_cast<int>(placed_.shape->corners.size()); }
  [[nodiscard]] double radius() const { return placed_.radius(); }
  [[nodiscard]] Vector3d corner(int k) const { return placed_.center + placed_.axes * placed_.shape->corners[k % count()]; }
  [[nodiscard]] Vector3d along(int side) const { return (corner(side + 1) - corner(side)).normalized(); }
  [[nodiscard]] Vector3d normal(int side) const {
    const Vector3d direction = along(side);
    return {direction[1], -direction[0], 0.0};
  }
  [[nodiscard]] int lowest(const Vector3d& normal) const {
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < count(); ++k) {
      const double height = normal.dot(corner(k));
      if (height < least) least = height, best = k;
    }
    return best;
  }

 private:
  const PlacedShape& placed_;
};

struct SideAxis {
  double separation = -std::numeric_limits<double>::infinity();  // of the outlines, without radii
  int side = 0;
};
SideAxis best_side(const Outline& outline, const Outline& other) {
  SideAxis best;
  for (int k = 0; k < outline.count(); ++k) {
    const Vector3d normal = outline.normal(k);
    const double separation = normal.dot(other.corner(other.lowest(normal)) - outline.corner(k));
    if (separation > best.separation) best = {separation, k};
  }
  return best;
}

/// Where two outlines that do not overlap are nearest to each other.
struct NearestPlaces {
  double distance = std::numeric_limits<double>::infinity();
  Vector3d place, other;
  PairKind kind = PairKind::kPointPoint;
  Vector3d direction = Vector3d::Zero();  // of the side
};

/// Corners of the one, sides of the other.
void nearest_corner(const Outline& outline, const Outline& other, bool turned, NearestPlaces& best) {
  for (int c = 0; c < outline.count(); ++c) {
    const Vector3d corner = outline.corner(c);
    for (int k = 0; k < other.count(); ++k) {
      const Vector3d start = other.corner(k), way = other.corner(k + 1) - start;
      const double square = way.squaredNorm();
      const double t = square > 0.0 ? std::clamp(way.dot(corner - start) / square, 0.0, 1.0) : 0.0;
      const Vector3d foot = start + t * way;
      const double distance = (corner - foot).norm();
      if (distance >= best.distance) continue;
      const bool on_side = t > 0.0 && t < 1.0;
      best.distance = distance;
      best.place = turned ? foot : corner;
      best.other = turned ? corner : foot;
      best.kind = !on_side ? PairKind::kPointPoint : turned ? PairKind::kLinePoint : PairKind::kPointLine;
      best.direction = on_side ? Vector3d(way / std::sqrt(square)) : Vector3d(Vector3d::Zero());
    }
  }
}

/// One contact between two outlines at their nearest places.
void add_nearest(const NearestPlaces& nearest, double radius, double other_radius, ContactWriter& contacts) {
  const Vector3d normal =
      nearest.distance > 0.0 ? Vector3d((nearest.place - nearest.other) / nearest.distance) : Vector3d::UnitX();
  contacts.add(nearest.distance - radius - other_radius, normal, nearest.place - radius * normal, nearest.kind,
               {.radius = radius, .direction = nearest.direction}, {.radius = other_radius, .direction = nearest.direction});
}

/// Both ends of what the other has above a side, or its corner if it is a disc. Returns whether there is anything.
bool add_side(const Outline& outline, int side, const Outline& other, bool is_first, double margin,
              ContactWriter& contacts) {
  const Vector3d normal = outline.normal(side), along = outline.along(side), start = outline.corner(side);
  const double length = along.dot(outline.corner(side + 1) - start), radii = outline.radius() + other.radius();
  struct End {
    Vector3d at;
    std::uint32_t own, other;
  };
  const int lowest = other.lowest(normal), count = other.count();
  const int before = (lowest + count - 1) % count;
  const int facing = normal.dot(other.normal(before)) < normal.dot(other.normal(lowest)) ? before : lowest;
  const int from = facing, to = (facing + 1) % count;
  std::array<End, 2> ends{End{other.corner(from), feature::vertex(from), feature::face(side)},
                          End{other.corner(to), feature::vertex(to), feature::face(side)}};
  // The other goes the opposite way: its first end is beyond the end of this side, its last one before its start.
  const Vector3d way = ends[1].at - ends[0].at;
  const double first = along.dot(ends[0].at - start), last = along.dot(ends[1].at - start);
  const double most = std::max(first, last), least = std::min(first, last);
  if (most < -margin || least > length + margin) return false;
  if (radii == 0.0 && (most <= margin || least >= length - margin)) return false;  // a corner at a corner
  for (End& end : ends) {
    const double height = along.dot(end.at - start);
    const bool beyond = height > length + margin, short_of = height < -margin;
    if (!beyond && !short_of) continue;
    const double t = ((beyond ? length + margin : -margin) - first) / (last - first);
    end = {other.corner(from) + t * way, feature::kWhole, feature::cut(side, beyond ? 1 : 0, false)};
  }
  bool any = false;
  for (const End& end : ends) {
    const double height = normal.dot(end.at - start), gap = height - radii;
    if (!(gap <= contacts.reach())) continue;
    any = true;
    ContactWriter::Side theirs{.feature = end.own, .radius = other.radius()}, ours{.feature = end.other};
    if (is_first) {
      contacts.add(gap, -normal, end.at - (height - outline.radius()) * normal, PairKind::kPlanePoint, ours, theirs);
    } else {
      contacts.add(gap, normal, end.at - other.radius() * normal, PairKind::kPointPlane, theirs, ours);
    }
  }
  return any;
}

/// How far what the other has above a side reaches in from both of its ends.
double reach_in(const Outline& outline, int side, const Outline& other) {
  const Vector3d normal = outline.normal(side), along = outline.along(side), start = outline.corner(side);
  const int lowest = other.lowest(normal), before = (lowest + other.count() - 1) % other.count();
  const int from = normal.dot(other.normal(before)) < normal.dot(other.normal(lowest)) ? before : lowest;
  const double first = along.dot(other.corner(from) - start), last = along.dot(other.corner(from + 1) - start);
  return std::min(std::max(first, last), along.dot(outline.corner(side + 1) - start) - std::min(first, last));
}

/// Of all sides along whose normals the two are `least` apart or more, the one that the other reaches in furthest: where corners of two
/// plates meet, that is a long side, not the short one beside it.
int widest_side(const Outline& outline, const Outline& other, const SideAxis& best, double least, double margin) {
  int widest = best.side;
  double most = reach_in(outline, best.side, other);
  for (int k = 0; k < outline.count(); ++k) {
    if (k == best.side) continue;
    const Vector3d normal = outline.normal(k), lowest = other.corner(other.lowest(normal)) - outline.corner(k);
    if (normal.dot(lowest) < least) continue;
    // What is lowest must be above the side.
    const double along = outline.along(k).dot(lowest), length = (outline.corner(k + 1) - outline.corner(k)).norm();
    if (along < -margin || along > length + margin) continue;
    if (const double here = reach_in(outline, k, other); here > most + margin) most = here, widest = k;
  }
  return widest;
}

/// A disc has one contact at most, whose name does not change.
void disc_outline(const Outline& disc, const Outline& other, bool turned, ContactWriter& contacts) {
  const Outline &first = turned ? other : disc, &second = turned ? disc : other;
  const SideAxis axis = other.count() >= 3 ? best_side(other, disc) : SideAxis{1.0, 0};
  if (axis.separation > 0.0) {
    NearestPlaces nearest;
    nearest_corner(disc, other, turned, nearest);
    add_nearest(nearest, first.radius(), second.radius(), contacts);
    return;
  }
  const Vector3d normal = other.normal(axis.side), center = disc.corner(0);
  const double gap = axis.separation - disc.radius() - other.radius();
  if (turned) {
    contacts.add(gap, -normal, center - (disc.radius() + gap) * normal, PairKind::kPlanePoint, {},
                 {.radius = disc.radius()});
  } else {
    contacts.add(gap, normal, center - disc.radius() * normal, PairKind::kPointPlane, {.radius = disc.radius()}, {});
  }
}

}  // namespace

void polygon_polygon(const PlacedShape& first_placed, const PlacedShape& second_placed, ContactWriter& contacts) {
  const Outline first(first_placed), second(second_placed);
  if (first.count() == 1) return disc_outline(first, second, false, contacts);
  if (second.count() == 1) return disc_outline(second, first, true, contacts);
  const double radii = first.radius() + second.radius();
  const double size = std::min(first_placed.shape->half_size, second_placed.shape->half_size);
  const double margin = kAligned * size, win = kFacesWin * size, reach = contacts.reach();
  const SideAxis of_first = best_side(first, second);
  if (of_first.separation - radii > reach) return;
  const SideAxis of_second = best_side(second, first);
  if (of_second.separation - radii > reach) return;
  const bool second_wins = of_second.separation > of_first.separation + win;
  const double best = std::max(of_first.separation, of_second.separation);
  const auto try_side = [&](bool on_second) {
    const Outline &outline = on_second ? second : first, &other = on_second ? first : second;
    const int side = widest_side(outline, other, on_second ? of_second : of_first, best - win, margin);
    return add_side(outline, side, other, !on_second, margin, contacts);
  };
  if (radii > 0.0 && best > kNoLength * size) {
    // Round corners also touch where no side looks.
    NearestPlaces nearest;
    nearest_corner(first, second, false, nearest);
    nearest_corner(second, first, true, nearest);
    const Vector3d normal = second_wins ? second.normal(of_second.side) : first.normal(of_first.side);
    const bool along_side = normal.cross(nearest.place - nearest.other).norm() < kParallel * nearest.distance;
    if (along_side && try_side(second_wins) && contacts.lowest_gap() <= nearest.distance - radii + 2.0 * margin) return;
    contacts.forget();
    add_nearest(nearest, first.radius(), second.radius(), contacts);
    return;
  }
  if (try_side(second_wins)) return;
  if ((second_wins ? of_first : of_second).separation >= best - win) try_side(!second_wins);
}

}  // namespace tippe
