// SPDX-License-Identifier: Apache-2.0
#include "tippe/collide/contact_geometry.h"

#include "tippe/expr/scalar.h"

namespace tippe {
namespace {

Vector3 center_of(const BodyFrame& body, const SphereShape& sphere) {
  return place(body, {sphere.center[0], sphere.center[1], sphere.center[2]});
}

/// The frame at a point, and slips and spin of the velocity v and the angular velocity Omega, both relative.
void add_velocities(const Vector3& at, const Vector3& n, const Vector3& v, const Vector3& Omega, Space space,
                    ContactGeometry& contact) {
  contact.frame = {at, n, {}};
  if (space == Space::kPlanar) {
    contact.slips = {n[1] * v[0] - n[0] * v[1]};
    contact.frame.tangents = {turned_clockwise(n)};
    contact.rolls = {Omega[2]};
    return;
  }
  const auto [t1, t2] = tangents_of(n);
  contact.slips = {dot(t1, v), dot(t2, v)};
  contact.spin = dot(n, Omega);
  contact.rolls = {dot(t1, Omega), dot(t2, Omega)};
  contact.frame.tangents = {t1, t2};
}

}  // namespace

Vector3 turned_clockwise(const Vector3& n) {
  return {n[1], -n[0], n[0].graph().constant(0.0)};
}

std::array<Vector3, 2> tangents_of(const Vector3& n) {
  // t1 is the axis e less its part along n: e = y where n_x^2 >= 0.4, else x, so that 1 - (n.e)^2 >= 0.4. No angle that is usual in
  // scenes (30, 45, 60 degrees, diagonals) lies at the switch, where round-off would decide.
  ExprGraph& graph = n[0].graph();
  const Expr along_x = graph.apply(Op::kGreaterEqual, n[0] * n[0], graph.constant(0.4));
  const auto choose = [&](Expr with_y, Expr with_x) { return graph.apply(Op::kSelect, along_x, with_y, with_x); };
  const Expr n_e = choose(n[1], n[0]);
  const Expr length = sqrt(1.0 - n_e * n_e);
  const Expr zero = graph.constant(0.0), one = graph.constant(1.0);
  const Vector3 e = {choose(zero, one), choose(one, zero), zero};
  Vector3 t1 = e;
  for (size_t i = 0; i < 3; ++i) t1[i] = (e[i] - n_e * n[i]) / length;
  return {t1, cross(n, t1)};
}

ContactGeometry sphere_on_plane(const BodyFrame& body, const SphereShape& sphere, const Plane& plane, Space space) {
  ExprGraph& graph = body.position[0].graph();
  const Vector3 n = constant(graph, plane.normal);
  const Vector3 center = center_of(body, sphere);
  ContactGeometry contact;
  contact.gap = dot(n, center) - (plane.offset + sphere.radius);                                            // (6.59)
  const Vector3 r_CS = center - body.position - sphere.radius * n;                                          // (6.58)
  add_velocities(body.position + r_CS, n, velocity_at(body, r_CS), body.angular_velocity, space, contact);  // (6.63)
  return contact;
}

ContactGeometry sphere_on_sphere(const BodyFrame& first, const SphereShape& first_sphere, const BodyFrame& second,
                                 const SphereShape& second_sphere, Space space) {
  const Vector3 c1 = center_of(first, first_sphere), c2 = center_of(second, second_sphere);
  const Vector3 d = c1 - c2;
  const Expr distance = sqrt(dot(d, d));
  const Vector3 n = {d[0] / distance, d[1] / distance, d[2] / distance};
  ContactGeometry contact;
  contact.gap = distance - (first_sphere.radius + second_sphere.radius);
  // The middle of the gap: (c1 - r1 n + c2 + r2 n)/2.
  const Vector3 at = 0.5 * (c1 + c2) + 0.5 * (second_sphere.radius - first_sphere.radius) * n;
  const Vector3 v = velocity_at(first, at - first.position) - velocity_at(second, at - second.position);
  add_velocities(at, n, v, first.angular_velocity - second.angular_velocity, space, contact);
  return contact;
}

}  // namespace tippe
