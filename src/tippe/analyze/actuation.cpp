// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/actuation.h"

#include <algorithm>
#include <cmath>

#include "tippe/analyze/force_parts.h"
#include "tippe/analyze/tolerances.h"
#include "tippe/analyze/unit_directions.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr size_t kMostActuationSigns = 8;

/// The rows of contacts that stay closed, stick and hold: which components do not move.
std::vector<int> resting_components(const AccelerationProblem& problem) {
  const ForceLayout layout(problem);
  std::vector<int> rows;
  const auto add = [&rows](const ContactRows& contact, int first) {
    rows.push_back(first);
    for (int t = 0; t < contact.tangent_count() && !contact.slides(); ++t) rows.push_back(first + 1 + t);
  };
  for (size_t i = 0; i < problem.unilateral.size(); ++i) add(problem.unilateral[i], layout.unilateral[i]);
  for (size_t i = 0; i < problem.bilateral.size(); ++i) add(problem.bilateral[i], layout.bilateral[i]);
  return rows;
}

}  // namespace

LeastActuation least_actuation(const AccelerationProblem& problem, const MatrixXd& given) {
  LeastActuation result;
  const MatrixXd D = force_directions(problem);
  MatrixXd all(problem.n(), D.cols() + given.cols());
  all << D, given;
  const KineticMetric metric(problem.M, all, row_weights(problem.M, all));
  if (!metric.holds()) return result;
  VectorXd lengths;
  const MatrixXd V = unit_columns(metric.scale(given), 0.0, &lengths);
  const std::vector<int> resting = resting_components(problem);

  // u = L'a = u_p + Z z keeps all rows where they are; M^ = L^-1 M L^-T.
  VectorXd row_lengths;
  const MatrixXd rows = unit_columns(metric.scale(MatrixXd(D(Eigen::all, resting))), 0.0, &row_lengths);
  VectorXd right = -force_drifts(problem)(resting);
  for (Index k = 0; k < right.size(); ++k) {
    if (row_lengths[k] > 0.0) right[k] /= row_lengths[k];
  }
  const VectorXd u = solve_least_norm(decompose_singular(rows.transpose()), right, rank_tolerance(rows.cols()));
  const double size = u.norm() + metric.scale(problem.F).norm();
  if ((rows.transpose() * u - right).cwiseAbs().maxCoeff() > kVerdictTolerance * (size + right.cwiseAbs().maxCoeff())) {
    result.possible = Answer::kNo;
    return result;
  }
  const MatrixXd Z = decide_rank(rows.transpose(), rank_tolerance(rows.cols())).null_space;
  const MatrixXd inertia = metric.scale(MatrixXd(metric.scale(problem.M).transpose()));
  const VectorXd load = inertia * u + metric.scale(problem.F);
  const double unit = load.norm() > 0.0 ? load.norm() : 1.0;

  const UnitDirections directions(problem);
  const MatrixXd columns = metric.scale(D) * directions.force_units().asDiagonal();
  const std::vector<size_t> with_sign = signed_contacts(problem);
  if (with_sign.size() > kMostActuationSigns) return result;
  const std::vector<bool> closed(problem.unilateral.size(), true);
  bool proved = true;
  double least = 0.0;
  for (size_t bits = 0; bits < size_t{1} << with_sign.size(); ++bits) {
    std::vector<int> signs;
    for (size_t i = 0; i < with_sign.size(); ++i) signs.push_back((bits >> i & 1) != 0 ? -1 : 1);
    const ForceCones cones(columns, force_parts(problem, closed, signs, [](const ContactRows& c) { return *c.mu; }));
    const ShortestAddition found = cones.shortest_addition(load / unit, inertia * Z, -V);
    proved = proved && found.status != ConeStatus::kUndecided;
    if (found.status != ConeStatus::kOptimal) continue;
    const double effort = found.addition.norm();
    if (result.possible == Answer::kYes && effort >= least) continue;
    least = effort;
    result.possible = Answer::kYes;
    const VectorXd forces = effort > kVerdictTolerance ? VectorXd(unit * found.addition) : VectorXd::Zero(V.cols());
    result.forces = forces.binaryExpr(lengths, [](double f, double length) { return length > 0.0 ? f / length : 0.0; });
    result.contact_forces = unit * found.forces.cwiseProduct(directions.force_units());
  }
  if (result.possible != Answer::kYes && proved) result.possible = Answer::kNo;
  return result;
}

}  // namespace tippe
