// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tippe/expr/graph.h"

namespace tippe {

/// Expressions compiled for evaluation: several functions of the same inputs, each a straight line of
/// operations on one array of numbers. Operations of a kind that do not wait for each other stand together, so that the processor
/// need not guess what comes next. Immutable; the array belongs to the caller, so that one program serves many threads.
class ExprProgram {
 public:
  /// `inputs`: how many inputs there are, numbered from 0.
  explicit ExprProgram(int inputs) : inputs_(inputs) {}

  /// Adds a function with these outputs and returns its number. Constants and inputs are shared by all
  /// functions.
  int add(std::span<const Expr> outputs);

  [[nodiscard]] int outputs(int function) const { return static_cast<int>(functions_[function].outputs.size()); }
  /// Operations that one evaluation of the function runs.
  [[nodiscard]] int operations(int function) const { return static_cast<int>(functions_[function].code.size()); }

  /// The array that evaluate() works on: inputs first, to be set by the caller, then constants and
  /// intermediate results.
  [[nodiscard]] std::vector<double> make_memory() const { return memory_; }
  [[nodiscard]] const std::vector<double>& memory() const { return memory_; }  // to copy
  [[nodiscard]] int inputs() const { return inputs_; }

  /// result[k] := output k at the inputs in memory[0 .. inputs() - 1].
  void evaluate(int function, std::span<double> memory, double* result) const;
  /// The same, and size[k]: what the round-off of output k is relative to. To first order 2^-52 size[k] bounds the error that rounding
  /// of every input and every operation makes. `sizes`: scratch as large as the memory.
  void evaluate_with_sizes(int function, std::span<double> memory, std::span<double> sizes, double* result,
                           double* size) const;

 private:
  struct Instruction {
    int target, a, b, c;
  };
  struct Run {
    Op op;
    int count;
  };
  struct Function {
    std::vector<Instruction> code;
    std::vector<Run> runs;     // of equal operations, covering the code
    std::vector<int> used;     // places of inputs and constants that the code reads
    std::vector<int> outputs;  // places in memory
  };

  struct Operation {
    Op op;
    Instruction instruction;
  };
  static void schedule(const std::vector<Operation>& operations, int first_place, Function& function);

  int inputs_;
  std::vector<double> memory_ = std::vector<double>(static_cast<size_t>(inputs_), 0.0);
  std::unordered_map<int, int> constant_place_;  // node -> place in memory
  std::vector<Function> functions_;
};

}  // namespace tippe
