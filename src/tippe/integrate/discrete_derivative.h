// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "tippe/expr/graph.h"

namespace tippe {

/// Two places q = a and q = b of a function, as expressions. The inputs 0 .. n - 1 of the function are q; the others are given by
/// `others`, the same at both places.
struct Segment {
  std::vector<Expr> a, b;
  std::vector<Expr> middle;  // (a + b) / 2
  std::vector<Expr> delta;   // b - a, written so that it does not cancel where that is possible
  std::vector<Expr> others;  // one per input from n on; an invalid Expr leaves the input as it is
};

/// f(b) - f(a), written so that it vanishes like b - a: the error is of the order of 2^-52 |df/dq| |b - a| instead of 2^-52 |f|.
/// Sums, products, quotients, square roots, sin, cos, exp, sinh and cosh are differenced by identities such as
///   x1 y1 - x0 y0 = (x1 - x0) (y0 + y1)/2 + (x0 + x1)/2 (y1 - y0),   sin x1 - sin x0 = 2 cos((x0 + x1)/2) sin((x1 - x0)/2),
/// all else by subtracting.
class Difference {
 public:
  Difference(ExprGraph& graph, const Segment& segment);
  Expr operator()(Expr f);

 private:
  Expr difference_of(int id);

  ExprGraph& graph_;
  std::vector<Expr> delta_;
  Substitution at_a_, at_b_;
  std::unordered_map<int, Expr> done_;
};

/// The discrete derivative of functions of q over a segment, Moeller (5.19):
///
///   Df/Dq(a, b) = df/dq(m) + [f(b) - f(a) - df/dq(m) (b - a)] (b - a)' / |b - a|^2 ,   m = (a + b)/2
///
/// hence Df/Dq (b - a) = f(b) - f(a). It is taken of each additive term of f on its own, over the coordinates in that term, so
/// that it has the structure of the gradient; the bracket is left out where a term is structurally at most quadratic, and where
/// |b - a| is within round-off of a and b.
class DiscreteDerivative {
 public:
  DiscreteDerivative(ExprGraph& graph, Segment segment);

  /// One entry per coordinate that f depends on, ascending.
  [[nodiscard]] std::vector<ExprGraph::Partial> operator()(Expr f);

 private:
  [[nodiscard]] bool at_most_quadratic(const std::vector<ExprGraph::Partial>& gradient);

  ExprGraph& graph_;
  Segment segment_;
  int n_;
  Substitution at_middle_;
  Difference difference_;
};

}  // namespace tippe
