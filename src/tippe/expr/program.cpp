// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/program.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

constexpr int kOps = static_cast<int>(Op::kSelect) + 1;

template <class Instruction, class Operation>
void run_all(const Instruction* i, int count, Operation&& operation) {
  for (const Instruction* const end = i + count; i != end; ++i) operation(*i);
}

/// To first order, the error of z = op(a, b, c) in units of round-off, from those of the operands. Where the derivative is infinite, as
/// of sqrt at 0, the error of the function itself.
double propagated_size(Op op, double z, double a, double b, double size_a, double size_b, double size_c) {
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
      return std::abs(z) + size_a + size_b;
    case Op::kMul:
      return std::abs(z) + std::abs(b) * size_a + std::abs(a) * size_b;
    case Op::kDiv:
      return std::abs(z) + (size_a + std::abs(z) * size_b) / std::abs(b);
    case Op::kNeg:
    case Op::kAbs:
      return size_a;
    case Op::kSin:
      return std::abs(z) + std::abs(std::cos(a)) * size_a;
    case Op::kCos:
      return std::abs(z) + std::abs(std::sin(a)) * size_a;
    case Op::kTan:
      return std::abs(z) + (1.0 + z * z) * size_a;
    case Op::kAsin:
    case Op::kAcos:
      return std::abs(z) +
             std::min(size_a / std::sqrt(std::max(1.0 - a * a, 0.0)), std::sqrt(2.0 * size_a / kMachineEpsilon));
    case Op::kAtan:
      return std::abs(z) + size_a / (1.0 + a * a);
    case Op::kAtan2:
      return std::abs(z) + (std::abs(b) * size_a + std::abs(a) * size_b) / (a * a + b * b);
    case Op::kSinh:
      return std::abs(z) + std::cosh(a) * size_a;
    case Op::kCosh:
      return std::abs(z) + std::abs(std::sinh(a)) * size_a;
    case Op::kTanh:
      return std::abs(z) + (1.0 - z * z) * size_a;
    case Op::kExp:
      return std::abs(z) * (1.0 + size_a);
    case Op::kLog:
      return std::abs(z) + size_a / std::abs(a);
    case Op::kSqrt:
      return std::abs(z) + (z > 0.0 ? std::min(0.5 * size_a / z, std::sqrt(size_a / kMachineEpsilon))
                                    : std::sqrt(size_a / kMachineEpsilon));
    case Op::kPow: {
      const double by_base = a != 0.0 ? std::abs(b * z / a) * size_a : 0.0;
      return std::abs(z) + by_base + (a > 0.0 ? std::abs(z * std::log(a)) * size_b : 0.0);
    }
    case Op::kMin:
    case Op::kMax:
      return z == a ? size_a : size_b;
    case Op::kSelect:
      return a != 0.0 ? size_b : size_c;
    case Op::kConstant:
    case Op::kInput:
    case Op::kSign:
    case Op::kGreaterEqual:
      break;
  }
  return 0.0;
}

}  // namespace

int ExprProgram::add(std::span<const Expr> outputs) {
  Function function;
  if (!outputs.empty()) {
    const ExprGraph& graph = outputs[0].graph();
    std::unordered_map<int, int> place;
    std::vector<Operation> operations;
    std::vector<int> nodes;
    for (const int id : graph.reachable(outputs)) {
      const ExprGraph::Node& node = graph.node(id);
      if (node.op == Op::kInput) {
        assert(node.a < inputs_);
        place[id] = node.a;
        function.used.push_back(node.a);
      } else if (node.op == Op::kConstant) {
        const auto [entry, is_new] = constant_place_.try_emplace(id, static_cast<int>(memory_.size()));
        if (is_new) memory_.push_back(node.value);
        place[id] = entry->second;
        function.used.push_back(entry->second);
      } else {
        nodes.push_back(id);
      }
    }
    const int first_place = static_cast<int>(memory_.size());
    for (const int id : nodes) {
      const ExprGraph::Node& node = graph.node(id);
      const auto place_of = [&](int operand) { return operand < 0 ? 0 : place.at(operand); };
      const int target = static_cast<int>(memory_.size());
      memory_.push_back(0.0);
      operations.push_back({node.op, {target, place_of(node.a), place_of(node.b), place_of(node.c)}});
      place[id] = target;
    }
    schedule(operations, first_place, function);
    for (const Expr& output : outputs) function.outputs.push_back(place.at(output.id()));
  }
  functions_.push_back(std::move(function));
  return static_cast<int>(functions_.size()) - 1;
}

/// Runs of one kind of operation as long as possible: always the kind of which most are ready. `operations` stand operands first,
/// their results at first_place, first_place + 1, ...
void ExprProgram::schedule(const std::vector<Operation>& operations, int first_place, Function& function) {
  const auto count = static_cast<int>(operations.size());
  std::vector<int> waits(operations.size(), 0), dependent_start(operations.size() + 1, 0), dependents;
  const auto for_operands = [&](int k, auto&& use) {
    const Instruction& i = operations[static_cast<size_t>(k)].instruction;
    for (const int operand : {i.a, i.b, i.c}) {
      if (operand >= first_place) use(operand - first_place);
    }
  };
  for (int k = 0; k < count; ++k) {
    for_operands(k, [&](int operand) {
      ++waits[static_cast<size_t>(k)];
      ++dependent_start[static_cast<size_t>(operand) + 1];
    });
  }
  for (int k = 0; k < count; ++k) dependent_start[static_cast<size_t>(k) + 1] += dependent_start[static_cast<size_t>(k)];
  dependents.resize(static_cast<size_t>(dependent_start.back()));
  std::vector<int> next = dependent_start;
  for (int k = 0; k < count; ++k)
    for_operands(k, [&](int operand) { dependents[static_cast<size_t>(next[static_cast<size_t>(operand)]++)] = k; });

  std::array<std::vector<int>, kOps> ready;
  const auto kind = [&](int k) { return static_cast<size_t>(operations[static_cast<size_t>(k)].op); };
  for (int k = 0; k < count; ++k) {
    if (waits[static_cast<size_t>(k)] == 0) ready[kind(k)].push_back(k);
  }
  function.code.reserve(operations.size());
  while (static_cast<int>(function.code.size()) < count) {
    const auto most =
        std::max_element(ready.begin(), ready.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::vector<int>& run = *most;
    const size_t begin = function.code.size();
    for (size_t r = 0; r < run.size(); ++r) {  // grows while operations of the same kind become ready
      const int k = run[r];
      function.code.push_back(operations[static_cast<size_t>(k)].instruction);
      for (int p = dependent_start[static_cast<size_t>(k)]; p < dependent_start[static_cast<size_t>(k) + 1]; ++p) {
        const int other = dependents[static_cast<size_t>(p)];
        if (--waits[static_cast<size_t>(other)] == 0) ready[kind(other)].push_back(other);
      }
    }
    run.clear();
    function.runs.push_back({static_cast<Op>(most - ready.begin()), static_cast<int>(function.code.size() - begin)});
  }
}

void ExprProgram::evaluate(int function, std::span<double> memory, double* result) const {
  assert(memory.size() == memory_.size());
  double* const x = memory.data();
  const Instruction* next = functions_[function].code.data();
  for (const auto& [op, count] : functions_[function].runs) {
    switch (op) {  // the common operations inline, the rest by the one definition
      case Op::kAdd:
        run_all(next, count, [x](const Instruction& i) { x[i.target] = x[i.a] + x[i.b]; });
        break;
      case Op::kSub:
        run_all(next, count, [x](const Instruction& i) { x[i.target] = x[i.a] - x[i.b]; });
        break;
      case Op::kMul:
        run_all(next, count, [x](const Instruction& i) { x[i.target] = x[i.a] * x[i.b]; });
        break;
      case Op::kDiv:
        run_all(next, count, [x](const Instruction& i) { x[i.target] = x[i.a] / x[i.b]; });
        break;
      case Op::kNeg:
        run_all(next, count, [x](const Instruction& i) { x[i.target] = -x[i.a]; });
        break;
      default:
        run_all(next, count, [x, op = op](const Instruction& i) { x[i.target] = evaluate_op(op, x[i.a], x[i.b], x[i.c]); });
    }
    next += count;
  }
  for (const int place : functions_[function].outputs) *result++ = x[place];
}

void ExprProgram::evaluate_with_sizes(int function, std::span<double> memory, std::span<double> sizes, double* result,
                                      double* size) const {
  evaluate(function, memory, result);
  const double* const x = memory.data();
  double* const s = sizes.data();
  const Function& compiled = functions_[function];
  for (const int place : compiled.used) s[place] = std::abs(x[place]);
  const Instruction* next = compiled.code.data();
  for (const auto& [op, count] : compiled.runs) {
    switch (op) {
      case Op::kAdd:
      case Op::kSub:
        run_all(next, count, [x, s](const Instruction& i) { s[i.target] = std::abs(x[i.target]) + s[i.a] + s[i.b]; });
        break;
      case Op::kMul:
        run_all(next, count, [x, s](const Instruction& i) {
          s[i.target] = std::abs(x[i.target]) + std::abs(x[i.b]) * s[i.a] + std::abs(x[i.a]) * s[i.b];
        });
        break;
      default:
        run_all(next, count, [x, s, op = op](const Instruction& i) {
          s[i.target] = propagated_size(op, x[i.target], x[i.a], x[i.b], s[i.a], s[i.b], s[i.c]);
        });
    }
    next += count;
  }
  for (const int place : compiled.outputs) *size++ = s[place];
}

}  // namespace tippe
