// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/discrete_slope.h"

#include <set>
#include <unordered_map>

namespace tippe {
namespace {

/// Slopes over one p.
class SlopeWriter {
 public:
  SlopeWriter(ExprGraph& graph, Difference& difference, Expr p) : graph_(graph), difference_(difference), p_(p) {}

  std::optional<Expr> operator()(Expr f) {
    slopes_.emplace(p_.id(), number(1.0));
    for (const int id : graph_.reachable({&f, 1})) {
      if (slopes_.contains(id)) continue;
      const ExprGraph::Node node = graph_.node(id);
      const bool is_leaf = node.op == Op::kConstant || node.op == Op::kInput;
      if (is_leaf || (slope(node.a).is_constant(0.0) && slope(node.b).is_constant(0.0) && slope(node.c).is_constant(0.0))) {
        slopes_.emplace(id, number(0.0));
        continue;
      }
      const Expr made = slope_of(id, node);
      if (!made.valid()) return std::nullopt;
      slopes_.emplace(id, made);
    }
    return slopes_.at(f.id());
  }

 private:
  Expr number(double value) { return graph_.constant(value); }
  Expr apply(Op op, Expr a, Expr b = {}, Expr c = {}) { return graph_.apply(op, a, b, c); }
  Expr slope(int id) { return id < 0 ? number(0.0) : slopes_.at(id); }
  Expr begin(int id) { return difference_.at_a(Expr(&graph_, id)); }
  Expr end(int id) { return difference_.at_b(Expr(&graph_, id)); }
  Expr mean(int id) { return number(0.5) * (begin(id) + end(id)); }
  Expr half_change(int id) { return number(0.5) * difference_(Expr(&graph_, id)); }
  Expr at_least(Expr x, Expr y) { return apply(Op::kGreaterEqual, x, y); }

  /// A node of which an operand depends on p; invalid where there is no identity.
  Expr slope_of(int id, const ExprGraph::Node& node) {
    const Expr a = slope(node.a), b = slope(node.b);
    switch (node.op) {
      case Op::kAdd:
        return a + b;
      case Op::kSub:
        return a - b;
      case Op::kNeg:
        return -a;
      case Op::kMul:
        return a * mean(node.b) + mean(node.a) * b;
      case Op::kDiv:
        return (a - mean(id) * b) / mean(node.b);
      case Op::kSqrt:
        return a / (begin(id) + end(id));
      case Op::kSin:
        return apply(Op::kCos, mean(node.a)) * over_argument(Op::kSin, half_change(node.a)) * a;
      case Op::kCos:
        return -(apply(Op::kSin, mean(node.a)) * over_argument(Op::kSin, half_change(node.a)) * a);
      case Op::kExp:
        return apply(Op::kExp, mean(node.a)) * over_argument(Op::kSinh, half_change(node.a)) * a;
      case Op::kSinh:
        return apply(Op::kCosh, mean(node.a)) * over_argument(Op::kSinh, half_change(node.a)) * a;
      case Op::kCosh:
        return apply(Op::kSinh, mean(node.a)) * over_argument(Op::kSinh, half_change(node.a)) * a;
      case Op::kLog:
        return log_slope(begin(node.a), end(node.a), difference_(Expr(&graph_, node.a))) * a;
      case Op::kPow:
        return Expr(&graph_, node.b).is_constant() ? power_slope(id, node) : Expr{};
      case Op::kMax:
      case Op::kMin:
        return extremum_slope(id, node);
      default:
        return {};
    }
  }

  /// sin(h)/h, sinh(h)/h.
  Expr over_argument(Op op, Expr h) {
    const Expr vanishes = at_least(number(1e-16), h * h);  // the quotient is 1 within h^2/6
    const Expr divisor = apply(Op::kSelect, vanishes, number(1.0), h);
    return apply(Op::kSelect, vanishes, number(1.0), apply(op, divisor) / divisor);
  }

  /// (log x1 - log x0)/dx = 2/(x0 + x1) atanh(z)/z with z = dx/(x0 + x1); the series of atanh where the logarithms are close.
  Expr log_slope(Expr x0, Expr x1, Expr dx) {
    const Expr z = dx / (x0 + x1), square = z * z;
    const Expr close = at_least(number(1e-3), square);  // what the series leaves out is then below 1e-16
    Expr series = number(1.0 / 9.0);
    for (const double denominator : {7.0, 5.0, 3.0, 1.0}) series = number(1.0 / denominator) + square * series;
    const Expr divisor = apply(Op::kSelect, close, number(1.0), z);
    const Expr plain = (apply(Op::kLog, x1) - apply(Op::kLog, x0)) / (number(2.0) * divisor);
    return number(2.0) / (x0 + x1) * apply(Op::kSelect, close, series, plain);
  }

  /// x^k = exp(k log x) where x > 0 at both ends.
  Expr power_slope(int id, const ExprGraph::Node& node) {
    const Expr k(&graph_, node.b), zero = number(0.0);
    const Expr not_positive = at_least(zero, apply(Op::kMin, begin(node.a), end(node.a)));
    const auto safe = [&](Expr x, double other) { return apply(Op::kSelect, not_positive, number(other), x); };
    const Expr x0 = safe(begin(node.a), 1.0), x1 = safe(end(node.a), 1.0),
               dx = safe(difference_(Expr(&graph_, node.a)), 0.0);
    const Expr of_log = log_slope(x0, x1, dx), half = number(0.5) * k;
    const Expr middle = apply(Op::kPow, x0, half) * apply(Op::kPow, x1, half);
    const Expr smooth = k * middle * over_argument(Op::kSinh, half * of_log * dx) * of_log * slope(node.a);
    return apply(Op::kSelect, not_positive, quotient(id), smooth);
  }

  /// The same operand at both ends, or a change between them within the step.
  Expr extremum_slope(int id, const ExprGraph::Node& node) {
    const bool largest = node.op == Op::kMax;
    const auto takes_a = [&](Expr x, Expr y) { return largest ? at_least(x, y) : at_least(y, x); };
    const Expr first = takes_a(begin(node.a), begin(node.b)), last = takes_a(end(node.a), end(node.b));
    const Expr b_or_changed = apply(Op::kSelect, last, quotient(id), slope(node.b));
    return apply(Op::kSelect, first, apply(Op::kSelect, last, slope(node.a), quotient(id)), b_or_changed);
  }

  /// Where values come close only by chance.
  Expr quotient(int id) {
    const Expr dp = difference_(p_), zero = number(0.0);
    const Expr at_rest = at_least(zero, dp * dp);
    const Expr change = apply(Op::kSelect, at_rest, zero, end(id) - begin(id));
    return change / apply(Op::kSelect, at_rest, number(1.0), dp);
  }

  ExprGraph& graph_;
  Difference& difference_;
  Expr p_;
  std::unordered_map<int, Expr> slopes_;
};

}  // namespace

std::optional<Expr> inner_function(ExprGraph& graph, Expr f, int n) {
  std::unordered_map<int, bool> moves;  // depends on a coordinate
  for (const int id : graph.reachable({&f, 1})) {
    const ExprGraph::Node node = graph.node(id);
    if (node.op == Op::kInput || node.op == Op::kConstant) {
      moves[id] = node.op == Op::kInput && node.a < n;
      continue;
    }
    for (const int operand : {node.a, node.b, node.c}) moves[id] = moves[id] || (operand >= 0 && moves[operand]);
  }
  // Operands have smaller numbers: all paths from f pass the parts in `open`, and where it is only one they all pass that one.
  std::set<int> open{f.id()};
  do {
    const int id = *open.rbegin();
    const ExprGraph::Node node = graph.node(id);
    if (!moves[id] || node.op == Op::kInput) return std::nullopt;
    open.erase(id);
    for (const int operand : {node.a, node.b, node.c}) {
      if (operand >= 0 && moves[operand]) open.insert(operand);
    }
  } while (open.size() > 1);
  return Expr(&graph, *open.begin());
}

std::optional<Expr> discrete_slope(ExprGraph& graph, Difference& difference, Expr f, Expr p) {
  return SlopeWriter(graph, difference, p)(f);
}

}  // namespace tippe
