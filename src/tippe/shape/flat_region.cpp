// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/flat_region.h"

#include <cmath>
#include <limits>

#include "tippe/shape/feature.h"

namespace tippe {

using Eigen::Vector3d;

FlatRegion FlatRegion::face(const PlacedShape& placed, int number, double margin) {
  FlatRegion region;
  region.solid_ = placed.shape->polyhedron.get();
  const ConvexPolyhedron::Face& face = region.solid_->faces[number];
  region.center_ = placed.center;
  region.axes_ = placed.axes;
  region.normal_ = placed.axes * face.normal;
  region.point_ = placed.center + face.offset * region.normal_;
  region.margin_ = margin;
  region.number_ = number;
  region.feature_ = feature::face(number);
  return region;
}

FlatRegion FlatRegion::end(const PlacedShape& cylinder, int number, double margin) {
  FlatRegion region;
  region.normal_ = number == 0 ? Vector3d(-cylinder.axis()) : cylinder.axis();
  region.point_ = cylinder.center + cylinder.half_length() * region.normal_;
  region.radius_ = cylinder.radius();
  region.margin_ = margin;
  region.number_ = number;
  region.feature_ = feature::face(number);
  return region;
}

bool FlatRegion::has(const Vector3d& place) const {
  if (is_end()) {
    const Vector3d from_middle = place - point_;
    return (from_middle - normal_.dot(from_middle) * normal_).norm() <= radius_ + margin_;
  }
  const Vector3d own = axes_.transpose() * (place - center_);
  const ConvexPolyhedron::Face& face = solid_->faces[number_];
  for (int k = 0; k < face.count; ++k) {
    if (solid_->sides[face.first + k].dot(own - solid_->vertices[solid_->loop[face.first + k]]) > margin_) return false;
  }
  return true;
}

FlatRegion::Part FlatRegion::part_above(const Vector3d& from, const Vector3d& to) const {
  Part part;
  const auto bound = [&](double t, bool out, int side) {
    if (out ? t >= part.high : t <= part.low) return;
    (out ? part.high : part.low) = t;
    (out ? part.high_feature : part.low_feature) = feature::cut(number_, side, out);
  };
  if (is_end()) {
    const Chord chord = chord_of(from, to, point_, normal_, radius_ + margin_);
    bound(chord.low, false, 0);
    bound(chord.high, true, 0);
    return part;
  }
  const Vector3d start = axes_.transpose() * (from - center_), way = axes_.transpose() * (to - from);
  const ConvexPolyhedron::Face& face = solid_->faces[number_];
  for (int k = 0; k < face.count; ++k) {
    const Vector3d& side = solid_->sides[face.first + k];
    const double height = side.dot(start - solid_->vertices[solid_->loop[face.first + k]]) - margin_, slope = side.dot(way);
    if (slope == 0.0) {
      if (height > 0.0) part.low = 2.0;
    } else {
      bound(-height / slope, slope > 0.0, k);
    }
  }
  return part;
}

Chord chord_of(const Vector3d& from, const Vector3d& to, const Vector3d& center, const Vector3d& axis, double radius) {
  const auto across = [&](const Vector3d& v) -> Vector3d { return v - axis.dot(v) * axis; };
  const Vector3d start = across(from - center), way = across(to - from);
  const double a = way.squaredNorm(), b = start.dot(way), c = start.squaredNorm() - radius * radius;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(a > 1e-24 * (to - from).squaredNorm())) return c <= 0.0 ? Chord{-kInfinity, kInfinity} : Chord{};
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return {};
  const double root = std::sqrt(discriminant);
  // Without cancellation: the root that is further away first.
  const double far = b >= 0.0 ? -(b + root) / a : (root - b) / a;
  const double near = far != 0.0 ? c / (a * far) : 0.0;
  return {std::min(far, near), std::max(far, near)};
}

}  // namespace tippe
