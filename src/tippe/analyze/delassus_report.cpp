// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/delassus_report.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "tippe/analyze/generalized_inverse.h"
#include "tippe/analyze/joint_rows.h"
#include "tippe/core/eigenvalues.h"
#include "tippe/core/held_mass.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/tolerances.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Verdict judge_definite(const RankSplit& split, Eigen::Index m) {
  const double margin = split.rank == m ? split.smallest_kept : split.largest_dropped - rank_tolerance(m);
  return {split.rank < m ? Answer::kNo : margin > kVerdictTolerance ? Answer::kYes : Answer::kUndecided, margin};
}

void add_sticking(const AccelerationProblem& problem, const MatrixXd& N, DelassusReport& report) {
  const StackedProblem stacked = stack(problem);
  if (!stacked.sticking) return;
  const HeldMass held(problem.M, stacked.equalities);
  if (!held.definite()) return;
  VectorXd lengths;
  const MatrixXd B = held.left_free(unit_columns(held.kinetic(N), 0.0, &lengths));
  report.sticking = lengths.asDiagonal() * (B.transpose() * B) * lengths.asDiagonal();
  report.sticking_definite = judge_definite(decide_rank(B), N.cols());
}

}  // namespace

std::optional<DelassusReport> report_delassus(const AccelerationProblem& problem) {
  const JointRows joints = joint_rows(problem);
  const HeldMass held(problem.M, joints.directions);
  if (!held.definite()) return std::nullopt;
  const MatrixXd N = unilateral_normals(problem);
  const auto m = N.cols();
  VectorXd drift(m);
  for (Eigen::Index i = 0; i < m; ++i) drift[i] = problem.unilateral[static_cast<size_t>(i)].drift;

  DelassusReport report;
  const MatrixXd scaled = held.kinetic(N);
  if (held.mass_definite()) {
    report.matrix = scaled.transpose() * scaled;
    report.free_acceleration = drift - scaled.transpose() * held.kinetic(problem.F);
  }
  VectorXd lengths;
  const MatrixXd unit = unit_columns(scaled, 0.0, &lengths);
  report.joint_rank = held.rank();
  const MatrixXd B = held.left_free(unit);
  report.constrained = lengths.asDiagonal() * (B.transpose() * B) * lengths.asDiagonal();
  report.eigenvalues = symmetric_eigenvalues(report.constrained);

  const RankSplit split = decide_rank(B);
  report.rank = split.rank;
  report.smallest_kept = split.smallest_kept;
  report.largest_dropped = split.largest_dropped;
  report.definite = judge_definite(split, m);
  add_sticking(problem, N, report);
  const MatrixXd X = held.left_free(held.kinetic(MatrixXd::Identity(problem.n(), problem.n())));
  report.inverse_mass = X.transpose() * X;
  if (held.mass_definite()) {
    const MatrixXd left = X * problem.M;
    report.distortion = left.transpose() * left;
  }
  report.distortion_angle.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double degrees =
        std::atan2((held.range().transpose() * unit.col(i)).norm(), B.col(i).norm()) * 180.0 / std::numbers::pi;
    report.distortion_angle[i] = lengths[i] > 0.0 ? degrees : std::numeric_limits<double>::quiet_NaN();
  }
  report.null_space = split.null_space;
  for (Eigen::Index k = 0; k < report.null_space.cols(); ++k) {
    VectorXd pattern = report.null_space.col(k);
    for (Eigen::Index i = 0; i < m; ++i) {
      if (lengths[i] > 0.0) pattern[i] /= lengths[i];
    }
    report.null_space.col(k) = with_largest_entry_one(pattern);
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    if (B.col(i).norm() <= kNothingLeft) report.blocked.push_back(static_cast<int>(i));
  }
  const GeneralizedInverse jointed = constrained_acceleration(problem);
  report.jointed_acceleration = N.transpose() * jointed.acceleration + drift;
  return report;
}

}  // namespace tippe
