// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// A = U diag(values) V' with min(rows, columns) values, descending. V is square and orthogonal; U has a column of length 1 for each
/// value above round-off of the largest one, and a column of zeros for the others.
struct SingularValues {
  Eigen::MatrixXd U, V;
  Eigen::VectorXd values;
};
[[nodiscard]] SingularValues decompose_singular(const Eigen::MatrixXd& A);

/// The singular values of B alone, descending, one for each column. Overwrites B. Allocates nothing if `values` has its size; fastest where
/// the columns of B are nearly orthogonal or graded, as those of R' are after a QR decomposition with pivoting.
void find_singular_values(Eigen::MatrixXd& B, Eigen::VectorXd& values);

}  // namespace tippe
