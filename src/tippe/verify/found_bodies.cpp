// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/found_bodies.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace tippe::verify {

using Eigen::Index;

FoundBodies::FoundBodies(const System& system) : nu_(system.nu()) {
  const auto index_of = [](const std::vector<std::string>& names, const std::string& name) -> Index {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  const std::vector<std::string>&q = system.coordinate_names(), &u = system.velocity_names();
  const auto exists = [&](const std::string& name) { return index_of(q, name) < static_cast<Index>(q.size()); };
  for (const std::string& shape : system.shape_names()) {
    const std::string name = shape.substr(0, shape.find('.'));
    Body& body = body_of_shape_.emplace_back();
    body.fixed = !exists(name + ".x");
    if (body.fixed) continue;
    body.q = index_of(q, name + ".x");
    body.u = index_of(u, name + ".vx");
    body.planar = exists(name + ".phi");
    body.turns = exists(name + ".qw");
  }
}

FoundBodies::Vector3 FoundBodies::Body::place(const Vector& at) const {
  return fixed ? Vector3(Vector3::Zero()) : Vector3(at[q], at[q + 1], planar ? 0.0L : at[q + 2]);
}

FoundBodies::Matrix3 FoundBodies::Body::axes(const Vector& at) const {
  return Eigen::Quaternion<Real>(at[q + 3], at[q + 4], at[q + 5], at[q + 6]).normalized().toRotationMatrix();
}

void FoundBodies::Body::add(const Vector& at, const Vector3& force, const Vector3& moment, Real sign, Vector& sum) const {
  if (fixed) return;
  sum.segment(u, planar ? 2 : 3) += sign * force.head(planar ? 2 : 3);
  if (planar) sum[u + 2] += sign * moment[2];
  if (turns) sum.segment<3>(u + 3) += sign * (axes(at).transpose() * moment);
}

std::vector<FoundBodies::Vector3> FoundBodies::directions(const FoundContact& contact) const {
  const Vector3 n = contact.normal.cast<Real>();
  if (first(contact).planar) return {n, Vector3(n[1], -n[0], 0.0L)};
  const Vector3 e = std::abs(n[0]) < 0.7L ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 t = (e - n.dot(e) * n).normalized();
  return {n, t, n.cross(t)};
}

Rows FoundBodies::rows(const FoundContact& contact, const Vector& q) const {
  const std::vector<Vector3> along = directions(contact);
  const auto count = static_cast<Index>(along.size());
  Rows rows{Matrix::Zero(nu_, count), Vector::Zero(count)};
  const Vector3 at = contact.at.cast<Real>();
  for (Index k = 0; k < count; ++k) {
    const Vector3& force = along[static_cast<size_t>(k)];
    Vector W = Vector::Zero(nu_);
    for (const auto& [body, sign] : {std::pair(&first(contact), 1.0L), std::pair(&second(contact), -1.0L)})
      body->add(q, force, (at - body->place(q)).cross(force), sign, W);
    rows.W.col(k) = W;
  }
  return rows;
}

Vector FoundBodies::along_rows(const FoundContact& contact) const {
  const std::vector<Vector3> along = directions(contact);
  Vector Lambda(static_cast<Index>(along.size()));
  for (Index k = 0; k < Lambda.size(); ++k) Lambda[k] = along[static_cast<size_t>(k)].dot(contact.impulse.cast<Real>());
  return Lambda;
}

Vector FoundBodies::drilling_row(const FoundContact& contact, const Vector& q) const {
  Vector W = Vector::Zero(nu_);
  const Vector3 n = contact.normal.cast<Real>();
  first(contact).add(q, Vector3::Zero(), n, 1.0L, W);
  second(contact).add(q, Vector3::Zero(), n, -1.0L, W);
  return W;
}

}  // namespace tippe::verify
