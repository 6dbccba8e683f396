// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tippe {

enum class LemkeOutcome {
  kSolution,  // a complementary basis with nonnegative values
  kRay,       // the path leaves to infinity
  kBudget,    // the pivots are spent
  kFailed,    // a basis is numerically singular
};

struct LemkeResult {
  LemkeOutcome outcome = LemkeOutcome::kBudget;
  Eigen::VectorXd z;          // kSolution: values of the basis; kRay: direction of the ray
  Eigen::VectorXd w;          // the same for w = M z + q
  std::vector<bool> z_basic;  // kSolution: z_i (true) or w_i (false) is basic
  int pivots = 0;
};

/// Lemke's complementary pivoting for 0 <= z _|_ w = M z + q >= 0 along w = M z + q + d z0, with positive d. Ties are broken
/// lexicographically, so that the method is finite for every M. A ray proves that {z >= 0, M z + q >= 0} is empty if M is
/// copositive-plus, for example positive semidefinite; for other M it proves nothing. The data should be equilibrated.
[[nodiscard]] LemkeResult solve_by_lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const Eigen::VectorXd& d,
                                         int max_pivots);

}  // namespace tippe
