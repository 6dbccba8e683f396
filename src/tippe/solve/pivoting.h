// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/solve/lemke.h"
#include "tippe/solve/mixed_problem.h"

namespace tippe {

struct PivotingResult {
  LemkeOutcome outcome = LemkeOutcome::kBudget;
  Eigen::VectorXd x;         // kSolution: a point; kRay: the direction of the ray
  std::vector<bool> active;  // kSolution: one entry per pair, see solve_basis
  int pivots = 0;
};

/// Lemke's method on a mixed problem with equilibrated data, after elimination of the free variables. The covering vector is 1 for
/// `attempt` 0 and a fixed other positive one for each further attempt: another path to perhaps another solution.
/// max_pivots = 0: a budget that grows with the size.
[[nodiscard]] PivotingResult solve_by_pivoting(const MixedProblem& problem, int attempt, int max_pivots);

}  // namespace tippe
