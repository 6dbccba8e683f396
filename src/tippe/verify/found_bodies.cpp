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

template <class Add>
void FoundBodies::Body::act(const Vector& at, const Vector3& force, const Vector3& moment, Real sign, const Add& add) const {
  if (fixed) return;
  for (int i = 0; i < (planar ? 2 : 3); ++i) add(u + i, sign * force[i]);
  if (planar) add(u + 2, sign * moment[2]);
  if (!turns) return;
  const Vector3 own = axes(at).transpose() * moment;
  for (int i = 0; i < 3; ++i) add(u + 3 + i, sign * own[i]);
}

std::vector<FoundBodies::Vector3> FoundBodies::directions(const FoundContact& contact) const {
  const Vector3 n = contact.normal.cast<Real>();
  if (first(contact).planar) return {n, Vector3(n[1], -n[0], 0.0L)};
  const Vector3 e = std::abs(n[0]) < 0.7L ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 t = (e - n.dot(e) * n).normalized();
  return {n, t, n.cross(t)};
}

/// Of unit forces at the contact along some directions, or of unit moments.
Rows FoundBodies::rows_along(const FoundContact& contact, const Vector& q, const std::vector<Vector3>& along,
                             bool moments) const {
  const auto count = static_cast<Index>(along.size());
  Rows rows{SparseMatrix(nu_, count), Vector::Zero(count)};
  const Vector3 at = contact.at.cast<Real>();
  std::pair<const Body*, Real> in_order[] = {{&first(contact), 1.0L}, {&second(contact), -1.0L}};
  if (in_order[1].first->u < in_order[0].first->u) std::swap(in_order[0], in_order[1]);
  rows.W.reserve(12 * count);
  for (Index k = 0; k < count; ++k) {
    const Vector3& direction = along[static_cast<size_t>(k)];
    rows.W.startVec(k);
    for (const auto& [body, sign] : in_order) {
      const Vector3 force = moments ? Vector3(Vector3::Zero()) : direction;
      const Vector3 moment = moments ? direction : Vector3((at - body->place(q)).cross(direction));
      body->act(q, force, moment, sign, [&](Index velocity, Real share) {
        if (share != 0.0L) rows.W.insertBack(velocity, k) = share;
      });
    }
  }
  rows.W.finalize();
  return rows;
}

Rows FoundBodies::rows(const FoundContact& contact, const Vector& q) const {
  return rows_along(contact, q, directions(contact), false);
}

Vector FoundBodies::along_rows(const FoundContact& contact) const {
  const std::vector<Vector3> along = directions(contact);
  Vector Lambda(static_cast<Index>(along.size()));
  for (Index k = 0; k < Lambda.size(); ++k) Lambda[k] = along[static_cast<size_t>(k)].dot(contact.impulse.cast<Real>());
  return Lambda;
}

std::vector<FoundBodies::Vector3> FoundBodies::rolling_axes(const FoundContact& contact) const {
  if (first(contact).planar) return {Vector3::UnitZ()};
  const std::vector<Vector3> along = directions(contact);
  return {along[1], along[2]};
}

Rows FoundBodies::rolling_rows(const FoundContact& contact, const Vector& q) const {
  return rows_along(contact, q, rolling_axes(contact), true);
}

Vector FoundBodies::along_rolling(const FoundContact& contact) const {
  const std::vector<Vector3> axes = rolling_axes(contact);
  Vector Lambda(static_cast<Index>(axes.size()));
  for (Index k = 0; k < Lambda.size(); ++k) Lambda[k] = axes[static_cast<size_t>(k)].dot(contact.moment.cast<Real>());
  return Lambda;
}

Vector FoundBodies::drilling_row(const FoundContact& contact, const Vector& q) const {
  Vector W = Vector::Zero(nu_);
  const Vector3 n = contact.normal.cast<Real>();
  const auto add = [&](Index velocity, Real share) { W[velocity] += share; };
  first(contact).act(q, Vector3::Zero(), n, 1.0L, add);
  second(contact).act(q, Vector3::Zero(), n, -1.0L, add);
  return W;
}

}  // namespace tippe::verify
