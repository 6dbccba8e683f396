// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "tippe/model/lagrangian.h"
#include "tippe/model/vector3.h"

namespace tippe {

/// Where a body is and how it moves, as expressions: all that is attached to a body needs no more.
struct BodyFrame {
  Vector3 position;             // m      centre of mass, of q
  std::array<Vector3, 3> axes;  // 1      body axes in space, the columns of R(q)
  Vector3 velocity;             // m/s    of the centre of mass, linear in rates or velocities
  Vector3 angular_velocity;     // rad/s  in space, linear in rates or velocities
};

/// The body axes of a unit quaternion, columns of a polynomial that is |A|^2 times a rotation, Moeller (6.50).
[[nodiscard]] std::array<Vector3, 3> axes_of_quaternion(Expr a0, const Vector3& a);
/// R a: a vector fixed to the body, in space.
[[nodiscard]] Vector3 turn(const BodyFrame& frame, const std::array<double, 3>& a);
/// r + R at: a point fixed to the body, in space.
[[nodiscard]] Vector3 place(const BodyFrame& frame, const std::array<double, 3>& at);
/// v + Omega x offset: of the point of the body that is at `offset` from the centre of mass, in space.
[[nodiscard]] Vector3 velocity_at(const BodyFrame& frame, const Vector3& offset);
/// What does not move: axes of space about the origin.
[[nodiscard]] BodyFrame world_frame(ExprGraph& graph);

/// How the motion of a body is described. Of a body named "top":
///
///   kNewtonEuler  x y z qw qx qy qz   u = vx vy vz wx wy wz      dA/dt = A(0, w)/2              Moeller (4.119)
///   kScalable     x y z qw qx qy qz   u = vx vy vz nu wx wy wz   dA/dt = A(nu, w)/(2|A|^2)      Moeller (4.117)
///                 with the constraint |A|^2 = 1
///   kAffine       x y z d1x .. d3z    u = dq/dt                  six constraints of rigidity    Moeller (4.28)
///   kPoint        x y z               u = dq/dt = vx vy vz
///   kPlanar       x y phi             u = dq/dt = vx vy w        in the x-y plane, phi about z
///
/// A = (qw, qx, qy, qz) turns the body frame into space; w = (wx, wy, wz) is in the body frame.
enum class BodyKind { kNewtonEuler, kScalable, kAffine, kPoint, kPlanar };

struct Body {
  std::string name;
  BodyKind kind = BodyKind::kNewtonEuler;
  double mass = 0.0;                                  // kg
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m^2  about the centre of mass, body frame; planar: only (2, 2)
  int first_coordinate = 0, first_velocity = 0;       // in the description
  std::string key;                                    // in a scene: "body[0]"

  /// u = dq/dt.
  [[nodiscard]] bool velocities_are_rates() const { return kind != BodyKind::kNewtonEuler && kind != BodyKind::kScalable; }
  [[nodiscard]] bool turns() const { return kind != BodyKind::kPoint; }
  /// "top.x", "top.y", ...
  [[nodiscard]] std::vector<std::string> coordinate_names() const;
  /// "top.vx", ..., "top.d1x'", ...
  [[nodiscard]] std::vector<std::string> velocity_names() const;
};

/// Of a description in which all coordinates and velocities are declared. Where u = dq/dt, the velocities are written with the
/// rates of the coordinates.
[[nodiscard]] BodyFrame make_frame(const Body& body, const LagrangianDescription& description);

/// Adds kinetic energy, gyroscopic forces, the rates (if the description has velocities of its own), the unit quaternion and the
/// constraints of the body. Kinetic energy and rates of the description must be there.
void add_body(const Body& body, const BodyFrame& frame, LagrangianDescription& description);

/// m v.
[[nodiscard]] Vector3 momentum(const Body& body, const BodyFrame& frame);
/// About the origin: m r x v + R Theta R' Omega, of an affine body m r x v + sum_ij E_ij d_i x dd_j/dt.
[[nodiscard]] Vector3 angular_momentum(const Body& body, const BodyFrame& frame, const LagrangianDescription& description);

/// Where a body starts.
struct BodyStart {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               // m      of the centre of mass
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // unit
  double angle = 0.0;                                               // rad    planar bodies: the same, turns counted
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               // m/s    of the centre of mass, in space
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       // rad/s  in the body frame
};
void set_start(const Body& body, const BodyStart& start, State& state);

}  // namespace tippe
