// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/semismooth_newton.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

#include "tippe/core/dense_lu.h"
#include "tippe/solve/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SemismoothNewton::SemismoothNewton(const MixedProblem& problem, double shift, VectorXd x)
    : free_(problem.free), K_(problem.K), k_(problem.k), x_(std::move(x)) {
  K_.diagonal().tail(problem.pairs()).array() += shift;
  evaluate(x_, y_, F_);
}

void SemismoothNewton::evaluate(const VectorXd& x, VectorXd& y, VectorXd& F) const {
  y = K_ * x + k_;
  F = y;
  for (Eigen::Index i = free_; i < x.size(); ++i) {
    // x + y - r without cancellation where both are positive: 2xy / (x + y + r).
    const double sum = x[i] + y[i], r = std::hypot(x[i], y[i]);
    F[i] = sum > 0.0 ? 2.0 * x[i] * y[i] / (sum + r) : sum - r;
  }
}

MatrixXd SemismoothNewton::jacobian() const {
  MatrixXd J = K_;
  for (Eigen::Index i = free_; i < x_.size(); ++i) {
    const double r = std::hypot(x_[i], y_[i]);
    // At the kink one element of the generalised derivative, that of the direction (1, 1).
    const double by_x = r > 0.0 ? 1.0 - x_[i] / r : 1.0 - std::sqrt(0.5),
                 by_y = r > 0.0 ? 1.0 - y_[i] / r : 1.0 - std::sqrt(0.5);
    J.row(i) *= by_y;
    J(i, i) += by_x;
  }
  return J;
}

bool SemismoothNewton::search_along(const VectorXd& direction, double slope) {
  const double merit = 0.5 * F_.squaredNorm();
  VectorXd x, y, F;
  constexpr double kShortest = 1e-9;  // of the whole step
  for (double t = 1.0; t > kShortest; t *= 0.5) {
    x = x_ + t * direction;
    evaluate(x, y, F);
    if (!(0.5 * F.squaredNorm() <= merit + kSufficientDecrease * t * slope)) continue;
    x_ = x;
    y_ = y;
    F_ = F;
    return true;
  }
  return false;
}

bool SemismoothNewton::step() {
  if (!(error() > 0.0)) return false;
  const MatrixXd J = jacobian();
  const VectorXd gradient = J.transpose() * F_;
  DenseLU factor;
  factor.factorize(J);
  VectorXd newton;
  factor.solve(-F_, newton);
  const double slope = newton.allFinite() ? gradient.dot(newton) : 0.0;
  constexpr double kDownhill = 1e-10;                          // cosine of the angle between a step and the gradient
  constexpr double kFirstWeight = 1e-8, kLargestWeight = 1e3;  // of Levenberg and Marquardt, beside entries of about 1
  if (slope < -kDownhill * gradient.norm() * newton.norm() && search_along(newton, slope)) return true;
  for (double weight = kFirstWeight; weight < kLargestWeight; weight *= 1e2) {
    MatrixXd N = J.transpose() * J;
    N.diagonal().array() += weight;
    const VectorXd step = N.ldlt().solve(-gradient);
    const double step_slope = step.allFinite() ? gradient.dot(step) : 0.0;
    if (step_slope < 0.0 && search_along(step, step_slope)) return true;
  }
  return false;
}

}  // namespace tippe
