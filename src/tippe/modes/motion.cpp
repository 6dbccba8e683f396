// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/motion.h"

#include <algorithm>
#include <utility>

#include "tippe/core/infinity.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/largest.h"
#include "tippe/core/rank_decision.h"
#include "tippe/modes/equality_check.h"
#include "tippe/modes/tolerances.h"
#include "tippe/problem/stacked_problem.h"
#include "tippe/solve/least_distance.h"
#include "tippe/solve/polyhedron.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSameEnds = 1e-9;  // of an interval, relative to its ends or what they are sums of: it is a point

/// Gauss' principle as a least distance: with E = M + s C C' = L L', which differs from M only by what the equalities fix, and
/// v = L'a + L^-1 (F + s C gamma_C),
///
///   min |v|^2 :  (L^-1 C)'v = -gamma_C + (L^-1 C)'f ,  (L^-1 N)'v >= -gamma_N + (L^-1 N)'f ,  f = L^-1 (F + s C gamma_C)
///
/// The multipliers of N are the contact forces; those of C have s C (C'a + gamma_C) = 0 in them.
bool solve_least_distance(const AccelerationProblem& problem, const StackedProblem& stacked, const KineticMetric& metric,
                          Motion& motion) {
  const MatrixXd& C = stacked.equalities;
  const VectorXd load = problem.F + metric.row_weight() * (C * stacked.equality_drift);
  const VectorXd f = metric.scale(load);
  LeastDistanceProblem distance;
  distance.equalities = metric.scale(C);
  distance.inequalities = metric.scale(stacked.normals);
  distance.g_eq = distance.equalities.transpose() * f - stacked.equality_drift;
  distance.g_in = distance.inequalities.transpose() * f - stacked.normal_drift;
  const LeastDistance shortest = tippe::solve_least_distance(distance);
  motion.acceleration = metric.to_acceleration(shortest.v - f);
  motion.multipliers.resize(stacked.normals.cols() + C.cols());
  motion.multipliers << shortest.y_in, shortest.y_eq;
  return shortest.status == LeastDistanceStatus::kSolved;
}

/// Where M and the equalities do not hold every direction: the same as a general quadratic program.
bool solve_program(const AccelerationProblem& problem, const StackedProblem& stacked, Motion& motion) {
  const ProgramSolution solution =
      solve_quadratic_program({problem.M, problem.F, stacked.equalities.transpose(), -stacked.equality_drift,
                               -stacked.normals.transpose(), stacked.normal_drift});
  motion.acceleration = solution.x.size() > 0 ? solution.x : VectorXd::Zero(problem.n());
  motion.multipliers = VectorXd::Zero(stacked.normals.cols() + stacked.equalities.cols());
  if (solution.optimal()) motion.multipliers << solution.y_in, -solution.y_eq;
  return solution.optimal();
}

/// Largest error of all conditions, each relative to the size of its terms, that of the equation in the kinetic metric, since coordinates have units of their own. An
/// acceleration may be a small difference of what the load and the forces would give alone: relative accelerations are compared with those.
double measure(const AccelerationProblem& problem, const StackedProblem& stacked, const KineticMetric& metric,
               const Motion& motion) {
  const VectorXd& a = motion.acceleration;
  const auto m = stacked.normals.cols();
  const MatrixXd columns = stacked.columns();
  const VectorXd w = problem.M * a + problem.F;
  const auto relative = [](double error, double size) { return error > 0.0 ? error / size : 0.0; };
  const VectorXd misfit = w - columns * motion.multipliers;
  const MatrixXd scaled = metric.holds() ? metric.scale(columns) : columns;
  double error = 0.0;
  if (metric.holds()) {
    const double forces = scaled.colwise().norm().dot(motion.multipliers.cwiseAbs());
    error =
        relative(metric.scale(misfit).norm(), metric.scale(problem.F).norm() + metric.scale(problem.M * a).norm() + forces);
  } else {
    error = relative(largest(misfit), largest(problem.M.cwiseAbs() * a.cwiseAbs() + problem.F.cwiseAbs() +
                                              columns.cwiseAbs() * motion.multipliers.cwiseAbs()));
  }
  // Without a metric: what the load gives the heaviest coordinate.
  const double heaviest = problem.M.diagonal().maxCoeff();
  const double alone = metric.holds()   ? metric.scale(problem.F).norm() + metric.scale(w).norm()
                       : heaviest > 0.0 ? (problem.F.norm() + w.norm()) / heaviest
                                        : 0.0;
  VectorXd drift(columns.cols());
  drift << stacked.normal_drift, stacked.equality_drift;
  for (Index j = 0; j < columns.cols(); ++j) {
    const double acceleration = columns.col(j).dot(a) + drift[j];
    const double size = columns.col(j).cwiseAbs().dot(a.cwiseAbs()) + std::abs(drift[j]) + scaled.col(j).norm() * alone;
    const bool closed = j >= m || motion.multipliers[j] > 0.0;
    error = std::max(error, relative(closed ? std::abs(acceleration) : -acceleration, size));
  }
  return error;
}

/// All accelerations: M a and F'a are the same for all, so S = { a : M a = M a*, F'a = F'a*, C'a = -gamma_C, N'a >= -gamma_N }.
class AccelerationSet {
 public:
  AccelerationSet(const AccelerationProblem& problem, const StackedProblem& stacked, Motion& motion)
      : motion_(motion), n_(problem.n()), m_(stacked.normals.cols()), same_(n_ + 1 + stacked.equalities.cols(), n_) {
    same_ << problem.M, problem.F.transpose(), stacked.equalities.transpose();
    normals_ = stacked.normals;
    gaps_ = (stacked.normals.transpose() * motion.acceleration + stacked.normal_drift).cwiseMax(0.0);
    gap_terms_ = stacked.normals.cwiseAbs().transpose() * motion.acceleration.cwiseAbs() + stacked.normal_drift.cwiseAbs();
  }

  void measure() {
    const auto rows = same_.rows();
    MatrixXd A = MatrixXd::Zero(rows + m_, n_ + m_);
    A.topLeftCorner(rows, n_) = same_;
    A.bottomLeftCorner(m_, n_) = normals_.transpose();
    A.bottomRightCorner(m_, m_) = -MatrixXd::Identity(m_, m_);
    std::vector<bool> nonnegative(static_cast<size_t>(n_), false);
    nonnegative.resize(static_cast<size_t>(n_ + m_), true);
    VectorXd start(n_ + m_);
    start << motion_.acceleration, gaps_;
    Polyhedron set = Polyhedron::through(A, start, nonnegative);
    bool all_found = set.feasible();
    VectorXd lower(n_ + m_), upper(n_ + m_);
    for (Index j = 0; j < n_ + m_ && all_found; ++j) {
      const VectorXd unit = VectorXd::Unit(n_ + m_, j);
      const Extreme least = set.minimize(unit), most = set.minimize(-unit);
      lower[j] = least.value;
      upper[j] = -most.value;
      all_found = (least.optimal() || least.unbounded()) && (most.optimal() || most.unbounded());
    }
    if (!all_found) return;  // the verdict stays open
    motion_.lower = lower.head(n_);
    motion_.upper = upper.head(n_);
    find_directions(lower.tail(m_), upper.tail(m_));
    if (motion_.unique.yes()) return;
    VectorXd all_gaps = VectorXd::Zero(n_ + m_);
    all_gaps.tail(m_).setOnes();
    const Extreme closed = set.minimize(all_gaps);
    if (!closed.optimal()) return;
    motion_.gap_lower = lower.tail(m_);
    motion_.gap_upper = upper.tail(m_);
    motion_.most_closed = closed.x.head(n_);
  }

 private:
  /// The affine hull of S: gaps that are the same in all of S are equations too.
  void find_directions(const VectorXd& least_gap, const VectorXd& largest_gap) {
    std::vector<int> fixed;
    for (Index i = 0; i < m_; ++i) {
      if (largest_gap[i] < kInfinity && largest_gap[i] - least_gap[i] <= kSameEnds * std::max(gap_terms_[i], largest_gap[i]))
        fixed.push_back(static_cast<int>(i));
    }
    MatrixXd equations(same_.rows() + static_cast<Index>(fixed.size()), n_);
    equations << same_, normals_(Eigen::all, fixed).transpose();
    const MatrixXd unit_rows = unit_columns(equations.transpose(), 0.0).transpose();
    const auto split = decide_rank(unit_rows);
    motion_.free_directions = split.null_space;
    for (Index k = 0; k < split.null_space.cols(); ++k)
      motion_.free_directions.col(k) = with_largest_entry_one(split.null_space.col(k));
    motion_.unique = {split.null_space.cols() == 0 ? Answer::kYes : Answer::kNo, std::nullopt};
    if (!motion_.unique.yes()) return;
    motion_.lower = motion_.upper = motion_.acceleration;
  }

  Motion& motion_;
  Index n_, m_;
  MatrixXd same_;  // rows that are the same for all accelerations
  MatrixXd normals_;
  VectorXd gaps_, gap_terms_;  // m/s^2
};

}  // namespace

Motion find_motion(const AccelerationProblem& problem, const StackedProblem& given) {
  Motion motion;
  StackedProblem stacked = given;
  if (EqualityCheck check = check_equalities(problem.M, problem.F, given.equalities, given.equality_drift);
      check.consistent.yes())
    stacked.equality_drift = std::move(check.drift);
  const KineticMetric metric(problem.M, stacked.equalities);
  const bool solved =
      metric.holds() ? solve_least_distance(problem, stacked, metric, motion) : solve_program(problem, stacked, motion);
  if ((problem.M * motion.acceleration + problem.F).isZero(0.0)) motion.multipliers.setZero();  // not round-off of nothing
  motion.residual = measure(problem, stacked, metric.holds() ? metric : KineticMetric(problem.M, stacked.columns()), motion);
  motion.free_directions.resize(problem.n(), 0);
  motion.lower = motion.upper = motion.acceleration;
  constexpr double kLargestResidual = 1e-8;
  motion.found =
      motion.residual <= (solved ? kLargestResidual : kMisfitOfTerms);  // a method may do better than it can prove
  if (!motion.found) {
    motion.lower.setConstant(-kInfinity);
    motion.upper.setConstant(kInfinity);
  } else if (metric.holds()) {
    motion.unique = {Answer::kYes, std::nullopt};  // strictly convex on what the equalities leave
  } else {
    motion.lower.setConstant(-kInfinity);
    motion.upper.setConstant(kInfinity);
    AccelerationSet(problem, stacked, motion).measure();
  }
  return motion;
}

}  // namespace tippe
