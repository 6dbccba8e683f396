// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/graph.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <queue>
#include <utility>

namespace tippe {
namespace {

bool commutative(Op op) {
  return op == Op::kAdd || op == Op::kMul;  // not min and max: the first operand decides their derivative at a tie
}

}  // namespace

double evaluate_op(Op op, double a, double b, double c) {
  switch (op) {
    case Op::kConstant:
    case Op::kInput:
      break;
    case Op::kAdd:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kMul:
      return a * b;
    case Op::kDiv:
      return a / b;
    case Op::kNeg:
      return -a;
    case Op::kPow:
      return std::pow(a, b);
    case Op::kSin:
      return std::sin(a);
    case Op::kCos:
      return std::cos(a);
    case Op::kTan:
      return std::tan(a);
    case Op::kAsin:
      return std::asin(a);
    case Op::kAcos:
      return std::acos(a);
    case Op::kAtan:
      return std::atan(a);
    case Op::kAtan2:
      return std::atan2(a, b);
    case Op::kSinh:
      return std::sinh(a);
    case Op::kCosh:
      return std::cosh(a);
    case Op::kTanh:
      return std::tanh(a);
    case Op::kExp:
      return std::exp(a);
    case Op::kLog:
      return std::log(a);
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kAbs:
      return std::abs(a);
    case Op::kSign:
      return a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : a);  // sign(0) = 0, NaN stays NaN
    case Op::kMin:
      return std::isnan(a) ? a : (b < a || std::isnan(b) ? b : a);
    case Op::kMax:
      return std::isnan(a) ? a : (b > a || std::isnan(b) ? b : a);
    case Op::kGreaterEqual:
      return a >= b ? 1.0 : 0.0;
    case Op::kSelect:
      return a != 0.0 ? b : c;
  }
  assert(false);
  return 0.0;
}

bool Expr::is_constant() const {
  return graph_->node(id_).op == Op::kConstant;
}
bool Expr::is_constant(double value) const {
  return is_constant() && constant_value() == value;
}
double Expr::constant_value() const {
  return graph_->node(id_).value;
}

size_t ExprGraph::index_place(const Node& node) const {
  // Neighbouring nodes have neighbouring operands: every part is multiplied in, so that they do not fall on each other.
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(node.value);
  std::uint64_t hash = bits;
  for (const int part : {static_cast<int>(node.op), node.a, node.b, node.c}) {
    hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 32;
  }
  const size_t mask = index_.size() - 1;
  size_t place = hash & mask;
  for (; index_[place] >= 0; place = (place + 1) & mask) {
    const Node& other = nodes_[static_cast<size_t>(index_[place])];
    if (other.op == node.op && other.a == node.a && other.b == node.b && other.c == node.c &&
        std::bit_cast<std::uint64_t>(other.value) == bits)
      break;
  }
  return place;
}

void ExprGraph::grow_index() {
  constexpr size_t kSmallest = 64;
  index_.assign(std::max(kSmallest, 2 * index_.size()), -1);
  for (int id = 0; id < size(); ++id) index_[index_place(nodes_[static_cast<size_t>(id)])] = id;
}

int ExprGraph::intern(const Node& node) {
  if (2 * nodes_.size() >= index_.size()) grow_index();
  int& id = index_[index_place(node)];
  if (id < 0) {
    id = size();
    nodes_.push_back(node);
  }
  return id;
}

int ExprGraph::make_constant(double value) {
  return intern({.op = Op::kConstant, .value = value == 0.0 ? 0.0 : value});
}
bool ExprGraph::is(int id, double value) const {
  return constant_node(id) && nodes_[id].value == value;
}

Expr ExprGraph::constant(double value) {
  return {this, make_constant(value)};
}
Expr ExprGraph::input(int number) {
  return {this, intern({.op = Op::kInput, .a = number})};
}

Expr ExprGraph::apply(Op op, Expr a, Expr b, Expr c) {
  assert(op != Op::kConstant && op != Op::kInput);
  return {this, make(op, a.id(), b.id(), c.id())};
}

int ExprGraph::fold_or_intern(Op op, int a, int b, int c) {
  const auto constant_or_absent = [&](int id) { return id < 0 || constant_node(id); };
  if (constant_or_absent(a) && constant_or_absent(b) && constant_or_absent(c)) {
    const auto value = [&](int id) { return id < 0 ? 0.0 : nodes_[id].value; };
    return make_constant(evaluate_op(op, value(a), value(b), value(c)));
  }
  if (commutative(op) && a > b) std::swap(a, b);
  return intern({.op = op, .a = a, .b = b, .c = c});
}

int ExprGraph::make(Op op, int a, int b, int c) {
  switch (op) {
    case Op::kAdd:
      return make_sum(a, b, 1.0);
    case Op::kSub:
      return make_sum(a, b, -1.0);
    case Op::kMul:
      return make_product(a, b);
    case Op::kDiv:
      return make_quotient(a, b);
    case Op::kNeg:
      return make_negative(a);
    case Op::kPow:
      return make_power(a, b);
    case Op::kMin:
    case Op::kMax:
      return a == b ? a : fold_or_intern(op, a, b, -1);
    case Op::kSelect:
      return b == c ? b : fold_or_intern(op, a, b, c);
    default:
      return fold_or_intern(op, a, b, c);
  }
}

ExprGraph::Term ExprGraph::term_of(int id) const {
  const Node& node = nodes_[id];
  if (node.op == Op::kMul && constant_node(node.a)) return {nodes_[node.a].value, node.b};
  if (node.op == Op::kMul && constant_node(node.b)) return {nodes_[node.b].value, node.a};
  if (node.op == Op::kNeg) {
    const Term inner = term_of(node.a);
    return {-inner.factor, inner.base};
  }
  return {1.0, id};
}

/// a + sign b, like terms collected.
int ExprGraph::make_sum(int a, int b, double sign) {
  if (is(a, 0.0)) return sign > 0.0 ? b : make_negative(b);
  if (is(b, 0.0)) return a;
  if (!constant_node(a) && !constant_node(b)) {
    const Term left = term_of(a), right = term_of(b);
    if (left.base == right.base) return make_product(make_constant(left.factor + sign * right.factor), left.base);
  }
  if (nodes_[b].op == Op::kNeg) return make_sum(a, nodes_[b].a, -sign);
  return fold_or_intern(sign > 0.0 ? Op::kAdd : Op::kSub, a, b, -1);
}

int ExprGraph::make_negative(int a) {
  if (constant_node(a)) return make_constant(-nodes_[a].value);
  if (nodes_[a].op == Op::kNeg) return nodes_[a].a;
  const Term term = term_of(a);
  if (term.base != a) return make_product(make_constant(-term.factor), term.base);
  return fold_or_intern(Op::kNeg, a, -1, -1);
}

int ExprGraph::make_product(int a, int b) {
  if (constant_node(b)) std::swap(a, b);
  if (constant_node(a)) {
    const double factor = nodes_[a].value;
    if (constant_node(b)) return make_constant(factor * nodes_[b].value);
    if (factor == 0.0) return a;
    const Term term = term_of(b);
    const double total = factor * term.factor;
    if (total == 1.0) return term.base;
    if (total == -1.0) return fold_or_intern(Op::kNeg, term.base, -1, -1);
    return fold_or_intern(Op::kMul, make_constant(total), term.base, -1);
  }
  const Term left = term_of(a), right = term_of(b);
  if (left.base != a || right.base != b) {  // constants to the front
    return make_product(make_constant(left.factor * right.factor), make_product(left.base, right.base));
  }
  if (a == b && nodes_[a].op == Op::kSqrt) return nodes_[a].a;
  return fold_or_intern(Op::kMul, a, b, -1);
}

int ExprGraph::make_quotient(int a, int b) {
  if (is(a, 0.0) && !is(b, 0.0)) return a;
  if (is(b, 1.0)) return a;
  if (a == b && !constant_node(a)) return make_constant(1.0);
  return fold_or_intern(Op::kDiv, a, b, -1);
}

int ExprGraph::make_integer_power(int base, int exponent) {  // exponent >= 1
  if (exponent == 1) return base;
  const int half = make_integer_power(base, exponent / 2);
  const int square = make_product(half, half);
  return exponent % 2 == 0 ? square : make_product(square, base);
}

int ExprGraph::make_power(int base, int exponent) {
  constexpr double kLargestExpanded = 16.0;  // beyond, std::pow is as fast and more accurate than products
  if (constant_node(exponent) && !constant_node(base)) {
    const double n = nodes_[exponent].value;
    if (n == 0.0) return make_constant(1.0);
    if (n == 0.5) return fold_or_intern(Op::kSqrt, base, -1, -1);
    if (n == std::floor(n) && std::abs(n) <= kLargestExpanded) {
      const int power = make_integer_power(base, static_cast<int>(std::abs(n)));
      return n > 0.0 ? power : make_quotient(make_constant(1.0), power);
    }
  }
  return fold_or_intern(Op::kPow, base, exponent, -1);
}

ExprGraph::LocalDerivatives ExprGraph::local_derivatives(int id) {
  const Node node = nodes_[id];  // a copy: making nodes moves the array
  const int a = node.a, b = node.b;
  const auto one = [&] { return make_constant(1.0); };
  const auto minus_one = [&] { return make_constant(-1.0); };
  switch (node.op) {
    case Op::kConstant:
    case Op::kInput:
    case Op::kSign:
    case Op::kGreaterEqual:
      return {};
    case Op::kAdd:
      return {.a = one(), .b = one()};
    case Op::kSub:
      return {.a = one(), .b = minus_one()};
    case Op::kMul:
      return {.a = b, .b = a};
    case Op::kDiv:
      return {.a = make_quotient(one(), b), .b = make_negative(make_quotient(id, b))};
    case Op::kNeg:
      return {.a = minus_one()};
    case Op::kPow: {
      LocalDerivatives d;
      if (!constant_node(a)) d.a = make_product(b, make_power(a, make_sum(b, one(), -1.0)));
      if (!constant_node(b)) d.b = make_product(id, make(Op::kLog, a, -1, -1));
      return d;
    }
    case Op::kAtan2: {
      const int radius_squared = make_sum(make_product(a, a), make_product(b, b), 1.0);
      return {.a = make_quotient(b, radius_squared), .b = make_negative(make_quotient(a, radius_squared))};
    }
    case Op::kMin:
    case Op::kMax: {  // the first operand where they are equal
      const int first = node.op == Op::kMax ? make(Op::kGreaterEqual, a, b, -1) : make(Op::kGreaterEqual, b, a, -1);
      return {.a = first, .b = make_sum(one(), first, -1.0)};
    }
    case Op::kSelect: {
      const int zero = make_constant(0.0);
      return {.b = make(Op::kSelect, a, one(), zero), .c = make(Op::kSelect, a, zero, one())};
    }
    default:
      return {.a = slope(id)};
  }
}

/// dz/da of a function z of one operand a.
int ExprGraph::slope(int z) {
  const Op op = nodes_[z].op;
  const int a = nodes_[z].a;
  const auto one = [&] { return make_constant(1.0); };
  const auto function = [&](Op f, int x) { return make(f, x, -1, -1); };
  const auto square = [&](int x) { return make_product(x, x); };
  const auto difference = [&](int x, int y) { return make_sum(x, y, -1.0); };
  const auto sum = [&](int x, int y) { return make_sum(x, y, 1.0); };
  switch (op) {
    case Op::kSin:
      return function(Op::kCos, a);
    case Op::kCos:
      return make_negative(function(Op::kSin, a));
    case Op::kTan:
      return sum(one(), square(z));
    case Op::kAsin:
      return make_quotient(one(), function(Op::kSqrt, difference(one(), square(a))));
    case Op::kAcos:
      return make_quotient(make_constant(-1.0), function(Op::kSqrt, difference(one(), square(a))));
    case Op::kAtan:
      return make_quotient(one(), sum(one(), square(a)));
    case Op::kSinh:
      return function(Op::kCosh, a);
    case Op::kCosh:
      return function(Op::kSinh, a);
    case Op::kTanh:
      return difference(one(), square(z));
    case Op::kExp:
      return z;
    case Op::kLog:
      return make_quotient(one(), a);
    case Op::kSqrt:
      return make_quotient(make_constant(0.5), z);
    case Op::kAbs:
      return function(Op::kSign, a);
    default:
      break;
  }
  assert(false);
  return -1;
}

std::vector<int> ExprGraph::reachable(std::span<const Expr> roots) const {
  std::vector<int> found, pending;
  std::unordered_map<int, bool> seen;
  const auto visit = [&](int id) {
    if (id >= 0 && seen.try_emplace(id, true).second) pending.push_back(id);
  };
  for (const Expr& root : roots) visit(root.id());
  while (!pending.empty()) {
    const int id = pending.back();
    pending.pop_back();
    found.push_back(id);
    const Node& node = nodes_[id];
    if (node.op == Op::kInput) continue;
    visit(node.a);
    visit(node.b);
    visit(node.c);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<int> ExprGraph::inputs_of(Expr y) const {
  std::vector<int> inputs;
  for (const int id : reachable({&y, 1})) {
    if (nodes_[id].op == Op::kInput) inputs.push_back(nodes_[id].a);
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

std::vector<ExprGraph::Partial> ExprGraph::gradient(Expr y, int first, int last) {
  // Only what depends on the wanted inputs carries an adjoint; results before operands.
  const std::vector<int> nodes = reachable({&y, 1});
  std::unordered_map<int, bool> relevant;
  for (const int id : nodes) {
    const Node& node = nodes_[id];
    bool is_relevant = false;
    if (node.op == Op::kInput) {
      is_relevant = node.a >= first && node.a < last;
    } else {
      for (const int operand : {node.a, node.b, node.c}) is_relevant |= operand >= 0 && relevant[operand];
    }
    relevant[id] = is_relevant;
  }
  std::unordered_map<int, int> adjoint{{y.id(), make_constant(1.0)}};
  std::vector<Partial> partials;
  for (auto place = nodes.rbegin(); place != nodes.rend(); ++place) {
    const int id = *place;
    const auto found = adjoint.find(id);
    if (!relevant[id] || found == adjoint.end()) continue;
    const int outer = found->second;
    const Node node = nodes_[id];
    if (node.op == Op::kInput) {
      if (!is(outer, 0.0)) partials.push_back({node.a, {this, outer}});
      continue;
    }
    const LocalDerivatives local = local_derivatives(id);
    const auto pass = [&](int operand, int derivative) {
      if (operand < 0 || derivative < 0 || !relevant[operand]) return;
      const int term = make_product(outer, derivative);
      const auto [entry, is_new] = adjoint.try_emplace(operand, term);
      if (!is_new) entry->second = make_sum(entry->second, term, 1.0);
    };
    pass(node.a, local.a);
    pass(node.b, local.b);
    pass(node.c, local.c);
  }
  std::sort(partials.begin(), partials.end(), [](const Partial& p, const Partial& q) { return p.input < q.input; });
  return partials;
}

Expr ExprGraph::partial(Expr y, int input) {
  const std::vector<Partial> partials = gradient(y, input, input + 1);
  return partials.empty() ? constant(0.0) : partials.front().derivative;
}

Expr ForwardDerivative::operator()(Expr y) {
  for (const int id : graph_.reachable({&y, 1})) {
    if (done_.contains(id)) continue;
    const ExprGraph::Node node = graph_.node(id);
    int sum = graph_.make_constant(0.0);
    if (node.op == Op::kInput) {
      if (node.a < static_cast<int>(direction_.size()) && direction_[node.a].valid()) sum = direction_[node.a].id();
    } else if (node.op != Op::kConstant) {
      bool moves = false;
      for (const int operand : {node.a, node.b, node.c}) moves |= operand >= 0 && !graph_.is(done_.at(operand), 0.0);
      if (moves) {
        const auto local = graph_.local_derivatives(id);
        const auto add = [&](int operand, int derivative) {
          if (operand < 0 || derivative < 0) return;
          sum = graph_.make_sum(sum, graph_.make_product(derivative, done_.at(operand)), 1.0);
        };
        add(node.a, local.a);
        add(node.b, local.b);
        add(node.c, local.c);
      }
    }
    done_.emplace(id, sum);
  }
  return {&graph_, done_.at(y.id())};
}

Expr Substitution::operator()(Expr y) {
  for (const int id : graph_.reachable({&y, 1})) {
    if (done_.contains(id)) continue;
    const ExprGraph::Node node = graph_.node(id);
    int image = id;
    if (node.op == Op::kInput) {
      if (node.a < static_cast<int>(replacement_.size()) && replacement_[node.a].valid()) image = replacement_[node.a].id();
    } else if (node.op != Op::kConstant) {
      const auto replaced = [&](int operand) { return operand < 0 ? -1 : done_.at(operand); };
      image = graph_.make(node.op, replaced(node.a), replaced(node.b), replaced(node.c));
    }
    done_.emplace(id, image);
  }
  return {&graph_, done_.at(y.id())};
}

std::vector<Expr> additive_terms(Expr f) {
  ExprGraph& graph = f.graph();
  struct Part {
    double factor;
    Expr term;
  };
  std::vector<Expr> terms;
  std::vector<Part> pending{{1.0, f}};
  while (!pending.empty()) {
    const auto [factor, term] = pending.back();
    pending.pop_back();
    const ExprGraph::Node node = graph.node(term.id());
    const Expr a{&graph, node.a}, b{&graph, node.b};
    if (node.op == Op::kAdd || node.op == Op::kSub) {
      pending.push_back({node.op == Op::kAdd ? factor : -factor, b});
      pending.push_back({factor, a});
    } else if (node.op == Op::kNeg) {
      pending.push_back({-factor, a});
    } else if (node.op == Op::kMul && a.is_constant()) {
      pending.push_back({factor * a.constant_value(), b});
    } else if (node.op == Op::kMul && b.is_constant()) {
      pending.push_back({factor * b.constant_value(), a});
    } else {
      terms.push_back(graph.constant(factor) * term);
    }
  }
  return terms;
}

Expr operator+(Expr a, Expr b) {
  return a.graph().apply(Op::kAdd, a, b);
}
Expr operator-(Expr a, Expr b) {
  return a.graph().apply(Op::kSub, a, b);
}
Expr operator*(Expr a, Expr b) {
  return a.graph().apply(Op::kMul, a, b);
}
Expr operator/(Expr a, Expr b) {
  return a.graph().apply(Op::kDiv, a, b);
}
Expr operator-(Expr a) {
  return a.graph().apply(Op::kNeg, a);
}

}  // namespace tippe
