// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>

#include "tippe/problem/acceleration_problem.h"

namespace tippe::test {

/// A rigid body of mass 1 and inertia 1 in the plane, coordinates (x, y, angle).
inline AccelerationProblem planar_object(const Eigen::Vector3d& F = Eigen::Vector3d::Zero()) {
  return {Eigen::MatrixXd::Identity(3, 3), F, {}, {}, {}};
}

/// Of mass 1 and inertia 1 in space, velocities (v, omega).
inline AccelerationProblem spatial_object(const Eigen::Vector3d& force = Eigen::Vector3d::Zero(),
                                          const Eigen::Vector3d& torque = Eigen::Vector3d::Zero()) {
  Eigen::VectorXd F(6);
  F << -force, -torque;
  return {Eigen::MatrixXd::Identity(6, 6), F, {}, {}, {}};
}

/// A point contact at r from the centre of mass that pushes the body along n.
inline ContactRows planar_finger(const Eigen::Vector2d& r, const Eigen::Vector2d& n, std::optional<double> mu) {
  const Eigen::Vector2d t(-n[1], n[0]);
  const auto row = [&](const Eigen::Vector2d& e) { return Eigen::Vector3d(e[0], e[1], r[0] * e[1] - r[1] * e[0]); };
  ContactRows contact;
  contact.normal = row(n);
  contact.tangents = row(t);
  contact.tangent_drift = Eigen::VectorXd::Zero(1);
  contact.mu = mu;
  return contact;
}

inline ContactRows spatial_finger(const Eigen::Vector3d& r, const Eigen::Vector3d& n, std::optional<double> mu) {
  const auto row = [&](const Eigen::Vector3d& e) {
    Eigen::VectorXd wrench(6);
    wrench << e, r.cross(e);
    return wrench;
  };
  const Eigen::Vector3d t = n.unitOrthogonal();
  ContactRows contact;
  contact.normal = row(n);
  contact.tangents.resize(6, 2);
  contact.tangents << row(t), row(n.cross(t));
  contact.tangent_drift = Eigen::VectorXd::Zero(2);
  contact.mu = mu;
  return contact;
}

/// A1, A2, ... and rail1, rail2, ...
inline void name_contacts(AccelerationProblem& problem) {
  for (size_t i = 0; i < problem.unilateral.size(); ++i) problem.unilateral[i].name = "A" + std::to_string(i + 1);
  for (size_t i = 0; i < problem.bilateral.size(); ++i) problem.bilateral[i].name = "rail" + std::to_string(i + 1);
}

}  // namespace tippe::test
