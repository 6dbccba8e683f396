// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/program.h"

#include <cassert>

namespace tippe {

int ExprProgram::add(std::span<const Expr> outputs) {
  Function function;
  if (!outputs.empty()) {
    const ExprGraph& graph = outputs[0].graph();
    std::unordered_map<int, int> place;
    for (const int id : graph.reachable(outputs)) {
      const ExprGraph::Node& node = graph.node(id);
      if (node.op == Op::kInput) {
        assert(node.a < inputs_);
        place[id] = node.a;
        continue;
      }
      if (node.op == Op::kConstant) {
        const auto [entry, is_new] = constant_place_.try_emplace(id, static_cast<int>(memory_.size()));
        if (is_new) memory_.push_back(node.value);
        place[id] = entry->second;
        continue;
      }
      const auto place_of = [&](int operand) { return operand < 0 ? 0 : place.at(operand); };
      const int target = static_cast<int>(memory_.size());
      memory_.push_back(0.0);
      function.code.push_back({node.op, target, place_of(node.a), place_of(node.b), place_of(node.c)});
      place[id] = target;
    }
    for (const Expr& output : outputs) function.outputs.push_back(place.at(output.id()));
  }
  functions_.push_back(std::move(function));
  return static_cast<int>(functions_.size()) - 1;
}

void ExprProgram::evaluate(int function, std::span<double> memory, double* result) const {
  assert(memory.size() == memory_.size());
  double* const x = memory.data();
  for (const Instruction& i : functions_[function].code) {
    switch (i.op) {  // the common operations inline, the rest by the one definition
      case Op::kAdd:
        x[i.target] = x[i.a] + x[i.b];
        break;
      case Op::kSub:
        x[i.target] = x[i.a] - x[i.b];
        break;
      case Op::kMul:
        x[i.target] = x[i.a] * x[i.b];
        break;
      case Op::kNeg:
        x[i.target] = -x[i.a];
        break;
      default:
        x[i.target] = evaluate_op(i.op, x[i.a], x[i.b], x[i.c]);
    }
  }
  for (const int place : functions_[function].outputs) *result++ = x[place];
}

}  // namespace tippe
