// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/modes/motion.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

struct StackedProblem;

/// All forces that go with one acceleration: { (lambda, nu) : pushes lambda + pulls nu = M a + F, lambda >= 0, lambda_i = 0 where
/// the contact opens }. Vectors hold all force components in the order of the ForceLayout.
struct ForceSet {
  Verdict
      unique;  // margin: singular value of the unit columns that may carry force next to the decision, minus its tolerance
  Eigen::VectorXd representative;  // the one with the least sum of squares of (lambda, nu)
  Eigen::VectorXd lower, upper;    // bounds of each component; -inf, inf
  /// kOuter: some bound was not found and is infinite, or a motion with other forces may have been missed.
  enum class Bounds { kExact, kOuter };
  Bounds bounds = Bounds::kExact;
  Eigen::MatrixXd
      free_directions;  // one column per direction in which the forces can be changed, as sparse as it gets, largest entry 1
  std::vector<std::vector<int>> groups;           // components that are undetermined together
  std::vector<std::optional<double>> group_sums;  // the sum of the components of each group, where it is determined
  std::vector<int> implicitly_zero;  // components that carry nothing in any solution although their contact stays closed
  double residual = -1.0;            // of the representative: largest error of the equation, relative to its largest term
};

/// `motion`: an acceleration of the problem, with multipliers that belong to it. The verdict is open if a bound could not be found.
[[nodiscard]] ForceSet find_forces(const AccelerationProblem& problem, const StackedProblem& stacked, const Motion& motion);

}  // namespace tippe
