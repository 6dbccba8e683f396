// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/solvability.h"

#include "tippe/analyze/tolerances.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/row_weights.h"
#include "tippe/modes/equality_check.h"
#include "tippe/problem/stacked_problem.h"
#include "tippe/solve/polyhedron.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Ground = Solvability::Ground;

/// True if the equalities do not contradict each other; `agreeing` then has drifts that fit to the last digit.
bool equalities_agree(const AccelerationProblem& problem, StackedProblem& agreeing, Solvability& result) {
  const EqualityCheck check = check_equalities(problem.M, problem.F, agreeing.equalities, agreeing.equality_drift);
  if (check.consistent.yes()) {
    agreeing.equality_drift = check.drift;
    return true;
  }
  result.verdict = check.consistent;
  result.ground = check.consistent.no() ? Ground::kEqualities : Ground::kOpen;
  for (const int row : check.culprits) result.culprits.push_back(agreeing.equality_names[static_cast<size_t>(row)]);
  return false;
}

/// (C): min gamma_N'z - gamma_C'y  subject to  N z = C y, sum z = 1, z >= 0, with N the normals and C the equalities. It is the dual of
/// "are there accelerations with N'a >= -gamma_N, C'a = -gamma_C": masses and loads do not enter.
void judge_contradiction(const AccelerationProblem& problem, const StackedProblem& stacked, Solvability& result) {
  const auto n = stacked.normals.rows(), m = stacked.normals.cols(), p = stacked.equalities.cols();
  MatrixXd A = MatrixXd::Zero(n + 1, m + p);
  A.topLeftCorner(n, m) = stacked.normals;
  A.topRightCorner(n, p) = -stacked.equalities;
  A.bottomLeftCorner(1, m).setOnes();
  std::vector<bool> nonnegative(static_cast<size_t>(m), true);
  nonnegative.resize(static_cast<size_t>(m + p), false);
  Polyhedron self_stresses(A, VectorXd::Unit(n + 1, n), nonnegative);
  if (self_stresses.status() == ProgramStatus::kInfeasible) {
    // Farkas: N'd + t <= 0, C'd = 0, t > 0.
    const VectorXd& proof = self_stresses.farkas();
    result.ground = Ground::kEveryDrift;
    result.verdict = {Answer::kYes, std::nullopt};
    result.separating_direction = -proof.head(n) / proof[n];
    return;
  }
  MatrixXd columns(n, m + p);
  columns << stacked.normals, stacked.equalities;
  VectorXd cost(m + p);
  cost << stacked.normal_drift, -stacked.equality_drift;
  const Extreme worst = self_stresses.minimize(cost);
  if (!worst.optimal()) return;  // not even unbounded, since the equalities agree: nothing is proved
  result.certificate = worst.x.head(m);
  result.certificate_value = worst.value;
  const double margin = worst.value;
  const VectorXd loads = load_accelerations(problem.M, problem.F, columns);
  const double size = (cost.cwiseAbs() + loads).dot(worst.x.cwiseAbs());
  if (margin < -kVerdictTolerance * size) {
    result.ground = Ground::kContradiction;
    result.verdict = {Answer::kNo, margin};
  } else if (margin < -kSumRoundOff * size) {
    result.verdict = {Answer::kUndecided, margin};
  } else {
    result.ground = margin > kVerdictTolerance * size ? Ground::kBounded : Ground::kWedged;
    result.verdict = {Answer::kYes, margin};
  }
}

/// min F'd over { M d = 0, C'd = 0, N'd >= 0 } must be 0. Such a d exists only where M and the equalities leave a direction free.
void judge_massless_loads(const AccelerationProblem& problem, const StackedProblem& stacked, Solvability& result) {
  if (KineticMetric(problem.M, stacked.equalities, row_weights(problem.M, stacked.equalities)).holds()) return;
  const auto n = stacked.normals.rows(), m = stacked.normals.cols(), p = stacked.equalities.cols();
  MatrixXd A = MatrixXd::Zero(n + p + m, n + m);
  A.topLeftCorner(n, n) = problem.M;
  A.block(n, 0, p, n) = stacked.equalities.transpose();
  A.block(n + p, 0, m, n) = stacked.normals.transpose();
  A.bottomRightCorner(m, m) = -MatrixXd::Identity(m, m);
  std::vector<bool> nonnegative(static_cast<size_t>(n), false);
  nonnegative.resize(static_cast<size_t>(n + m), true);
  VectorXd cost = VectorXd::Zero(n + m);
  cost.head(n) = problem.F;
  const Extreme steepest = Polyhedron(A, VectorXd::Zero(n + p + m), nonnegative).minimize(cost);
  if (steepest.unbounded()) {
    result.ground = Ground::kMasslessLoaded;
    const VectorXd d = steepest.ray.head(n);  // not zero: along zero there is no slope
    result.massless_direction = d / d.cwiseAbs().maxCoeff();
    result.verdict = {Answer::kNo, problem.F.dot(d) / problem.F.cwiseAbs().dot(d.cwiseAbs())};
  } else if (!steepest.optimal()) {
    result.ground = Ground::kOpen;
    result.verdict = {};
  }
}

}  // namespace

Solvability judge_solvability(const AccelerationProblem& problem, const StackedProblem& stacked) {
  Solvability result;
  result.kind = stacked.sticking ? InstantKind::kSticking : InstantKind::kFrictionless;
  StackedProblem agreeing = stacked;
  if (!equalities_agree(problem, agreeing, result)) return result;
  judge_contradiction(problem, agreeing, result);
  if (result.verdict.yes()) judge_massless_loads(problem, stacked, result);
  return result;
}

}  // namespace tippe
