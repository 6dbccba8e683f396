// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/formula.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace tippe::verify {
namespace {

/// A number and its derivative along a direction.
struct Dual {
  Real v = 0.0L, d = 0.0L;
  Dual() = default;
  Dual(Real value, Real derivative = 0.0L) : v(value), d(derivative) {}  // NOLINT: a number is a dual number
};
Dual operator+(Dual a, Dual b) {
  return {a.v + b.v, a.d + b.d};
}
Dual operator-(Dual a, Dual b) {
  return {a.v - b.v, a.d - b.d};
}
Dual operator-(Dual a) {
  return {-a.v, -a.d};
}
Dual operator*(Dual a, Dual b) {
  return {a.v * b.v, a.d * b.v + a.v * b.d};
}
Dual operator/(Dual a, Dual b) {
  return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v};
}

// Of every function the value and the derivative along the direction.
Dual sin_of(Dual a) {
  return {std::sin(a.v), a.d * std::cos(a.v)};
}
Dual cos_of(Dual a) {
  return {std::cos(a.v), -a.d * std::sin(a.v)};
}
Dual exp_of(Dual a) {
  return {std::exp(a.v), a.d * std::exp(a.v)};
}
Dual log_of(Dual a) {
  return {std::log(a.v), a.d / a.v};
}
Dual sqrt_of(Dual a) {
  const Real root = std::sqrt(a.v);
  return {root, a.d == 0.0L ? 0.0L : a.d / (2.0L * root)};
}
Dual pow_of(Dual a, Dual b) {
  Dual result{std::pow(a.v, b.v)};
  if (a.d != 0.0L && b.v != 0.0L) result.d += a.d * b.v * std::pow(a.v, b.v - 1.0L);
  if (b.d != 0.0L) result.d += b.d * result.v * std::log(a.v);
  return result;
}
/// A function whose derivative is `slope`.
Dual with_slope(Real value, Dual a, Real slope) {
  return {value, a.d == 0.0L ? 0.0L : a.d * slope};
}
Real sin_of(Real a) {
  return std::sin(a);
}
Real cos_of(Real a) {
  return std::cos(a);
}
Real exp_of(Real a) {
  return std::exp(a);
}
Real log_of(Real a) {
  return std::log(a);
}
Real sqrt_of(Real a) {
  return std::sqrt(a);
}
Real pow_of(Real a, Real b) {
  return std::pow(a, b);
}
Real with_slope(Real value, Real /*a*/, Real /*slope*/) {
  return value;
}
Real value_of(Real a) {
  return a;
}
Real value_of(Dual a) {
  return a.v;
}
void set_direction(Real& /*number*/, Real /*derivative*/) {}
void set_direction(Dual& number, Real derivative) {
  number.d = derivative;
}

}  // namespace

Formula::Formula(Expr y) {
  if (!y.valid()) return;
  const ExprGraph& graph = y.graph();
  std::vector<int> waiting = {y.id()};
  std::map<int, int> place;  // ids ascend from operands to results
  while (!waiting.empty()) {
    const int id = waiting.back();
    waiting.pop_back();
    if (!place.emplace(id, 0).second) continue;
    const ExprGraph::Node& node = graph.node(id);
    if (node.op == Op::kConstant || node.op == Op::kInput) continue;
    for (const int operand : {node.a, node.b, node.c}) {
      if (operand >= 0) waiting.push_back(operand);
    }
  }
  for (auto& [id, at] : place) {
    at = static_cast<int>(steps_.size());
    const ExprGraph::Node& node = graph.node(id);
    const auto operand = [&](int k) { return k < 0 ? -1 : place.at(k); };
    const bool leaf = node.op == Op::kConstant || node.op == Op::kInput;
    steps_.push_back(leaf ? Step{node.op, node.a, -1, -1, node.value}
                          : Step{node.op, operand(node.a), operand(node.b), operand(node.c), 0.0L});
  }
}

std::vector<Formula> Formula::terms_of(Expr y) {
  std::vector<Formula> terms;
  if (!y.valid()) return terms;
  struct Signed {
    int id;
    bool minus;
  };
  std::vector<Signed> waiting = {{y.id(), false}};
  while (!waiting.empty()) {
    const auto [id, minus] = waiting.back();
    waiting.pop_back();
    const ExprGraph::Node& node = y.graph().node(id);
    if (node.op == Op::kAdd || node.op == Op::kSub) {
      waiting.push_back({node.a, minus});
      waiting.push_back({node.b, minus != (node.op == Op::kSub)});
    } else if (node.op == Op::kNeg) {
      waiting.push_back({node.a, !minus});
    } else {
      Formula& term = terms.emplace_back(Expr(&y.graph(), id));
      const int last = static_cast<int>(term.steps_.size()) - 1;
      if (minus) term.steps_.push_back({Op::kNeg, last, -1, -1, 0.0L});
    }
  }
  return terms;
}

bool Formula::contains(int first, int last) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [&](const Step& step) { return step.op == Op::kInput && step.a >= first && step.a < last; });
}

namespace {

/// The value of a function of one variable.
template <class Number>
Number function_of(Op op, Number a) {
  const Real x = value_of(a);
  switch (op) {
    case Op::kNeg:
      return -a;
    case Op::kSin:
      return sin_of(a);
    case Op::kCos:
      return cos_of(a);
    case Op::kTan:
      return sin_of(a) / cos_of(a);
    case Op::kAsin:
      return with_slope(std::asin(x), a, 1.0L / std::sqrt(1.0L - x * x));
    case Op::kAcos:
      return with_slope(std::acos(x), a, -1.0L / std::sqrt(1.0L - x * x));
    case Op::kAtan:
      return with_slope(std::atan(x), a, 1.0L / (1.0L + x * x));
    case Op::kSinh:
      return (exp_of(a) - exp_of(-a)) / Number(2.0L);
    case Op::kCosh:
      return (exp_of(a) + exp_of(-a)) / Number(2.0L);
    case Op::kTanh: {
      const Real th = std::tanh(x);
      return with_slope(th, a, 1.0L - th * th);
    }
    case Op::kExp:
      return exp_of(a);
    case Op::kLog:
      return log_of(a);
    case Op::kSqrt:
      return sqrt_of(a);
    case Op::kAbs:
      return x < 0.0L ? -a : a;
    case Op::kSign:
      return Number(x > 0.0L ? 1.0L : x < 0.0L ? -1.0L : 0.0L);
    default:
      throw std::logic_error("no function of one variable");
  }
}

/// Its derivative at a, where it has the value y.
template <class Number>
Number slope_of(Op op, Number a, Number y) {
  const Number one(1.0L);
  switch (op) {
    case Op::kNeg:
      return -one;
    case Op::kSin:
      return cos_of(a);
    case Op::kCos:
      return -sin_of(a);
    case Op::kTan:
      return one + y * y;
    case Op::kAsin:
      return one / sqrt_of(one - a * a);
    case Op::kAcos:
      return -(one / sqrt_of(one - a * a));
    case Op::kAtan:
      return one / (one + a * a);
    case Op::kSinh:
      return (exp_of(a) + exp_of(-a)) / Number(2.0L);
    case Op::kCosh:
      return (exp_of(a) - exp_of(-a)) / Number(2.0L);
    case Op::kTanh:
      return one - y * y;
    case Op::kExp:
      return y;
    case Op::kLog:
      return one / a;
    case Op::kSqrt:
      return one / (y + y);
    case Op::kAbs:
      return Number(value_of(a) > 0.0L ? 1.0L : value_of(a) < 0.0L ? -1.0L : 0.0L);
    default:
      return Number(0.0L);  // of kSign
  }
}

}  // namespace

template <class Number>
void Formula::walk(const Vector& inputs, const Vector* direction, std::vector<Number>& values) const {
  values.resize(steps_.size());
  for (size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    Number& y = values[k];
    const auto at = [&](int operand) { return values[static_cast<size_t>(operand)]; };
    switch (step.op) {
      case Op::kConstant:
        y = Number(step.value);
        break;
      case Op::kInput:
        y = Number(inputs[step.a]);
        if (direction != nullptr) set_direction(y, (*direction)[step.a]);
        break;
      case Op::kAdd:
        y = at(step.a) + at(step.b);
        break;
      case Op::kSub:
        y = at(step.a) - at(step.b);
        break;
      case Op::kMul:
        y = at(step.a) * at(step.b);
        break;
      case Op::kDiv:
        y = at(step.a) / at(step.b);
        break;
      case Op::kPow:
        y = pow_of(at(step.a), at(step.b));
        break;
      case Op::kAtan2: {
        const Real s = value_of(at(step.a)), c = value_of(at(step.b)), square = s * s + c * c;
        y = with_slope(std::atan2(s, c), at(step.a), c / square) + with_slope(0.0L, at(step.b), -s / square);
        break;
      }
      case Op::kMin:
        y = value_of(at(step.b)) < value_of(at(step.a)) ? at(step.b) : at(step.a);
        break;
      case Op::kMax:
        y = value_of(at(step.b)) > value_of(at(step.a)) ? at(step.b) : at(step.a);
        break;
      case Op::kGreaterEqual:
        y = Number(value_of(at(step.a)) >= value_of(at(step.b)) ? 1.0L : 0.0L);
        break;
      case Op::kSelect:
        y = value_of(at(step.a)) != 0.0L ? at(step.b) : at(step.c);
        break;
      default:
        y = function_of(step.op, at(step.a));
    }
  }
}

/// adjoints[k] = dy/d(step k): each result hands its own on to its operands, times its derivative by them.
template <class Number>
void Formula::walk_back(const std::vector<Number>& values, std::vector<Number>& adjoints) const {
  adjoints.assign(steps_.size(), Number(0.0L));
  if (!steps_.empty()) adjoints.back() = Number(1.0L);
  for (size_t k = steps_.size(); k-- > 0;) {
    const Step& step = steps_[k];
    if (step.op == Op::kConstant || step.op == Op::kInput) continue;
    const Number bar = adjoints[k], y = values[k], one(1.0L);
    const auto at = [&](int operand) { return values[static_cast<size_t>(operand)]; };
    const auto give = [&](int operand, Number slope) {
      Number& to = adjoints[static_cast<size_t>(operand)];
      to = to + bar * slope;
    };
    const Number a = at(step.a);
    switch (step.op) {
      case Op::kGreaterEqual:
        break;
      case Op::kAdd:
        give(step.a, one), give(step.b, one);
        break;
      case Op::kSub:
        give(step.a, one), give(step.b, -one);
        break;
      case Op::kMul:
        give(step.a, at(step.b)), give(step.b, a);
        break;
      case Op::kDiv:
        give(step.a, one / at(step.b)), give(step.b, -(y / at(step.b)));
        break;
      case Op::kPow: {
        const Number b = at(step.b);
        if (value_of(b) != 0.0L) give(step.a, b * pow_of(a, b - one));
        if (steps_[static_cast<size_t>(step.b)].op != Op::kConstant) give(step.b, y * log_of(a));
        break;
      }
      case Op::kAtan2: {
        const Number b = at(step.b), square = a * a + b * b;
        give(step.a, b / square), give(step.b, -(a / square));
        break;
      }
      case Op::kMin:
        give(value_of(at(step.b)) < value_of(a) ? step.b : step.a, one);
        break;
      case Op::kMax:
        give(value_of(at(step.b)) > value_of(a) ? step.b : step.a, one);
        break;
      case Op::kSelect:
        give(value_of(a) != 0.0L ? step.b : step.c, one);
        break;
      default:
        give(step.a, slope_of(step.op, a, y));
    }
  }
}

Real Formula::value(const Vector& inputs) const {
  if (steps_.empty()) return 0.0L;
  thread_local std::vector<Real> values;
  walk(inputs, nullptr, values);
  return values.back();
}

Real Formula::size(const Vector& inputs) const {
  thread_local std::vector<Real> values, adjoints;
  walk(inputs, nullptr, values);
  walk_back(values, adjoints);
  Real largest = 0.0L;
  for (size_t k = 0; k < steps_.size(); ++k) {
    const Real share = std::abs(values[k] * adjoints[k]);
    if (share > largest) largest = share;  // slopes that are not finite say nothing
  }
  return std::isfinite(largest) ? largest : std::abs(values.back());
}

void Formula::gradient(const Vector& inputs, Vector& g) const {
  g.setZero();
  for (const auto& [input, slope] : slopes(inputs)) g[input] += slope;
}

std::vector<std::pair<int, Real>> Formula::slopes(const Vector& inputs) const {
  thread_local std::vector<Real> values, adjoints;
  walk(inputs, nullptr, values);
  walk_back(values, adjoints);
  std::vector<std::pair<int, Real>> found;
  for (size_t k = 0; k < steps_.size(); ++k) {
    if (steps_[k].op == Op::kInput) found.emplace_back(steps_[k].a, adjoints[k]);
  }
  return found;
}

std::vector<Eigen::Triplet<Real>> Formula::second_slopes(const Vector& inputs) const {
  thread_local std::vector<Dual> values, adjoints;
  std::vector<Eigen::Triplet<Real>> found;
  std::vector<size_t> places;  // of its inputs, each of which is one step
  for (size_t k = 0; k < steps_.size(); ++k) {
    if (steps_[k].op == Op::kInput) places.push_back(k);
  }
  Vector direction = Vector::Zero(inputs.size());
  for (const size_t along : places) {
    const int input = steps_[along].a;
    direction[input] = 1.0L;
    walk(inputs, &direction, values);
    walk_back(values, adjoints);
    for (const size_t k : places) found.emplace_back(steps_[k].a, input, adjoints[k].d);
    direction[input] = 0.0L;
  }
  return found;
}

void Formula::gradient(const Vector& inputs, const Vector& direction, Vector& g, Vector& change) const {
  thread_local std::vector<Dual> values, adjoints;
  g.setZero();
  change.setZero();
  walk(inputs, &direction, values);
  walk_back(values, adjoints);
  for (size_t k = 0; k < steps_.size(); ++k) {
    if (steps_[k].op != Op::kInput) continue;
    g[steps_[k].a] += adjoints[k].v;
    change[steps_[k].a] += adjoints[k].d;
  }
}

}  // namespace tippe::verify
