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
  const RankSplit split = decide_rank(unit);

  // The part of the forces that the rows do not balance; in the space that they leave free, E and M are the same.
  const VectorXd force = metric.scale(-problem.F);
  const VectorXd prescribed = solve_least_norm(decompose_singular(unit.transpose()), g, rank_tolerance(unit.cols()));
  const MatrixXd& range = split.range;
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
  const double norm = rows.directions.norm(), size = norm > 0.0 ? norm : 1.0;
  result.multipliers = solve_least_norm(decompose_singular(rows.directions / size), result.constraint_force,
                                        rank_tolerance(rows.directions.cols())) /
                       size;
  result.multipliers_unique = split.rank == unit.cols();
  if (metric.definite()) result.gaussian = metric.scale(result.constraint_force).squaredNorm();
  return result;
}

}  // namespace tippe
