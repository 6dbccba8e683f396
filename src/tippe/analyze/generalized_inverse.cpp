// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/generalized_inverse.h"

#include <algorithm>
#include <cmath>

#include "tippe/analyze/joint_rows.h"
#include "tippe/analyze/kinetic_metric.h"
#include "tippe/core/rank_decision.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInconsistent = 1e-9;  // residual of unit rows, relative to 1 + the size of their right side

/// U diag(1/values) V' of the singular values that count, of a matrix with unit columns.
struct PseudoInverse {
  SingularValues svd;
  int rank = 0;

  explicit PseudoInverse(const MatrixXd& A) : svd(decompose_singular(A)) {
    const double tolerance = 1e-10 * std::sqrt(static_cast<double>(std::max<Eigen::Index>(1, A.cols())));
    while (rank < svd.values.size() && svd.values[rank] > tolerance) ++rank;
  }
  /// The shortest x with A x nearest to b.
  [[nodiscard]] VectorXd solve(const VectorXd& b) const {
    const VectorXd c = svd.U.leftCols(rank).transpose() * b;
    return svd.V.leftCols(rank) * c.cwiseQuotient(svd.values.head(rank));
  }
  /// The same for A'.
  [[nodiscard]] VectorXd solve_transposed(const VectorXd& b) const {
    const VectorXd c = svd.V.leftCols(rank).transpose() * b;
    return svd.U.leftCols(rank) * c.cwiseQuotient(svd.values.head(rank));
  }
};

}  // namespace

GeneralizedInverse constrained_acceleration(const AccelerationProblem& problem) {
  const JointRows rows = joint_rows(problem);
  GeneralizedInverse result;
  result.names = rows.names;
  const KineticMetric metric(problem.M, rows.directions);
  if (!metric.holds()) {
    result.determined = false;
    result.undetermined_direction = metric.free_direction();
    return result;
  }
  // With u = L'a the rows are unit vectors c_k with c_k'u = g_k, and u is to be as near as possible to L'a_free.
  VectorXd lengths;
  const MatrixXd unit = unit_columns(metric.scale(rows.directions), 0.0, &lengths);
  VectorXd g(rows.drift.size());
  for (Eigen::Index k = 0; k < g.size(); ++k) g[k] = lengths[k] > 0.0 ? -rows.drift[k] / lengths[k] : -rows.drift[k];
  const PseudoInverse C(unit);

  // The part of the forces that the rows do not balance; in the space that they leave free, E and M are the same.
  const VectorXd force = metric.scale(-problem.F);
  const VectorXd prescribed = C.solve_transposed(g);
  const MatrixXd range = C.svd.U.leftCols(C.rank);
  VectorXd moving = force - range * (range.transpose() * force);
  if (!metric.definite()) {
    // M prescribed is a force too: E differs from M along the rows.
    const VectorXd inertia = metric.scale(problem.M * metric.to_acceleration(prescribed));
    moving -= inertia - range * (range.transpose() * inertia);
  }
  moving -= range * (range.transpose() * moving);
  result.acceleration = metric.to_acceleration(prescribed + moving);

  const VectorXd misfit = unit.transpose() * prescribed - g;
  const double worst = misfit.size() > 0 ? misfit.cwiseAbs().maxCoeff() : 0.0;
  const double allowed = kInconsistent * (1.0 + (g.size() > 0 ? g.cwiseAbs().maxCoeff() : 0.0));
  result.consistent = {worst <= allowed ? Answer::kYes : Answer::kNo, (allowed - worst) / (allowed / kInconsistent)};
  if (result.consistent.no()) {
    for (Eigen::Index k = 0; k < misfit.size(); ++k) {
      if (std::abs(misfit[k]) > 0.5 * worst) result.culprits.push_back(rows.names[static_cast<size_t>(k)]);
    }
  }
  result.constraint_force = problem.M * result.acceleration + problem.F;
  // Least norm in the given rows, not in the unit ones.
  VectorXd plain_lengths;
  const MatrixXd plain = unit_columns(rows.directions, 0.0, &plain_lengths);
  const double size = plain_lengths.size() > 0 ? plain_lengths.maxCoeff() : 1.0;
  const PseudoInverse D(size > 0.0 ? MatrixXd(rows.directions / size) : rows.directions);
  result.multipliers = D.solve(result.constraint_force) / (size > 0.0 ? size : 1.0);
  result.multipliers_unique = C.rank == unit.cols();
  if (metric.definite()) result.gaussian = metric.scale(result.constraint_force).squaredNorm();
  return result;
}

}  // namespace tippe
