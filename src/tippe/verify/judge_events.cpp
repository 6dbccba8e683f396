// SPDX-License-Identifier: Apache-2.0
// Events that the scene defines: that none is missed, and that states after them are those that it asks for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

void Judge::read_own_events() {
  for (const OwnEvent& event : options_.events.list()) {
    own_events_.push_back({&event, Formula(event.when), {}});
    for (const OwnEvent::Reset& reset : event.resets) own_events_.back().resets.emplace_back(reset.value);
  }
}

bool Judge::has_own_event(double from, double to, const std::string& name) const {
  if (own_events_.empty()) return false;
  return std::any_of(events_.begin(), events_.end(), [&](const Event& event) {
    return event.kind == EventKind::kOwn && event.t >= from && event.t <= to && (name.empty() || event.note == name);
  });
}

/// Those whose value has changed its sign; what was told of the interval before is known only now.
void Judge::check_missed_events(const Interval& interval) {
  check_waiting_events();
  const Vector B = mechanics_.inputs(interval.B), E = mechanics_.inputs(interval.E);
  for (const OwnEventFormulas& own : own_events_) {
    const Real before = own.when.value(B), after = own.when.value(E);
    const bool passes = std::abs(before) > kSolved * own.when.size(B) && std::abs(after) > kSolved * own.when.size(E) &&
                        (before > 0.0L) != (after > 0.0L);
    if (passes && own.event->wants(after > 0.0L ? 1 : -1))
      waiting_events_.push_back({own.event->name, interval.begin.t, interval.end.t});
  }
}

void Judge::check_waiting_events() {
  for (const auto& [name, from, to] : waiting_events_)
    check(Kind::kEvents, has_own_event(from, to, name) ? 0.0L : 1.0L, 0.5L, to, name,
          [] { return "its value passes through zero, and no event is told"; });
  waiting_events_.clear();
}

/// Two samples at one time without impulses between them. False if that is none of these.
bool Judge::judge_reset(const Interval& interval) {
  const Moment& end = interval.end;
  if (own_events_.empty() || interval.end.t != interval.begin.t || !has_own_event(end.t, end.t, "")) return false;
  if (end.impulse.size() > 0 && end.impulse.cwiseAbs().maxCoeff() > 0.0) return false;
  const Vector inputs = mechanics_.inputs(interval.B);
  Real least = -1.0L, off_at_least = 0.0L;
  std::string name;
  for (const OwnEventFormulas& own : own_events_) {
    if (!has_own_event(end.t, end.t, own.event->name)) continue;
    Vector q = interval.B.q, u = interval.B.u;
    Real allowed = kTiny;
    for (size_t k = 0; k < own.resets.size(); ++k) {
      const OwnEvent::Reset& reset = own.event->resets[k];
      (reset.of_velocity ? u : q)[reset.index] = own.resets[k].value(inputs);
      allowed += kRoundOff * own.resets[k].size(inputs);
    }
    const Real off = std::max((interval.E.q - q).cwiseAbs().maxCoeff(), (interval.E.u - u).cwiseAbs().maxCoeff());
    if (least >= 0.0L && off / allowed >= least) continue;
    least = off / allowed;
    off_at_least = off;
    name = own.event->name;
  }
  const bool may_be_another = options_.adaptive() && least > 1.0L;  // an impact at the same instant
  const bool moves = (interval.E.u - interval.B.u).cwiseAbs().maxCoeff() > 0.0L;
  if (may_be_another && !moves) return false;
  ++verdict_.jumps;
  check(Kind::kEvents, least, 1.0L, end.t, name, [&] {
    return fmt::format("the state after the event is {:.6g} off what its reset makes of the state before",
                       static_cast<double>(off_at_least));
  });
  return true;
}

}  // namespace tippe::verify
