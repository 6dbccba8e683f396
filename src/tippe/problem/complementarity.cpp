// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/complementarity.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tippe/core/error.h"
#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Throws unless `name` has the given size.
void require_size(const char* name, const MatrixXd& matrix, Eigen::Index rows, Eigen::Index columns, const char* rule) {
  if (matrix.rows() == rows && matrix.cols() == columns) return;
  throw InputError({}, std::string(name) + " is " + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) +
                           " and must be " + std::to_string(rows) + " x " + std::to_string(columns) + ": " + rule);
}

/// 1 / largest entry of a row given in two pieces, 1 if that is zero.
double row_scale(const MatrixXd& left, const MatrixXd& right, Eigen::Index row) {
  double largest = 0.0;
  if (left.cols() > 0) largest = left.row(row).cwiseAbs().maxCoeff();
  if (right.cols() > 0) largest = std::max(largest, right.row(row).cwiseAbs().maxCoeff());
  return largest > 0.0 ? 1.0 / largest : 1.0;
}

/// A largest absolute value and a norm that do not overflow.
struct Measure {
  double largest = 0.0;
  double norm = 0.0;
  Eigen::Index row = -1;
};

Measure measure(const VectorXd& x) {
  Measure result;
  if (x.size() == 0) return result;
  result.largest = x.cwiseAbs().maxCoeff(&result.row);
  result.norm = x.stableNorm();
  return result;
}

}  // namespace

void require_sizes(const LcpProblem& problem) {
  require_size("M", problem.M, problem.q.size(), problem.q.size(), "square, of the size of q");
}

void require_sizes(const MlcpProblem& problem) {
  const auto nu = problem.a.size(), nv = problem.b.size();
  require_size("A", problem.A, nu, nu, "square, of the size of a");
  require_size("B", problem.B, nv, nv, "square, of the size of b");
  require_size("C", problem.C, nu, nv, "the size of a by the size of b");
  require_size("D", problem.D, nv, nu, "the size of b by the size of a");
}

MlcpProblem as_mlcp(const LcpProblem& problem) {
  const auto n = problem.q.size();
  return {MatrixXd(0, 0), problem.M, MatrixXd(0, n), MatrixXd(n, 0), VectorXd(0), problem.q};
}

ComplementarityResidual evaluate_residual(const LcpProblem& problem, const Eigen::Ref<const VectorXd>& z) {
  return evaluate_residual(as_mlcp(problem), VectorXd(0), z);
}

ComplementarityResidual evaluate_residual(const MlcpProblem& problem, const Eigen::Ref<const VectorXd>& u,
                                          const Eigen::Ref<const VectorXd>& v) {
  const auto nu = problem.a.size(), nv = problem.b.size();
  VectorXd e(nu + nv), scale(nu + nv);
  e.head(nu) = problem.A * u + problem.C * v + problem.a;
  e.tail(nv) = problem.D * u + problem.B * v + problem.b;
  for (Eigen::Index i = 0; i < nu; ++i) {
    const double s = row_scale(problem.A, problem.C, i);
    e[i] *= s;
    scale[i] = s * problem.a[i];
  }
  for (Eigen::Index i = 0; i < nv; ++i) {
    const double s = row_scale(problem.D, problem.B, i);
    e[nu + i] *= s;
    scale[nu + i] = s * problem.b[i];
  }
  if (!u.allFinite() || !v.allFinite() || !e.allFinite() || !scale.allFinite()) return {kInfinity, kInfinity, -1};
  e.tail(nv) = e.tail(nv).cwiseMin(v);
  const Measure error = measure(e), data = measure(scale);
  return {error.norm / (data.norm > 0.0 ? data.norm : 1.0), error.largest / (data.largest > 0.0 ? data.largest : 1.0),
          static_cast<int>(error.row)};
}

}  // namespace tippe
