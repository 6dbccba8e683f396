// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/least_squares.h"

#include <Eigen/QR>

namespace tippe {

struct LeastSquares::Factor {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
};

LeastSquares::LeastSquares(const Eigen::MatrixXd& A)
    : factor_(new Factor{Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(A)}) {}
LeastSquares::~LeastSquares() = default;

Eigen::VectorXd LeastSquares::solve(const Eigen::VectorXd& b) const {
  return factor_->decomposition.solve(b);
}

}  // namespace tippe
