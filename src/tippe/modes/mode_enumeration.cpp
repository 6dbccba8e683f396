// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/mode_enumeration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/combinations.h"
#include "tippe/core/verdict.h"
#include "tippe/modes/sliding_directions.h"
#include "tippe/solve/sliding_angles.h"

namespace tippe {
namespace {

using Eigen::VectorXd;

constexpr int kMostSliding = 12, kMostPlanar = 6, kMostSpatial = 4, kMostCases = 20000;
constexpr int kStarts = 12;  // of the search for directions in space

std::vector<ContactChoice> choices_of(const ContactRows& contact, bool unilateral) {
  std::vector<ContactChoice> choices;
  if (!has_friction(contact)) {
    choices.push_back({ContactMode::kClosed});
  } else {
    for (const int sign : {1, -1}) {
      if (unilateral && sign < 0) break;
      if (contact.slides()) {
        choices.push_back(ContactChoice::slide(contact.slip_direction(), sign));
        continue;
      }
      choices.push_back({ContactMode::kStick, sign});
      // In space the direction is found later.
      const VectorXd first = VectorXd::Unit(contact.tangent_count(), 0);
      choices.push_back(ContactChoice::slide(first, sign, true));
      if (contact.tangent_count() == 1) choices.push_back(ContactChoice::slide(-first, sign, true));
    }
  }
  if (unilateral) choices.push_back({ContactMode::kOpen});
  return choices;
}

std::vector<ContactChoice> choices_of(const DryFrictionRow& dry) {
  const VectorXd forward = VectorXd::Ones(1);
  if (dry.slip != 0.0) return {ContactChoice::slide(std::copysign(1.0, dry.slip) * forward)};
  return {{ContactMode::kStick}, ContactChoice::slide(forward, 1, true), ContactChoice::slide(-forward, 1, true)};
}

}  // namespace

bool has_friction(const ContactRows& contact) {
  return contact.tangent_count() > 0 && (!contact.mu || *contact.mu > 0.0);
}

ModeChoices list_choices(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry) {
  ModeChoices choices;
  int sliding = 0, planar = 0;
  double cases = 1.0;
  const auto add = [&](const ContactRows& contact, bool unilateral) {
    if (contact.tangent_count() > 0 && !contact.mu) {
      choices.refusal = fmt::format("the friction coefficient of '{}' is not known", contact.name);
      return;
    }
    choices.contacts.push_back(choices_of(contact, unilateral));
    cases *= static_cast<double>(choices.contacts.back().size());
    if (contact.tangent_count() > 2 && has_friction(contact) && !contact.slides() && choices.refusal.empty())
      choices.refusal = fmt::format("'{}' drills, and may begin to slide in directions that are not searched", contact.name);
    if (has_friction(contact)) (contact.slides() ? sliding : contact.tangent_count() == 1 ? planar : choices.spatial) += 1;
  };
  for (const ContactRows& contact : problem.unilateral) add(contact, true);
  for (const ContactRows& contact : problem.bilateral) add(contact, false);
  for (const DryFrictionRow& friction : dry) {
    choices.contacts.push_back(choices_of(friction));
    cases *= static_cast<double>(choices.contacts.back().size());
    planar += friction.slip == 0.0 ? 1 : 0;
  }
  const auto refuse = [&](int count, int most, const char* what) {
    if (count > most && choices.refusal.empty())
      choices.refusal = fmt::format("{} {}, and modes are tried for at most {}", count, what, most);
  };
  refuse(sliding, kMostSliding, "contacts slide");
  refuse(planar, kMostPlanar, "contacts in the plane may stick or slide");
  refuse(choices.spatial, kMostSpatial, "contacts in space may stick or slide");
  if (cases > kMostCases && choices.refusal.empty())
    choices.refusal = fmt::format("there are {:.3g} combinations of modes, and at most {} are tried", cases, kMostCases);
  return choices;
}

namespace {

/// Modes in which contacts begin to slide in directions that are not known.
class DirectionSearch {
 public:
  DirectionSearch(const ContactModes& modes, std::vector<ContactChoice> choices)
      : modes_(modes), choices_(std::move(choices)) {
    for (size_t i = 0; i < choices_.size(); ++i) {
      if (choices_[i].starts && choices_[i].mode == ContactMode::kSlide) turning_.push_back(i);
    }
  }

  [[nodiscard]] bool needed() const { return !turning_.empty(); }

  /// All directions, where there is one contact that turns. False: there are more, or the equations do not decide.
  bool try_all(ModeRules rules, const ModeVisit& visit) {
    if (turning_.size() != 1) return false;
    const std::optional<std::vector<double>> angles = sliding_directions(modes_, choices_, turning_[0]);
    if (!angles) return false;
    for (const double angle : *angles) {
      direct(VectorXd::Constant(1, angle));
      judge(rules, visit);
    }
    return true;
  }

  void search(ModeRules rules, const ModeVisit& visit) {
    for (int start = 0; start < kStarts; ++start) {
      VectorXd angles(static_cast<Eigen::Index>(turning_.size()));
      for (size_t t = 0; t < turning_.size(); ++t) angles[static_cast<Eigen::Index>(t)] = start_angle(start, t);
      const SlidingAngles found = find_sliding_angles([this](const VectorXd& a) { return misalignment(a); }, angles, 1e-15);
      if (found.misalignment.size() == 0 || found.misalignment.cwiseAbs().maxCoeff() > 0.1 * kVerdictTolerance) continue;
      direct(found.angles);
      judge(rules, visit);
    }
  }

 private:
  /// Evenly spread: multiples of a fraction of a turn that is another for each contact.
  static double start_angle(int start, size_t contact) {
    constexpr double kFractions[] = {1.0 / 12.0, 0.6180339887498949, 0.4142135623730951, 0.7320508075688772};
    const double turns = (start + 0.3) * kFractions[contact];
    return 2.0 * std::numbers::pi * (turns - std::floor(turns));
  }

  void direct(const VectorXd& angles) {
    for (size_t t = 0; t < turning_.size(); ++t) {
      const double angle = angles[static_cast<Eigen::Index>(t)];
      choices_[turning_[t]].direction = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
  }

  /// Zero if every relative acceleration points along or against its direction. Empty if the equations have no solution.
  VectorXd misalignment(const VectorXd& angles) {
    direct(angles);
    ModePoint point;
    return modes_.solve_equations(choices_, point) ? misalignment(point) : VectorXd();
  }

  VectorXd misalignment(const ModePoint& point) const {
    const VectorXd relative = modes_.relative_acceleration(point);
    VectorXd result(static_cast<Eigen::Index>(turning_.size()));
    for (size_t t = 0; t < turning_.size(); ++t) {
      const Eigen::Index row = modes_.friction_component(turning_[t]);
      const VectorXd& direction = choices_[turning_[t]].direction;
      result[static_cast<Eigen::Index>(t)] = relative[row + 1] * direction[0] - relative[row] * direction[1];
    }
    return result;
  }

  /// The mode with these directions like any other. Forces may be split in several ways, as long as no relative acceleration turns.
  void judge(ModeRules rules, const ModeVisit& visit) const {
    ModeJudgement judgement = judge_mode(modes_, choices_, rules);
    if (judgement.status == ModeJudgement::Status::kUndecided) visit(choices_, std::move(judgement));
    if (judgement.status != ModeJudgement::Status::kConsistent) return;
    const auto turned = [this](const ModePoint& point) {
      return misalignment(point).cwiseAbs().maxCoeff() > kVerdictTolerance;
    };
    std::erase_if(judgement.other_motions, turned);
    if (turned(judgement.point)) {
      if (judgement.other_motions.empty()) return;
      judgement.point = std::move(judgement.other_motions.back());
      judgement.other_motions.pop_back();
    }
    judgement.complete = true;  // whether there are others is the question of further directions
    visit(choices_, std::move(judgement));
  }

  const ContactModes& modes_;
  std::vector<ContactChoice> choices_;
  std::vector<size_t> turning_;  // contacts whose direction of sliding is not known
};

}  // namespace

Enumeration enumerate_modes(const ContactModes& modes, const std::vector<std::vector<ContactChoice>>& possible,
                            ModeRules rules, const ModeVisit& visit) {
  Enumeration result;
  for_each_combination(possible, [&](const std::vector<ContactChoice>& choices) {
    ++result.cases;
    DirectionSearch directions(modes, choices);
    if (!directions.needed()) return visit(choices, judge_mode(modes, choices, rules));
    if (directions.try_all(rules, visit)) return;
    result.exhaustive = false;
    directions.search(rules, visit);
  });
  return result;
}

}  // namespace tippe
