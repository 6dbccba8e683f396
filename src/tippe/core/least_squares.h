// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>

namespace tippe {

/// The shortest x that makes |A x - b| smallest, for A of any shape and rank, by orthogonalisation; compiled once.
class LeastSquares {
 public:
  explicit LeastSquares(const Eigen::MatrixXd& A);
  ~LeastSquares();

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace tippe
