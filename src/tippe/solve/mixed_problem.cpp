// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/mixed_problem.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/least_squares.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MixedProblem as_mixed(const MlcpProblem& problem) {
  const auto nu = problem.a.size(), nv = problem.b.size();
  MixedProblem mixed;
  mixed.K.resize(nu + nv, nu + nv);
  mixed.K.topLeftCorner(nu, nu) = problem.A;
  mixed.K.topRightCorner(nu, nv) = problem.C;
  mixed.K.bottomLeftCorner(nv, nu) = problem.D;
  mixed.K.bottomRightCorner(nv, nv) = problem.B;
  mixed.k.resize(nu + nv);
  mixed.k << problem.a, problem.b;
  mixed.free = static_cast<int>(nu);
  return mixed;
}

double inverse_power_of_two(double x) {
  return x > 0.0 ? std::ldexp(1.0, std::clamp(-std::ilogb(x), -1000, 1000)) : 1.0;
}

VectorXd ScaledProblem::original(const VectorXd& x) const {
  return unit * column.cwiseProduct(x);
}

// Ruiz' iteration: divide rows and columns by the square roots of their largest entries, until both are of size 1.
ScaledProblem equilibrate(const MixedProblem& problem) {
  const int n = problem.size();
  VectorXd row = VectorXd::Ones(n), column = VectorXd::Ones(n);
  MatrixXd K = problem.K;
  for (int pass = 0; pass < 10 && n > 0; ++pass) {
    const VectorXd largest_row = K.cwiseAbs().rowwise().maxCoeff(), largest_column = K.cwiseAbs().colwise().maxCoeff();
    for (int i = 0; i < n; ++i) {
      if (largest_row[i] > 0.0) row[i] /= std::sqrt(largest_row[i]);
      if (largest_column[i] > 0.0) column[i] /= std::sqrt(largest_column[i]);
    }
    K = row.asDiagonal() * problem.K * column.asDiagonal();
  }
  ScaledProblem scaled;
  scaled.row = row.unaryExpr([](double s) { return 1.0 / inverse_power_of_two(s); });
  scaled.column = column.unaryExpr([](double s) { return 1.0 / inverse_power_of_two(s); });
  scaled.problem.K = scaled.row.asDiagonal() * problem.K * scaled.column.asDiagonal();
  scaled.problem.k = scaled.row.cwiseProduct(problem.k);
  scaled.problem.free = problem.free;
  const double factor = inverse_power_of_two(n > 0 ? scaled.problem.k.cwiseAbs().maxCoeff() : 0.0);
  scaled.problem.k *= factor;
  scaled.unit = 1.0 / factor;
  return scaled;
}

VectorXd solve_basis(const MixedProblem& problem, const std::vector<bool>& active) {
  std::vector<int> set;
  for (int i = 0; i < problem.size(); ++i) {
    if (i < problem.free || active[static_cast<size_t>(i - problem.free)]) set.push_back(i);
  }
  VectorXd x = VectorXd::Zero(problem.size());
  if (set.empty()) return x;
  const MatrixXd K = problem.K(set, set);
  const VectorXd k = problem.k(set);
  const LeastSquares factor(K);
  VectorXd x_set = factor.solve(-k);
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  for (int pass = 0; pass < 3; ++pass) {
    Extended defect = -k.cast<long double>();
    for (Eigen::Index j = 0; j < x_set.size(); ++j)
      defect -= K.col(j).cast<long double>() * static_cast<long double>(x_set[j]);
    const VectorXd step = factor.solve(defect.cast<double>());
    if (!step.allFinite()) break;
    x_set += step;
  }
  x(set) = x_set;
  return x;
}

}  // namespace tippe
