// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
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
  Expr at_a(Expr f) { return at_a_(f); }
  Expr at_b(Expr f) { return at_b_(f); }

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
/// |b - a| is within round-off of a and b. A term F(p(q)) of several coordinates follows the chain rule,
///
///   Df/Dq = [F(p(b)) - F(p(a))]/[p(b) - p(a)] Dp/Dq
///
/// and a product x y the product rule, Df/Dq = (x(a) + x(b))/2 Dy/Dq + (y(a) + y(b))/2 Dx/Dq: so it does no work along motions that leave
/// p, or x and y, alone. Forces between two points are opposite, and along their distance.
class DiscreteDerivative {
 public:
  DiscreteDerivative(ExprGraph& graph, Segment segment);

  /// One entry per coordinate that f depends on, ascending.
  [[nodiscard]] std::vector<ExprGraph::Partial> operator()(Expr f);

 private:
  using Sum = std::map<int, Expr>;  // by coordinate

  [[nodiscard]] bool at_most_quadratic(const std::vector<ExprGraph::Partial>& gradient);
  /// factor times the discrete derivative of f.
  void add(Expr factor, Expr f, Sum& sum);
  void add_term(Expr factor, Expr term, Sum& sum);
  /// By the chain rule or the product rule; false where neither applies.
  [[nodiscard]] bool add_chained(Expr factor, Expr term, Sum& sum);
  [[nodiscard]] bool add_product(Expr factor, Expr term, Sum& sum);

  ExprGraph& graph_;
  Segment segment_;
  int n_;
  Substitution at_middle_;
  Difference difference_;
};

}  // namespace tippe
