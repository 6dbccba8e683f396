// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/series_program.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>

namespace tippe {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// sum of a_j b_{k-j}, j = first .. last.
double convolve(const double* a, const double* b, int first, int last, int k) {
  double even = 0.0, odd = 0.0;  // two chains of additions that do not wait for each other
  int j = first;
  for (; j < last; j += 2) {
    even += a[j] * b[k - j];
    odd += a[j + 1] * b[k - j - 1];
  }
  if (j == last) even += a[j] * b[k - j];
  return even + odd;
}

/// sum of j a_j w_{k-j}, j = 1 .. last: with last = k, coefficient k - 1 of a' w.
double convolve_rate(const double* a, const double* w, int last, int k) {
  double sum = 0.0;
  for (int j = 1; j <= last; ++j) sum += j * a[j] * w[k - j];
  return sum;
}

/// z_j z_{k-j} summed over j = first .. k - first.
double convolve_square(const double* z, int first, int k) {
  double half = 0.0;
  for (int j = first; j < k - j; ++j) half += z[j] * z[k - j];
  const bool has_middle = k % 2 == 0 && k / 2 >= first;
  return 2.0 * half + (has_middle ? z[k / 2] * z[k / 2] : 0.0);
}

/// For functions that are not analytic where the denominator vanishes: at a constant argument they stay what they are.
double quotient_or_rest(double numerator, double denominator) {
  return denominator == 0.0 && numerator == 0.0 ? 0.0 : numerator / denominator;
}

/// Coefficient k >= 1 of z = a^c, c not whole: a z' = c z a'.
double power_coefficient(const double* z, const double* a, double c, int k) {
  if (a[0] == 0.0) return a[k] == 0.0 ? z[k - 1] : kNaN;
  double sum = 0.0;
  for (int j = 1; j <= k; ++j) sum += (c * j - (k - j)) * a[j] * z[k - j];
  return sum / (k * a[0]);
}

/// base^n, n >= 1.
Expr whole_power(Expr base, int n) {
  if (n == 1) return base;
  const Expr half = whole_power(base, n / 2), square = half * half;
  return n % 2 == 0 ? square : square * base;
}

/// y = factor * argument with a factor of this sign, which is 1 or -1. Multiples have the same argument.
struct SignedArgument {
  Expr argument;
  double sign;
};
SignedArgument without_factor(Expr y) {
  ExprGraph& graph = y.graph();
  double sign = 1.0;
  for (;;) {
    const ExprGraph::Node node = graph.node(y.id());
    const Expr a{&graph, node.a}, b{&graph, node.b};
    const auto drop = [&](Expr factor, Expr rest) {
      if (factor.constant_value() < 0.0) sign = -sign;
      y = rest;
    };
    if (node.op == Op::kNeg) {
      sign = -sign;
      y = a;
    } else if (node.op == Op::kMul && a.is_constant()) {
      drop(a, b);
    } else if (node.op == Op::kMul && b.is_constant()) {
      drop(b, a);
    } else if (node.op == Op::kSub && a.id() > b.id()) {
      sign = -sign;
      y = b - a;
    } else {
      return {y, sign};
    }
  }
}

}  // namespace

SeriesProgram::SeriesProgram(int inputs, int order, std::span<const Expr> outputs) : stride_(order + 1) {
  assert(order >= 1);
  for (int i = 0; i < inputs; ++i) add_place(false);
  if (outputs.empty()) return;
  ExprGraph& graph = outputs[0].graph();
  for (const int id : graph.reachable(outputs)) place(graph, id);
  for (const Expr& output : outputs) outputs_.push_back(place_.at(output.id()));
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(varying_), [](const Instruction& i) { return !i.constant; });
  collect_edges();
}

int SeriesProgram::add_place(bool constant) {
  constant_.push_back(constant);
  memory_.resize(offset(static_cast<int>(constant_.size())), 0.0);
  return static_cast<int>(constant_.size()) - 1;
}

/// Depth of the recursion: nodes come operands first, so it only goes down into the few auxiliary ones that an operation asks for.
int SeriesProgram::place(ExprGraph& graph, int id) {
  if (const auto found = place_.find(id); found != place_.end()) return found->second;
  const ExprGraph::Node node = graph.node(id);
  if (node.op == Op::kInput) return place_[id] = node.a;
  if (node.op == Op::kConstant) {
    const int target = add_place(true);
    memory_[offset(target)] = node.value;
    return place_[id] = target;
  }
  return place_operation(graph, id);
}

/// An operation that is being placed. Operands that it does not have are a.
struct SeriesProgram::Operation {
  int id;
  Op op;
  Expr self, a, b;
  int at_a, at_b, at_c;  // places
  bool constant_a, constant_b, constant_c;

  [[nodiscard]] ExprGraph& graph() const { return self.graph(); }
  [[nodiscard]] Expr one() const { return graph().constant(1.0); }
};

int SeriesProgram::place_operation(ExprGraph& graph, int id) {
  const ExprGraph::Node node = graph.node(id);
  const int at_a = place(graph, node.a), at_b = node.b < 0 ? at_a : place(graph, node.b),
            at_c = node.c < 0 ? at_a : place(graph, node.c);
  const auto is_constant = [&](int place) { return constant_[static_cast<size_t>(place)]; };
  const Operation o{.id = id,
                    .op = node.op,
                    .self = {&graph, id},
                    .a = {&graph, node.a},
                    .b = {&graph, node.b},
                    .at_a = at_a,
                    .at_b = at_b,
                    .at_c = at_c,
                    .constant_a = is_constant(at_a),
                    .constant_b = is_constant(at_b),
                    .constant_c = is_constant(at_c)};
  switch (o.op) {
    case Op::kAdd:
      return add(o, Kernel::kAdd);
    case Op::kSub:
      return add(o, Kernel::kSub);
    case Op::kNeg:
      return add(o, Kernel::kNeg);
    case Op::kMul:
      if (o.constant_a) return add(o, Kernel::kScale, o.constant_b, at_b, at_a, at_a);
      if (o.constant_b) return add(o, Kernel::kScale, false, at_a, at_b, at_b);
      return add(o, at_a == at_b ? Kernel::kSquare : Kernel::kMul);
    case Op::kDiv:
      return add(o, o.constant_b ? Kernel::kDivScale : Kernel::kDiv);
    case Op::kSqrt:
      return add(o, Kernel::kSqrt);
    case Op::kPow:
      return place_power(o);
    case Op::kAbs:
    case Op::kMin:
    case Op::kMax:
    case Op::kSign:
    case Op::kGreaterEqual:
      return place_choice(o);
    case Op::kSelect:
      return add(o, Kernel::kSelect, o.constant_a && o.constant_b && o.constant_c, at_b, at_c, at_a);
    default:
      return place_function(o);
  }
}

int SeriesProgram::add(const Operation& o, Kernel kernel) {
  return add(o, kernel, o.constant_a && o.constant_b && o.constant_c, o.at_a, o.at_b, o.at_c);
}

int SeriesProgram::add(const Operation& o, Kernel kernel, bool constant, int a, int b, int w, double sign) {
  const int target = add_place(constant);
  all_.push_back({kernel, o.op, constant, target, a, b, w, sign});
  return place_[o.id] = target;
}

/// Those of functions that users write before those of quotients, which derivatives bring with them.
void SeriesProgram::collect_edges() {
  std::vector<Edge> quotients;
  std::vector<bool> of_inverse(constant_.size(), false);  // the root in the derivative of asin
  for (const Instruction& i : all_) {
    if (i.kernel == Kernel::kInverse) of_inverse[static_cast<size_t>(i.w)] = true;
  }
  for (const Instruction& i : all_) {
    if (i.constant || of_inverse[static_cast<size_t>(i.z)]) continue;
    if (i.kernel == Kernel::kInverse && i.op == Op::kLog) edges_.push_back({"the argument of log()", i.a});
    if (i.kernel == Kernel::kInverse && (i.op == Op::kAsin || i.op == Op::kAcos))
      edges_.push_back({i.op == Op::kAsin ? "1 - x^2 of asin(x)" : "1 - x^2 of acos(x)", i.w});
    if (i.kernel == Kernel::kSqrt) edges_.push_back({"the argument of sqrt()", i.a});
    if (i.kernel == Kernel::kPow) edges_.push_back({"the base of a power", i.a});
    if (i.kernel == Kernel::kDiv) quotients.push_back({"a denominator", i.b});
  }
  edges_.insert(edges_.end(), quotients.begin(), quotients.end());
}

int SeriesProgram::place_power(const Operation& o) {
  constexpr double kLargestWhole = 1 << 20;
  ExprGraph& graph = o.graph();
  if (!o.b.is_constant()) return place_[o.id] = place(graph.apply(Op::kExp, o.b * graph.apply(Op::kLog, o.a)));
  const double exponent = o.b.constant_value();
  if (exponent != std::floor(exponent) || std::abs(exponent) > kLargestWhole) return add(o, Kernel::kPow);
  const Expr power = whole_power(o.a, static_cast<int>(std::abs(exponent)));
  return place_[o.id] = place(exponent > 0.0 ? power : o.one() / power);
}

/// Functions by their differential equations: z' = sign w a' (forward) or w z' = sign a' (inverse).
int SeriesProgram::place_function(const Operation& o) {
  ExprGraph& graph = o.graph();
  const auto apply = [&](Op op) { return graph.apply(op, o.a); };
  /// w may need the result, of lower order: it is made after it.
  const auto forward = [&](double sign, auto&& make_w) {
    const int target = add(o, Kernel::kForward, o.constant_a, o.at_a, o.at_a, -1, sign);
    const size_t at = all_.size() - 1;
    const int w = place(make_w());
    all_[at].w = w;
    return target;
  };
  const auto inverse = [&](double sign, Expr w) {
    return add(o, Kernel::kInverse, o.constant_a, o.at_a, o.at_a, place(w), sign);
  };
  switch (o.op) {
    case Op::kSin:
      return forward(1.0, [&] { return apply(Op::kCos); });
    case Op::kCos:
      return forward(-1.0, [&] { return apply(Op::kSin); });
    case Op::kTan:
      return forward(1.0, [&] { return o.one() + o.self * o.self; });
    case Op::kSinh:
      return forward(1.0, [&] { return apply(Op::kCosh); });
    case Op::kCosh:
      return forward(1.0, [&] { return apply(Op::kSinh); });
    case Op::kTanh:
      return forward(1.0, [&] { return o.one() - o.self * o.self; });
    case Op::kExp:
      return forward(1.0, [&] { return o.self; });
    case Op::kLog:
      return inverse(1.0, o.a);
    case Op::kAsin:
      return inverse(1.0, graph.apply(Op::kSqrt, o.one() - o.a * o.a));
    case Op::kAcos:
      return inverse(-1.0, graph.apply(Op::kSqrt, o.one() - o.a * o.a));
    case Op::kAtan:
      return inverse(1.0, o.one() + o.a * o.a);
    case Op::kAtan2:
      return add(o, Kernel::kAtan2, o.constant_a && o.constant_b, o.at_a, o.at_b, place(o.a * o.a + o.b * o.b));
    default:
      break;
  }
  assert(false);
  return 0;
}

/// Operations with two branches, which a switch decides.
int SeriesProgram::place_choice(const Operation& o) {
  const bool one_operand = o.op == Op::kAbs || o.op == Op::kSign;
  const SwitchUse use = switch_for(one_operand ? o.a : o.a - o.b);
  switch (o.op) {
    case Op::kAbs:
      return add(o, Kernel::kAbs, o.constant_a, o.at_a, o.at_a, use.state, use.sign);
    case Op::kMin:
      return add(o, Kernel::kChoose, o.constant_a && o.constant_b, o.at_a, o.at_b, use.state, -use.sign);
    case Op::kMax:
      return add(o, Kernel::kChoose, o.constant_a && o.constant_b, o.at_a, o.at_b, use.state, use.sign);
    case Op::kSign:
      return add(o, Kernel::kSign, true, o.at_a, o.at_a, use.state, use.sign);
    default:
      assert(o.op == Op::kGreaterEqual);
      return add(o, Kernel::kGreaterEqual, true, o.at_a, o.at_b, use.state, use.sign);
  }
}

SeriesProgram::SwitchUse SeriesProgram::switch_for(Expr y) {
  const auto [argument, sign] = without_factor(y);
  const int source = place(argument);
  const auto [entry, is_new] = switch_of_.try_emplace(source, static_cast<int>(switches_.size()));
  if (is_new) {
    const int state = add_place(false);
    all_.push_back({Kernel::kDecide, Op::kSign, false, state, source, source, source, 1.0});
    switches_.push_back({source, state});
  }
  return {switches_[static_cast<size_t>(entry->second)].state, sign};
}

void SeriesProgram::force(int number, int branch, std::span<double> memory) const {
  assert(branch >= -1 && branch <= 2);
  memory[offset(switches_[static_cast<size_t>(number)].state)] = branch;
}

double SeriesProgram::coefficient(const Instruction& i, int k, const double* memory, size_t stride) {
  const auto series = [&](int place) { return memory + static_cast<size_t>(place) * stride; };
  const double *const z = series(i.z), *const a = series(i.a), *const b = series(i.b), *const w = series(i.w);
  switch (i.kernel) {
    case Kernel::kAdd:
      return a[k] + b[k];
    case Kernel::kSub:
      return a[k] - b[k];
    case Kernel::kNeg:
      return -a[k];
    case Kernel::kMul:
      return convolve(a, b, 0, k, k);
    case Kernel::kSquare:
      return convolve_square(a, 0, k);
    case Kernel::kScale:
      return a[k] * b[0];
    case Kernel::kDiv:  // z b = a
      return (a[k] - convolve(z, b, 0, k - 1, k)) / b[0];
    case Kernel::kDivScale:
      return a[k] / b[0];
    case Kernel::kForward:
      return k == 0 ? evaluate_op(i.op, a[0], 0.0, 0.0) : i.sign * convolve_rate(a, w, k, k) / k;
    case Kernel::kInverse:
      return k == 0 ? evaluate_op(i.op, a[0], 0.0, 0.0)
                    : quotient_or_rest(i.sign * k * a[k] - convolve_rate(z, w, k - 1, k), k * w[0]);
    case Kernel::kAtan2:
      return k == 0 ? evaluate_op(i.op, a[0], b[0], 0.0)
                    : (convolve_rate(a, b, k, k) - convolve_rate(b, a, k, k) - convolve_rate(z, w, k - 1, k)) / (k * w[0]);
    case Kernel::kSqrt:  // z z = a
      return k == 0 ? std::sqrt(a[0]) : quotient_or_rest(a[k] - convolve_square(z, 1, k), 2.0 * z[0]);
    case Kernel::kPow:
      return k == 0 ? std::pow(a[0], b[0]) : power_coefficient(z, a, b[0], k);
    case Kernel::kSelect:
      return w[0] != 0.0 ? a[k] : b[k];
    default:
      return chosen_coefficient(i, w[1], a[k], b[k]);
  }
}

/// Of an operation with two branches, by the state of its switch, from the coefficients a and b of its operands.
double SeriesProgram::chosen_coefficient(const Instruction& i, double state, double a, double b) {
  const double branch = i.sign * state;
  switch (i.kernel) {
    case Kernel::kAbs:
      return branch < 0.0 ? -a : a;
    case Kernel::kChoose:
      return branch < 0.0 ? b : (branch >= 0.0 ? a : kNaN);
    case Kernel::kSign:
      return branch;
    default:
      assert(i.kernel == Kernel::kGreaterEqual);
      return branch >= 0.0 ? 1.0 : 0.0;
  }
}

void SeriesProgram::evaluate(int k, std::span<double> memory) const {
  assert(k >= 0 && k <= order() && memory.size() == memory_.size());
  for (const Instruction& i : k == 0 ? all_ : varying_) {
    double* const target = memory.data() + offset(i.z);
    if (i.kernel == Kernel::kDecide) {
      const double argument = memory[offset(i.a) + static_cast<size_t>(k)];
      if (target[0] == 2.0)
        target[1] = 0.0;
      else if (k == 0)
        target[1] = target[0] != 0.0 ? target[0] : evaluate_op(Op::kSign, argument, 0.0, 0.0);
      else if (target[1] == 0.0)
        target[1] = evaluate_op(Op::kSign, argument, 0.0, 0.0);
    } else {
      target[k] = coefficient(i, k, memory.data(), static_cast<size_t>(stride_));
    }
  }
}

}  // namespace tippe
