// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// What the contact forces have to add up to if all contacts that do not slide go on sticking, or open (Brogliato B (60)).
struct StickingLoad {
  enum class Status { kFound, kNone, kUnknown };
  Status status = Status::kUnknown;  // kNone: no accelerations and forces, even without friction limits
  Eigen::VectorXd acceleration;
  Eigen::VectorXd w;         // M acceleration + F
  std::vector<bool> closed;  // of each unilateral contact: its gap does not open
};

/// Without sliding the least of Gauss' function; with sliding a solution of the complementarity problem, one of them if there are
/// several. `sliding_signs`: of the bilateral contacts that slide, as for stack().
[[nodiscard]] StickingLoad find_sticking_load(const AccelerationProblem& problem, std::span<const int> sliding_signs);

}  // namespace tippe
