// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/closure.h"

#include <cmath>

#include "tippe/analyze/force_cones.h"
#include "tippe/analyze/kinetic_metric.h"
#include "tippe/core/rank_decision.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ForcePart::Kind;

constexpr double kNoneTolerance = 1e-10;  // what a depth of 0 may differ from 0

/// Closed if the forces span all loads and some forces strictly inside all cones balance each other. On the edge of it the system is not
/// closed: there is a direction that opens some contacts and closes none.
Verdict judge(const AccelerationProblem& problem, const std::vector<ForcePart>& parts, const MatrixXd& D,
              VectorXd& unresisted) {
  const ForceCones cones(D, parts);
  MatrixXd columns(D.rows(), 0);
  for (const ForcePart& part : parts) {
    const int count = 1 + part.tangents;
    columns.conservativeResize(Eigen::NoChange, columns.cols() + count);
    columns.rightCols(count) = D.middleCols(part.component, count);
  }
  // In the kinetic metric, where there is one: a motion without inertia that nothing holds is unresisted too.
  const KineticMetric metric(problem.M, columns);
  if (!metric.holds()) {
    unresisted = metric.free_direction();
    return {Answer::kNo, std::nullopt};
  }
  const RankSplit rank = decide_rank(unit_columns(metric.scale(columns), 0.0));
  if (rank.rank < problem.n()) {
    const VectorXd left = decide_rank(MatrixXd(rank.range.transpose()), 0.5).null_space.col(0);
    unresisted = with_largest_entry_one(metric.to_acceleration(left));
    return {Answer::kNo, std::nullopt};
  }
  const bool bilateral_only =
      std::all_of(parts.begin(), parts.end(), [](const ForcePart& p) { return p.kind == Kind::kFree; });
  if (bilateral_only) return {Answer::kYes, std::nullopt};
  const ForceMargin margin = cones.self_stress();
  Verdict verdict;
  if (margin.status == ConeStatus::kInfeasible) {
    verdict = {Answer::kNo, std::nullopt};
  } else if (margin.status == ConeStatus::kOptimal) {
    verdict.margin = margin.depth;
    if (margin.depth > kVerdictTolerance) verdict.answer = Answer::kYes;
    if (margin.depth <= kNoneTolerance) verdict.answer = Answer::kNo;
  }
  if (verdict.no()) unresisted = margin.direction / margin.direction.cwiseAbs().maxCoeff();
  return verdict;
}

}  // namespace

Closure judge_closure(const AccelerationProblem& problem) {
  const ForceLayout layout(problem);
  const MatrixXd D = force_directions(problem);
  std::vector<ForcePart> smooth;
  for (const int component : layout.bilateral)
    smooth.push_back({.kind = Kind::kFree, .component = component, .friction = {}});
  for (const int component : layout.unilateral)
    smooth.push_back({.kind = Kind::kRay, .component = component, .friction = {}});
  std::vector<ForcePart> rough = smooth;
  bool friction_known = true;
  for (size_t i = 0; i < problem.unilateral.size(); ++i) {
    const ContactRows& contact = problem.unilateral[i];
    if (contact.tangent_count() == 0) continue;
    friction_known = friction_known && contact.mu.has_value();
    if (contact.mu.value_or(0.0) <= 0.0) continue;
    ForcePart& part = rough[problem.bilateral.size() + i];
    part.kind = Kind::kCone;
    part.mu = *contact.mu;
    part.tangents = contact.tangent_count();
  }
  Closure closure;
  VectorXd smooth_direction, rough_direction;
  closure.form = judge(problem, smooth, D, smooth_direction);
  closure.force = closure.form.yes() ? closure.form : judge(problem, rough, D, rough_direction);
  // More friction may close what the known friction does not.
  if (!friction_known && !closure.force.yes()) closure.force = {};
  closure.unresisted = closure.force.yes() ? smooth_direction : rough_direction;
  return closure;
}

}  // namespace tippe
