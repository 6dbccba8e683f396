// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace tippe {

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace tippe
