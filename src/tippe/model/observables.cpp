// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/observables.h"

#include <algorithm>

#include "tippe/model/lagrangian.h"

namespace tippe {

Observables::Observables(int coordinates, std::vector<std::string> names, std::span<const Expr> quantities, Expr stop_value)
    : names_(std::move(names)), program_(LagrangianInputs{coordinates}.count()) {
  quantities_ = program_.add(quantities);
  if (stop_value.valid()) stop_ = program_.add({&stop_value, 1});
}

void ObservablesEvaluator::set_state(const State& state) {
  const auto n = static_cast<size_t>(state.q.size());
  std::copy_n(state.q.data(), n, memory_.data());
  std::copy_n(state.u.data(), n, memory_.data() + n);
  memory_[2 * n] = state.t;
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
