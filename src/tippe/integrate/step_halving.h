// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tippe/integrate/integrator.h"

namespace tippe {

/// A step that is not solved is made in two halves, and these again: other steps are other problems, and one that resists is rare.
class StepHalving {
 public:
  /// Which failures a shorter step may mend.
  enum class Mends {
    kUnsolvedContacts,  // contact problems that no method solves
    kAllFailures,
  };
  /// Halves are halved until they are dt / 2^most.
  StepHalving(Mends mends, int most) : mends_(mends), levels_(static_cast<size_t>(most)) {}

  /// `advance(state, dt)` makes one step, with what laws and constraints did in `laws` and `constraints`, and lets `memory` keep their
  /// impulses; if it fails in a way that a shorter step may mend, all that the next one depends on is as before, the state included. Ends the
  /// step for the memory.
  template <class Advance>
  StepReport step(State& state, double dt, LawStep& laws, ConstraintStep& constraints, LawMemory& memory,
                  Advance&& advance) {
    StepReport report = attempt(0, state, dt, laws, constraints, advance);
    if (!report.ok()) return report;
    if (report.halvings > 0) memory.keep_impulses(laws);  // those of all parts
    memory.end_step(laws);
    return report;
  }

  /// What a step in vain has cost.
  static void add_effort(const StepReport& failed, StepReport& report);
  /// The first half to the second.
  static void add_half(const StepReport& first, const LawStep& first_laws, const ConstraintStep& first_constraints,
                       StepReport& report, LawStep& laws, ConstraintStep& constraints);

 private:
  struct Level {
    std::optional<LawStep> laws;  // of the first half
    ConstraintStep constraints;
  };

  template <class Advance>
  StepReport attempt(size_t depth, State& state, double dt, LawStep& laws, ConstraintStep& constraints, Advance&& advance) {
    StepReport report = advance(state, dt);
    if (!report.ok() && depth < levels_.size() && may_be_mended(report))
      take_halves(depth, state, dt, laws, constraints, advance, report);
    return report;
  }

  /// `report`: of the step in vain, then of the two halves.
  template <class Advance>
  void take_halves(size_t depth, State& state, double dt, LawStep& laws, ConstraintStep& constraints, Advance&& advance,
                   StepReport& report) {
    StepReport first = attempt(depth + 1, state, 0.5 * dt, laws, constraints, advance);
    add_effort(report, first);
    report = std::move(first);
    if (!report.ok()) return;
    Level& level = levels_[depth];
    level.laws = laws;
    level.constraints = constraints;
    StepReport second = attempt(depth + 1, state, 0.5 * dt, laws, constraints, advance);
    add_half(report, *level.laws, level.constraints, second, laws, constraints);
    report = std::move(second);
  }
  [[nodiscard]] bool may_be_mended(const StepReport& report) const;
  Mends mends_;
  std::vector<Level> levels_;
};

}  // namespace tippe
