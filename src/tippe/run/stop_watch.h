// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/integrate/integrator.h"
#include "tippe/model/observables.h"

namespace tippe {

/// Ends a run where a value becomes positive, within the step in which it does. Does nothing, at no cost, if there is no such
/// value.
class StopWatch {
 public:
  explicit StopWatch(const Observables& observables) : armed_(observables.may_stop()), evaluator_(observables) {}

  /// Before a step: keeps what repeating it needs.
  void remember(const Integrator& integrator) {
    if (armed_) integrator.save_memory(memory_);
  }
  /// After it. A value that is not a number stops nothing.
  [[nodiscard]] bool reached(const State& state) { return armed_ && evaluator_.stop_value(state) > 0.0; }
  /// The step from `before` over dt ended with a positive value in `state`. Repeats it with the smallest dt that still does:
  /// at the root of a continuous value, right after a jump. Returns that dt; state and integrator are at its end.
  double shorten(Integrator& integrator, const State& before, double dt, State& state, StepReport& report);
  /// The same with dense output, for a step from t = `begin` to `state`. Steps may be long: the value is looked at eight times in
  /// each. False if it is never positive there; else state and report are those of the part that leads to the end.
  bool shorten(AdaptiveIntegrator& integrator, double begin, State& state, StepReport& report);

 private:
  bool armed_;
  ObservablesEvaluator evaluator_;
  NamedArrays memory_;  // of the integrator, before the step
  State trial_;
};

}  // namespace tippe
