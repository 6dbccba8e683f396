// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/discrete_derivative.h"

#include <limits>
#include <optional>
#include <utility>

#include "tippe/core/tolerances.h"
#include "tippe/integrate/discrete_slope.h"

namespace tippe {
namespace {

/// Inputs 0 .. n - 1 at `q`, the others at `others`.
Substitution at(ExprGraph& graph, const std::vector<Expr>& q, const std::vector<Expr>& others) {
  std::vector<Expr> replacement = q;
  replacement.insert(replacement.end(), others.begin(), others.end());
  return {graph, std::move(replacement)};
}

}  // namespace

Difference::Difference(ExprGraph& graph, const Segment& segment)
    : graph_(graph),
      delta_(segment.delta),
      at_a_(at(graph, segment.a, segment.others)),
      at_b_(at(graph, segment.b, segment.others)) {}

Expr Difference::operator()(Expr f) {
  for (const int id : graph_.reachable({&f, 1})) {
    if (!done_.contains(id)) done_.emplace(id, difference_of(id));
  }
  return done_.at(f.id());
}

/// Of a node whose operands are done.
Expr Difference::difference_of(int id) {
  const ExprGraph::Node node = graph_.node(id);
  const Expr zero = graph_.constant(0.0), half = graph_.constant(0.5), two = graph_.constant(2.0);
  if (node.op == Op::kConstant) return zero;
  if (node.op == Op::kInput) return node.a < static_cast<int>(delta_.size()) ? delta_[static_cast<size_t>(node.a)] : zero;
  const auto delta = [&](int operand) { return operand < 0 ? zero : done_.at(operand); };
  const Expr dx = delta(node.a), dy = delta(node.b);
  if (dx.is_constant(0.0) && dy.is_constant(0.0) && delta(node.c).is_constant(0.0)) return zero;

  const auto value_a = [&](int operand) { return at_a_(Expr(&graph_, operand)); };
  const auto value_b = [&](int operand) { return at_b_(Expr(&graph_, operand)); };
  const auto mean = [&](int operand) { return half * (value_a(operand) + value_b(operand)); };
  const auto of_mean = [&](Op op) { return graph_.apply(op, mean(node.a)); };
  const auto of_half_delta = [&](Op op) { return graph_.apply(op, half * dx); };
  switch (node.op) {
    case Op::kAdd:
      return dx + dy;
    case Op::kSub:
      return dx - dy;
    case Op::kNeg:
      return -dx;
    case Op::kMul:
      return dx * mean(node.b) + mean(node.a) * dy;
    case Op::kDiv:
      return (dx - value_a(id) * dy) / value_b(node.b);
    case Op::kSqrt:
      return dx / (value_a(id) + value_b(id));
    case Op::kSin:
      return two * of_mean(Op::kCos) * of_half_delta(Op::kSin);
    case Op::kCos:
      return -(two * of_mean(Op::kSin) * of_half_delta(Op::kSin));
    case Op::kExp:
      return two * of_mean(Op::kExp) * of_half_delta(Op::kSinh);
    case Op::kSinh:
      return two * of_mean(Op::kCosh) * of_half_delta(Op::kSinh);
    case Op::kCosh:
      return two * of_mean(Op::kSinh) * of_half_delta(Op::kSinh);
    default:
      return value_b(id) - value_a(id);
  }
}

DiscreteDerivative::DiscreteDerivative(ExprGraph& graph, Segment segment)
    : graph_(graph),
      segment_(std::move(segment)),
      n_(static_cast<int>(segment_.a.size())),
      at_middle_(at(graph, segment_.middle, segment_.others)),
      difference_(graph, segment_) {}

bool DiscreteDerivative::at_most_quadratic(const std::vector<ExprGraph::Partial>& gradient) {
  for (const auto& [input, derivative] : gradient) {
    for (const auto& [other, second] : graph_.gradient(derivative, 0, n_)) {
      const std::vector<int> inputs = graph_.inputs_of(second);
      if (!inputs.empty() && inputs.front() < n_) return false;
    }
  }
  return true;
}

std::vector<ExprGraph::Partial> DiscreteDerivative::operator()(Expr f) {
  Sum sum;
  add(graph_.constant(1.0), f, sum);
  std::vector<ExprGraph::Partial> entries;
  for (const auto& [input, value] : sum) {
    if (!value.is_constant(0.0)) entries.push_back({input, value});
  }
  return entries;
}

void DiscreteDerivative::add(Expr factor, Expr f, Sum& sum) {
  for (const Expr term : additive_terms(f)) add_term(factor, term, sum);
}

void DiscreteDerivative::add_term(Expr factor, Expr term, Sum& sum) {
  constexpr double kLeft = 16.0 * kMachineEpsilon;  // of a difference
  constexpr double kSmallestSquare = 1e-200;        // its reciprocal is still finite
  const std::vector<ExprGraph::Partial> gradient = graph_.gradient(term, 0, n_);
  const bool exact = at_most_quadratic(gradient);
  if (!exact && gradient.size() > 1 && add_chained(factor, term, sum)) return;
  const auto add_entry = [&](int input, Expr value) {
    const auto [place, is_new] = sum.try_emplace(input, factor * value);
    if (!is_new) place->second = place->second + factor * value;
  };
  const Expr zero = graph_.constant(0.0);
  Expr length_squared = zero, size_squared = zero, linear_change = zero;
  for (const auto& [input, derivative] : gradient) {
    const auto i = static_cast<size_t>(input);
    const Expr at_middle = at_middle_(derivative), delta = segment_.delta[i];
    add_entry(input, at_middle);
    if (exact) continue;
    length_squared = length_squared + delta * delta;
    size_squared = size_squared + segment_.a[i] * segment_.a[i] + segment_.b[i] * segment_.b[i];
    linear_change = linear_change + at_middle * delta;
  }
  if (exact) return;
  // At rest the quotient is 0/0: its numerator and denominator become 0 and 1 there, so that no derivative is infinite.
  const Expr round_off = graph_.constant(kLeft * kLeft) * size_squared + graph_.constant(kSmallestSquare);
  const Expr at_rest = graph_.apply(Op::kGreaterEqual, round_off, length_squared);
  const Expr numerator = graph_.apply(Op::kSelect, at_rest, zero, difference_(term) - linear_change);
  const Expr denominator = graph_.apply(Op::kSelect, at_rest, graph_.constant(1.0), length_squared);
  const Expr along_path = numerator / denominator;
  for (const auto& [input, derivative] : gradient) add_entry(input, along_path * segment_.delta[static_cast<size_t>(input)]);
}

bool DiscreteDerivative::add_chained(Expr factor, Expr term, Sum& sum) {
  const std::optional<Expr> inner = inner_function(graph_, term, n_);
  if (!inner) return add_product(factor, term, sum);
  const std::optional<Expr> slope = discrete_slope(graph_, difference_, term, *inner);
  if (!slope) return false;
  add(factor * *slope, *inner, sum);
  return true;
}

bool DiscreteDerivative::add_product(Expr factor, Expr term, Sum& sum) {
  const ExprGraph::Node node = graph_.node(term.id());
  if (node.op != Op::kMul) return false;
  const Expr x(&graph_, node.a), y(&graph_, node.b);
  const auto mean = [&](Expr f) { return graph_.constant(0.5) * (difference_.at_a(f) + difference_.at_b(f)); };
  add(factor * mean(y), x, sum);
  add(factor * mean(x), y, sum);
  return true;
}

}  // namespace tippe
