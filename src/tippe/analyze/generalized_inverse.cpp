// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/generalized_inverse.h"

#include <algorithm>
#include <cmath>

#include "tippe/analyze/joint_rows.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"
#include "tippe/modes/equality_check.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Of unit columns times `lengths`: ranks are decided on the unit columns, the norm is that of the multipliers of the columns as given.
VectorXd least_norm_multipliers(const MatrixXd& unit, const VectorXd& lengths, const VectorXd& force) {
  const VectorXd inverse = lengths.unaryExpr([](double length) { return length > 0.0 ? 1.0 / length : 0.0; });
  const VectorXd some = inverse.cwiseProduct(solve_least_norm(decompose_singular(unit), force, rank_tolerance(unit.cols())));
  const MatrixXd changes = unit_columns(inverse.asDiagonal() * decide_rank(unit).null_space, 0.0);
  return some - changes * solve_least_norm(decompose_singular(changes), some, rank_tolerance(changes.cols()));
}

}  // namespace

GeneralizedInverse constrained_acceleration(const AccelerationProblem& problem) {
  const JointRows rows = joint_rows(problem);
  GeneralizedInverse result;
  result.names = rows.names;
  const EqualityCheck check = check_equalities(problem.M, problem.F, rows.directions, rows.drift);
  result.consistent = check.consistent;
  for (const int row : check.culprits) result.culprits.push_back(rows.names[static_cast<size_t>(row)]);
  const KineticMetric metric(problem.M, rows.directions, row_weights(problem.M, rows.directions));
  if (!metric.holds()) {
    result.determined = false;
    result.multipliers_unique = decide_rank(unit_columns(rows.directions, 0.0)).rank == rows.directions.cols();
    result.undetermined_direction = metric.free_direction();
    return result;
  }
  // With u = L'a the rows are unit vectors c_k with c_k'u = g_k, and u is to be as near as possible to L'a_free.
  VectorXd lengths;
  const MatrixXd unit = unit_columns(metric.scale(rows.directions), 0.0, &lengths);
  VectorXd g(rows.drift.size());
  for (Eigen::Index k = 0; k < g.size(); ++k) g[k] = lengths[k] > 0.0 ? -rows.drift[k] / lengths[k] : -rows.drift[k];
  const RankSplit split = decide_rank(unit);

  // The part of the forces that the rows do not balance; in the space that they leave free, E and M are the same.
  const VectorXd force = metric.scale(-problem.F);
  const VectorXd prescribed = solve_least_norm(decompose_singular(unit.transpose()), g, rank_tolerance(unit.cols()));
  const MatrixXd& range = split.range;
  const auto free_part = [&range](const VectorXd& x) -> VectorXd {
    const VectorXd left = x - range * (range.transpose() * x);
    return left - range * (range.transpose() * left);
  };
  const VectorXd by_load = free_part(force);
  VectorXd by_rows = prescribed;
  // M prescribed is a force too: E differs from M along the rows.
  if (!metric.definite()) by_rows -= free_part(metric.scale(problem.M * metric.to_acceleration(prescribed)));
  result.acceleration = metric.to_acceleration(by_rows + by_load);
  result.force_by_load = problem.M * metric.to_acceleration(by_load) + problem.F;
  result.force_by_rows = problem.M * metric.to_acceleration(by_rows);

  result.constraint_force = problem.M * result.acceleration + problem.F;
  result.multipliers = least_norm_multipliers(unit, lengths, metric.scale(result.constraint_force));
  result.multipliers_unique = split.rank == unit.cols();
  if (metric.definite()) result.gaussian = metric.scale(result.constraint_force).squaredNorm();
  return result;
}

}  // namespace tippe
