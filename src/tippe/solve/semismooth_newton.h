// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/solve/mixed_problem.h"

namespace tippe {

/// Newton's method with line search on the equations of Fischer and Burmeister, y = (K + shift I) x + k:
///   y_i = 0 in the free rows,   x_i + y_i - sqrt(x_i^2 + y_i^2) = 0 in the pairs; the shift acts on the pairs only.
/// Where the Newton matrix is singular or gives no descent, a regularised least-squares step. Wants equilibrated data.
class SemismoothNewton {
 public:
  SemismoothNewton(const MixedProblem& problem, double shift, Eigen::VectorXd x);

  /// False if no step makes the error smaller.
  bool step();
  [[nodiscard]] const Eigen::VectorXd& x() const { return x_; }
  [[nodiscard]] double error() const { return F_.norm(); }

 private:
  void evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& y, Eigen::VectorXd& F) const;
  [[nodiscard]] Eigen::MatrixXd jacobian() const;
  bool search_along(const Eigen::VectorXd& direction, double slope);

  int free_;
  Eigen::MatrixXd K_;
  Eigen::VectorXd k_, x_, y_, F_;
};

}  // namespace tippe
