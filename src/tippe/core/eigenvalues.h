// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Of a symmetric matrix, ascending; only its lower triangle is read.
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

struct SymmetricEigenvectors {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // orthonormal, one column each
};
/// The same with vectors.
[[nodiscard]] SymmetricEigenvectors symmetric_eigenvectors(const Eigen::MatrixXd& A);

}  // namespace tippe
