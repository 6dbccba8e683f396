// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/self_dual.h"

#include <cmath>
#include <limits>

#include "tippe/solve/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxIterations = 100;
constexpr int kPatience = 6;  // iterations without a better point
constexpr double kShortestDualStep = 1e-8,
                 kSmallPart = 1e-3;  // of the size of a point: x and s may be so much larger than tau and kappa
constexpr double kLongest = 0.99;

/// W V = Q R with orthonormal Q, by Gram and Schmidt, twice.
class ScaledRows {
 public:
  explicit ScaledRows(MatrixXd WV) : Q_(std::move(WV)), R_(MatrixXd::Zero(Q_.cols(), Q_.cols())) {
    for (Eigen::Index j = 0; j < Q_.cols(); ++j) {
      for (int pass = 0; pass < 2; ++pass) {
        const VectorXd along = Q_.leftCols(j).transpose() * Q_.col(j);
        Q_.col(j) -= Q_.leftCols(j) * along;
        R_.col(j).head(j) += along;
      }
      R_(j, j) = Q_.col(j).norm();
      Q_.col(j) /= R_(j, j);
    }
  }

  /// u and y with u - Q R y = p, R'Q'u = q.
  void solve(const VectorXd& p, const VectorXd& q, VectorXd& u, VectorXd& y) const {
    const VectorXd along = R_.transpose().triangularView<Eigen::Lower>().solve(q);
    const VectorXd p_along = Q_.transpose() * p;
    u = p + Q_ * (along - p_along);
    y = R_.triangularView<Eigen::Upper>().solve(along - p_along);
  }

 private:
  MatrixXd Q_, R_;
};

class SelfDual {
 public:
  SelfDual(const OrthonormalConeProgram& program, const VectorXd& c)
      : cones_(program.cones), V_(program.V), g_(program.g), c_(c) {
    point_.x = cones_.unit();
    point_.s = point_.x;
    point_.y = VectorXd::Zero(g_.size());
  }

  SelfDualPoint solve() {
    SelfDualPoint best = point_;
    double least = error();
    for (int waited = 0; waited < kPatience && point_.iterations < kMaxIterations && least > kLastDigit; ++waited) {
      if (!step()) break;
      ++point_.iterations;
      if (const double now = error(); now < least) {
        if (now < 0.5 * least) waited = -1;
        least = now;
        best = point_;
      }
    }
    best.iterations = point_.iterations;
    return best;
  }

 private:
  struct Direction {
    VectorXd x, y, s;
    double tau = 0.0, kappa = 0.0;
    VectorXd x_scaled, s_scaled;  // W^-1 x, W s
  };

  /// The best of three relative errors: as a solution, as a proof that there is none, as a proof that there is no bound.
  double error() const {
    const SelfDualPoint& p = point_;
    const double x_value = c_.dot(p.x), y_value = g_.dot(p.y);
    const double primal = (V_.transpose() * p.x - p.tau * g_).norm() / (p.tau * (1.0 + g_.norm()) + p.x.norm());
    const double dual = (V_ * p.y + p.s - p.tau * c_).norm() / (p.tau * (1.0 + c_.norm()) + p.s.norm());
    const double gap = std::abs(x_value - y_value) / (p.tau + std::abs(x_value));
    double least = std::max({primal, dual, gap});
    if (!std::isfinite(least)) return std::numeric_limits<double>::infinity();
    if (y_value > 0.0) least = std::min(least, (V_ * p.y + p.s).norm() / y_value);
    if (x_value < 0.0) least = std::min(least, (V_.transpose() * p.x).norm() / -x_value);
    return least;
  }

  bool step() {
    const ConeScaling W(cones_, point_.x, point_.s);
    if (!W.finite()) return false;
    const ScaledRows rows(W.scaled(V_));
    const VectorXd lambda = W.scaled(point_.s);
    const double mu = (lambda.squaredNorm() + point_.tau * point_.kappa) / (cones_.degree() + 1);
    VectorXd u_g, y_g;  // of the column of tau
    rows.solve(-W.scaled(c_), g_, u_g, y_g);
    const VectorXd x_g = W.scaled(u_g);

    const VectorXd r_p = point_.tau * g_ - V_.transpose() * point_.x;
    const VectorXd r_d = V_ * point_.y + point_.s - point_.tau * c_;
    const double r_g = point_.kappa + c_.dot(point_.x) - g_.dot(point_.y);
    const auto newton = [&](double eta, const VectorXd& r_xs, double r_tk, Direction& d) {
      const VectorXd kept = cones_.quotient(r_xs, lambda);
      VectorXd u, y;
      rows.solve(eta * W.scaled(r_d) + kept, eta * r_p, u, y);
      const VectorXd x = W.scaled(u);
      const double down = point_.kappa / point_.tau + g_.dot(y_g) - c_.dot(x_g);
      d.tau = (eta * r_g + r_tk / point_.tau - g_.dot(y) + c_.dot(x)) / down;
      d.x = x + d.tau * x_g;
      d.y = y + d.tau * y_g;
      d.kappa = (r_tk - point_.kappa * d.tau) / point_.tau;
      // From the dual equation, not from the scaled one: dual feasibility does not suffer from W.
      d.s = -V_ * d.y + d.tau * c_ - eta * r_d;
      d.x_scaled = u + d.tau * u_g;
      d.s_scaled = kept - d.x_scaled;
    };

    Direction d;
    const VectorXd square = cones_.product(lambda, lambda);
    newton(1.0, -square, -point_.tau * point_.kappa, d);
    const double far = std::min(1.0, longest(lambda, d));
    const double gamma = std::pow(1.0 - far, 2) * std::min(0.5, 1.0 - far);
    const VectorXd r_xs = gamma * mu * cones_.unit() - square - cones_.product(d.x_scaled, d.s_scaled);
    const double r_tk = gamma * mu - point_.tau * point_.kappa - d.tau * d.kappa;
    newton(1.0 - gamma, r_xs, r_tk, d);
    const double alpha = std::min(1.0, kLongest * longest(lambda, d));
    if (!(alpha > kShortestDualStep) || !d.x.allFinite() || !d.s.allFinite() || !std::isfinite(d.tau)) return false;
    SelfDualPoint next = point_;
    next.x += alpha * d.x;
    next.y += alpha * d.y;
    next.s += alpha * d.s;
    next.tau += alpha * d.tau;
    next.kappa += alpha * d.kappa;
    if (!(cones_.depth(next.x) > 0.0 && cones_.depth(next.s) > 0.0 && next.tau > 0.0 && next.kappa > 0.0)) return false;
    point_ = std::move(next);
    normalize();
    return true;
  }

  double longest(const VectorXd& lambda, const Direction& d) const {
    double alpha = std::min(cones_.largest_step(lambda, d.x_scaled), cones_.largest_step(lambda, d.s_scaled));
    if (d.tau < 0.0) alpha = std::min(alpha, -point_.tau / d.tau);
    if (d.kappa < 0.0) alpha = std::min(alpha, -point_.kappa / d.kappa);
    return alpha;
  }

  /// The model is homogeneous: the size of the point is ours to choose.
  void normalize() {
    const double size = std::max({point_.tau, point_.kappa, kSmallPart * point_.x.norm(), kSmallPart * point_.s.norm()});
    for (VectorXd* part : {&point_.x, &point_.y, &point_.s}) *part /= size;
    point_.tau /= size;
    point_.kappa /= size;
  }

  const ConeProduct& cones_;
  const MatrixXd& V_;
  const VectorXd& g_;
  const VectorXd& c_;
  SelfDualPoint point_;
};

}  // namespace

SelfDualPoint solve_self_dual(const OrthonormalConeProgram& program, const VectorXd& c) {
  return SelfDual(program, c).solve();
}

}  // namespace tippe
