// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// Whether the contacts hold the system against every load: without friction (form, of first order) and with it (force). Bilateral
/// constraints are taken as rigid. Margins are free of units (analyze/unit_directions.h): the depth that forces which balance each
/// other can have in their cones, with the sum of all mu * normal force (without friction: of all normal forces) 1.
struct Closure {
  Verdict form;
  Verdict force;
  /// A motion d != 0 that the contacts with their friction do not resist, if the answer for force is no; one that they do not resist
  /// without friction, if it is yes and that for form is no. Empty otherwise. Largest absolute entry 1.
  Eigen::VectorXd unresisted;
};

[[nodiscard]] Closure judge_closure(const AccelerationProblem& problem);

}  // namespace tippe
