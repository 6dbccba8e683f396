// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/solvability_criteria.h"

#include <algorithm>

#include "tippe/analyze/copositivity.h"
#include "tippe/analyze/sliding_matrix.h"
#include "tippe/analyze/tolerances.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"
#include "tippe/modes/equality_check.h"
#include "tippe/solve/least_distance.h"
#include "tippe/solve/polyhedron.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = Criterion::Kind;

/// The shortest resultant of the columns of B with weights >= 0 and sum 1; 0 if they can cancel. The nearest v with
/// B'v >= 1 is as long as
/// one over it.
double shortest_resultant(const MatrixXd& B) {
  const LeastDistance nearest = solve_least_distance({MatrixXd(B.rows(), 0), {}, B, VectorXd::Ones(B.cols())});
  return nearest.status == LeastDistanceStatus::kSolved && nearest.v.norm() > 0.0 ? 1.0 / nearest.v.norm() : 0.0;
}

/// No motion but zero with M d = 0, C'd = 0, N'd >= 0.
Answer no_massless_motion(const AccelerationProblem& problem, const StackedProblem& stacked) {
  const MatrixXd& C = stacked.equalities;
  if (KineticMetric(problem.M, C, row_weights(problem.M, C)).holds()) return Answer::kYes;
  MatrixXd held(problem.n(), problem.n() + C.cols());
  held << problem.M, C;
  const MatrixXd free = decide_rank(unit_columns(held, 0.0).transpose()).null_space;
  if (free.cols() == 0) return Answer::kUndecided;
  const MatrixXd gaps = unit_columns(stacked.normals, 0.0).transpose() * free;
  const Index m = gaps.rows(), f = gaps.cols();
  if (decide_rank(gaps).null_space.cols() > 0) return Answer::kNo;  // a motion that leaves all gaps as they are
  MatrixXd rows = MatrixXd::Zero(m + 1, f + m);                     // the gaps open, with the sum 1
  rows.topLeftCorner(m, f) = gaps;
  rows.topRightCorner(m, m) = -MatrixXd::Identity(m, m);
  rows.bottomRightCorner(1, m).setOnes();
  std::vector<bool> nonnegative(static_cast<size_t>(f), false);
  nonnegative.resize(static_cast<size_t>(f + m), true);
  const Polyhedron motions(rows, VectorXd::Unit(m + 1, m), nonnegative);
  if (motions.status() == ProgramStatus::kInfeasible) return Answer::kYes;
  return motions.feasible() ? Answer::kNo : Answer::kUndecided;
}

Answer both(Answer one, Answer other) {
  if (one == Answer::kNo || other == Answer::kNo) return Answer::kNo;
  return one == Answer::kYes ? other : one;
}

/// E = {0}, with redundant tangents and constraints replaced by independent ones, where they agree.
Criterion proposition_8(const AccelerationProblem& problem, const StackedProblem& stacked) {
  Criterion criterion{"Proposition 8", "Brogliato B",
                      "no contact forces add up to forces of constraints and sticking friction, no motion lacks inertia",
                      Kind::kSufficient};
  criterion.about = Criterion::About::kSolvability;
  criterion.applies = !stacked.sliding;
  if (!criterion.applies) return criterion;
  MatrixXd all(problem.n(), stacked.normals.cols() + stacked.equalities.cols());
  all << stacked.normals, stacked.equalities;
  const KineticMetric metric(problem.M, all, row_weights(problem.M, all));
  const auto scaled = [&](const MatrixXd& columns) -> MatrixXd {
    return unit_columns(metric.holds() ? metric.scale(columns) : columns, 0.0);
  };
  const MatrixXd N = scaled(stacked.normals), range = decide_rank(scaled(stacked.equalities)).range;
  MatrixXd left = N - range * (range.transpose() * N);
  left -= range * (range.transpose() * left);
  criterion.value = shortest_resultant(left);
  const Answer resultant = criterion.value > kVerdictTolerance                        ? Answer::kYes
                           : criterion.value > rank_tolerance(stacked.normals.cols()) ? Answer::kUndecided
                                                                                      : Answer::kNo;
  const EqualityCheck agree = check_equalities(problem.M, problem.F, stacked.equalities, stacked.equality_drift);
  criterion.holds = both(both(resultant, agree.consistent.answer), no_massless_motion(problem, stacked));
  return criterion;
}

void add_copositivity(const AccelerationProblem& problem, const StackedProblem& stacked, std::vector<Criterion>& criteria) {
  Criterion strict{"copositivity", "Kaplan", "pressing contacts that slide against each other always opens some of them",
                   Kind::kSufficient};
  Criterion theorem{"Theorem 3.8.6", "Cottle, Pang, Stone",
                    "the same, or some patterns of forces move no gap and no load acts along them", Kind::kSufficient};
  strict.about = theorem.about = Criterion::About::kSolvability;
  const HeldMass held(problem.M, stacked.equalities);
  const bool applies = stacked.sliding && stacked.sliding_bilateral.empty() && held.definite() &&
                       stacked.normals.cols() <= kMostRowsOfCopositivity &&
                       check_equalities(problem.M, problem.F, stacked.equalities, stacked.equality_drift).consistent.yes();
  if (applies) {
    const SlidingMatrix lcp = sliding_matrix(problem, stacked, held);
    const double round_off = kSumRoundOff * std::max(1.0, lcp.A.cwiseAbs().maxCoeff());
    strict.applies = theorem.applies = true;
    strict.value = theorem.value = least_form(lcp.A);
    const Verdict verdict = strict_verdict(strict.value);
    strict.holds = theorem.holds = verdict.answer;
    if (!verdict.yes() && !verdict.no())
      theorem.holds = strict.value >= -round_off ? resists_load(lcp.A, lcp.q) : Answer::kUndecided;
  }
  criteria.push_back(std::move(strict));
  criteria.push_back(std::move(theorem));
}

}  // namespace

std::vector<Criterion> evaluate_solvability_criteria(const AccelerationProblem& problem) {
  if (problem.unilateral.empty()) return {};
  const StackedProblem stacked = stack(problem);
  std::vector<Criterion> criteria = {proposition_8(problem, stacked)};
  add_copositivity(problem, stacked, criteria);
  return criteria;
}

}  // namespace tippe
