// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/contact_writer.h"
#include "tippe/shape/lines.h"
#include "tippe/shape/placed_shape.h"

namespace tippe {

[[nodiscard]] inline LineSegment axis_of(const PlacedShape& cylinder) {
  return {cylinder.center, cylinder.axis(), cylinder.half_length()};
}

/// Two parallel lines with radii, at both ends of what they have in common. Where they coincide, `otherwise` is the normal.
inline bool add_sides(const LineSegment& one, double radius, const LineSegment& other, double other_radius, double margin,
                      std::uint32_t name, const Eigen::Vector3d& otherwise, ContactWriter& contacts) {
  const CommonPart common = common_part(one, other);
  if (common.high - common.low <= margin) return false;
  int number = 0;
  bool any = false;
  for (const double t : {common.low, common.high}) {
    const Eigen::Vector3d place = one.at(t), foot = other.at(other.direction.dot(place - other.center));
    const double distance = (foot - place).norm();
    const int end = number++;
    const Eigen::Vector3d normal = distance > 0.0 ? Eigen::Vector3d((place - foot) / distance) : otherwise;
    const double gap = distance - radius - other_radius;
    any = any || gap <= contacts.reach();
    contacts.add(gap, normal, place - radius * normal, PairKind::kPointLine,
                 {.feature = feature::end(end), .radius = radius},
                 {.feature = name, .radius = other_radius, .direction = other.direction});
  }
  return any;
}

}  // namespace tippe
