// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/problem/contact_mode.h"
#include "tippe/problem/residual.h"
#include "tippe/solve/solution.h"

namespace tippe {

struct EnumerationOptions {
  double tolerance = 1e-10;  // 1  of Residual::relative
  int most_laws = 4;         //    more are refused: the work grows like 4^laws
};

struct EnumeratedSolution {
  std::vector<ContactMode>
      modes;  // of the laws; an interval slides at its ends: forward at the upper one, backward at the lower one
  Eigen::VectorXd Lambda;  // of least norm where the mode leaves it open
  double residual = -1.0;
};

/// Whether the enumeration knows all laws of a problem, and they are not too many.
[[nodiscard]] bool enumeration_applies(const InclusionProblem& problem, const EnumerationOptions& options);

/// All solutions of a small problem: every combination of modes is a set of linear equations (with the directions of sliding in a
/// plane found by Newton's method), and the residual judges which ones hold. Friction problems may have several solutions or none.
/// Independent of all iterations, hence their oracle. Where a mode leaves impulses undetermined only those of least norm are tried.
/// Empty also if it does not apply: more than options.most_laws laws, drilling contacts or friction with an extra load.
[[nodiscard]] std::vector<EnumeratedSolution> enumerate_solutions(const InclusionProblem& problem,
                                                                  const EnumerationOptions& options);

/// The solution with the smallest residual; kMaxIterations if there is none, and the solution is left alone.
/// `iterations` is the number of solutions.
SolveStatus solve_by_enumeration(const InclusionProblem& problem, const EnumerationOptions& options, Solution& solution);

}  // namespace tippe
