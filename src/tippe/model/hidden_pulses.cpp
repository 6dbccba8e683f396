// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/hidden_pulses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tippe/core/infinity.h"

namespace tippe {
namespace {

constexpr double kTiny = 1e-280;  // smaller changes are none

bool is_switch(Op op) {
  switch (op) {
    case Op::kAbs:
    case Op::kSign:
    case Op::kMin:
    case Op::kMax:
    case Op::kGreaterEqual:
    case Op::kSelect:
      return true;
    default:
      return false;
  }
}

std::vector<Expr> roots_of(const LagrangianDescription& system) {
  std::vector<Expr> roots = system.rates;
  const auto add = [&](const Expr& expression) {
    if (expression.valid()) roots.push_back(expression);
  };
  for (const Expr& expression : {system.kinetic, system.potential, system.damping}) add(expression);
  for (const Expr& force : system.forces) add(force);
  for (const auto& [velocity, force] : system.applied_forces) add(velocity), add(force);
  for (const DampingDescription& damping : system.damping_matrices) {
    for (const Expr& velocity : damping.velocities) add(velocity);
    for (const std::vector<Expr>& row : damping.matrix) {
      for (const Expr& entry : row) add(entry);
    }
  }
  for (const ConstraintDescription& constraint : system.constraints) add(constraint.position), add(constraint.velocity);
  for (const LawDescription& law : system.laws) {
    add(law.gap);
    for (const Expr& velocity : law.velocities) add(velocity);
  }
  return roots;
}

}  // namespace

HiddenPulses::HiddenPulses(const System& system, Looks looks) : looks_(looks) {
  const LagrangianDescription* description = system.lagrangian();
  if (description != nullptr) add(*description->graph, roots_of(*description), description->inputs().t());
}

void HiddenPulses::add(const ExprGraph& graph, std::span<const Expr> roots, int time) {
  constexpr int kUnknown = -1;
  std::vector<int> place(static_cast<size_t>(graph.size()), kUnknown);
  bool any = false;
  for (const int id : graph.reachable(roots)) {
    const ExprGraph::Node& node = graph.node(id);
    Step step{node.op, kUnknown, kUnknown, kUnknown, node.value, is_switch(node.op), false};
    bool known = node.op != Op::kInput || node.a == time;
    if (node.op != Op::kInput && node.op != Op::kConstant) {
      for (const auto& [operand, at] : {std::pair(node.a, &step.a), {node.b, &step.b}, {node.c, &step.c}}) {
        if (operand < 0) continue;
        *at = place[static_cast<size_t>(operand)];
        known = known && *at != kUnknown;
        if (known) step.switches = step.switches || steps_[static_cast<size_t>(*at)].switches;
      }
    }
    if (!known) continue;
    step.scales = scales(step);
    place[static_cast<size_t>(id)] = static_cast<int>(steps_.size());
    steps_.push_back(step);
    any = any || node.op == Op::kInput;
  }
  if (!any) steps_.clear();
  range_.resize(steps_.size());
  seen_.resize(steps_.size());
  value_.resize(steps_.size());
}

bool HiddenPulses::scales(const Step& step) const {
  const auto constant = [&](int at) { return steps_[static_cast<size_t>(at)].op == Op::kConstant; };
  switch (step.op) {
    case Op::kConstant:
    case Op::kInput:
    case Op::kNeg:
      return true;
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
      return constant(step.a) || constant(step.b);
    case Op::kDiv:
      return constant(step.b);
    default:
      return false;
  }
}

HiddenPulses::Range HiddenPulses::range_of(const Step& step, const Range& a, const Range& b, const Range& c) {
  const Range anything{-kInfinity, kInfinity};
  const auto hull = [](std::initializer_list<double> values) { return Range{std::min(values), std::max(values)}; };
  const auto corners = [&](const Range& x, const Range& y) {
    const auto value = [&](double first, double second) { return evaluate_op(step.op, first, second, 0.0); };
    return hull({value(x.low, y.low), value(x.low, y.high), value(x.high, y.low), value(x.high, y.high)});
  };
  const auto even = [&](double at_low, double at_high, double at_zero) {
    const Range ends = hull({at_low, at_high});
    return a.low <= 0.0 && a.high >= 0.0 ? Range{std::min(at_zero, ends.low), std::max(at_zero, ends.high)} : ends;
  };
  const auto value = [&](double x) { return evaluate_op(step.op, x, b.low, c.low); };
  /// Whether x lies at one of first + n every.
  const auto passes = [&](double first, double every) {
    return std::floor((a.high - first) / every) > std::floor((a.low - first) / every);
  };
  constexpr double kPi = std::numbers::pi;
  const auto wave = [&](double first_maximum) {
    Range ends = hull({value(a.low), value(a.high)});
    if (passes(first_maximum, 2.0 * kPi)) ends.high = 1.0;
    if (passes(first_maximum + kPi, 2.0 * kPi)) ends.low = -1.0;
    return ends;
  };
  switch (step.op) {
    case Op::kConstant:
    case Op::kInput:
      return anything;  // look() knows them
    case Op::kAdd:
      return {a.low + b.low, a.high + b.high};
    case Op::kSub:
      return {a.low - b.high, a.high - b.low};
    case Op::kNeg:
      return {-a.high, -a.low};
    case Op::kMul:
      return step.a == step.b ? even(a.low * a.low, a.high * a.high, 0.0) : corners(a, b);
    case Op::kDiv:
      return b.low <= 0.0 && b.high >= 0.0 ? anything : corners(a, b);
    case Op::kPow: {
      const bool whole = b.low == b.high && b.low == std::floor(b.low);
      if (whole && b.low > 0.0)
        return std::fmod(b.low, 2.0) == 0.0 ? even(value(a.low), value(a.high), 0.0) : hull({value(a.low), value(a.high)});
      return a.low > 0.0 || (whole && a.high < 0.0) ? corners(a, b) : anything;
    }
    case Op::kSin:
      return wave(0.5 * kPi);
    case Op::kCos:
      return wave(0.0);
    case Op::kTan:
      return passes(0.5 * kPi, kPi) ? anything : hull({value(a.low), value(a.high)});
    case Op::kAtan2:
      return {-kPi, kPi};
    case Op::kCosh:
      return even(value(a.low), value(a.high), 1.0);
    case Op::kAbs:
      return even(value(a.low), value(a.high), 0.0);
    case Op::kAsin:
    case Op::kAcos:
    case Op::kAtan:
    case Op::kSinh:
    case Op::kTanh:
    case Op::kExp:
    case Op::kLog:
    case Op::kSqrt:
    case Op::kSign:
      return hull({value(a.low), value(a.high)});
    case Op::kMin:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::kMax:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::kGreaterEqual:
      return {a.low >= b.high ? 1.0 : 0.0, a.high < b.low ? 0.0 : 1.0};
    case Op::kSelect:
      if (a.low > 0.0 || a.high < 0.0) return b;
      if (a.low == 0.0 && a.high == 0.0) return c;
      return {std::min(b.low, c.low), std::max(b.high, c.high)};
  }
  return anything;
}

void HiddenPulses::look(double begin, double end) {
  constexpr Range kNothing{0.0, 0.0};
  const auto operand = [&](int at) { return at < 0 ? kNothing : range_[static_cast<size_t>(at)]; };
  for (size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    Range& range = range_[k];
    if (step.op == Op::kConstant) {
      range = {step.value, step.value};
    } else if (step.op == Op::kInput) {
      range = {begin, end};
    } else {
      range = range_of(step, operand(step.a), operand(step.b), operand(step.c));
    }
    if (!(range.low <= range.high)) range = {-kInfinity, kInfinity};
  }
}

void HiddenPulses::see(double t, bool first) {
  const auto operand = [&](int at) { return at < 0 ? 0.0 : value_[static_cast<size_t>(at)]; };
  for (size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    double& value = value_[k];
    if (step.op == Op::kConstant) {
      value = step.value;
    } else if (step.op == Op::kInput) {
      value = t;
    } else {
      value = evaluate_op(step.op, operand(step.a), operand(step.b), operand(step.c));
    }
    Range& seen = seen_[k];
    seen = first ? Range{value, value} : Range{std::min(seen.low, value), std::max(seen.high, value)};
  }
}

/// Whether a sixteenth of the interval has more than a third of the change: the range of what is smooth falls with the length, also where interval
/// arithmetic takes it too large.
bool HiddenPulses::is_sharp(size_t function, double begin, double end) {
  constexpr int kHalvings = 4;
  constexpr double kShare = 1.0 / 3.0;
  const double whole = whole_[function].width();
  look(begin, begin + std::ldexp(end - begin, -kHalvings));  // often it is the first one already
  if (range_[function].width() > kShare * whole) return true;
  double width = whole;
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double middle = begin + 0.5 * (end - begin);
    look(begin, middle);
    const double first = range_[function].width();
    look(middle, end);
    const double second = range_[function].width();
    width = std::max(first, second);
    (first >= second ? end : begin) = middle;
  }
  return width > kShare * whole;
}

bool HiddenPulses::hides(double begin, double end) {
  constexpr std::array kStages = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0};
  constexpr double kHidden = 3.0;
  const bool at_stages = looks_ == Looks::kAtStages;
  for (const double stage : kStages) {
    if (at_stages || stage == 0.0) see(begin + stage * (end - begin), stage == 0.0);
  }
  look(begin, end);
  whole_ = range_;
  for (size_t k = 0; k < steps_.size(); ++k) {
    if (steps_[k].scales || (!at_stages && steps_[k].switches)) continue;
    const double width = whole_[k].width();
    const bool hidden = std::isfinite(width) && width > kTiny && width > kHidden * seen_[k].width();
    if (hidden && is_sharp(k, begin, end)) return true;
  }
  return false;
}

double HiddenPulses::resolved_step(double t, double dt) {
  if (steps_.empty()) return dt;
  const double shortest = 1e3 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), dt);
  double length = dt;
  while (length > shortest && hides(t, t + length)) length *= 0.5;
  return length;
}

}  // namespace tippe
