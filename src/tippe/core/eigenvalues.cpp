// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/eigenvalues.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <stdexcept>

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

std::vector<std::complex<double>> general_eigenvalues(const Eigen::MatrixXd& A) {
  if (A.rows() == 0) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A, false);
  if (solver.info() != Eigen::Success) throw std::runtime_error("the eigenvalues of a matrix were not found");
  const Eigen::VectorXcd values = solver.eigenvalues();
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  // Pairs come one after the other, positive imaginary part first, and have the same modulus to the bit.
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return sorted;
}

}  // namespace tippe
