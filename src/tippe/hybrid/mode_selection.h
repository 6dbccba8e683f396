// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/trending.h"
#include "tippe/modes/modes.h"

namespace tippe {

/// What a state says of the laws, whatever they did before.
struct Scope {
  std::vector<bool> touching;  // contacts with a closed gap, Johnson (11); clutches always
  std::vector<bool> resting;   // touching, and without a normal velocity, Johnson (31)
  std::vector<bool> closing;   // touching, and closing: an impact comes first
  std::vector<bool> sliding;   // with a tangential velocity; dry frictions too
  [[nodiscard]] bool impact() const;
};

/// Thresholds below which gaps and velocities count as zero.
struct ScopeTolerances {
  /// Terms of a gap: its largest so far, and the coordinates as the contact sees them. Of a velocity: at their largest so far.
  ContactTolerances zero = ContactTolerances::of_motions();
  Eigen::VectorXd jump =
      {};  // of the velocities just before: rows at rest are so up to the error of its solution; may be empty
};

/// One way to go on.
struct ModeChoice {
  std::vector<ContactMode> modes;           // of all laws
  std::vector<Eigen::VectorXd> directions;  // of all laws: in space, where a contact that begins to slide goes; else empty
  Eigen::VectorXd acceleration;
  Eigen::VectorXd forces;       // N  rows of all laws
  std::vector<Trend> trending;  // of all laws; order -1: not in the scope
  bool resolved = false;        // its ties, by derivatives or a simulation
};

struct ModeSelection {
  std::vector<ModeChoice> choices;  // all that are consistent, or that were found
  ModeList list;                    // at order 0, with its scope: what the names of list.contacts refer to
  std::vector<int> scope;           // laws, in the order of list.contacts
  bool complete = true;             // there are no others
  bool undecided = false;           // neither derivatives nor a short simulation decide: closed was preferred
  std::string note;                 // of the list
  std::string tie_note;             // how ties were decided where derivatives do not decide

  /// Motions beside the one of a choice: a mode that leaves its motion open counts as one more.
  [[nodiscard]] int others() const {
    const auto open = std::count_if(list.modes.begin(), list.modes.end(), [](const auto& m) { return !m.motion_unique; });
    return static_cast<int>(choices.size()) - 1 + static_cast<int>(open);
  }
};

/// Chooses contact modes from a state, force-acceleration complementarity with trending conditions, Johnson (30), (31), (34). Keeps its memory.
class ModeSelector {
 public:
  /// `scales`: of the motion so far; nullptr: nothing is known but the state. find_scope() needs them.
  explicit ModeSelector(const System& system, const MotionScales* scales = nullptr);

  /// Of each switch of the expressions: the side to take from now on, see MotionSeries::Switch::forced; until then by its argument.
  void set_branches(std::span<const int> branches) { flow_.set_branches(branches); }
  /// `touching`: contacts that are known to be closed whatever round-off says of their gap, or nullptr.
  [[nodiscard]] Scope find_scope(const State& state, const ScopeTolerances& tolerances,
                                 const std::vector<bool>* touching = nullptr);
  /// No contact of the scope may be closing. `fired`: laws whose force, friction or velocity has just reached zero, whatever round-off says of it.
  [[nodiscard]] ModeSelection select(const State& state, const Scope& scope, std::span<const int> fired = {},
                                     const ModeOptions& options = {});

  /// The acceleration problem of the last selection, and the law of each of its unilateral contacts (then of dry frictions).
  [[nodiscard]] const AccelerationProblem& problem() const { return problem_; }
  [[nodiscard]] const std::vector<int>& scope_laws() const { return scope_laws_; }
  /// |M^-1 h| at the state of the last selection, entry by entry: what the loads alone would do; empty if it had no modes.
  [[nodiscard]] const Eigen::VectorXd& free_acceleration() const { return flow_.free_acceleration(); }

 private:
  [[nodiscard]] VelocityView view_of(const MotionSeries::Row& row, const State& state,
                                     const ScopeTolerances& tolerances) const;
  [[nodiscard]] double size_of_gap(int law, const MotionSeries::Row& normal) const;
  void build_problem(const State& state, const Scope& scope);
  void try_modes(const ModeChoice& choice);
  [[nodiscard]] ModeChoice choice_of(const ConsistentMode& mode, const Scope& scope) const;
  void find_ties(const State& state, const Scope& scope, std::span<const int> fired, ConsistentMode& mode);
  [[nodiscard]] Eigen::VectorXd direction_of_sliding(const ForceLaw& law, size_t contact, const Eigen::VectorXd& forces,
                                                     const Eigen::VectorXd& motion) const;
  [[nodiscard]] Eigen::VectorXd acceleration_along(const ForceLaw& law, size_t contact, const Eigen::VectorXd& motion) const;
  void resolve_ties(const State& state, const Scope& scope, const ConsistentMode& mode, ModeSelection& selection);
  [[nodiscard]] ModeChoice candidate_of(const ConsistentMode& mode, const Scope& scope, const ModeChoice& base,
                                        std::span<const int> ties, std::span<const std::vector<ContactMode>> options,
                                        size_t number) const;
  [[nodiscard]] TrendAnswer judge(const State& state, const Scope& scope, const std::vector<bool>& sharing,
                                  ModeChoice& choice);
  [[nodiscard]] double friction_left(int law_number) const;
  void say_what_decided(const TrendAnswer& answer, ModeSelection& selection) const;

  const System& system_;
  const MotionScales* scales_;
  ModeFlow flow_;
  TrendJudge trends_;
  std::vector<int> first_row_;
  AccelerationProblem problem_;
  std::vector<DryFrictionRow> dry_;
  std::vector<int> scope_laws_;      // unilateral ones, then dry frictions
  std::vector<int> force_position_;  // where the forces of each scope law begin in ConsistentMode::forces
  int row_count_ = 0;
};

}  // namespace tippe
