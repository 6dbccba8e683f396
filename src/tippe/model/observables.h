// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tippe/model/state.h"

namespace tippe {

class Expr;
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

}  // namespace tippe
