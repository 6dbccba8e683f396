// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/integrator.h"
#include "tippe/model/system.h"

namespace tippe {

/// "'crank', 'slider'"; of many rows the first ones and how many more.
[[nodiscard]] std::string name_constraints(const System& system, const std::vector<int>& rows);

/// One sentence on a direction without mass that no constraint holds.
[[nodiscard]] std::string describe_massless(const System& system, const Eigen::VectorXd& direction);

/// Whether redundant rows contradict each other: a row misses what was asked of it, W'x = r, by more than round-off of its terms.
/// Then status, residual and culprit go into the report. `level`: "velocity", "acceleration".
bool find_contradiction(const System& system, ConstrainedMass& mass, const SparseColumns& W, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& r, const Eigen::VectorXd& misfit, const std::string& level,
                        StepReport& report);

}  // namespace tippe
