// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/pivoting.h"

#include <cmath>

#include "tippe/solve/free_elimination.h"

namespace tippe {

using Eigen::VectorXd;

PivotingResult solve_by_pivoting(const MixedProblem& problem, int attempt, int max_pivots) {
  // An elimination with small pivots leaves more than the usual round-off, which later attempts allow for.
  constexpr double kUsual = 1e-13, kMore = 1e-11, kMuch = 1e-9;  // of the terms of an entry
  const FreeElimination elimination(problem, attempt == 1 ? kMore : attempt == 2 ? kMuch : kUsual);
  const ScaledProblem lcp = equilibrate({elimination.M(), elimination.q(), 0});  // the elimination spoils the scaling
  const int n = lcp.problem.size();
  VectorXd d = VectorXd::Ones(n);
  // Multiples of the golden ratio modulo 1: spread evenly, without a seed.
  for (int i = 0; i < n && attempt > 0; ++i) d[i] += 3.0 * std::fmod(0.6180339887498949 * (i + 1.0) * attempt, 1.0);
  LemkeResult lemke = solve_by_lemke(lcp.problem.K, lcp.problem.k, d, max_pivots > 0 ? max_pivots : 1000 + 50 * n);
  lemke.z = lcp.original(lemke.z);
  lemke.w = lcp.unit * lemke.w.cwiseQuotient(lcp.row);
  PivotingResult result;
  result.outcome = lemke.outcome;
  result.pivots = lemke.pivots;
  result.x = elimination.restore(lemke.z, lemke.w, lemke.outcome == LemkeOutcome::kRay);
  result.active = elimination.restore_basis(lemke.z_basic);
  return result;
}

}  // namespace tippe
