// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/analyze/motion.h"
#include "tippe/analyze/stacked_problem.h"
#include "tippe/analyze/verdict.h"

namespace tippe {

/// All forces that go with one acceleration: { (lambda, nu) : pushes lambda + pulls nu = M a + F, lambda >= 0, lambda_i = 0 where
/// the contact opens }. Vectors hold all force components in the order of the ForceLayout.
struct ForceSet {
  Verdict unique;                  // margin: smallest singular value of the unit columns that may carry force
  Eigen::VectorXd representative;  // of least squares among those with lambda >= 0
  Eigen::VectorXd lower, upper;    // bounds of each component; -inf, inf
  Eigen::MatrixXd
      free_directions;  // one column per direction in which the forces can be changed, as sparse as it gets, largest entry 1
  std::vector<std::vector<int>> groups;  // components that are undetermined together
  /// For each group: which combination of its components is determined, if there is one with equal weights (their sum), and its value.
  std::vector<int> implicitly_zero;  // components that carry nothing in any solution although their contact stays closed
  double residual = -1.0;            // of the representative, relative
};

[[nodiscard]] ForceSet find_forces(const AccelerationProblem& problem, const StackedProblem& stacked, const Motion& motion);

}  // namespace tippe
