// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "tippe/shape/cylinder_contacts.h"
#include "tippe/shape/flat_region.h"
#include "tippe/shape/parallel_lines.h"
#include "tippe/shape/rim_curve.h"
#include "tippe/shape/tolerances.h"

namespace tippe {
namespace {

using Eigen::Vector3d;

/// Of a point: how far it is above a cylinder, negative inside, and along which normal.
struct AboveCylinder {
  double height = 0.0;
  Vector3d normal;
  bool on_end = false, on_side = false;
};
AboveCylinder above(const PlacedShape& cylinder, const Vector3d& place) {
  const Vector3d from_middle = place - cylinder.center, out = across(from_middle, cylinder.axis());
  const double along = cylinder.axis().dot(from_middle), distance = out.norm();
  const double above_end = std::abs(along) - cylinder.half_length(), above_side = distance - cylinder.radius();
  const Vector3d outwards = distance > 0.0 ? Vector3d(out / distance) : cylinder.axes.col(0);
  const Vector3d axis = std::copysign(1.0, along) * cylinder.axis();
  if (above_side > 0.0 && above_end > 0.0) {
    const double height = std::hypot(above_side, above_end);
    return {height, (above_side * outwards + above_end * axis) / height, false, false};
  }
  if (above_end > above_side) return {above_end, axis, true, false};
  return {above_side, outwards, false, true};
}

/// Where a line above a cylinder is lowest.
double lowest_place(const LineSegment& core, const PlacedShape& cylinder) {
  // The height above a convex solid is a convex function along a line, whose slope never falls.
  double low = -core.half, high = core.half;
  const auto slope = [&](double t) { return above(cylinder, core.at(t)).normal.dot(core.direction); };
  if (slope(low) >= 0.0) {
    high = low;
  } else if (slope(high) <= 0.0) {
    low = high;
  }
  for (int step = 0; step < 64 && low < high; ++step) {
    const double middle = 0.5 * (low + high);
    if (!(low < middle && middle < high)) break;
    (slope(middle) < 0.0 ? low : high) = middle;
  }
  return above(cylinder, core.at(low)).height < above(cylinder, core.at(high)).height ? low : high;
}

/// A place of the core of a capsule.
struct NearestOfCore {
  AboveCylinder above;
  double t;
};
NearestOfCore way_out(const LineSegment& core, const PlacedShape& cylinder, const LineSegment& axis, const Vector3d& cross) {
  const double sine = cross.norm();
  // The core goes through the cylinder: the shortest way out of those along the axis and across both.
  const double along = std::abs(axis.direction.dot(core.direction)) * core.half;
  const double middle = axis.direction.dot(core.center - cylinder.center);
  const double out_of_end = std::abs(middle) - along - axis.half;
  const NearestOfCore by_end{{out_of_end, std::copysign(1.0, middle) * axis.direction, true, false},
                             std::copysign(core.half, -middle * axis.direction.dot(core.direction))};
  const NearestOnSegments beside = nearest_on_segments(core, axis);
  const Vector3d between = core.at(beside.s) - axis.center;
  const Vector3d out = across(between, axis.direction);
  Vector3d normal = sine > kParallel   ? Vector3d(cross / sine)
                    : out.norm() > 0.0 ? Vector3d(out.normalized())
                                       : cylinder.axes.col(0);
  if (normal.dot(between) < 0.0) normal = -normal;
  const double out_of_side =
      normal.dot(core.center - axis.center) - std::abs(normal.dot(core.direction)) * core.half - cylinder.radius();
  if (out_of_side > out_of_end) return {{out_of_side, normal, false, true}, beside.s};
  return by_end;
}

}  // namespace

void capsule_cylinder(const PlacedShape& capsule, const PlacedShape& cylinder, ContactWriter& contacts) {
  const LineSegment core{capsule.center, capsule.axis(), capsule.half_length()}, axis = axis_of(cylinder);
  const double radius = capsule.radius(), size = std::min(radius, cylinder.shape->half_size), margin = kAligned * size;
  double best_t = lowest_place(core, cylinder);
  AboveCylinder nearest = above(cylinder, core.at(best_t));
  if (nearest.height - radius > contacts.reach()) return;
  const Vector3d cross = core.direction.cross(axis.direction);
  const double sine = cross.norm();
  if (nearest.height < 0.0) {
    const NearestOfCore out = way_out(core, cylinder, axis, cross);
    nearest = out.above;
    best_t = out.t;
  }

  if (nearest.on_end || std::abs(nearest.normal.dot(axis.direction)) > 1.0 - 0.5 * kParallel * kParallel) {
    const int end = nearest.normal.dot(axis.direction) > 0.0 ? 1 : 0;
    const FlatRegion region = FlatRegion::end(cylinder, end, margin);
    const Vector3d from = core.at(-core.half), to = core.at(core.half);
    const FlatRegion::Part part = region.part_above(from, to);
    if (part.low <= part.high) {
      const auto add = [&](double t, std::uint32_t cut, int number) {
        const Vector3d place = from + t * (to - from);
        contacts.add(region.height(place) - radius, region.normal(), place - radius * region.normal(), PairKind::kPointPlane,
                     {.feature = cut == 0 ? feature::vertex(number) : feature::kWhole, .radius = radius},
                     {.feature = cut == 0 ? region.feature() : cut});
      };
      add(part.low, part.low_feature, 0);
      add(part.high, part.high_feature, 1);
      if (!contacts.empty() && contacts.lowest_gap() <= nearest.height - radius + 2.0 * margin) return;
      contacts.forget();
    }
  }
  if (nearest.on_side && sine < kParallel && nearest.height > 0.0 &&
      add_sides(core, radius, axis, cylinder.radius(), margin, feature::kWhole, capsule.axes.col(0), contacts))
    return;
  const bool at_end = std::abs(best_t) == core.half;
  ContactWriter::Side first{.radius = radius, .direction = core.direction}, second;
  PairKind kind = PairKind::kPointPoint;
  if (nearest.on_side) {
    second.radius = cylinder.radius();
    second.direction = axis.direction;
    kind = at_end || sine < kParallel ? PairKind::kPointLine : PairKind::kLineLine;
  } else if (nearest.on_end) {
    kind = PairKind::kPointPlane;
  } else if (!at_end) {
    kind = PairKind::kLinePoint;  // a place of the rim
  }
  contacts.add(nearest.height - radius, nearest.normal, core.at(best_t) - radius * nearest.normal, kind, first, second);
}

}  // namespace tippe
