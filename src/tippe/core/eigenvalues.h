// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace tippe {

/// Of a symmetric matrix, ascending; only its lower triangle is read.
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

struct SymmetricEigenvectors {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // orthonormal, one column each
};
/// The same with vectors.
[[nodiscard]] SymmetricEigenvectors symmetric_eigenvectors(const Eigen::MatrixXd& A);

/// Of any real square matrix with finite entries, the largest modulus first; of a complex pair the one with the positive imaginary part first.
/// Throws std::runtime_error if the iteration does not converge.
[[nodiscard]] std::vector<std::complex<double>> general_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace tippe
