// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/core/verdict.h"

namespace tippe {

/// Whether redundant equalities C'a + drift = 0 ask for the same.
struct EqualityCheck {
  Verdict consistent;         // margin: 1e-9 minus the largest misfit, relative to the accelerations around
  std::vector<int> culprits;  // rows with the largest misfits, if not consistent
  Eigen::VectorXd drift;      // the nearest drift that is consistent to the last digit
};

/// Misfits are measured against the terms of a row and against what the load F would give it alone: up to 1e-12 they are round-off, above
/// 1e-9 a contradiction.
[[nodiscard]] EqualityCheck check_equalities(const Eigen::MatrixXd& M, const Eigen::VectorXd& F, const Eigen::MatrixXd& C,
                                             const Eigen::VectorXd& drift);

/// How large relative accelerations along each column are that the load gives alone: |c| |F| in the kinetic metric, or without one a bound by the
/// inertia of each coordinate alone.
[[nodiscard]] Eigen::VectorXd load_accelerations(const Eigen::MatrixXd& M, const Eigen::VectorXd& F,
                                                 const Eigen::MatrixXd& columns);

}  // namespace tippe
