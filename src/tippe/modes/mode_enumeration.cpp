// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/mode_enumeration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tippe/core/least_squares.h"
#include "tippe/core/verdict.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Choice = ContactChoice::Kind;

constexpr int kMostSliding = 12, kMostPlanar = 6, kMostSpatial = 4, kMostCases = 20000;
constexpr int kStarts = 12;  // of the search for directions in space

std::vector<ContactChoice> choices_of(const ContactRows& contact, bool unilateral) {
  std::vector<ContactChoice> choices;
  if (!has_friction(contact)) {
    choices.push_back({Choice::kSmooth});
  } else {
    for (const int sign : {1, -1}) {
      if (unilateral && sign < 0) break;
      if (contact.slides()) {
        choices.push_back({Choice::kSlide, sign, contact.slip_direction()});
        continue;
      }
      choices.push_back({Choice::kStick, sign});
      // In space the direction is found later.
      const VectorXd first = VectorXd::Unit(contact.tangent_count(), 0);
      choices.push_back({Choice::kSlide, sign, first, true});
      if (contact.tangent_count() == 1) choices.push_back({Choice::kSlide, sign, -first, true});
    }
  }
  if (unilateral) choices.push_back({Choice::kOpen});
  return choices;
}

std::vector<ContactChoice> choices_of(const DryFrictionRow& dry) {
  const VectorXd forward = VectorXd::Ones(1);
  if (dry.slip != 0.0) return {{Choice::kSlide, 1, std::copysign(1.0, dry.slip) * forward}};
  return {{Choice::kStick}, {Choice::kSlide, 1, forward, true}, {Choice::kSlide, 1, -forward, true}};
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

class Enumerator {
 public:
  Enumerator(const AccelerationProblem& problem, const ContactModes& modes)
      : modes_(modes), possible_(list_choices(problem)) {
    for (size_t i = 0; i < problem.unilateral.size(); ++i)
      contacts_.push_back({&problem.unilateral[i], modes.layout().unilateral[i]});
    for (size_t i = 0; i < problem.bilateral.size(); ++i)
      contacts_.push_back({&problem.bilateral[i], modes.layout().bilateral[i]});
  }

  EnumeratedModes enumerate() {
    result_.refusal = possible_.refusal;
    if (!result_.refusal.empty()) return std::move(result_);
    std::vector<ContactChoice> choices(contacts_.size());
    try_all(choices, 0);
    return std::move(result_);
  }

 private:
  struct Contact {
    const ContactRows* rows;
    int row;  // in the layout
  };

  void try_all(std::vector<ContactChoice>& choices, size_t next) {
    if (next == contacts_.size()) {
      ++result_.cases;
      try_mode(choices);
      return;
    }
    for (const ContactChoice& choice : possible_.contacts[next]) {
      choices[next] = choice;
      try_all(choices, next + 1);
    }
  }

  void try_mode(const std::vector<ContactChoice>& choices) {
    turning_.clear();
    for (size_t i = 0; i < choices.size(); ++i) {
      if (choices[i].starts && contacts_[i].rows->tangent_count() == 2) turning_.push_back(i);
    }
    if (turning_.empty()) {
      const ModeSolution solution = modes_.solve(choices);
      result_.complete = result_.complete && solution.complete && solution.status != ModeSolution::Status::kUndecided;
      take(choices, solution);
      return;
    }
    result_.exhaustive = false;
    for (int start = 0; start < kStarts; ++start) search_directions(choices, start);
  }

  void take(const std::vector<ContactChoice>& choices, const ModeSolution& solution) {
    for (const ModePoint& point : solution.points) {
      const bool known = std::any_of(result_.motions.begin(), result_.motions.end(),
                                     [&](const auto& motion) { return modes_.same_motion(motion.point, point); });
      if (!known) result_.motions.push_back({choices, point});
    }
  }

  /// Evenly spread: multiples of a fraction of a turn that is another for each contact.
  static double start_angle(int start, size_t contact) {
    constexpr double kFractions[] = {1.0 / 12.0, 0.6180339887498949, 0.4142135623730951, 0.7320508075688772};
    const double turns = (start + 0.3) * kFractions[contact];
    return 2.0 * std::numbers::pi * (turns - std::floor(turns));
  }

  void direct(std::vector<ContactChoice>& choices, const VectorXd& angles) const {
    for (size_t t = 0; t < turning_.size(); ++t) {
      const double angle = angles[static_cast<Eigen::Index>(t)];
      choices[turning_[t]].direction = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
  }

  /// Zero if every relative acceleration points along or against its direction. Not relative to its size: where that is small, its
  /// direction hardly depends on the angle but at the solution. Empty if the equations have no solution.
  VectorXd misalignment(std::vector<ContactChoice>& choices, const VectorXd& angles) const {
    direct(choices, angles);
    ModePoint point;
    if (!modes_.solve_equations(choices, point)) return {};
    return misalignment_of(choices, point);
  }

  VectorXd misalignment_of(const std::vector<ContactChoice>& choices, const ModePoint& point) const {
    const VectorXd relative = modes_.relative_acceleration(point);
    VectorXd result(static_cast<Eigen::Index>(turning_.size()));
    for (size_t t = 0; t < turning_.size(); ++t) {
      const int row = contacts_[turning_[t]].row + 1;
      const VectorXd& direction = choices[turning_[t]].direction;
      result[static_cast<Eigen::Index>(t)] = relative[row + 1] * direction[0] - relative[row] * direction[1];
    }
    return result;
  }

  /// Newton's method on the angles, the derivative by differences; then the mode with these directions is judged like any other.
  void search_directions(std::vector<ContactChoice> choices, int start) {
    const auto count = static_cast<Eigen::Index>(turning_.size());
    VectorXd angles(count);
    for (Eigen::Index t = 0; t < count; ++t) angles[t] = start_angle(start, static_cast<size_t>(t));
    VectorXd value = misalignment(choices, angles);
    if (value.size() == 0) return;
    for (int iteration = 0; iteration < 40 && value.cwiseAbs().maxCoeff() > 1e-15; ++iteration) {
      MatrixXd derivative(count, count);
      for (Eigen::Index t = 0; t < count; ++t) {
        constexpr double kStep = 1e-6;
        VectorXd up = angles, down = angles;
        up[t] += kStep;
        down[t] -= kStep;
        const VectorXd above = misalignment(choices, up), below = misalignment(choices, down);
        if (above.size() == 0 || below.size() == 0) return;
        derivative.col(t) = (above - below) / (2.0 * kStep);
      }
      VectorXd step = LeastSquares(derivative).solve(-value);
      const double largest = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(largest)) return;
      if (largest > 0.5) step *= 0.5 / largest;
      bool better = false;
      for (double damping = 1.0; damping > 1e-3 && !better; damping *= 0.5) {
        const VectorXd trial = angles + damping * step, trial_value = misalignment(choices, trial);
        if (trial_value.size() == 0 || trial_value.norm() >= value.norm()) continue;
        angles = trial;
        value = trial_value;
        better = true;
      }
      if (!better) break;
    }
    if (value.cwiseAbs().maxCoeff() > 0.1 * kVerdictTolerance) return;
    direct(choices, angles);
    ModeSolution solution = modes_.solve_shortest(choices);
    if (solution.points.empty()) {
      // Forces may be split in another way, as long as no relative acceleration turns.
      solution = modes_.solve(choices);
      std::erase_if(solution.points, [&](const ModePoint& point) {
        return misalignment_of(choices, point).cwiseAbs().maxCoeff() > kVerdictTolerance;
      });
    }
    take(choices, solution);
  }

  const ContactModes& modes_;
  ModeChoices possible_;
  std::vector<Contact> contacts_;
  std::vector<size_t> turning_;  // contacts whose direction of sliding is not known
  EnumeratedModes result_;
};

}  // namespace

EnumeratedModes enumerate_modes(const AccelerationProblem& problem, const ContactModes& modes) {
  return Enumerator(problem, modes).enumerate();
}

}  // namespace tippe
