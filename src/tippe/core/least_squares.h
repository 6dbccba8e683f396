// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>

namespace tippe {

/// The shortest x that makes |A x - b| smallest, for A of any shape and rank, by orthogonalisation; compiled once.
class LeastSquares {
 public:
  /// `dependent`: of the largest pivot, below which what is left of a column is taken for round-off; 0: about machine precision.
  explicit LeastSquares(const Eigen::MatrixXd& A, double dependent = 0.0);
  ~LeastSquares();

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace tippe
