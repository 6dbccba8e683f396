// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// Angles between constraint surfaces in the kinetic metric, Brogliato A (9): below 90 degrees a push on one contact pushes the other
/// against it too, at 90 they do not feel each other. Degrees; not a number where a direction vanishes.
struct KineticAngles {
  Eigen::MatrixXd unilateral;              // contact x contact
  Eigen::MatrixXd unilateral_constrained;  // the same seen through the joints
  Eigen::MatrixXd unilateral_bilateral;    // contact x joint
  Eigen::VectorXd principal_cosines;       // of the spaces of contacts and joints, descending
};

/// M must be positive definite, or together with the rows hold every direction; else all are empty.
[[nodiscard]] KineticAngles measure_kinetic_angles(const AccelerationProblem& problem);

}  // namespace tippe
