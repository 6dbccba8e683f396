// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "support/linear_algebra.h"
#include "support/random.h"
#include "tippe/problem/complementarity.h"

namespace tippe::test {

/// All solutions of a small LCP with a nonsingular basis, by solving every complementary basis: the oracle of the methods.
inline std::vector<Eigen::VectorXd> all_basic_solutions(const LcpProblem& problem) {
  const int n = static_cast<int>(problem.q.size());
  std::vector<Eigen::VectorXd> solutions;
  for (int bits = 0; bits < (1 << n); ++bits) {
    std::vector<int> set;
    for (int i = 0; i < n; ++i) {
      if (bits >> i & 1) set.push_back(i);
    }
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    if (!set.empty()) {
      const Eigen::MatrixXd basis = problem.M(set, set);
      if (reciprocal_condition(basis) < 1e-14) continue;
      z(set) = solve(basis, -problem.q(set));
    }
    const Eigen::VectorXd w = problem.M * z + problem.q;
    if (n == 0 || (z.minCoeff() >= -1e-11 && w.minCoeff() >= -1e-11)) solutions.push_back(z);
  }
  return solutions;
}

/// x'M x >= 0 for all x, of the given rank, plus a skew part.
inline Eigen::MatrixXd random_semidefinite(Random& random, int n, int rank, double skew) {
  const Eigen::MatrixXd F = random_matrix(random, n, rank), S = random_matrix(random, n, n);
  return F * F.transpose() + skew * (S - S.transpose());
}

}  // namespace tippe::test
