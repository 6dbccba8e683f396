// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/observables.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/expr/program.h"
#include "tippe/model/lagrangian.h"

namespace tippe {

struct Observables::Compiled {
  LagrangianInputs inputs;
  ExprProgram program;
  int quantities = -1, stop = -1;
};

Observables::Observables(const LagrangianDescription& system, std::vector<std::string> names,
                         std::span<const Expr> quantities, Expr stop_value)
    : names_(std::move(names)), may_stop_(stop_value.valid()) {
  const LagrangianInputs inputs = system.inputs();
  Compiled compiled{inputs, ExprProgram(inputs.count())};
  std::vector<Expr> outputs;
  if (may_stop_ || !quantities.empty()) {
    Substitution in_velocities = system.rates_by_velocities();
    for (const Expr quantity : quantities) outputs.push_back(in_velocities(quantity));
    if (may_stop_) stop_value = in_velocities(stop_value);
  }
  compiled.quantities = compiled.program.add(outputs);
  if (may_stop_) compiled.stop = compiled.program.add({&stop_value, 1});
  compiled_ = std::make_shared<const Compiled>(std::move(compiled));
}

ObservablesEvaluator::ObservablesEvaluator(const Observables& observables) : observables_(observables) {
  if (observables.compiled_) memory_ = observables.compiled_->program.make_memory();
}

void ObservablesEvaluator::set_state(const State& state) {
  const LagrangianInputs& inputs = observables_.compiled_->inputs;
  std::copy_n(state.q.data(), inputs.n, memory_.data());
  std::copy_n(state.u.data(), inputs.nu(), memory_.data() + inputs.u(0));
  memory_[static_cast<size_t>(inputs.t())] = state.t;
}

void ObservablesEvaluator::evaluate_quantities(const State& state, Eigen::VectorXd& values) {
  values.resize(static_cast<Eigen::Index>(observables_.names().size()));
  if (values.size() == 0) return;
  set_state(state);
  observables_.compiled_->program.evaluate(observables_.compiled_->quantities, memory_, values.data());
}

double ObservablesEvaluator::stop_value(const State& state) {
  set_state(state);
  double value = 0.0;
  observables_.compiled_->program.evaluate(observables_.compiled_->stop, memory_, &value);
  return value;
}

OwnEvents::OwnEvents(const LagrangianDescription& system, std::vector<OwnEvent> events)
    : list_(std::move(events)), graph_(system.graph) {
  Substitution in_velocities = system.rates_by_velocities();
  std::vector<std::string> names, reset_names;
  std::vector<Expr> values, resets;
  for (OwnEvent& event : list_) {
    event.when = in_velocities(event.when);
    names.push_back(event.name);
    values.push_back(event.when);
    for (OwnEvent::Reset& reset : event.resets) {
      reset.value = in_velocities(reset.value);
      reset_names.push_back(fmt::format("{}[{}]", reset.of_velocity ? 'u' : 'q', reset.index));
      resets.push_back(reset.value);
    }
  }
  values_ = Observables(system, std::move(names), values, Expr());
  resets_ = Observables(system, std::move(reset_names), resets, Expr());
}

bool OwnEvents::may_jump() const {
  return std::any_of(list_.begin(), list_.end(), [](const OwnEvent& event) { return !event.resets.empty(); });
}

}  // namespace tippe
