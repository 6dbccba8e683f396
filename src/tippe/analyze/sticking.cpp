// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sticking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tippe/analyze/force_parts.h"
#include "tippe/analyze/friction_trade_off.h"
#include "tippe/analyze/least_friction.h"
#include "tippe/analyze/load_support.h"
#include "tippe/analyze/sticking_load.h"
#include "tippe/analyze/sticking_motions.h"
#include "tippe/analyze/tolerances.h"
#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = ForcePart::Kind;

constexpr double kNotFound = std::numeric_limits<double>::quiet_NaN();
constexpr int kMaxSigned = 12;

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

/// One motion with one choice of signs of the bilateral contacts with friction. Forces are in units of the load.
struct Pattern {
  Answer feasible = Answer::kUndecided;
  bool all_closed = true;  // no contact opens in the motion
  std::optional<double> margin;
  VectorXd forces, lower, upper, direction;
  bool exact = true, tipping = false, self_stress = false;
  LeastFriction least;
  std::vector<int> loadable;    // unilateral contacts
  bool loadable_known = false;  // false: there is no load to carry, or no normal forces carry it
};

class StickingJudge {
 public:
  StickingJudge(const AccelerationProblem& problem, bool trade_offs)
      : problem_(problem),
        layout_(problem),
        directions_(problem),
        coefficients_(problem),
        signed_(signed_contacts(problem)),
        trade_offs_(trade_offs) {}

  Sticking judge(const StickingMotions& motions) {
    result_.mu_known = coefficients_.known;
    if (motions.accelerations.empty() && !motions.complete) return leave_open("no motion of the contacts is known");
    std::vector<Pattern> patterns;
    for (const VectorXd& acceleration : motions.accelerations) {
      load_ = find_sticking_load(problem_, directions_, acceleration);
      const std::vector<size_t> open = decide_signs();
      if (open.size() > kMaxSigned)
        return leave_open(
            fmt::format("{} bilateral contacts with friction may push or pull, and both are tried for at most {}",
                        open.size(), kMaxSigned));
      for (size_t bits = 0; bits < size_t{1} << open.size(); ++bits) {
        for (size_t i = 0; i < open.size(); ++i) signs_[open[i]] = (bits >> i & 1) != 0 ? -1 : 1;
        patterns.push_back(in_given_units(judge_pattern()));
        patterns.back().all_closed = load_.all_closed();
      }
    }
    merge(patterns, motions.complete);
    if (trade_offs_ && patterns.size() == 1 && motions.complete) find_trade_offs();
    return result_;
  }

 private:
  Sticking leave_open(std::string reason) {
    result_.mu_min = result_.mu_factor = kNotFound;
    result_.reason = std::move(reason);
    return result_;
  }

  /// Signs that the load decides whatever the friction; returns the contacts that it leaves open.
  std::vector<size_t> decide_signs() {
    constexpr size_t kFewSigned = 3;  // whose signs are all tried sooner than it is known which can be
    signs_.assign(signed_.size(), 1);
    std::vector<size_t> open;
    std::vector<unsigned> possible(problem_.bilateral.size(), 3U);
    if (signed_.size() > kFewSigned) {
      std::vector<ForcePart> all = parts(true);
      const size_t first = all.size() - problem_.bilateral.size();
      for (const size_t i : signed_) {  // friction of any size, of either sign
        all[first + i].kind = Part::kFree;
        all[first + i].sign = 1.0;
        all[first + i].tangents = problem_.bilateral[i].tangent_count();
      }
      const std::vector<unsigned> signs = possible_signs(directions_.columns(), all, load_.w);
      for (const size_t i : signed_) possible[i] = signs[first + i];
    }
    for (size_t k = 0; k < signed_.size(); ++k) {
      if (possible[signed_[k]] == 2U) signs_[k] = -1;
      if (possible[signed_[k]] == 3U) open.push_back(k);
    }
    return open;
  }

  Pattern judge_pattern() const {
    Pattern pattern;
    const MatrixXd& D = directions_.columns();
    const std::vector<ForcePart> in_ratios = parts(true), all = parts(!coefficients_.known);
    const LoadSupport any_friction = find_support(D, in_ratios, load_.w);
    pattern.least = find_least_friction(in_ratios, any_friction);
    // Without any friction given there are other parts: rays in place of cones.
    const bool smooth = coefficients_.known && coefficients_.largest == 0.0;
    const LoadSupport support = smooth ? find_support(D, all, load_.w) : any_friction;
    pattern.tipping = support.tipping;
    pattern.loadable_known = !support.tipping && support.possible != Answer::kUndecided;
    for (size_t i = 0; i < all.size(); ++i) {
      if (support.used[i] && all[i].contact >= 0) pattern.loadable.push_back(all[i].contact);
    }
    const HeldLoad held = restrict_load(D, all, load_.w);
    const ForceCones cones(held.directions, all);
    pattern.self_stress = cones.self_stress().depth >= -kZeroDepth;
    if (support.possible != Answer::kYes) {
      pattern.feasible = support.possible;
      if (support.possible == Answer::kNo) explain_no(held, cones, pattern);
      return pattern;
    }
    if (coefficients_.known) judge_cones(used_parts(all, support), support, pattern);
    const double insufficient = pattern.least.factor - pattern.least.gap;
    const bool too_little = coefficients_.known && coefficients_.largest < insufficient * (1.0 - kVerdictTolerance);
    if (pattern.feasible == Answer::kUndecided && !pattern.margin && too_little) pattern.feasible = Answer::kNo;
    if (pattern.feasible == Answer::kNo) take_direction(held, cones, pattern);
    return pattern;
  }

  static std::vector<ForcePart> used_parts(const std::vector<ForcePart>& all, const LoadSupport& support) {
    std::vector<ForcePart> used;
    for (size_t i = 0; i < all.size(); ++i) {
      if (support.used[i]) used.push_back(all[i]);
    }
    return used;
  }

  void explain_no(const HeldLoad& held, const ForceCones& cones, Pattern& pattern) const {
    if (held.inside == Answer::kNo) {
      pattern.direction = directions_.motion_of(-held.outside);
      return;
    }
    const ForceMargin margin = cones.margin(held.w, 1.0);
    if (margin.status == ConeStatus::kOptimal && margin.depth < 0.0) pattern.margin = margin.depth;
    take_direction(held, cones, pattern);
  }

  void judge_cones(const std::vector<ForcePart>& used, const LoadSupport& support, Pattern& pattern) const {
    const ForceCones cones(support.held.directions, used);
    const VectorXd& w = support.held.w;
    if (!cones.has_cones()) {
      pattern.feasible = Answer::kYes;
      pattern.forces = support.forces;
      pattern.exact = cones.bound(w, support.forces, pattern.lower, pattern.upper);
      return;
    }
    const ForceMargin margin = cones.margin(w, 1.0);
    if (margin.status != ConeStatus::kOptimal) {
      // Forces of any size hide the depth; that of scaled loads decides too.
      const ForceMargin scaled = cones.scaled_margin(w);
      const bool no = scaled.status == ConeStatus::kInfeasible || scaled.depth < -kVerdictTolerance;
      if (scaled.status != ConeStatus::kUndecided && no) pattern.feasible = Answer::kNo;
      return;
    }
    const Verdict verdict = strict_verdict(margin.depth);
    pattern.feasible = verdict.answer;
    pattern.margin = verdict.margin;
    if (verdict.no()) return;
    pattern.forces = margin.forces;
    if (verdict.yes()) {
      pattern.exact = cones.bound(w, margin.forces, pattern.lower, pattern.upper);
    } else {
      bound_on_boundary(support.held, cones, margin, pattern);
    }
  }

  /// Some cones can only be loaded along an edge, or not at all.
  void bound_on_boundary(const HeldLoad& load, const ForceCones& cones, const ForceMargin& margin, Pattern& pattern) const {
    const HeldLoad held = restrict_load(load.directions, cones.face(margin.slack), load.w);
    const ForceCones faces(held.directions, cones.face(margin.slack));
    if (held.inside == Answer::kYes && !faces.has_cones()) {
      pattern.exact = faces.bound(held.w, margin.forces, pattern.lower, pattern.upper);
      return;
    }
    const ForceMargin inside = held.inside == Answer::kYes ? faces.margin(held.w, 1.0) : ForceMargin{};
    if (inside.status == ConeStatus::kOptimal && inside.depth > kVerdictTolerance) {
      pattern.exact = faces.bound(held.w, inside.forces, pattern.lower, pattern.upper);
    } else if (inside.status == ConeStatus::kOptimal && faces.parts().size() < cones.parts().size()) {
      bound_on_boundary(held, faces, inside, pattern);
    } else {
      pattern.exact = cones.bound(load.w, margin.forces, pattern.lower, pattern.upper);
    }
  }

  void take_direction(const HeldLoad& held, const ForceCones& cones, Pattern& pattern) const {
    const VectorXd d = cones.scaled_margin(held.w).direction;
    if (d.size() > 0 && held.w.dot(d) < 0.0) pattern.direction = directions_.motion_of(held.basis * d);
  }

  Pattern in_given_units(Pattern pattern) const {
    for (VectorXd* forces : {&pattern.forces, &pattern.lower, &pattern.upper}) {
      if (forces->size() > 0) *forces = load_.size * forces->cwiseProduct(directions_.force_units());
    }
    return pattern;
  }

  std::vector<ForcePart> parts(bool ratios) const {
    return force_parts(problem_, load_.closed, signs_,
                       [&](const ContactRows& contact) { return ratios ? coefficients_.ratio(contact) : *contact.mu; });
  }

  /// The least coefficient of each contact alone, with the last load and signs.
  void find_trade_offs() {
    constexpr size_t kMostTraded = 8;
    const std::vector<ForcePart> all = parts(!coefficients_.known);
    // Where the others have friction without limit it does not matter how much they have. The signs of bilateral ones
    // without any are not known.
    const std::vector<ForcePart> rough = force_parts(problem_, load_.closed, signs_, [&](const ContactRows& contact) {
      return std::ranges::find(problem_.bilateral, contact.name, &ContactRows::name) == problem_.bilateral.end()
                 ? 1.0
                 : coefficients_.ratio(contact);
    });
    const auto find = [&](const std::vector<ContactRows>& contacts, const std::vector<int>& rows) {
      for (size_t i = 0; i < contacts.size(); ++i) {
        if (contacts[i].tangent_count() == 0 || contacts[i].slides()) continue;
        TradeOff& trade = result_.trade_offs.emplace_back(TradeOff{contacts[i].name});
        const auto part = std::ranges::find(all, rows[i], &ForcePart::component);
        // It opens; or its force may push and pull, since it has no friction.
        if (part == all.end() || part->kind == Part::kFree) continue;
        const auto which = static_cast<size_t>(part - all.begin());
        const auto least = [&](bool unlimited) {
          std::vector<ForcePart> with_cone = unlimited ? rough : all;
          with_cone[which].kind = Part::kCone;
          with_cone[which].tangents = contacts[i].tangent_count();
          return least_own_friction(directions_.columns(), with_cone, load_.w, which, unlimited);
        };
        if (coefficients_.known) trade.others_given = least(false);
        trade.others_unlimited = least(true);
      }
    };
    const auto count = std::ranges::count_if(all, [](const ForcePart& part) { return part.kind == Part::kCone; });
    if (static_cast<size_t>(count) > kMostTraded) return;
    find(problem_.unilateral, layout_.unilateral);
    find(problem_.bilateral, layout_.bilateral);
    if (result_.trade_offs.size() < 2) result_.trade_offs.clear();  // that is mu_min
    find_fronts(all);
  }

  /// The same for each two of them.
  void find_fronts(std::vector<ForcePart> all) {
    constexpr size_t kMostPaired = 4;
    std::vector<std::pair<std::string, size_t>> cones;
    const auto find = [&](const std::vector<ContactRows>& contacts, const std::vector<int>& rows) {
      for (size_t i = 0; i < contacts.size(); ++i) {
        const auto part = std::ranges::find(all, rows[i], &ForcePart::component);
        if (contacts[i].tangent_count() == 0 || contacts[i].slides() || part == all.end() || part->kind == Part::kFree)
          continue;
        part->kind = Part::kCone;
        part->tangents = contacts[i].tangent_count();
        cones.emplace_back(contacts[i].name, static_cast<size_t>(part - all.begin()));
      }
    };
    const std::vector<ForcePart> given = all;
    find(problem_.unilateral, layout_.unilateral);
    find(problem_.bilateral, layout_.bilateral);
    if (!coefficients_.known || cones.size() > kMostPaired) return;
    for (size_t a = 0; a < cones.size(); ++a) {
      for (size_t b = a + 1; b < cones.size(); ++b) {
        std::vector<ForcePart> parts = given;
        for (const size_t which : {cones[a].second, cones[b].second}) parts[which] = all[which];
        result_.fronts.push_back(
            {{cones[a].first, cones[b].first},
             friction_front(directions_.columns(), parts, load_.w, {cones[a].second, cones[b].second})});
      }
    }
  }

  void merge(const std::vector<Pattern>& patterns, bool complete) {
    const auto rank = [](const Pattern& p) {
      return p.feasible == Answer::kYes ? 2 : p.feasible == Answer::kUndecided ? 1 : 0;
    };
    result_.feasible = {Answer::kNo, std::nullopt};
    if (!patterns.empty()) {
      const auto best = std::max_element(patterns.begin(), patterns.end(), [&](const Pattern& a, const Pattern& b) {
        return std::pair(rank(a), a.margin.value_or(-kInfinity)) < std::pair(rank(b), b.margin.value_or(-kInfinity));
      });
      result_.feasible = {best->feasible, best->margin};
      result_.forces = best->forces;
      result_.blocking_direction = best->direction;
    }
    const auto tips = [](const Pattern& pattern) { return pattern.tipping; };
    result_.tipping = complete && !patterns.empty() && std::all_of(patterns.begin(), patterns.end(), tips);
    if (!complete && result_.feasible.no()) {
      result_.feasible = {};
      result_.blocking_direction.resize(0);
    }
    merge_persistence(patterns, complete);
    std::vector<bool> loadable(problem_.unilateral.size());
    bool known = complete && !patterns.empty();
    for (const Pattern& pattern : patterns) {
      result_.self_stress = result_.self_stress || pattern.self_stress;
      known = known && (pattern.loadable_known || pattern.tipping);
      for (const int contact : pattern.loadable) {
        if (!pattern.tipping) loadable[static_cast<size_t>(contact)] = true;
      }
      if (pattern.lower.size() > 0) widen(pattern);
    }
    known = known && !result_.tipping;
    for (size_t i = 0; known && i < loadable.size(); ++i) {
      if (!loadable[i]) result_.unloadable.push_back(static_cast<int>(i));
    }
    if (result_.lower.size() > 0) {
      for (const int row : layout_.unilateral) result_.lower[row] = std::max(0.0, result_.lower[row]);  // round-off
    }
    merge_least_friction(patterns, complete);
  }

  void merge_persistence(const std::vector<Pattern>& patterns, bool complete) {
    result_.persistent = {complete ? Answer::kNo : Answer::kUndecided, std::nullopt};
    for (const Pattern& pattern : patterns) {
      if (!pattern.all_closed || pattern.feasible == Answer::kNo || result_.persistent.yes()) continue;
      result_.persistent = {pattern.feasible, pattern.margin};
    }
  }

  /// The least of all; what is not known of one leaves the gap open, or all of it if no other has an end.
  void merge_least_friction(const std::vector<Pattern>& patterns, bool complete) {
    double proved = complete ? kInfinity : 0.0;
    result_.mu_min = kInfinity;
    for (const Pattern& pattern : patterns) {
      const LeastFriction& least = pattern.least;
      if (least.factor < result_.mu_min) {
        result_.mu_min = least.factor;
        result_.mu_min_attained = least.attained;
      }
      const double lower = std::isnan(least.factor) ? 0.0 : std::isinf(least.factor) ? kInfinity : least.factor - least.gap;
      proved = std::min(proved, lower);
    }
    if (std::isinf(result_.mu_min) && !std::isinf(proved)) result_.mu_min = kNotFound;
    if (std::isfinite(result_.mu_min)) result_.mu_min_gap = result_.mu_min - proved;
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
  UnitDirections directions_;
  Coefficients coefficients_;
  std::vector<size_t> signed_;  // bilateral contacts with friction
  bool trade_offs_;
  std::vector<int> signs_;
  StickingLoad load_;
  Sticking result_;
};

}  // namespace

Sticking judge_sticking(const AccelerationProblem& problem, const StickingMotions& motions, bool trade_offs) {
  return StickingJudge(problem, trade_offs).judge(motions);
}

Sticking judge_sticking(const AccelerationProblem& problem) {
  return judge_sticking(problem, find_sticking_motions(problem));
}

}  // namespace tippe
