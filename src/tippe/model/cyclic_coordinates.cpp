// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/cyclic_coordinates.h"

#include "tippe/model/lagrangian_equations.h"

namespace tippe {

EquationInputs find_equation_inputs(const LagrangianDescription& description) {
  const LagrangianEquations equations(description);
  const LagrangianInputs inputs = description.inputs();
  EquationInputs found{std::vector<bool>(static_cast<size_t>(inputs.n), false)};
  const auto look = [&](Expr y) {
    if (!y.valid()) return;
    for (const int input : description.graph->inputs_of(y)) {
      if (input < inputs.n) found.coordinate[static_cast<size_t>(input)] = true;
      if (input == inputs.t()) found.time = true;
    }
  };
  const auto look_at_row = [&](const VelocityRow& row) {
    for (const VelocityRow::Entry& entry : row.W) look(entry.value);
    look(row.chi);
  };
  for (const Expr y : equations.mass) look(y);
  for (const Expr y : equations.h) look(y);
  for (const Expr y : equations.rates) look(y);
  for (const std::vector<VelocityRow>& law : equations.laws) {
    for (const VelocityRow& row : law) look_at_row(row);
  }
  for (const VelocityRow& row : equations.constraints) look_at_row(row);
  for (const LawDescription& law : description.laws) look(law.gap);
  for (const ConstraintDescription& constraint : description.constraints) look(constraint.position);
  for (const int input : description.input_coordinates) found.coordinate[static_cast<size_t>(input)] = false;
  return found;
}

}  // namespace tippe
