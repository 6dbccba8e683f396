// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tippe {

/// min |v|^2  subject to  equalities'v = g_eq ,  inequalities'v >= g_in.  One column per constraint, of any rank.
struct LeastDistanceProblem {
  Eigen::MatrixXd equalities;
  Eigen::VectorXd g_eq;
  Eigen::MatrixXd inequalities;
  Eigen::VectorXd g_in;
};

enum class LeastDistanceStatus {
  kSolved,
  kInfeasible,  // the inequality `contradiction` cannot be met together with the equalities and the active ones
  kFailed,      // the limit of steps
};

/// kSolved: v = equalities y_eq + inequalities y_in, y_in >= 0, and 0 where the inequality is not active.
struct LeastDistance {
  LeastDistanceStatus status = LeastDistanceStatus::kFailed;
  Eigen::VectorXd v, y_eq, y_in;
  std::vector<int> active;  // inequalities that hold as equalities, independent of each other and of the equalities
  int contradiction = -1;
  double smallest_kept = 0.0;    // of the lengths that independent unit equalities keep after those before them
  double largest_dropped = 0.0;  // of the rest: redundant ones, which take no part; `residual` shows whether they agree
  /// Largest error of v = equalities y_eq + inequalities y_in and of all constraints, redundant ones too, each with a column of length
  /// 1, relative to |v| and the largest right side.
  double residual = -1.0;
  int steps = 0;
};

/// By the dual active-set method of Goldfarb and Idnani (1983), with orthogonal factors: the active constraints are independent at all
/// times, the distance grows with every constraint that is made active, so it ends for degenerate and redundant ones too.
[[nodiscard]] LeastDistance solve_least_distance(const LeastDistanceProblem& problem);

}  // namespace tippe
