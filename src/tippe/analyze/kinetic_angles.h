// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// Angles between constraint surfaces in the kinetic metric, Brogliato A (9): below 90 degrees a push on one contact closes the
/// other, at 90 they do not feel each other, above it opens the other; 0 and 180: opposite and equal directions. Degrees; not a number where a direction vanishes.
struct KineticAngles {
  Eigen::MatrixXd unilateral;              // contact x contact
  Eigen::MatrixXd unilateral_constrained;  // the same seen through the joints
  Eigen::MatrixXd unilateral_bilateral;    // contact x joint
  Eigen::VectorXd principal_cosines;       // of the spaces of contacts and joints, descending
};

/// With a singular M only the angles through the joints have a meaning, if the joints hold what has no mass; the others are empty.
[[nodiscard]] KineticAngles measure_kinetic_angles(const AccelerationProblem& problem);

}  // namespace tippe
