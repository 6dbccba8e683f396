// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/dense_lu.h"
#include "tippe/core/rank_decision.h"

namespace tippe::test {

/// Factorizations that the library has compiled already: Eigen's own would be compiled again in every file of tests.

inline Eigen::MatrixXd inverse(const Eigen::MatrixXd& A) {
  DenseLU lu(static_cast<int>(A.rows()));
  lu.factorize(A);
  return lu.inverse();
}

/// A^-1 b of a regular matrix.
inline Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  DenseLU lu(static_cast<int>(A.rows()));
  lu.factorize(A);
  Eigen::VectorXd x;
  lu.solve(b, x);
  return x;
}

/// Smallest over largest singular value.
inline double reciprocal_condition(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd values = decompose_singular(A).values;
  return values[0] > 0.0 ? values[values.size() - 1] / values[0] : 0.0;
}

}  // namespace tippe::test
