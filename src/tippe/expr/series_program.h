// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "tippe/expr/graph.h"

namespace tippe {

/// Expressions compiled for Taylor arithmetic: for inputs x(s) = sum x_k s^k the coefficients of the outputs, order by order.
/// Immutable; the memory belongs to the caller. Every place in it has order() + 1 coefficients one after another.
///
/// abs, sign, min, max and >= take the branch that holds at the start, beyond which the coefficients continue it analytically. Where
/// the argument that decides (a, or a - b) is zero there, abs, min and max take the branch of its first coefficient that is not zero;
/// sign and >= are constants with the value of ExprProgram. Arguments that are equal but for a constant factor share one switch. A
/// select looks at coefficient 0 of its condition.
///
/// Coefficients are not finite where an expression has none: at poles, for sqrt and powers that are not whole at 0 and asin at 1 unless
/// the argument is constant.
class SeriesProgram {
 public:
  /// `inputs`: how many there are, numbered from 0; order >= 1. The graph of the outputs grows: not from two threads at once.
  SeriesProgram(int inputs, int order, std::span<const Expr> outputs);

  [[nodiscard]] int order() const { return stride_ - 1; }
  /// Operations that one order runs.
  [[nodiscard]] int operations() const { return static_cast<int>(varying_.size()); }

  /// All coefficients zero but those of constants.
  [[nodiscard]] std::vector<double> make_memory() const { return memory_; }
  /// Where in the memory coefficient 0 is.
  [[nodiscard]] size_t input(int number) const { return offset(number); }
  [[nodiscard]] size_t output(int number) const { return offset(outputs_[static_cast<size_t>(number)]); }

  [[nodiscard]] int switches() const { return static_cast<int>(switches_.size()); }
  /// Functions that end, and have no coefficients there: logarithms, roots, powers, asin, quotients. What must not become zero.
  struct Edge {
    const char* what;  // "the argument of log()"
    int place;
  };
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] size_t edge_argument(int number) const { return offset(edges_[static_cast<size_t>(number)].place); }
  /// Where in the memory the argument of a switch begins.
  [[nodiscard]] size_t switch_argument(int number) const { return offset(switches_[static_cast<size_t>(number)].argument); }
  /// The branch that a switch takes from now on, whatever its argument: that of positive (1) or negative (-1) ones; 0: by the argument; 2: the argument is
  /// zero throughout, and what it has is round-off.
  void force(int number, int branch, std::span<double> memory) const;

  /// Coefficient k of everything, from coefficients 0 .. k of the inputs. Those before k must have been evaluated.
  void evaluate(int k, std::span<double> memory) const;

 private:
  /// z: target; a, b, w: operands. The derivative with respect to s is written '.
  enum class Kernel : std::uint8_t {
    kAdd,
    kSub,
    kNeg,
    kMul,
    kSquare,
    kScale,  // b constant
    kDiv,
    kDivScale,  // b constant
    kForward,   // z = f(a), z' = sign w a'
    kInverse,   // z = f(a), w z' = sign a'
    kAtan2,     // w z' = b a' - a b'
    kSqrt,
    kPow,     // b constant
    kDecide,  // a switch: a is its argument, z its state
    kAbs,     // the following: w is the state of the switch, of an argument times sign
    kChoose,  // a if the argument is >= 0, else b
    kSign,
    kGreaterEqual,
    kSelect,  // w is the condition
  };
  struct Instruction {
    Kernel kernel;
    Op op;          // f
    bool constant;  // only coefficient 0 is not zero
    int z, a, b, w;
    double sign;
  };
  struct Switch {
    int argument, state;  // places; the state's coefficient 0 is the forced branch, coefficient 1 the branch taken
  };
  struct SwitchUse {
    int state;
    double sign;
  };

  [[nodiscard]] size_t offset(int place) const { return static_cast<size_t>(place) * static_cast<size_t>(stride_); }
  [[nodiscard]] static double coefficient(const Instruction& i, int k, const double* memory, size_t stride);
  [[nodiscard]] static double chosen_coefficient(const Instruction& i, double state, double a, double b);
  int add_place(bool constant);
  int place(ExprGraph& graph, int node);
  int place(Expr y) { return place(y.graph(), y.id()); }
  struct Operation;
  int place_operation(ExprGraph& graph, int node);
  int place_power(const Operation& o);
  int place_function(const Operation& o);
  int place_choice(const Operation& o);
  int add(const Operation& o, Kernel kernel);
  int add(const Operation& o, Kernel kernel, bool constant, int a, int b, int w, double sign = 1.0);
  SwitchUse switch_for(Expr argument);

  void collect_edges();

  int stride_;
  std::vector<double> memory_;
  std::vector<bool> constant_;              // of places
  std::unordered_map<int, int> place_;      // of nodes
  std::unordered_map<int, int> switch_of_;  // place of the argument -> number
  std::vector<Instruction> all_, varying_;  // for coefficient 0; for those above
  std::vector<Switch> switches_;
  std::vector<Edge> edges_;
  std::vector<int> outputs_;
};

}  // namespace tippe
