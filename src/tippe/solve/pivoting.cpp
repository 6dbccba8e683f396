// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/pivoting.h"

#include <cmath>

#include "tippe/solve/free_elimination.h"

namespace tippe {

using Eigen::VectorXd;

PivotingResult solve_by_pivoting(const MixedProblem& problem, int attempt, int max_pivots) {
  const FreeElimination elimination(problem);
  const auto n = elimination.q().size();
  VectorXd d = VectorXd::Ones(n);
  // Multiples of the golden ratio modulo 1: spread evenly, without a seed.
  for (Eigen::Index i = 0; i < n && attempt > 0; ++i)
    d[i] += 3.0 * std::fmod(0.6180339887498949 * static_cast<double>((i + 1) * attempt), 1.0);
  const int budget = max_pivots > 0 ? max_pivots : 1000 + 50 * static_cast<int>(n);
  const LemkeResult lemke = solve_by_lemke(elimination.M(), elimination.q(), d, budget);
  PivotingResult result;
  result.outcome = lemke.outcome;
  result.pivots = lemke.pivots;
  result.x = elimination.restore(lemke.z, lemke.w, lemke.outcome == LemkeOutcome::kRay);
  result.active = elimination.restore_basis(lemke.z_basic);
  return result;
}

}  // namespace tippe
