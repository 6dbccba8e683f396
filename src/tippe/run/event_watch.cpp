// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/event_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tippe/core/infinity.h"
#include "tippe/run/crossing.h"
#include "tippe/run/tolerances.h"

namespace tippe {

using Eigen::Index;

namespace {

int sign_of_value(double value) {
  return (value > 0.0) - (value < 0.0);
}

double accuracy_of_event(double t, double dt) {
  return std::max(kStopOfStep * dt, kStopOfTime * std::abs(t));
}

}  // namespace

EventWatch::EventWatch(const OwnEvents& events, const State& start)
    : events_(events),
      value_evaluator_(events.values()),
      reset_evaluator_(events.resets()),
      counts_(events.list().size(), 0),
      side_(counts_.size(), 0),
      time_(counts_.size(), -kInfinity),
      zero_(counts_.size(), 0.0),
      undefined_(counts_.size(), kInfinity) {
  if (events.empty()) return;
  evaluate(start, values_);
  for (size_t k = 0; k < side_.size(); ++k) {
    const OwnEvent& event = events.list()[k];
    side_[k] = sign_of_value(values_[static_cast<Index>(k)]);
    if (side_[k] == 0 && event.leaves_zero_at_start) side_[k] = event.wants(1) ? -1 : 1;
  }
}

/// Whether a value has a wanted sign now that it did not have.
bool EventWatch::passed(size_t event, double value) const {
  const int sign = sign_of_value(value);
  return sign != 0 && side_[event] != 0 && sign != side_[event] && events_.list()[event].wants(sign);
}

bool EventWatch::any_passed(const Eigen::VectorXd& values) const {
  for (size_t k = 0; k < side_.size(); ++k) {
    if (passed(k, values[static_cast<Index>(k)])) return true;
  }
  return false;
}

/// The signs of values_, of `state`; that of an event which has just been waits until the clock goes on.
void EventWatch::take_sides(const State& state) {
  found_.clear();
  note_undefined(state.t);
  for (size_t k = 0; k < side_.size(); ++k) {
    const double value = values_[static_cast<Index>(k)];
    if (passed(k, value)) {
      found_.push_back(static_cast<int>(k));
    } else if (sign_of_value(value) != 0 && state.t > time_[k] + accuracy_of_event(state.t, 0.0)) {
      side_[k] = sign_of_value(value);
    }
  }
}

void EventWatch::note_undefined(double t) {
  for (size_t k = 0; k < undefined_.size(); ++k) {
    if (std::isnan(values_[static_cast<Index>(k)])) undefined_[k] = std::min(undefined_[k], t);
  }
}

void EventWatch::warn(std::vector<std::string>& warnings) const {
  for (size_t k = 0; k < undefined_.size(); ++k) {
    const double t = undefined_[k];
    const auto end = undefined_.begin() + static_cast<std::ptrdiff_t>(k);
    if (t == kInfinity || std::find(undefined_.begin(), end, t) != end) continue;
    std::string names;
    for (size_t other = k; other < undefined_.size(); ++other) {
      if (undefined_[other] == t) names += fmt::format("{}'{}'", other == k ? "" : ", ", events_.list()[other].name);
    }
    warnings.push_back(fmt::format(
        "the expression of the event {} is not a number at t = {:.9g}: where it is none, no event is seen", names, t));
  }
}

double EventWatch::find(Integrator& integrator, const State& before, double dt, State& state, StepReport& report) {
  found_.clear();
  if (events_.empty()) return dt;
  evaluate(state, values_);
  double length = dt;
  if (any_passed(values_)) length = shorten(integrator, before, dt, state, report);
  if (!report.ok()) return length;
  evaluate(state, values_);
  take_sides(state);
  return length;
}

/// By false position on the value whose zero seems to be the first, and bisection where that is slow or the value jumps.
double EventWatch::shorten(Integrator& integrator, const State& before, double dt, State& state, StepReport& report) {
  const double fine_enough = accuracy_of_event(before.t, dt), least = 3.0 * kSameTime * dt;
  double made = dt;
  const auto repeat = [&](double length) {
    integrator.restore_memory(memory_);
    state = before;
    report = integrator.step(state, length);
    made = length;
    if (report.ok()) evaluate(state, values_);
    return report.ok() && any_passed(values_);
  };
  evaluate(before, before_);
  const Eigen::VectorXd end = values_;
  Eigen::VectorXd too_short = before_, long_enough = end;
  double early = 0.0, late = dt, width = 4.0 * dt;
  for (int pass = 0; late - early > fine_enough; ++pass) {
    double trial = late;
    bool exact = true;
    for (size_t k = 0; k < side_.size(); ++k) {
      const auto i = static_cast<Index>(k);
      if (!passed(k, end[i]) || !passed(k, long_enough[i])) continue;
      exact = exact && std::abs(long_enough[i]) <= kStopOfStep * (std::abs(before_[i]) + std::abs(end[i]));
      const double rise = long_enough[i] - too_short[i];
      trial = std::min(trial, early - too_short[i] * (late - early) / rise);
    }
    if (exact) break;  // a zero as good as it can be
    // Between two passes of false position the interval must have become smaller than half.
    const bool slow = pass % 3 == 2 && late - early > 0.5 * width;
    if (pass % 3 == 2) width = late - early;
    if (slow || !(trial > early && trial < late)) trial = 0.5 * (early + late);
    // A little beyond the zero: both ends come nearer.
    trial = std::min(trial + 0.5 * fine_enough, 0.5 * (trial + late));
    if (repeat(trial)) {
      late = trial;
      long_enough = values_;
    } else {
      early = trial;
      if (report.ok()) too_short = values_;
    }
  }
  // A whole step is no cut one, and what is left of a step is not next to nothing.
  if (late < least) late = least;
  if (late > dt - least) late = dt;
  if (made != late) repeat(late);
  return late;
}

void EventWatch::find(AdaptiveIntegrator& integrator, const State& before, State& state, StepReport& report) {
  found_.clear();
  if (events_.empty()) return;
  evaluate(before, before_);
  std::optional<Crossing> first;
  const double begin = before.t, end = state.t, fine_enough = kStopOfTime * std::max(std::abs(begin), std::abs(end));
  std::vector<Crossing> crossings(side_.size(), {kInfinity, kInfinity});
  for (size_t k = 0; end > begin && k < side_.size(); ++k) {
    const OwnEvent& event = events_.list()[k];
    const auto value = [&](double t) {
      if (!integrator.interpolate(t, trial_).ok()) return std::numeric_limits<double>::quiet_NaN();
      evaluate(trial_, values_);
      return values_[static_cast<Index>(k)];
    };
    const double from = side_[k] == 0 ? std::min(begin + fine_enough, end) : begin;
    if (const auto found =
            find_crossing(value, {from, end, side_[k], 2.0 * zero_[k], event.wants(1), event.wants(-1), fine_enough})) {
      crossings[k] = *found;
      if (!first || found->late < first->late) first = found;
    }
  }
  const auto is_reached = [&](size_t k) { return crossings[k].late <= state.t + 2.0 * fine_enough; };
  if (first && first->late < end) {
    // Dense output and a step that ends there may differ by their errors.
    double length = first->late - begin;
    for (double more = fine_enough;; more *= 4.0) {
      integrator.restore_memory(memory_);
      state = before;
      report = integrator.step(state, length);
      if (!report.ok()) return;
      evaluate(state, values_);
      bool crossed = true;
      for (size_t k = 0; k < side_.size(); ++k) {
        if (crossings[k].late > first->late) continue;
        const int side = sign_of_value(values_[static_cast<Index>(k)]);
        crossed = crossed && side != 0 && side != side_[k] && events_.list()[k].wants(side);
      }
      constexpr double kMost = 1e-3;
      if (crossed || state.t < begin + 0.5 * length || more > kMost * (end - begin)) break;
      length += more;
    }
  }
  evaluate(state, values_);
  found_.clear();
  note_undefined(state.t);
  for (size_t k = 0; k < side_.size(); ++k) {
    const double value = values_[static_cast<Index>(k)];
    const int sign = sign_of_value(value);
    if (is_reached(k) || (side_[k] != 0 && crossings[k].late == kInfinity && passed(k, value))) {
      found_.push_back(static_cast<int>(k));
    } else if (sign != 0 && state.t > time_[k] + accuracy_of_event(state.t, 0.0)) {
      side_[k] = sign;
    }
  }
}

bool EventWatch::take(int number, State& state) {
  const auto k = static_cast<size_t>(number);
  const OwnEvent& event = events_.list()[k];
  ++counts_[k];
  evaluate(state, values_);
  const double before = values_[number];
  time_[k] = state.t;
  zero_[k] = std::abs(before);
  if (event.resets.empty()) {  // it goes on beyond the zero
    side_[k] = sign_of_value(before);
    return false;
  }
  reset_evaluator_.evaluate_quantities(state, resets_);
  Index first = 0;
  for (size_t other = 0; other < k; ++other) first += static_cast<Index>(events_.list()[other].resets.size());
  for (const OwnEvent::Reset& reset : event.resets) (reset.of_velocity ? state.u : state.q)[reset.index] = resets_[first++];
  evaluate(state, values_);
  // Whether it turns back from the zero, where that is where it is, is seen when the clock has gone on.
  const double after = values_[number];
  side_[k] = std::abs(after - before) <= 1e-9 * std::abs(after) || std::abs(after) <= zero_[k] ? 0 : sign_of_value(after);
  return true;
}

void EventWatch::look_after_jumps(const State& state) {
  evaluate(state, values_);
  found_.clear();
  for (size_t k = 0; k < side_.size(); ++k) {
    if (time_[k] == state.t) continue;  // once at an instant
    const double value = values_[static_cast<Index>(k)];
    if (passed(k, value)) {
      found_.push_back(static_cast<int>(k));
    } else if (sign_of_value(value) != 0) {
      side_[k] = sign_of_value(value);
    }
  }
}

}  // namespace tippe
