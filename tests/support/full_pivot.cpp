// SPDX-License-Identifier: Apache-2.0
#include "support/full_pivot.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace tippe::test {

using Eigen::FullPivLU, Eigen::MatrixXd, Eigen::VectorXd;

namespace {

FullPivLU<MatrixXd> factorized(const MatrixXd& A, double threshold) {
  FullPivLU<MatrixXd> factor(A);
  factor.setThreshold(threshold);
  return factor;
}

}  // namespace

MatrixXd kernel(const MatrixXd& A, double threshold) {
  return factorized(A, threshold).kernel();
}

Eigen::Index dimension_of_kernel(const MatrixXd& A, double threshold) {
  return factorized(A, threshold).dimensionOfKernel();
}

MatrixXd inverse_by_pivots(const MatrixXd& A) {
  return FullPivLU<MatrixXd>(A).inverse();
}

VectorXd solve_by_pivots(const MatrixXd& A, const VectorXd& b) {
  return FullPivLU<MatrixXd>(A).solve(b);
}

std::optional<VectorXd> solve_extended(const MatrixXd& A, const VectorXd& b, long double threshold) {
  using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  FullPivLU<LongMatrix> factor(A.cast<long double>());
  factor.setThreshold(threshold);
  if (!factor.isInvertible()) return {};
  return VectorXd(factor.solve(b.cast<long double>()).cast<double>());
}

MatrixXd cholesky_factor(const MatrixXd& A) {
  return A.llt().matrixU();
}

}  // namespace tippe::test
