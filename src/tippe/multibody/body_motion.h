// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "tippe/core/sparse_ldlt.h"
#include "tippe/model/body.h"
#include "tippe/shape/pose.h"

namespace tippe {

/// The coordinates and velocities of one body among those of a system: of a Newton-Euler body, a point or a planar one (model/body.h).
struct BodyMotion {
  BodyKind kind = BodyKind::kNewtonEuler;
  int first_coordinate = 0, first_velocity = 0;

  [[nodiscard]] Pose pose(const Eigen::VectorXd& q) const {
    Pose pose;
    if (kind == BodyKind::kPlanar) {
      const double c = std::cos(q[first_coordinate + 2]), s = std::sin(q[first_coordinate + 2]);
      pose.position << q[first_coordinate], q[first_coordinate + 1], 0.0;
      pose.axes << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
      return pose;
    }
    pose.position = q.segment<3>(first_coordinate);
    if (kind == BodyKind::kNewtonEuler) pose.axes = rotation(q.data() + first_coordinate + 3);
    return pose;
  }

  /// Pushes the generalized force of a force f at the offset r from the centre of mass and of a moment, all in space.
  void push_force(const Pose& pose, const Eigen::Vector3d& f, const Eigen::Vector3d& r, const Eigen::Vector3d& moment,
                  SparseColumns& W) const {
    const Eigen::Vector3d m = r.cross(f) + moment;
    W.push(first_velocity, f[0]);
    W.push(first_velocity + 1, f[1]);
    if (kind == BodyKind::kPlanar) {
      W.push(first_velocity + 2, m[2]);
      return;
    }
    W.push(first_velocity + 2, f[2]);
    if (kind == BodyKind::kPoint) return;
    const Eigen::Vector3d in_body = pose.axes.transpose() * m;
    for (int i = 0; i < 3; ++i) W.push(first_velocity + 3 + i, in_body[i]);
  }

  /// m/s, rad/s  in space.
  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::VectorXd& u) const {
    return {u[first_velocity], u[first_velocity + 1], kind == BodyKind::kPlanar ? 0.0 : u[first_velocity + 2]};
  }
  [[nodiscard]] Eigen::Vector3d angular_velocity(const Pose& pose, const Eigen::VectorXd& u) const {
    if (kind == BodyKind::kPoint) return Eigen::Vector3d::Zero();
    if (kind == BodyKind::kPlanar) return {0.0, 0.0, u[first_velocity + 2]};
    return pose.axes * u.segment<3>(first_velocity + 3);
  }

  /// Where it is after a time with constant velocities u.
  [[nodiscard]] Pose after(const Pose& pose, const Eigen::VectorXd& u, double time) const {
    const Eigen::Vector3d turn = time * angular_velocity(pose, u);
    const double angle = turn.norm();
    Pose later{pose.position + time * velocity(u), pose.axes};
    if (angle > 0.0) later.axes = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * pose.axes;
    return later;
  }

 private:
  /// |A|^2 times a rotation, Moeller (6.50), as the expressions of model/body.cpp have it.
  static Eigen::Matrix3d rotation(const double* A) {
    const double w2 = A[0] * A[0], x2 = A[1] * A[1], y2 = A[2] * A[2], z2 = A[3] * A[3];
    const double xy = 2.0 * (A[1] * A[2]), xz = 2.0 * (A[1] * A[3]), yz = 2.0 * (A[2] * A[3]);
    const double wx = 2.0 * (A[0] * A[1]), wy = 2.0 * (A[0] * A[2]), wz = 2.0 * (A[0] * A[3]);
    Eigen::Matrix3d R;
    R << w2 + x2 - y2 - z2, xy - wz, xz + wy, xy + wz, w2 - x2 + y2 - z2, yz - wx, xz - wy, yz + wx, w2 - x2 - y2 + z2;
    return R;
  }
};

}  // namespace tippe
