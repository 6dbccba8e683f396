// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/return_multipliers.h"

#include <algorithm>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/rank_decision.h"

namespace tippe {

/// On the image of A, which it maps into itself, A has the same ones: so zeros go, and what is left has no nilpotent part, of which round-off would make
/// eigenvalues of any size.
std::vector<std::complex<double>> nonzero_eigenvalues(Eigen::MatrixXd A, double noise) {
  while (A.rows() > 0) {
    const RankSplit split = decide_rank(A, noise);
    if (split.rank == A.rows()) break;
    A = (split.range.transpose() * A * split.range).eval();
  }
  return general_eigenvalues(A);
}

PeriodicOrbit::Stability stability_of(const std::vector<std::complex<double>>& multipliers, double error) {
  constexpr double kUnitCircle = 1e-6;  // moduli that near to 1 are not told apart from it
  const double largest = multipliers.empty() ? 0.0 : std::abs(multipliers.front());
  const double margin = std::max(kUnitCircle, error);
  if (largest < 1.0 - margin) return PeriodicOrbit::Stability::kStable;
  return largest > 1.0 + margin ? PeriodicOrbit::Stability::kUnstable : PeriodicOrbit::Stability::kNotDecided;
}

}  // namespace tippe
