// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/closure.h"

#include <algorithm>
#include <cmath>

#include "tippe/analyze/force_cones.h"
#include "tippe/analyze/tolerances.h"
#include "tippe/analyze/unit_directions.h"
#include "tippe/core/rank_decision.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = ForcePart::Kind;

/// Whether no force of the parts opposes d, relative to the largest motion of a contact along it.
bool is_unresisted(const MatrixXd& D, const std::vector<ForcePart>& parts, const VectorXd& d) {
  double motion = 0.0, resisted = 0.0;
  for (const ForcePart& part : parts) {
    const VectorXd along = D.middleCols(part.component, 1 + part.tangents).transpose() * d;
    const double slip = along.tail(part.tangents).norm();
    motion = std::max(motion, along.norm());
    resisted = std::max(resisted, part.kind == Part::kFree ? along.norm() : part.mu * slip - along[0]);
  }
  return resisted <= kVerdictTolerance * motion;
}

/// Closed if the forces span all loads and some forces strictly inside all cones balance each other. On the edge of it the system is not
/// closed: there is a direction that opens some contacts and closes none.
Verdict judge(const UnitDirections& directions, const std::vector<ForcePart>& parts, VectorXd& unresisted) {
  if (directions.massless_direction().size() > 0) {
    unresisted = directions.massless_direction();
    return {Answer::kNo, std::nullopt};
  }
  const MatrixXd& D = directions.columns();
  MatrixXd columns(D.rows(), 0);
  for (const ForcePart& part : parts) {
    const int count = 1 + part.tangents;
    columns.conservativeResize(Eigen::NoChange, columns.cols() + count);
    columns.rightCols(count) = D.middleCols(part.component, count);
  }
  const MatrixXd left = decide_rank(unit_columns(columns, 0.0).transpose(), rank_tolerance(columns.cols())).null_space;
  if (left.cols() > 0) {
    unresisted = directions.motion_of(left.col(0));
    return {Answer::kNo, std::nullopt};
  }
  const bool bilateral_only =
      std::all_of(parts.begin(), parts.end(), [](const ForcePart& p) { return p.kind == Part::kFree; });
  if (bilateral_only) return {Answer::kYes, std::nullopt};
  const ForceMargin margin = ForceCones(D, parts).self_stress();
  Verdict verdict;
  if (margin.status == ConeStatus::kOptimal) verdict.margin = margin.depth;
  if (verdict.margin && margin.depth > kVerdictTolerance) {
    verdict.answer = Answer::kYes;
  } else if (margin.direction.size() > 0 && margin.depth <= kZeroDepth) {
    const VectorXd d = orthogonal_to_free(D, parts, margin.direction);
    if (!is_unresisted(D, parts, d)) return verdict;
    verdict.answer = Answer::kNo;
    if (verdict.margin) verdict.margin = std::min(*verdict.margin, 0.0);
    unresisted = directions.motion_of(d);
  }
  return verdict;
}

}  // namespace

Closure judge_closure(const AccelerationProblem& problem) {
  const ForceLayout layout(problem);
  const UnitDirections directions(problem);
  std::vector<ForcePart> smooth;
  for (const int component : layout.bilateral)
    smooth.push_back({.kind = Part::kFree, .component = component, .friction = {}});
  for (const int component : layout.unilateral)
    smooth.push_back({.kind = Part::kRay, .component = component, .friction = {}});
  std::vector<ForcePart> rough = smooth;
  bool friction_known = true;
  for (size_t i = 0; i < problem.unilateral.size(); ++i) {
    const ContactRows& contact = problem.unilateral[i];
    if (contact.tangent_count() == 0) continue;
    friction_known = friction_known && contact.mu.has_value();
    if (contact.mu.value_or(0.0) <= 0.0) continue;
    ForcePart& part = rough[problem.bilateral.size() + i];
    part.kind = Part::kCone;
    part.mu = *contact.mu;
    part.tangents = contact.tangent_count();
  }
  Closure closure;
  VectorXd smooth_direction, rough_direction;
  closure.form = judge(directions, smooth, smooth_direction);
  closure.force = closure.form.yes() ? closure.form : judge(directions, rough, rough_direction);
  // More friction may close what the known friction does not.
  if (!friction_known && !closure.force.yes()) closure.force = {};
  if (closure.force.yes()) closure.unresisted = smooth_direction;
  if (closure.force.no()) closure.unresisted = rough_direction;
  return closure;
}

}  // namespace tippe
