// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/kinetic_metric.h"

#include <cmath>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

KineticMetric::KineticMetric(const MatrixXd& M, const MatrixXd& rows) {
  definite_ = holds_ = factorize(M);
  if (definite_) return;
  const MatrixXd CC = rows * rows.transpose();
  const double trace = CC.trace();
  if (trace == 0.0) return;
  row_weight_ = M.trace() > 0.0 ? M.trace() / trace : 1.0;
  holds_ = factorize(M + row_weight_ * CC);
}

KineticMetric::KineticMetric(const MatrixXd& M, const MatrixXd& rows, const VectorXd& weights) {
  definite_ = holds_ = factorize(M);
  if (!definite_ && rows.cols() > 0) holds_ = factorize(M + rows * weights.asDiagonal() * rows.transpose());
}

/// With a diagonal scaled to 1, so that a light coordinate is not taken for a massless one.
bool KineticMetric::factorize(const MatrixXd& E) {
  const auto n = E.rows();
  VectorXd d = VectorXd::Ones(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (E(i, i) > 0.0) d[i] = 1.0 / std::sqrt(E(i, i));
  }
  const auto [values, vectors] = symmetric_eigenvectors(d.asDiagonal() * E * d.asDiagonal());
  if (n > 0 && values[0] <= kSingularMatrix) {
    free_direction_ = with_largest_entry_one(d.cwiseProduct(vectors.col(0)));
    return false;
  }
  // Cholesky, row by row.
  L_ = MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double sum = E(i, j) - L_.row(i).head(j).dot(L_.row(j).head(j));
      if (i != j)
        L_(i, j) = sum / L_(j, j);
      else if (sum > 0.0)
        L_(i, i) = std::sqrt(sum);
      else
        return false;
    }
  }
  return true;
}

MatrixXd KineticMetric::scale(const MatrixXd& columns) const {
  return L_.triangularView<Eigen::Lower>().solve(columns);
}

VectorXd KineticMetric::to_acceleration(const VectorXd& u) const {
  return L_.transpose().triangularView<Eigen::Upper>().solve(u);
}

VectorXd with_largest_entry_one(const VectorXd& direction) {
  Eigen::Index at = 0;
  if (direction.size() == 0 || direction.cwiseAbs().maxCoeff(&at) == 0.0) return direction;
  return direction / direction[at];
}

}  // namespace tippe
