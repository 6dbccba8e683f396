// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/observables.h"

#include <algorithm>

namespace tippe {

Observables::Observables(const LagrangianDescription& system, std::vector<std::string> names,
                         std::span<const Expr> quantities, Expr stop_value)
    : names_(std::move(names)), inputs_(system.inputs()), program_(inputs_.count()) {
  Substitution in_velocities = system.rates_by_velocities();
  std::vector<Expr> outputs;
  for (const Expr quantity : quantities) outputs.push_back(in_velocities(quantity));
  quantities_ = program_.add(outputs);
  if (!stop_value.valid()) return;
  const Expr stop = in_velocities(stop_value);
  stop_ = program_.add({&stop, 1});
}

void ObservablesEvaluator::set_state(const State& state) {
  const LagrangianInputs& inputs = observables_.inputs_;
  std::copy_n(state.q.data(), inputs.n, memory_.data());
  std::copy_n(state.u.data(), inputs.nu(), memory_.data() + inputs.u(0));
  memory_[static_cast<size_t>(inputs.t())] = state.t;
}

void ObservablesEvaluator::evaluate_quantities(const State& state, Eigen::VectorXd& values) {
  values.resize(static_cast<Eigen::Index>(observables_.names().size()));
  if (values.size() == 0) return;
  set_state(state);
  observables_.program_.evaluate(observables_.quantities_, memory_, values.data());
}

double ObservablesEvaluator::stop_value(const State& state) {
  set_state(state);
  double value = 0.0;
  observables_.program_.evaluate(observables_.stop_, memory_, &value);
  return value;
}

}  // namespace tippe
