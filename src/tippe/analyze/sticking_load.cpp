// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sticking_load.h"

#include "tippe/analyze/kinetic_metric.h"
#include "tippe/analyze/stacked_problem.h"
#include "tippe/analyze/verdict.h"
#include "tippe/core/least_squares.h"
#include "tippe/core/rank_decision.h"
#include "tippe/solve/mlcp.h"
#include "tippe/solve/quadratic_program.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Status = StickingLoad::Status;

Status find_least_acceleration(const AccelerationProblem& problem, const StackedProblem& stacked, Eigen::VectorXd& a) {
  const ProgramSolution solution =
      solve_quadratic_program({problem.M, problem.F, stacked.equalities.transpose(), -stacked.equality_drift,
                               -stacked.normals.transpose(), stacked.normal_drift});
  a = solution.x;
  if (solution.optimal()) return Status::kFound;
  const bool none = solution.status == ProgramStatus::kInfeasible || solution.status == ProgramStatus::kUnbounded;
  return none ? Status::kNone : Status::kUnknown;
}

Status find_sliding_acceleration(const AccelerationProblem& problem, const StackedProblem& stacked, Eigen::VectorXd& a) {
  const Eigen::Index n = problem.n(), p = stacked.equality_drift.size(), m = stacked.normal_drift.size();
  MlcpProblem mlcp;
  mlcp.A = MatrixXd::Zero(n + p, n + p);
  mlcp.A.topLeftCorner(n, n) = problem.M;
  mlcp.A.topRightCorner(n, p) = -stacked.pulls;
  mlcp.A.bottomLeftCorner(p, n) = stacked.equalities.transpose();
  mlcp.C = MatrixXd::Zero(n + p, m);
  mlcp.C.topRows(n) = -stacked.pushes;
  mlcp.D = MatrixXd::Zero(m, n + p);
  mlcp.D.leftCols(n) = stacked.normals.transpose();
  mlcp.B = MatrixXd::Zero(m, m);
  mlcp.a.resize(n + p);
  mlcp.a << problem.F, stacked.equality_drift;
  mlcp.b = stacked.normal_drift;
  ComplementaritySolution solution;
  const ComplementarityStatus status = solve_mlcp(mlcp, {.tolerance = 1e-10}, solution);
  if (status == ComplementarityStatus::kConverged) a = solution.x.head(n);
  return status == ComplementarityStatus::kConverged    ? Status::kFound
         : status == ComplementarityStatus::kNoSolution ? Status::kNone
                                                        : Status::kUnknown;
}

/// How large the acceleration of each gap could be under the load F alone, and its terms as they are.
Eigen::VectorXd sizes_of_opening(const AccelerationProblem& problem, const StackedProblem& stacked,
                                 const Eigen::VectorXd& a) {
  Eigen::VectorXd size = stacked.normals.cwiseAbs().transpose() * a.cwiseAbs() + stacked.normal_drift.cwiseAbs();
  const KineticMetric metric(problem.M, force_directions(problem));
  if (metric.holds()) size += metric.scale(problem.F).norm() * metric.scale(stacked.normals).colwise().norm().transpose();
  return size;
}

}  // namespace

StickingLoad find_sticking_load(const AccelerationProblem& problem, std::span<const int> sliding_signs) {
  const StackedProblem stacked = stack(problem, sliding_signs);
  StickingLoad load;
  Eigen::VectorXd& a = load.acceleration;
  load.status =
      stacked.sliding ? find_sliding_acceleration(problem, stacked, a) : find_least_acceleration(problem, stacked, a);
  if (load.status != Status::kFound) return load;
  load.w = problem.M * a + problem.F;
  // What is left of terms that cancel is no load.
  const Eigen::VectorXd terms = problem.M.cwiseAbs() * a.cwiseAbs() + problem.F.cwiseAbs();
  if (load.w.norm() <= 1e-14 * terms.norm()) load.w.setZero();
  // Some forces without friction limits add up to w, so what lies outside of their range is round-off; in a direction in which no force
  // acts, as that of a body that touches nothing, it would make the load one that nothing holds.
  const MatrixXd columns = unit_columns(stacked.columns(), 0.0);
  if (columns.size() > 0) load.w = columns * LeastSquares(columns).solve(load.w);
  const Eigen::VectorXd opening = stacked.normals.transpose() * a + stacked.normal_drift;
  const Eigen::VectorXd size = sizes_of_opening(problem, stacked, a);
  for (Eigen::Index i = 0; i < opening.size(); ++i) load.closed.push_back(opening[i] <= kVerdictTolerance * size[i]);
  return load;
}

}  // namespace tippe
