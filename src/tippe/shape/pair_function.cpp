// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <cmath>

#include "tippe/shape/found_contact.h"

namespace tippe {
namespace {

using Eigen::Vector3d;

/// Of a rim with this axis and radius: from its centre to the place that is furthest along `direction`; zero where all places are.
Vector3d furthest_of_rim(const Vector3d& axis, double radius, const Vector3d& direction) {
  const Vector3d across = direction - direction.dot(axis) * axis;
  const double length = across.norm();
  return length > 0.0 ? Vector3d((radius / length) * across) : Vector3d::Zero();
}

bool a_is_rim(PairKind kind) {
  return kind == PairKind::kRimPlane;
}
bool b_is_rim(PairKind kind) {
  return kind == PairKind::kPlaneRim;
}

}  // namespace

PairFunction::PairFunction(const FoundContact& contact, const Pose& pose_a, const Pose& pose_b) : kind_(contact.kind) {
  Vector3d core_a = contact.point_a + contact.radius_a * contact.normal;
  Vector3d core_b = contact.point_b - contact.radius_b * contact.normal;
  Vector3d direction_a = contact.direction_a, direction_b = contact.direction_b;
  if (a_is_rim(kind_)) core_a = contact.point_a - furthest_of_rim(direction_a, contact.radius_a, -contact.normal);
  if (b_is_rim(kind_)) core_b = contact.point_b - furthest_of_rim(direction_b, contact.radius_b, contact.normal);
  if (kind_ == PairKind::kPlanePoint || kind_ == PairKind::kPlaneRim) direction_a = -contact.normal;
  if (kind_ == PairKind::kPointPlane || kind_ == PairKind::kRimPlane) direction_b = contact.normal;
  if (kind_ == PairKind::kLineLine && direction_a.cross(direction_b).dot(contact.normal) < 0.0) direction_b = -direction_b;
  a_ = {pose_a.axes.transpose() * (core_a - pose_a.position), pose_a.axes.transpose() * direction_a, contact.radius_a};
  b_ = {pose_b.axes.transpose() * (core_b - pose_b.position), pose_b.axes.transpose() * direction_b, contact.radius_b};
}

PairFunction::Value PairFunction::at(const Pose& pose_a, const Pose& pose_b) const {
  // Relative to the origin of b, so that places far from that of space cost no digits.
  Vector3d core_a = (pose_a.position - pose_b.position) + pose_a.axes * a_.point, core_b = pose_b.axes * b_.point;
  const Vector3d direction_a = pose_a.axes * a_.direction, direction_b = pose_b.axes * b_.direction;
  double radius_a = a_.radius, radius_b = b_.radius;
  Vector3d normal = Vector3d::UnitZ();
  switch (kind_) {
    case PairKind::kPointPlane:
      normal = direction_b;
      break;
    case PairKind::kPlanePoint:
      normal = -direction_a;
      break;
    case PairKind::kPointPoint:
      normal = (core_a - core_b).normalized();
      break;
    case PairKind::kPointLine:
      core_b += direction_b.dot(core_a - core_b) * direction_b;
      normal = (core_a - core_b).normalized();
      break;
    case PairKind::kLinePoint:
      core_a += direction_a.dot(core_b - core_a) * direction_a;
      normal = (core_a - core_b).normalized();
      break;
    case PairKind::kLineLine: {
      const Vector3d cross = direction_a.cross(direction_b);
      const double square = cross.squaredNorm();
      normal = cross / std::sqrt(square);
      const Vector3d between = core_b - core_a;
      core_a += between.cross(direction_b).dot(cross) / square * direction_a;
      core_b += between.cross(direction_a).dot(cross) / square * direction_b;
      break;
    }
    case PairKind::kRimPlane:
      normal = direction_b;
      core_a += furthest_of_rim(direction_a, radius_a, -normal);
      radius_a = 0.0;
      break;
    case PairKind::kPlaneRim:
      normal = -direction_a;
      core_b += furthest_of_rim(direction_b, radius_b, normal);
      radius_b = 0.0;
      break;
  }
  Value value;
  value.normal = normal;
  value.gap = normal.dot(core_a - core_b) - radius_a - radius_b;
  value.point_a = core_a - radius_a * normal;
  value.point_b = core_b + radius_b * normal;
  if (kind_ == PairKind::kPointPlane || kind_ == PairKind::kRimPlane) value.point_b = value.point_a - value.gap * normal;
  if (kind_ == PairKind::kPlanePoint || kind_ == PairKind::kPlaneRim) value.point_a = value.point_b + value.gap * normal;
  value.point_a += pose_b.position;
  value.point_b += pose_b.position;
  return value;
}

}  // namespace tippe
