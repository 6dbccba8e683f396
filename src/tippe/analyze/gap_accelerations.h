// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/analyze/unit_directions.h"
#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// The acceleration of every unilateral gap in a motion.
struct GapAccelerations {
  Eigen::VectorXd value;  // m/s^2
  Eigen::VectorXd
      size;  // how large it could be by its own terms and by the load alone: a contact opens above kVerdictTolerance of it
  [[nodiscard]] bool opens(Eigen::Index contact) const { return value[contact] > kVerdictTolerance * size[contact]; }
  /// 0 in place of round-off.
  [[nodiscard]] Eigen::VectorXd clean() const;
};
[[nodiscard]] GapAccelerations gap_accelerations(const AccelerationProblem& problem, const UnitDirections& directions,
                                                 const Eigen::VectorXd& acceleration);

}  // namespace tippe
