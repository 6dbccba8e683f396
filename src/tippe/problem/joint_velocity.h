// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/held_mass.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// Velocities before an impact on the constraints.
struct JointVelocity {
  Eigen::VectorXd velocity;    // as given, or projected onto the constraints in the kinetic metric
  Eigen::VectorXd change;      // that the projection made; 0 where the given one keeps them up to round-off
  bool changed = false;        // it was projected
  bool contradictory = false;  // no velocity keeps all constraints
};

/// `mass`: of the problem under its constraints, definite.
[[nodiscard]] JointVelocity keep_joints(const ImpactProblem& problem, const HeldMass& mass);

}  // namespace tippe
