// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/collide/shape.h"
#include "tippe/expr/graph.h"
#include "tippe/model/body.h"

namespace tippe {

/// Where a contact acts and which way its forces on the first partner point: along n, and against the slips along the tangents.
struct ContactFrame {
  Vector3 at;                     // m
  Vector3 normal;                 // 1  from the second partner to the first
  std::vector<Vector3> tangents;  // 1  one for each slip
};

/// The kinematics of one contact, as a LawDescription takes them. The normal n points from the second partner to the first,
/// velocities are those of the first relative to the second.
struct ContactGeometry {
  Expr gap;  // m      signed distance, positive when open
  std::vector<Expr>
      slips;  // m/s    along two perpendicular tangents; between planar bodies one, along n turned by -90 degrees
  Expr spin;  // rad/s  about n; absent between planar bodies
  std::vector<Expr> rolls;  // rad/s  about these tangents; between planar bodies about z
  ContactFrame frame;
};

/// Where the partners live: in space, or in the x-y plane.
enum class Space { kSpatial, kPlanar };

/// A sphere of a body against a plane, Moeller (6.58)-(6.64). The velocity is that of the point of the sphere that is deepest.
/// In the x-y plane the normal must lie in it.
[[nodiscard]] ContactGeometry sphere_on_plane(const BodyFrame& body, const SphereShape& sphere, const Plane& plane,
                                              Space space);

/// Spheres of two bodies. The velocities are those of the two bodies at one point, in the middle of the gap, so that a common rigid
/// motion has none and the forces on both have no moment together, however large the gap. Undefined where the centres coincide.
[[nodiscard]] ContactGeometry sphere_on_sphere(const BodyFrame& first, const SphereShape& first_sphere,
                                               const BodyFrame& second, const SphereShape& second_sphere, Space space);

/// The tangent of a contact in the x-y plane: n turned by -90 degrees.
[[nodiscard]] Vector3 turned_clockwise(const Vector3& n);
/// Two directions that make a right-handed frame (n, t1, t2) with the unit vector n, wherever it points. For n = z they are x and y.
[[nodiscard]] std::array<Vector3, 2> tangents_of(const Vector3& n);

}  // namespace tippe
