// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/load_support.h"

#include "tippe/analyze/tolerances.h"
#include "tippe/core/rank_decision.h"
#include "tippe/solve/polyhedron.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = ForcePart::Kind;

/// Which parts may act in which way.
struct Use {
  std::vector<bool> pushes;    // a normal force >= 0
  std::vector<bool> friction;  // friction without limits
};

/// The normal forces >= 0 that can be positive, all at once.
struct Positive {
  Answer feasible = Answer::kUndecided;
  std::vector<bool> positive;
  VectorXd forces;
};

/// f = T x with x = (free, normal forces >= 0).
MatrixXd force_map(Eigen::Index components, const std::vector<ForcePart>& parts, const Use& use, int& free) {
  int pushing = 0;
  free = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == Part::kFree) free += 1;
    if (use.friction[i]) free += parts[i].tangents;
    if (use.pushes[i]) pushing += 1;
  }
  MatrixXd T = MatrixXd::Zero(components, free + pushing);
  int next_free = 0, next = free;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ForcePart& part = parts[i];
    if (part.kind == Part::kFree) T(part.component, next_free++) = 1.0;
    for (int k = 0; use.friction[i] && k < part.tangents; ++k) T(part.component + 1 + k, next_free++) = 1.0;
    if (!use.pushes[i]) continue;
    T(part.component, next) = part.sign;
    T.block(part.component + 1, next, part.friction.size(), 1) = part.friction;
    ++next;
  }
  return T;
}

// Maximise the sum of all normal forces that are not positive yet, until it is zero: the mean of what was found has them all.
Positive find_positive(const MatrixXd& directions, const std::vector<ForcePart>& parts, const Use& use, const VectorXd& w) {
  int free = 0;
  const MatrixXd T = force_map(directions.cols(), parts, use, free);
  const auto pushing = T.cols() - free;
  std::vector<bool> nonnegative(static_cast<size_t>(free), false);
  nonnegative.resize(static_cast<size_t>(T.cols()), true);
  Polyhedron set(directions * T, w, nonnegative);
  Positive result;
  if (set.status() == ProgramStatus::kInfeasible) result.feasible = Answer::kNo;
  if (!set.feasible()) return result;
  VectorXd points = set.point(), rays = VectorXd::Zero(T.cols());
  double count = 1.0;
  Eigen::Array<bool, Eigen::Dynamic, 1> positive = points.tail(pushing).array() > kSumRoundOff;
  while (!positive.all()) {
    VectorXd cost = VectorXd::Zero(T.cols());
    cost.tail(pushing) = positive.select(VectorXd::Zero(pushing), VectorXd::Constant(pushing, -1.0));
    const Extreme most = set.minimize(cost);
    if (!most.optimal() && !most.unbounded()) return result;
    const VectorXd& found = most.unbounded() ? most.ray : most.x;
    const Eigen::Array<bool, Eigen::Dynamic, 1> more = positive || found.tail(pushing).array() > kSumRoundOff;
    if (more.count() == positive.count()) break;
    positive = more;
    if (most.unbounded()) {
      rays += most.ray;
    } else {
      points += most.x;
      count += 1.0;
    }
  }
  result.feasible = Answer::kYes;
  result.forces = T * (points / count + rays);
  result.positive.resize(parts.size());
  Eigen::Index next = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (use.pushes[i]) result.positive[i] = positive[next++];
  }
  return result;
}

}  // namespace

HeldLoad restrict_load(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w) {
  Use use{std::vector<bool>(parts.size()), std::vector<bool>(parts.size())};
  for (size_t i = 0; i < parts.size(); ++i) {
    use.pushes[i] = parts[i].kind != Part::kFree;
    use.friction[i] = parts[i].tangents > 0;
  }
  int free = 0;
  const MatrixXd columns = unit_columns(directions * force_map(directions.cols(), parts, use, free), kLoadRoundOff);
  const SingularValues svd = decompose_singular(columns.transpose());
  HeldLoad held;
  held.basis = svd.V.leftCols((svd.values.array() > rank_tolerance(columns.cols())).count());
  held.directions = held.basis.transpose() * directions;
  held.w = held.basis.transpose() * w;
  held.outside = w - held.basis * held.w;
  const double outside = held.outside.norm();
  if (outside <= kLoadRoundOff * w.norm()) held.inside = Answer::kYes;
  if (outside > kVerdictTolerance * w.norm()) held.inside = Answer::kNo;
  return held;
}

LoadSupport find_support(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w) {
  LoadSupport support;
  support.used.assign(parts.size(), true);
  for (bool first = true;; first = false) {
    std::vector<ForcePart> left;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (support.used[i]) left.push_back(parts[i]);
    }
    Use use{std::vector<bool>(left.size()), std::vector<bool>(left.size())};
    for (size_t i = 0; i < left.size(); ++i) {
      use.pushes[i] = left[i].kind != Part::kFree;
      use.friction[i] = left[i].tangents > 0;
    }
    support.held = restrict_load(directions, left, w);
    Positive positive;
    if (support.held.inside == Answer::kYes) {
      positive = find_positive(support.held.directions, left, use, support.held.w);
    } else {
      positive.feasible = support.held.inside;
    }
    support.possible = positive.feasible;
    support.tipping = first && positive.feasible == Answer::kNo;
    if (positive.feasible != Answer::kYes) return support;
    bool changed = false;
    size_t next = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!support.used[i]) continue;
      const size_t k = next++;
      if (left[k].kind == Part::kFree || positive.positive[k]) continue;
      support.used[i] = false;
      changed = true;
    }
    if (changed) continue;
    support.forces = std::move(positive.forces);
    return support;
  }
}

std::vector<unsigned> possible_signs(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w) {
  std::vector<unsigned> signs(parts.size(), 3U);
  const HeldLoad held = restrict_load(directions, parts, w);
  if (held.inside != Answer::kYes) return signs;
  Use use{std::vector<bool>(parts.size()), std::vector<bool>(parts.size())};
  for (size_t i = 0; i < parts.size(); ++i) {
    use.pushes[i] = parts[i].kind != Part::kFree;
    use.friction[i] = parts[i].tangents > 0;
  }
  int free = 0;
  const MatrixXd T = force_map(directions.cols(), parts, use, free);
  std::vector<bool> nonnegative(static_cast<size_t>(free), false);
  nonnegative.resize(static_cast<size_t>(T.cols()), true);
  Polyhedron set(held.directions * T, held.w, nonnegative);
  if (!set.feasible()) return signs;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (use.pushes[i]) {
      signs[i] = 1U;
      continue;
    }
    const VectorXd cost = T.row(parts[i].component).transpose();
    const Extreme least = set.minimize(cost), most = set.minimize(-cost);
    if (least.optimal() && least.value > kVerdictTolerance) signs[i] = 1U;
    if (most.optimal() && most.value > kVerdictTolerance) signs[i] = 2U;
  }
  return signs;
}

std::vector<bool> find_jammed(const MatrixXd& directions, const std::vector<ForcePart>& parts) {
  std::vector<bool> jammed(parts.size());
  Use use{std::vector<bool>(parts.size()), std::vector<bool>(parts.size())};
  for (size_t i = 0; i < parts.size(); ++i) {
    use.pushes[i] = parts[i].kind != Part::kFree;
    use.friction[i] = parts[i].kind == Part::kFree;
  }
  for (bool changed = true; changed;) {
    changed = false;
    const Positive positive = find_positive(directions, parts, use, VectorXd::Zero(directions.rows()));
    for (size_t i = 0; positive.feasible == Answer::kYes && i < parts.size(); ++i) {
      if (parts[i].kind != Part::kCone || !positive.positive[i] || jammed[i]) continue;
      jammed[i] = true;
      use.friction[i] = true;
      changed = true;
    }
  }
  return jammed;
}

}  // namespace tippe
