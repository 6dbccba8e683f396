// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>

#include "tippe/model/system.h"

namespace tippe {

/// The forces of the bilateral constraints at a state, without those of force laws.
struct ConstraintForces {
  Eigen::VectorXd lambda;         // N   of each row, of least norm where not unique
  Eigen::VectorXd on_velocities;  // N   W lambda on each velocity, Kalaba-Udwadia (33)
  std::string failure;            // why there are none, or ""
};
[[nodiscard]] ConstraintForces constraint_forces(const System& system, const State& state);

}  // namespace tippe
