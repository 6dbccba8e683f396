// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

struct StackedProblem;

/// The acceleration of a solvable problem.
struct Motion {
  Verdict unique;
  Eigen::VectorXd acceleration;     // the one, or one of them
  Eigen::MatrixXd free_directions;  // one column per direction in which it is not determined (both ways or one way)
  Eigen::VectorXd lower, upper;     // of each entry of the acceleration; equal where it is determined
  Eigen::VectorXd multipliers;      // (lambda, nu) of this solution, one of them
  /// Where it is not determined and the bounds were found: bounds of the gap accelerations, and the acceleration with
  /// the least sum of
  /// them; else empty.
  Eigen::VectorXd gap_lower, gap_upper, most_closed;
  bool found = false;      // false: the numbers are a last iterate
  double residual = -1.0;  // largest error of the equations and signs, relative to the size of their terms
};

/// By Gauss' principle as a quadratic program. Without sliding.
[[nodiscard]] Motion find_motion(const AccelerationProblem& problem, const StackedProblem& stacked);

}  // namespace tippe
