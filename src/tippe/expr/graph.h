// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tippe {

class ExprGraph;

/// A node of an expression graph: a handle, cheap to copy, valid as long as its graph.
class Expr {
 public:
  Expr() = default;
  Expr(ExprGraph* graph, int id) : graph_(graph), id_(id) {}

  [[nodiscard]] ExprGraph& graph() const { return *graph_; }
  [[nodiscard]] int id() const { return id_; }
  [[nodiscard]] bool valid() const { return graph_ != nullptr; }
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] bool is_constant(double value) const;
  [[nodiscard]] double constant_value() const;  // of a constant

 private:
  ExprGraph* graph_ = nullptr;
  int id_ = -1;
};

enum class Op : std::uint8_t {
  kConstant,
  kInput,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kNeg,
  kPow,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kAtan2,
  kSinh,
  kCosh,
  kTanh,
  kExp,
  kLog,
  kSqrt,
  kAbs,
  kSign,
  kMin,
  kMax,
  kGreaterEqual,  // 1 if a >= b, else 0: where min and max switch
  kSelect,        // a != 0 ? b : c
};

/// An expression DAG: every node exists once, constants are folded, and what cannot contribute (0 * x, x + 0)
/// is never made. So the structure of a system shows in the structure of its derivatives: a vanishing entry
/// of a Hessian is the constant 0. Nodes are numbered in the order of creation, operands before results.
///
/// Derivatives are expressions again (automatic differentiation on the graph, reverse and forward), hence of
/// any order.
class ExprGraph {
 public:
  struct Node {
    Op op;
    int a = -1, b = -1, c = -1;  // operands; a is the input's number for kInput
    double value = 0.0;          // for kConstant
  };

  ExprGraph() = default;
  ExprGraph(const ExprGraph&) = delete;  // handles point here
  ExprGraph& operator=(const ExprGraph&) = delete;

  Expr constant(double value);
  Expr input(int number);
  /// Any operation but kConstant and kInput; operands that the operation does not have are left out.
  Expr apply(Op op, Expr a, Expr b = {}, Expr c = {});

  [[nodiscard]] const Node& node(int id) const { return nodes_[id]; }
  [[nodiscard]] int size() const { return static_cast<int>(nodes_.size()); }

  /// All nodes that `roots` need, themselves included, operands first.
  [[nodiscard]] std::vector<int> reachable(std::span<const Expr> roots) const;
  /// Numbers of the inputs that y depends on, ascending.
  [[nodiscard]] std::vector<int> inputs_of(Expr y) const;

  struct Partial {
    int input;
    Expr derivative;
  };
  /// The partial derivatives of y with respect to all inputs in [first, last), the structurally zero ones
  /// left out, by ascending input. Reverse mode: the cost does not grow with the number of inputs.
  [[nodiscard]] std::vector<Partial> gradient(Expr y, int first, int last);
  /// One of them.
  [[nodiscard]] Expr partial(Expr y, int input);

 private:
  friend class ForwardDerivative;
  friend class Substitution;

  /// A term `factor * base`, base not a multiple of a constant.
  struct Term {
    double factor;
    int base;
  };

  int intern(const Node& node);
  void grow_index();
  /// Where the node is in the index, or the empty place where it belongs.
  [[nodiscard]] size_t index_place(const Node& node) const;
  int fold_or_intern(Op op, int a, int b, int c);
  int make(Op op, int a, int b, int c);
  int make_constant(double value);
  int make_sum(int a, int b, double sign);
  int make_product(int a, int b);
  int make_quotient(int a, int b);
  int make_power(int base, int exponent);
  int make_integer_power(int base, int exponent);
  int make_negative(int a);
  [[nodiscard]] Term term_of(int id) const;
  [[nodiscard]] bool is(int id, double value) const;
  [[nodiscard]] bool constant_node(int id) const { return nodes_[id].op == Op::kConstant; }
  /// Local derivatives of a node with respect to its operands, as expressions; -1 where zero.
  struct LocalDerivatives {
    int a = -1, b = -1, c = -1;
  };
  LocalDerivatives local_derivatives(int id);
  int slope(int id);

  std::vector<Node> nodes_;
  std::vector<int>
      index_;  // open addressing: ids of nodes by their content, -1 where free; a power of two, at most half full
};

/// The derivative along a direction given for every input, in forward mode: d/dt of f(q, t) is the derivative
/// along (q -> u, t -> 1). Shared parts of several expressions are differentiated once.
class ForwardDerivative {
 public:
  /// direction[k] belongs to input k; an invalid Expr means 0.
  ForwardDerivative(ExprGraph& graph, std::vector<Expr> direction) : graph_(graph), direction_(std::move(direction)) {}
  Expr operator()(Expr y);

 private:
  ExprGraph& graph_;
  std::vector<Expr> direction_;
  std::unordered_map<int, int> done_;
};

/// Replaces inputs by expressions.
class Substitution {
 public:
  /// replacement[k] belongs to input k; an invalid Expr leaves it as it is.
  Substitution(ExprGraph& graph, std::vector<Expr> replacement) : graph_(graph), replacement_(std::move(replacement)) {}
  /// Replaces a part of expressions too; before the first call.
  void replace(Expr part, Expr by) { done_[part.id()] = by.id(); }
  Expr operator()(Expr y);

 private:
  ExprGraph& graph_;
  std::vector<Expr> replacement_;
  std::unordered_map<int, int> done_;
};

/// The value of an operation on numbers: what folding and evaluating both use.
[[nodiscard]] double evaluate_op(Op op, double a, double b, double c);

/// The additive terms of f: sums and differences are taken apart, constant factors and signs are multiplied into the terms.
[[nodiscard]] std::vector<Expr> additive_terms(Expr f);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);

}  // namespace tippe
