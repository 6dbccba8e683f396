// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/least_squares.h"

#include <Eigen/QR>

namespace tippe {

struct LeastSquares::Factor {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
};

LeastSquares::LeastSquares(const Eigen::MatrixXd& A, double dependent) : factor_(new Factor) {
  if (dependent > 0.0) factor_->decomposition.setThreshold(dependent);
  factor_->decomposition.compute(A);
}
LeastSquares::~LeastSquares() = default;

Eigen::VectorXd LeastSquares::solve(const Eigen::VectorXd& b) const {
  return factor_->decomposition.solve(b);
}

}  // namespace tippe
