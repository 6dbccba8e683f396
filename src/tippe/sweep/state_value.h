// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/scene/scene.h"

namespace tippe {

/// A number that every state of a scene has: a coordinate, a velocity or one of its [output.quantities].
struct StateValue {
  enum class Kind { kCoordinate, kVelocity, kQuantity };
  Kind kind = Kind::kQuantity;
  Eigen::Index index = 0;
};

/// All names that stand for one: quantities first.
[[nodiscard]] std::vector<std::string> names_of_state_values(const Scene& scene);
/// By its name; throws ArgumentError, which blames `argument`.
[[nodiscard]] StateValue find_state_value(const Scene& scene, const std::string& name, Argument argument);

/// Evaluates them.
class StateValues {
 public:
  explicit StateValues(const Observables& observables) : evaluator_(observables) {}

  /// The others are those of this state.
  void look_at(const State& state, bool with_quantities) {
    state_ = &state;
    if (with_quantities) evaluator_.evaluate_quantities(state, quantities_);
  }
  [[nodiscard]] double operator[](const StateValue& value) const {
    return value.kind == StateValue::Kind::kCoordinate ? state_->q[value.index]
           : value.kind == StateValue::Kind::kVelocity ? state_->u[value.index]
                                                       : quantities_[value.index];
  }

 private:
  ObservablesEvaluator evaluator_;
  const State* state_ = nullptr;
  Eigen::VectorXd quantities_;
};

}  // namespace tippe
