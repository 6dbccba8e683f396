// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "tippe/integrate/integrator.h"

namespace tippe {

/// A step whose contact problem no method solves is made in two halves, and these again, down to dt/8: other steps are other problems, and
/// one that resists is rare.
class StepHalving {
 public:
  /// `advance(state, dt)` makes one step, with what laws and constraints did in `laws` and `constraints`; if it fails, all that the
  /// next one depends on beside the state is as before.
  template <class Advance>
  StepReport step(State& state, double dt, LawStep& laws, ConstraintStep& constraints, Advance&& advance) {
    return attempt(0, state, dt, laws, constraints, advance);
  }

 private:
  static constexpr int kMostHalvings = 3;
  struct Level {
    State before;
    std::optional<LawStep> laws;  // of the first half
    ConstraintStep constraints;
  };

  template <class Advance>
  StepReport attempt(int depth, State& state, double dt, LawStep& laws, ConstraintStep& constraints, Advance&& advance) {
    Level& level = levels_[static_cast<size_t>(depth)];
    level.before = state;
    StepReport whole = advance(state, dt);
    if (depth == kMostHalvings || !contacts_unsolved(whole)) return whole;
    state = level.before;
    StepReport first = attempt(depth + 1, state, 0.5 * dt, laws, constraints, advance);
    add_effort(whole, first);
    if (!first.ok()) return first;
    level.laws = laws;
    level.constraints = constraints;
    StepReport second = attempt(depth + 1, state, 0.5 * dt, laws, constraints, advance);
    add_half(first, *level.laws, level.constraints, second, laws, constraints);
    return second;
  }
  [[nodiscard]] static bool contacts_unsolved(const StepReport& report) {
    return report.status == StepReport::Status::kNotSolved && report.methods_tried > 0 && report.culprit.empty();
  }
  /// What a step in vain has cost.
  static void add_effort(const StepReport& failed, StepReport& report);
  /// The first half to the second.
  static void add_half(const StepReport& first, const LawStep& first_laws, const ConstraintStep& first_constraints,
                       StepReport& report, LawStep& laws, ConstraintStep& constraints);

  std::array<Level, kMostHalvings + 1> levels_;
};

}  // namespace tippe
