// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/core/rank_decision.h"
#include "tippe/modes/mode_lister.h"
#include "tippe/modes/motion.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = ModeJudgement::Status;
using What = ModeCondition::What;

constexpr size_t kMostRejected = 256;
constexpr int kFewSpatial = 2;    // contacts at rest in space: of so few the modes are searched beside the solution
constexpr double kFewCases = 27;  // and so many combinations
constexpr size_t kFewSmooth = 4;  // contacts without friction: so few are enumerated, more go to a quadratic program

class Lister {
 public:
  Lister(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry, const ModeOptions& options,
         const ModeUnits& units)
      : problem_(problem), dry_(dry), options_(options), units_(units), modes_(problem, dry) {
    const auto add = [&](const std::string& name, bool listed) {
      if (listed) {
        listed_.push_back(names_.size());
        list_.contacts.push_back(name);
      }
      names_.push_back(name);
    };
    for (const ContactRows& contact : problem.unilateral) add(contact.name, true);
    for (const ContactRows& contact : problem.bilateral) add(contact.name, has_friction(contact));
    for (const DryFrictionRow& friction : dry) add(friction.name, true);
  }

  ModeList list() {
    const auto known = [](const ContactRows& contact) { return contact.tangent_count() == 0 || contact.mu.has_value(); };
    possible_ = list_choices(problem_, dry_);
    if (!std::all_of(problem_.unilateral.begin(), problem_.unilateral.end(), known) ||
        !std::all_of(problem_.bilateral.begin(), problem_.bilateral.end(), known)) {
      list_.complete = false;
      list_.note = possible_.refusal;
    } else if (smooth() && problem_.unilateral.size() > kFewSmooth) {
      minimize();
    } else if (!possible_.refusal.empty() || possible_.spatial > 0) {
      solve();
    } else {
      enumerate();
    }
    return std::move(list_);
  }

 private:
  bool smooth() const {
    return dry_.empty() && std::none_of(problem_.unilateral.begin(), problem_.unilateral.end(), has_friction) &&
           std::none_of(problem_.bilateral.begin(), problem_.bilateral.end(), has_friction);
  }

  void enumerate() {
    const Enumeration all =
        enumerate_modes(modes_, possible_.contacts, ModeRules::kDisjoint,
                        [this](const auto& choices, ModeJudgement&& judgement) { judged(choices, std::move(judgement)); });
    list_.cases = all.cases;
  }

  void judged(const std::vector<ContactChoice>& choices, ModeJudgement&& judgement) {
    if (judgement.status == Status::kConsistent) {
      take(choices, std::move(judgement));
      return;
    }
    if (judgement.status == Status::kUndecided) {
      list_.complete = false;
      say("a mode could not be decided numerically");
    }
    if (options_.rejected && list_.rejected.size() < kMostRejected)
      list_.rejected.push_back({modes_of(choices), reasons_against(judgement, modes_, names_, units_)});
  }

  /// The same up to directions without mass that move as they like.
  bool same(size_t m, const ModeJudgement& judgement) const {
    if (massless_[m].cols() == 0 && judgement.massless.cols() == 0) return modes_.same_motion(points_[m], judgement.point);
    ModePoint one = points_[m], other = judgement.point;
    MatrixXd free(one.acceleration.size(), massless_[m].cols() + judgement.massless.cols());
    free << massless_[m], judgement.massless;
    const MatrixXd range = decide_rank(free).range;
    one.acceleration -= range * (range.transpose() * one.acceleration);
    other.acceleration -= range * (range.transpose() * other.acceleration);
    return modes_.same_motion(one, other);
  }

  /// Modes with the same motion are one: the first, closed rather than open and sticking rather than sliding, with a tie.
  void take(const std::vector<ContactChoice>& choices, ModeJudgement judgement) {
    const std::vector<ContactMode> contacts = modes_of(choices);
    for (size_t m = 0; m < points_.size(); ++m) {
      if (!same(m, judgement)) continue;
      for (size_t c = 0; c < contacts.size(); ++c) {
        if (contacts[c] != list_.modes[m].contacts[c]) add_tie(list_.modes[m], c);
      }
      return;
    }
    list_.modes.push_back(describe(choices, judgement));
    points_.push_back(judgement.point);
    massless_.push_back(judgement.massless);
    if (!judgement.motion_defined)
      say("directions without mass that nothing holds move as they like: their motion is not defined");
    if (judgement.unbalanced.size() > 0)
      say("a load along a direction without mass is balanced by nothing: no bounded acceleration goes with it");
    if (!judgement.motion_unique) say("a mode leaves its motion open: the same contacts with different motions");
  }

  std::vector<ContactMode> modes_of(const std::vector<ContactChoice>& choices) const {
    std::vector<ContactMode> modes;
    for (const size_t i : listed_) modes.push_back(choices[i].mode);
    return modes;
  }

  ConsistentMode describe(const std::vector<ContactChoice>& choices, const ModeJudgement& judgement) {
    ConsistentMode mode;
    mode.contacts = modes_of(choices);
    const VectorXd &a = judgement.point.acceleration, &f = judgement.point.forces;
    const double size = std::max({1.0, a.cwiseAbs().maxCoeff(), f.size() > 0 ? f.cwiseAbs().maxCoeff() : 0.0});
    const auto clean = [size](const VectorXd& x) -> VectorXd {  // of round-off
      return (x.array().abs() > 2e-15 * size).select(x, 0.0);
    };
    mode.motion = modes_.acceleration({clean(a), f});
    mode.forces = modes_.forces({a, clean(f)});
    mode.forces_unique = judgement.forces_unique;
    mode.lower = modes_.forces({a, clean(judgement.lower)});
    mode.upper = modes_.forces({a, clean(judgement.upper)});
    mode.motion_unique = judgement.motion_unique;
    mode.motion_lower = mode.motion_upper = mode.motion;
    if (!judgement.motion_unique) {
      mode.motion_lower = modes_.acceleration({clean(judgement.motion_lower), f});
      mode.motion_upper = modes_.acceleration({clean(judgement.motion_upper), f});
    }
    if (judgement.unbalanced.size() > 0) mode.unbalanced = modes_.load(judgement.unbalanced);
    mode.residual = judgement.residual;
    set_trends(mode);
    for (size_t c = 0; c < listed_.size(); ++c) {
      if (choices[listed_[c]].sign < 0) mode.trending[c].sign = -1;
    }
    const ModeEquations& equations = judgement.equations;
    for (size_t i = 0; i < equations.conditions.size(); ++i) {
      const ModeCondition& condition = equations.conditions[i];
      if (condition.strict() ||
          judgement.slack[static_cast<Index>(i)] > mode_tolerance(judgement.terms[static_cast<Index>(i)]))
        continue;
      const auto listed = std::find(listed_.begin(), listed_.end(), static_cast<size_t>(condition.contact));
      add_tie(mode, static_cast<size_t>(listed - listed_.begin()));
    }
    return mode;
  }

  static void set_trends(ConsistentMode& mode) {
    for (const ContactMode contact : mode.contacts) mode.trending.push_back({contact == ContactMode::kOpen ? 2 : 0, 1});
  }

  static void add_tie(ConsistentMode& mode, size_t contact) {
    const int c = static_cast<int>(contact);
    const auto place = std::lower_bound(mode.ties.begin(), mode.ties.end(), c);
    if (place == mode.ties.end() || *place != c) mode.ties.insert(place, c);
    mode.trending[contact] = {0, 0};
  }

  /// Gauss' principle, Johnson's Theorem 2 for impacts: without friction the motion is that of a quadratic program.
  void minimize() {
    AccelerationProblem bare = problem_;
    for (auto* contacts : {&bare.unilateral, &bare.bilateral}) {
      for (ContactRows& contact : *contacts) {
        contact.tangents.resize(problem_.n(), 0);
        contact.tangent_drift.resize(0);
        contact.slip.resize(0);
      }
    }
    const Motion motion = find_motion(bare, stack(bare));
    if (!motion.found) {
      if (possible_.refusal.empty()) return enumerate();
      list_.complete = false;
      say(fmt::format("no motion was found by the quadratic program, residual {:.3g}", motion.residual));
      return;
    }
    std::vector<ContactChoice> choices;
    for (const auto& of_contact : possible_.contacts) choices.push_back(of_contact[0]);
    for (size_t i = 0; i < problem_.unilateral.size(); ++i) {
      const ContactRows& contact = problem_.unilateral[i];
      const double opening = contact.normal.dot(motion.acceleration) + contact.drift;
      if (opening > mode_tolerance(1.0) * modes_.acceleration_unit(modes_.first_component(i)))
        choices[i] = {ContactMode::kOpen};
    }
    ++list_.cases;
    ModeJudgement judgement = judge_mode(modes_, choices);
    if (judgement.status == Status::kConsistent) {
      take(choices, std::move(judgement));
    } else {
      ConsistentMode mode;
      mode.contacts = modes_of(choices);
      mode.motion = mode.motion_lower = mode.motion_upper = motion.acceleration;
      mode.forces = VectorXd::Zero(modes_.layout().size());
      const VectorXd forces = stack(bare).to_forces * motion.multipliers;
      const ForceLayout bare_layout(bare);
      for (size_t i = 0; i < bare.unilateral.size(); ++i)
        mode.forces[modes_.layout().unilateral[i]] = forces[bare_layout.unilateral[i]];
      for (size_t i = 0; i < bare.bilateral.size(); ++i)
        mode.forces[modes_.layout().bilateral[i]] = forces[bare_layout.bilateral[i]];
      mode.residual = motion.residual;
      set_trends(mode);
      leave_forces_open(mode);
      list_.modes.push_back(std::move(mode));
      say("the bounds of forces are not computed");
    }
    if (motion.unique.no()) {
      list_.complete = false;
      say("directions without mass that nothing holds move as they like: their motion is not defined");
    }
  }

  void leave_forces_open(ConsistentMode& mode) const {
    mode.forces_unique = false;
    mode.lower = VectorXd::Constant(mode.forces.size(), -kInfinity);
    mode.upper = VectorXd::Constant(mode.forces.size(), kInfinity);
    for (const int row : modes_.layout().unilateral) mode.lower[row] = 0.0;
  }

  void solve() {
    list_.complete = false;
    SolvedMode solved = solve_one_mode(problem_, dry_);
    list_.cases = solved.iterations;
    if (!solved.failure.empty()) {
      say(solved.failure);
      return;
    }
    list_.complete = solved.motion_unique;
    ConsistentMode mode;
    mode.motion = mode.motion_lower = mode.motion_upper = std::move(solved.motion);
    mode.forces = std::move(solved.forces);
    mode.residual = solved.residual;
    for (const size_t i : listed_) mode.contacts.push_back(mode_by_motion(i, mode));
    set_trends(mode);
    leave_forces_open(mode);
    mode.forces_unique = solved.forces_unique;
    if (mode.forces_unique) mode.lower = mode.upper = mode.forces;
    for (size_t c = 0; c < listed_.size(); ++c) {
      const size_t i = listed_[c];
      const Index row = modes_.first_component(i);
      if (i < problem_.unilateral.size() && mode.contacts[c] != ContactMode::kOpen &&
          mode.forces[row] <= mode_tolerance(0.0) * modes_.force_unit(row))
        add_tie(mode, c);
    }
    list_.modes.push_back(std::move(mode));
    if (solved.motion_unique) return;
    list_.unchecked = find_others();
    if (!list_.unchecked.empty()) say("one solution; uniqueness not checked: " + list_.unchecked);
  }

  /// Modes beside the one that was solved for. Directions in which contacts in space begin to slide are searched from several starts, so some modes may be missed.
  /// Why there may be others although none was found; empty if there are.
  std::string find_others() {
    double cases = 1.0;
    for (const auto& choices : possible_.contacts) cases *= static_cast<double>(choices.size());
    if (!possible_.refusal.empty()) return possible_.refusal;
    if (possible_.spatial > kFewSpatial)
      return fmt::format("{} contacts in space may stick or slide, and others are searched for up to {}", possible_.spatial,
                         kFewSpatial);
    if (cases > kFewCases)
      return fmt::format("there are {:.3g} combinations of modes in space, and others are searched for up to {}", cases,
                         kFewCases);
    const Enumeration all = enumerate_modes(
        modes_, possible_.contacts, ModeRules::kDisjoint, [this](const auto& choices, ModeJudgement&& judgement) {
          if (judgement.status != Status::kConsistent) return;
          const VectorXd motion = modes_.acceleration(judgement.point);
          const auto same = [&](const ConsistentMode& mode) { return is_same_motion(mode.motion, motion); };
          if (std::ranges::none_of(list_.modes, same)) list_.modes.push_back(describe(choices, judgement));
        });
    list_.cases += all.cases;
    if (list_.modes.size() == 1) return "a search found no other, which proves nothing";
    say(fmt::format("{} more by a search, which may have missed some", list_.modes.size() - 1));
    return {};
  }

  /// As well as a solver knows them, in the kinetic metric, beside what the loads alone would do.
  bool is_same_motion(const VectorXd& a, const VectorXd& b) const {
    constexpr double kKnown = 1e-5;
    const auto square = [this](const VectorXd& x) { return x.dot(problem_.M * x); };
    double loads = 0.0;
    for (Index j = 0; j < problem_.n(); ++j) {
      if (problem_.M(j, j) > 0.0) loads += problem_.F[j] * problem_.F[j] / problem_.M(j, j);
    }
    const VectorXd apart = a - b;
    return square(apart) <= kKnown * kKnown * (square(a) + square(b) + loads);
  }

  /// What a contact does by its relative acceleration, of a solution that is exact to the tolerance of the solver.
  ContactMode mode_by_motion(size_t i, const ConsistentMode& mode) const {
    constexpr double kStill = 1e-7;
    const double still = kStill * modes_.acceleration_unit(modes_.friction_component(i));
    const auto by_sign = [](double motion) {
      return motion > 0.0 ? ContactMode::kSlideForward : ContactMode::kSlideBackward;
    };
    if (i >= problem_.unilateral.size()) {  // contacts with friction beyond the unilateral ones are dry frictions
      const DryFrictionRow& dry = dry_[i - problem_.unilateral.size() - problem_.bilateral.size()];
      const double motion = dry.slip != 0.0 ? dry.slip : dry.direction.dot(mode.motion) + dry.drift;
      return dry.slip == 0.0 && std::abs(motion) <= still ? ContactMode::kStick : by_sign(motion);
    }
    const ContactRows& contact = problem_.unilateral[i];
    const double opening = contact.normal.dot(mode.motion) + contact.drift;
    if (opening > kStill * modes_.acceleration_unit(modes_.first_component(i))) return ContactMode::kOpen;
    if (!has_friction(contact)) return ContactMode::kClosed;
    const VectorXd motion =
        contact.slides() ? contact.slip : VectorXd(contact.tangents.transpose() * mode.motion + contact.tangent_drift);
    if (!contact.slides() && motion.norm() <= still) return ContactMode::kStick;
    return motion.size() == 2 ? ContactMode::kSlide : by_sign(motion[0]);
  }

  void say(const std::string& text) {
    if (list_.note.find(text) != std::string::npos) return;
    list_.note += (list_.note.empty() ? "" : "; ") + text;
  }

  const AccelerationProblem& problem_;
  std::span<const DryFrictionRow> dry_;
  const ModeOptions& options_;
  const ModeUnits& units_;
  ContactModes modes_;
  ModeChoices possible_;
  std::vector<std::string> names_;  // of all contacts, in the order of the choices
  std::vector<size_t> listed_;      // those that have a mode
  std::vector<ModePoint> points_;   // of list_.modes
  std::vector<MatrixXd> massless_;  // of each
  ModeList list_;
};

}  // namespace

ModeList list_modes(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry, const ModeOptions& options,
                    const ModeUnits& units) {
  return Lister(problem, dry, options, units).list();
}

ModeList list_motion_modes(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry,
                           const ModeOptions& options) {
  require_valid(dry, problem);
  return list_modes(problem, dry, options, {"force", "forces", "N", "m/s^2"});
}

}  // namespace tippe
