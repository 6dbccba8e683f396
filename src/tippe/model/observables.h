// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tippe/expr/graph.h"
#include "tippe/model/state.h"

namespace tippe {

struct LagrangianDescription;

/// What a run watches beside the motion: named quantities, and the value whose rise above zero ends the run.
/// Expressions of the inputs of a Lagrangian system (LagrangianInputs), compiled. Immutable.
class Observables {
 public:
  /// Nothing to watch.
  Observables() = default;
  /// Expressions in the graph of the system, in its coordinates, rates and velocities; `stop_value` may be absent.
  Observables(const LagrangianDescription& system, std::vector<std::string> names, std::span<const Expr> quantities,
              Expr stop_value);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool may_stop() const { return may_stop_; }

 private:
  friend class ObservablesEvaluator;
  struct Compiled;

  std::vector<std::string> names_;
  bool may_stop_ = false;
  std::shared_ptr<const Compiled> compiled_;  // none: nothing to watch. Copies share it
};

/// Observables at a state, with the memory that evaluating needs. Allocates when made, not when asked.
class ObservablesEvaluator {
 public:
  explicit ObservablesEvaluator(const Observables& observables);

  /// One number per name, finite or not.
  void evaluate_quantities(const State& state, Eigen::VectorXd& values);
  /// Only where there is one: may_stop().
  [[nodiscard]] double stop_value(const State& state);

 private:
  void set_state(const State& state);

  const Observables& observables_;
  std::vector<double> memory_;
};

/// An event that a scene defines: an expression passes through zero. It is counted, and may end the run or make the state jump.
struct OwnEvent {
  enum class Direction { kRising, kFalling, kBoth };
  /// One coordinate or velocity after the event, by the state before it.
  struct Reset {
    bool of_velocity = false;
    int index = 0;  // in q or u
    Expr value = {};
  };

  std::string name;
  Expr when = {};
  Direction direction = Direction::kBoth;
  bool stop = false;
  std::vector<Reset> resets = {};
  bool leaves_zero_at_start = false;  // whether a value that starts at zero and then has a wanted sign is an event

  /// `sign`: of the expression after the zero.
  [[nodiscard]] bool wants(int sign) const {
    return direction == Direction::kBoth || (direction == Direction::kRising) == (sign > 0);
  }
};

/// All of a scene. Immutable; copies share what was compiled.
class OwnEvents {
 public:
  OwnEvents() = default;
  /// Expressions in the graph of the system, in its coordinates, rates and velocities.
  OwnEvents(const LagrangianDescription& system, std::vector<OwnEvent> events);

  [[nodiscard]] bool empty() const { return list_.empty(); }
  /// Their expressions are in coordinates, velocities and time alone.
  [[nodiscard]] const std::vector<OwnEvent>& list() const { return list_; }
  [[nodiscard]] bool may_jump() const;
  /// The values whose zeros they are, one for each.
  [[nodiscard]] const Observables& values() const { return values_; }
  /// The values of all resets, one event after the other.
  [[nodiscard]] const Observables& resets() const { return resets_; }

 private:
  std::vector<OwnEvent> list_;
  std::shared_ptr<const ExprGraph> graph_;
  Observables values_, resets_;
};

}  // namespace tippe
