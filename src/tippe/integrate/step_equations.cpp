// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_equations.h"

#include <map>
#include <utility>

#include "tippe/integrate/step_writer.h"

namespace tippe {
namespace {

using Vector = StepWriter::Vector;

}  // namespace

StepEquations::StepEquations(const LagrangianDescription& description, MotionScheme scheme, const FrictionScheme& friction,
                             const StepVariants& variants)
    : StepEquations(description, StepWriter(description, scheme, friction, variants)) {}

StepEquations::StepEquations(const LagrangianDescription& description, StepWriter writer)
    : layout_(writer.layout()), inputs_(writer.inputs()), program_(inputs_.count) {
  ExprGraph& graph = *description.graph;
  const Vector rows = writer.write_rows();
  residual_ = program_.add(rows);

  std::map<std::pair<int, int>, int> place;
  const auto place_of = [&](int row, int column) {
    const auto [entry, is_new] = place.try_emplace({row, column}, static_cast<int>(pattern_.size()));
    if (is_new) pattern_.push_back({row, column});
    return entry->second;
  };
  Vector values;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (const auto& [input, derivative] : graph.gradient(rows[r], inputs_.unknowns, inputs_.law)) {
      place_of(static_cast<int>(r), input - inputs_.unknowns);
      values.push_back(derivative);
    }
  }
  jacobian_ = program_.add(values);
  energy_ = program_.add(writer.write_energy());
  end_ = program_.add(writer.write_end());
  constraint_impulse_ = program_.add(writer.write_constraint_impulse());

  const FrictionActsOn acts_on = writer.friction_acts_on();
  for (size_t i = 0; i < description.laws.size(); ++i) {
    laws_.push_back(compile_law(writer.write_law(i, acts_on == FrictionActsOn::kEndVelocity), graph, place_of));
    if (acts_on == FrictionActsOn::kAutomatic)
      laws_on_end_velocity_.push_back(compile_law(writer.write_law(i, true), graph, place_of));
  }
}

template <class PlaceOf>
StepEquations::Law StepEquations::compile_law(const std::vector<LawRow>& rows, ExprGraph& graph, PlaceOf&& place_of) {
  Law law;
  Vector outputs, slopes;
  std::map<int, Expr> impulse;
  for (size_t k = 0; k < rows.size(); ++k) {
    const Expr Lambda = graph.input(inputs_.law + static_cast<int>(k));
    for (const auto& [j, entry] : rows[k].W) {
      law.row.push_back(j);
      outputs.push_back(entry);
      const auto [sum, is_new] = impulse.try_emplace(j, entry * Lambda);
      if (!is_new) sum->second = sum->second + entry * Lambda;
    }
    law.column_start.push_back(static_cast<int>(law.row.size()));
  }
  for (const LawRow& row : rows) outputs.push_back(row.xi);
  for (const LawRow& row : rows) outputs.push_back(row.chi);
  law.values = program_.add(outputs);
  for (const auto& [j, sum] : impulse) {
    for (const auto& [input, slope] : graph.gradient(sum, inputs_.unknowns, inputs_.law)) {
      law.impulse_slopes.push_back(place_of(j, input - inputs_.unknowns));
      slopes.push_back(slope);
    }
  }
  for (size_t k = 0; k < rows.size(); ++k) {
    for (const auto& [input, slope] : graph.gradient(rows[k].xi, inputs_.unknowns, inputs_.law)) {
      law.path_slopes.push_back({static_cast<int>(k), input - inputs_.unknowns});
      slopes.push_back(slope);
    }
  }
  law.slopes = program_.add(slopes);
  return law;
}

}  // namespace tippe
