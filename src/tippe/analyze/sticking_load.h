// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "tippe/analyze/unit_directions.h"

namespace tippe {

/// What the contact forces have to add up to if all contacts that do not slide go on sticking, or open (Brogliato B (60)).
struct StickingLoad {
  Eigen::VectorXd w;         // scale(M a + F) of the UnitDirections over `size`: of length 1, or zero
  double size = 1.0;         // its length; 1 if it is zero
  std::vector<bool> closed;  // of each unilateral contact: its gap does not open
  [[nodiscard]] bool all_closed() const { return std::find(closed.begin(), closed.end(), false) == closed.end(); }
};

/// With one acceleration of the problem without friction limits. What is left of terms that cancel is no load.
[[nodiscard]] StickingLoad find_sticking_load(const AccelerationProblem& problem, const UnitDirections& directions,
                                              const Eigen::VectorXd& acceleration);

}  // namespace tippe
