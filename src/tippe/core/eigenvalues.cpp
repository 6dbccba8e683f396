// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace tippe {

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  if (A.rows() == 0) return {};
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigenvectors symmetric_eigenvectors(const Eigen::MatrixXd& A) {
  if (A.rows() == 0) return {{}, Eigen::MatrixXd::Zero(0, 0)};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace tippe
