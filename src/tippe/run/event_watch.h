// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tippe/integrate/integrator.h"
#include "tippe/model/observables.h"

namespace tippe {

/// Finds the events that a scene defines: ends the steps in which they lie at them. Does nothing, at no cost, if there are none.
class EventWatch {
 public:
  EventWatch(const OwnEvents& events, const State& start);

  /// Before a step: keeps what repeating it needs.
  void remember(const Integrator& integrator) {
    if (!events_.empty()) integrator.save_memory(memory_);
  }
  /// The step from `before` over dt led to `state`. If there is an event in it, repeats it up to the first one; returns its length.
  double find(Integrator& integrator, const State& before, double dt, State& state, StepReport& report);
  /// The same, by dense output.
  void find(AdaptiveIntegrator& integrator, const State& before, State& state, StepReport& report);
  /// The events at the end of the step, ascending. Empty again after take().
  [[nodiscard]] const std::vector<int>& found() const { return found_; }
  void forget_found() { found_.clear(); }

  /// Counts an event that was found, and makes the jump that it asks for. True if there is one.
  bool take(int event, State& state);
  /// After all that were found: others that these jumps make happen at once are found now.
  void look_after_jumps(const State& state);

  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }
  /// Of expressions that left their domain.
  void warn(std::vector<std::string>& warnings) const;

  /// Names all members that change, for a checkpoint.
  template <class Archive>
  void visit(Archive& archive) {
    if (events_.empty()) return;
    archive("own_events.counts", counts_);
    archive("own_events.side", side_);
    archive("own_events.time", time_);
    archive("own_events.zero", zero_);
    archive("own_events.undefined", undefined_);
  }

 private:
  void evaluate(const State& state, Eigen::VectorXd& values) { value_evaluator_.evaluate_quantities(state, values); }
  [[nodiscard]] bool passed(size_t event, double value) const;
  [[nodiscard]] bool any_passed(const Eigen::VectorXd& values) const;
  void take_sides(const State& state);
  void note_undefined(double t);
  double shorten(Integrator& integrator, const State& before, double dt, State& state, StepReport& report);

  const OwnEvents& events_;
  ObservablesEvaluator value_evaluator_, reset_evaluator_;
  std::vector<std::int64_t> counts_;
  std::vector<int> side_;          // sign of each value; 0: not known, at the start or right after the event
  std::vector<double> time_;       // s   of its last event
  std::vector<double> zero_;       // its value there
  std::vector<double> undefined_;  // s   when a step first ended with a value that is not a number
  std::vector<int> found_;
  NamedArrays memory_;  // of the integrator, before the step
  Eigen::VectorXd before_, values_, resets_;
  State trial_;
};

}  // namespace tippe
