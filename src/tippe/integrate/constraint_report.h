// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/core/constrained_mass.h"
#include "tippe/model/system.h"

namespace tippe {

/// The bilateral constraints at a state, as a user wants to know them before a run.
struct ConstraintReport {
  Eigen::VectorXd position, velocity;  // g (0 where a row has none) and gamma of each row: how far it is violated
  RankDecision rank;                   // judged on the constraints, as a run does
  std::vector<int> redundant_rows;     // that take part in a dependency: their forces are not unique
  bool mass_is_singular = false;       // what has no mass is held by the constraints
};

/// For a start that check_start has passed. A system without constraints has a report without rows.
[[nodiscard]] ConstraintReport report_constraints(const System& system, const State& state);

}  // namespace tippe
