// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/gauss_values.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/held_mass.h"
#include "tippe/core/rank_decision.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::optional<GaussValues> gauss_values(const AccelerationProblem& problem, const StackedProblem& stacked,
                                        const Motion& motion) {
  const HeldMass held(problem.M, stacked.equalities);
  if (!held.definite()) return {};
  const VectorXd particular = held.smallest_motion(-stacked.equality_drift);
  const VectorXd jointed = particular - held.motion(held.kinetic_held(problem.F + problem.M * particular));
  const MatrixXd B = held.kinetic_held(stacked.normals);
  const VectorXd H4 = stacked.normals.transpose() * jointed + stacked.normal_drift;
  const VectorXd lambda = motion.multipliers.head(stacked.normals.cols());
  GaussValues values;
  values.dual = 0.5 * (B * lambda).squaredNorm();
  const double by_drift = H4.dot(lambda);
  values.primal = values.dual + by_drift;
  const double terms = 2.0 * values.dual + H4.cwiseAbs().dot(lambda.cwiseAbs());
  values.gap = terms > 0.0 ? std::abs(values.primal + values.dual) / terms : 0.0;
  const VectorXd change = motion.acceleration - jointed;
  values.distance = 0.5 * change.dot(problem.M * change);
  if (held.mass_definite()) values.gaussian = held.kinetic(problem.M * motion.acceleration + problem.F).squaredNorm();
  VectorXd lengths;
  const MatrixXd unit = unit_columns(B, 0.0, &lengths);
  if (decide_rank(unit).rank == B.cols() && (lengths.array() > 0.0).all()) {
    // The shortest u with B'u = h'' - H4.
    const VectorXd lifted = stacked.normals.transpose() * motion.acceleration + stacked.normal_drift - H4;
    const VectorXd u =
        solve_least_norm(decompose_singular(unit.transpose()), lifted.cwiseQuotient(lengths), rank_tolerance(unit.cols()));
    values.gap_distance = 0.5 * u.squaredNorm();
  }
  return values;
}

}  // namespace tippe
