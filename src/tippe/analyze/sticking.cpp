// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sticking.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/analyze/least_friction.h"
#include "tippe/analyze/load_support.h"
#include "tippe/analyze/sticking_load.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ForcePart::Kind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMaxSigned = 12;
constexpr double kSelfStressTolerance = 1e-10;

/// The friction coefficients that are asked for: the given ones, or their ratios.
struct Coefficients {
  double largest = 0.0;  // of the given ones
  bool known = true;

  explicit Coefficients(const AccelerationProblem& problem) {
    for (const auto* contacts : {&problem.unilateral, &problem.bilateral}) {
      for (const ContactRows& contact : *contacts) {
        if (contact.tangent_count() == 0 || contact.slides()) continue;
        largest = std::max(largest, contact.mu.value_or(0.0));
        known = known && contact.mu.has_value();
      }
    }
  }
  double ratio(const ContactRows& contact) const { return largest > 0.0 ? contact.mu.value_or(largest) / largest : 1.0; }
};

/// One choice of signs of the bilateral contacts with friction.
struct Pattern {
  Answer feasible = Answer::kUndecided;
  std::optional<double> margin;
  VectorXd forces, lower, upper, direction;
  bool exact = true, tipping = false, self_stress = false;
  LeastFriction least;
  std::vector<int> loadable;    // unilateral contacts
  bool loadable_known = false;  // false: there is no load to carry, or no normal forces carry it
};

bool has_sign(const ContactRows& contact) {
  return contact.tangent_count() > 0 && contact.mu.value_or(1.0) > 0.0;
}

class Judge {
 public:
  explicit Judge(const AccelerationProblem& problem)
      : problem_(problem), layout_(problem), D_(force_directions(problem)), coefficients_(problem) {
    for (size_t i = 0; i < problem.bilateral.size(); ++i) {
      if (has_sign(problem.bilateral[i])) signed_.push_back(i);
    }
  }

  Sticking judge() {
    result_.mu_known = coefficients_.known;
    result_.mu_min = kInfinity;
    if (signed_.size() > kMaxSigned) {
      result_.mu_min = std::numeric_limits<double>::quiet_NaN();
      return result_;
    }
    std::vector<Pattern> patterns;
    for (size_t bits = 0; bits < size_t{1} << signed_.size(); ++bits) {
      signs_.clear();
      for (size_t i = 0; i < signed_.size(); ++i) signs_.push_back((bits >> i & 1) != 0 ? -1 : 1);
      patterns.push_back(judge_pattern());
    }
    merge(patterns);
    return result_;
  }

 private:
  Pattern judge_pattern() {
    Pattern pattern;
    const StickingLoad load = find_load();
    if (load.status != StickingLoad::Status::kFound) {
      const bool none = load.status == StickingLoad::Status::kNone;
      pattern.feasible = none ? Answer::kNo : Answer::kUndecided;
      pattern.least.factor = none ? kInfinity : std::numeric_limits<double>::quiet_NaN();
      return pattern;
    }
    const VectorXd& w = load.w;
    const double limit = w.norm() > 0.0 ? w.norm() : 1.0;
    pattern.least = find_least_friction(D_, parts(load.closed, true), w);
    const std::vector<ForcePart> all = parts(load.closed, !coefficients_.known);
    const LoadSupport support = find_support(D_, all, w);
    pattern.tipping = support.tipping;
    pattern.loadable_known = !support.tipping;
    for (size_t i = 0; i < support.used.size(); ++i) {
      if (support.used[i] && all[i].contact >= 0) pattern.loadable.push_back(all[i].contact);
    }
    const ForceCones cones(D_, all);
    pattern.self_stress = cones.self_stress().depth >= -kSelfStressTolerance;
    if (!support.possible) {
      pattern.feasible = Answer::kNo;
      const ForceMargin margin = cones.margin(w, limit);
      if (margin.status == ConeStatus::kOptimal && margin.depth < 0.0) pattern.margin = margin.depth / limit;
      take_direction(cones, w, pattern);
      return pattern;
    }
    std::vector<ForcePart> used;
    for (size_t i = 0; i < all.size(); ++i) {
      if (support.used[i]) used.push_back(all[i]);
    }
    if (coefficients_.known) judge_cones(ForceCones(D_, used), w, limit, support.forces, pattern);
    const double insufficient = pattern.least.factor - pattern.least.gap;
    const bool too_little = coefficients_.known && coefficients_.largest < insufficient * (1.0 - kVerdictTolerance);
    if (pattern.feasible == Answer::kUndecided && !pattern.margin && too_little) pattern.feasible = Answer::kNo;
    if (pattern.feasible == Answer::kNo) take_direction(cones, w, pattern);
    return pattern;
  }

  void judge_cones(const ForceCones& cones, const VectorXd& w, double limit, const VectorXd& some_forces, Pattern& pattern) {
    if (!cones.has_cones()) {
      pattern.feasible = Answer::kYes;
      pattern.forces = some_forces;
      pattern.exact = cones.bound(w, some_forces, pattern.lower, pattern.upper);
      return;
    }
    const ForceMargin margin = cones.margin(w, limit);
    if (margin.status != ConeStatus::kOptimal) {
      // Forces of any size hide the depth; that of scaled loads decides too.
      const ForceMargin scaled = cones.scaled_margin(w);
      const bool no = scaled.status == ConeStatus::kInfeasible || scaled.depth < -kVerdictTolerance;
      if (scaled.status != ConeStatus::kUndecided && no) pattern.feasible = Answer::kNo;
      return;
    }
    const Verdict verdict = strict_verdict(margin.depth / limit);
    pattern.feasible = verdict.answer;
    pattern.margin = verdict.margin;
    if (verdict.no()) return;
    pattern.forces = margin.forces;
    if (verdict.yes()) {
      pattern.exact = cones.bound(w, margin.forces, pattern.lower, pattern.upper);
    } else {
      bound_on_boundary(cones, margin, w, limit, pattern);
    }
  }

  /// Some cones can only be loaded along an edge, or not at all.
  void bound_on_boundary(const ForceCones& cones, const ForceMargin& margin, const VectorXd& w, double limit,
                         Pattern& pattern) {
    const ForceCones faces(D_, cones.face(margin.slack));
    if (!faces.has_cones()) {
      pattern.exact = faces.bound(w, margin.forces, pattern.lower, pattern.upper);
      return;
    }
    const ForceMargin inside = faces.margin(w, limit);
    if (inside.status == ConeStatus::kOptimal && inside.depth > kVerdictTolerance * limit) {
      pattern.exact = faces.bound(w, inside.forces, pattern.lower, pattern.upper);
    } else if (inside.status == ConeStatus::kOptimal && faces.parts().size() < cones.parts().size()) {
      bound_on_boundary(faces, inside, w, limit, pattern);
    } else {
      pattern.exact = cones.bound(w, margin.forces, pattern.lower, pattern.upper);
    }
  }

  void take_direction(const ForceCones& cones, const VectorXd& w, Pattern& pattern) const {
    const VectorXd d = cones.scaled_margin(w).direction;
    if (d.size() > 0 && w.dot(d) < 0.0) pattern.direction = d / d.cwiseAbs().maxCoeff();
  }

  StickingLoad find_load() const {
    std::vector<int> sliding;
    for (size_t i = 0; i < signed_.size(); ++i) {
      if (problem_.bilateral[signed_[i]].slides()) sliding.push_back(signs_[i]);
    }
    return find_sticking_load(problem_, sliding);
  }

  std::vector<ForcePart> parts(const std::vector<bool>& closed, bool ratios) const {
    std::vector<ForcePart> all;
    const auto add = [&](const ContactRows& contact, int component, double sign, int index, Kind without_friction) {
      ForcePart part{.kind = without_friction, .component = component, .sign = sign, .friction = {}, .contact = index};
      if (contact.slides() && *contact.mu > 0.0) {
        part.kind = Kind::kRay;
        part.friction = -*contact.mu * contact.slip_direction();
      } else if (contact.tangent_count() > 0 && !contact.slides()) {
        part.mu = ratios ? coefficients_.ratio(contact) : *contact.mu;
        if (part.mu > 0.0) {
          part.kind = Kind::kCone;
          part.tangents = contact.tangent_count();
        }
      }
      all.push_back(part);
    };
    for (size_t i = 0; i < problem_.unilateral.size(); ++i) {
      if (closed[i]) add(problem_.unilateral[i], layout_.unilateral[i], 1.0, static_cast<int>(i), Kind::kRay);
    }
    size_t next = 0;
    for (size_t i = 0; i < problem_.bilateral.size(); ++i) {
      const bool with_sign = next < signed_.size() && signed_[next] == i;
      add(problem_.bilateral[i], layout_.bilateral[i], with_sign ? signs_[next++] : 1.0, -1, Kind::kFree);
    }
    return all;
  }

  void merge(const std::vector<Pattern>& patterns) {
    const auto rank = [](const Pattern& p) {
      return p.feasible == Answer::kYes ? 2 : p.feasible == Answer::kUndecided ? 1 : 0;
    };
    const auto best = std::max_element(patterns.begin(), patterns.end(), [&](const Pattern& a, const Pattern& b) {
      return std::pair(rank(a), a.margin.value_or(-kInfinity)) < std::pair(rank(b), b.margin.value_or(-kInfinity));
    });
    result_.feasible = {best->feasible, best->margin};
    result_.forces = best->forces;
    result_.blocking_direction = best->direction;
    result_.tipping = true;
    std::vector<bool> loadable(problem_.unilateral.size());
    bool known = false;
    for (const Pattern& pattern : patterns) {
      result_.tipping = result_.tipping && pattern.tipping;
      result_.self_stress = result_.self_stress || pattern.self_stress;
      if (!(pattern.least.factor >= result_.mu_min)) {
        result_.mu_min = pattern.least.factor;
        result_.mu_min_gap = pattern.least.gap;
        result_.mu_min_attained = pattern.least.attained;
      }
      known = known || pattern.loadable_known;
      for (const int contact : pattern.loadable) loadable[static_cast<size_t>(contact)] = true;
      if (pattern.lower.size() > 0) widen(pattern);
    }
    for (size_t i = 0; known && i < loadable.size(); ++i) {
      if (!loadable[i]) result_.unloadable.push_back(static_cast<int>(i));
    }
    if (result_.lower.size() > 0) {
      for (const int row : layout_.unilateral) result_.lower[row] = std::max(0.0, result_.lower[row]);  // round-off
    }
    result_.mu_factor = coefficients_.largest > 0.0 ? result_.mu_min / coefficients_.largest : kInfinity;
  }

  void widen(const Pattern& pattern) {
    result_.exact_bounds = result_.exact_bounds && pattern.exact;
    if (result_.lower.size() == 0) {
      result_.lower = pattern.lower;
      result_.upper = pattern.upper;
    } else {
      result_.lower = result_.lower.cwiseMin(pattern.lower);
      result_.upper = result_.upper.cwiseMax(pattern.upper);
    }
  }

  const AccelerationProblem& problem_;
  ForceLayout layout_;
  MatrixXd D_;
  Coefficients coefficients_;
  std::vector<size_t> signed_;  // bilateral contacts with friction
  std::vector<int> signs_;
  Sticking result_;
};

}  // namespace

Sticking judge_sticking(const AccelerationProblem& problem) {
  return Judge(problem).judge();
}

}  // namespace tippe
