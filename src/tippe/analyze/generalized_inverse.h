// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// The motion under the bilateral constraints alone (with their tangents, if they have some and do not slide), without the contacts:
/// Kalaba-Udwadia (30), for singular M by the pseudo-inverse of the KKT matrix, Brogliato B (30).
struct GeneralizedInverse {
  Verdict consistent;                 // of the constraints with each other
  std::vector<std::string> culprits;  // rows that contradict each other, if not
  bool determined = true;             // false: some direction is massless and unconstrained
  Eigen::VectorXd undetermined_direction;
  std::vector<std::string> names;  // of the rows
  Eigen::VectorXd acceleration;
  Eigen::VectorXd constraint_force;  // M a + F
  /// Its parts, Kalaba-Udwadia (33): what the load F makes of it, and what is linear in the right sides g of the rows.
  Eigen::VectorXd force_by_load, force_by_rows;
  Eigen::VectorXd multipliers;  // of least norm
  bool multipliers_unique = true;
  std::optional<double> gaussian;  // constraint_force' M^-1 constraint_force; absent if M is singular
};

[[nodiscard]] GeneralizedInverse constrained_acceleration(const AccelerationProblem& problem);

}  // namespace tippe
