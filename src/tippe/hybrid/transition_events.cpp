// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/transition_events.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tippe {
namespace {

EventKind kind_of_change(ContactMode before, ContactMode after) {
  if (before == ContactMode::kOpen) return EventKind::kTouch;
  if (after == ContactMode::kOpen) return EventKind::kLiftOff;
  if (before == ContactMode::kStick) return EventKind::kStickToSlip;
  return slides(after) ? EventKind::kSlipReversal : EventKind::kSlipToStick;
}

/// The event of a start or a jump, with the modes after it.
Event completed(Event event, const std::vector<ContactMode>& before, const ModeChoice& choice,
                const ModeSelection& selection, const std::string& note) {
  event.before = event.kind == EventKind::kStart ? choice.modes : before;
  event.after = choice.modes;
  const bool jump_checked = event.kind != EventKind::kImpact || event.alternatives.has_value();
  const auto others = selection.others();
  if ((jump_checked && selection.complete) || others > 0) {
    event.alternatives = event.alternatives.value_or(0) + others;
  } else {
    event.alternatives.reset();
  }
  if (!note.empty()) event.note += (event.note.empty() ? "" : "; ") + note;
  return event;
}

}  // namespace

size_t default_choice(const ModeSelection& selection, std::span<const ContactMode> modes) {
  size_t best = 0;
  int best_score = -1;
  for (size_t c = 0; c < selection.choices.size(); ++c) {
    int unchanged = 0, closed = 0;
    for (size_t i = 0; i < modes.size(); ++i) {
      unchanged += selection.choices[c].modes[i] == modes[i] ? 1 : 0;
      closed += selection.choices[c].modes[i] != ContactMode::kOpen ? 1 : 0;
    }
    const int score = unchanged * static_cast<int>(modes.size() + 1) + closed;
    if (score > best_score) {
      best = c;
      best_score = score;
    }
  }
  return best;
}

std::vector<Event> transition_events(double t, const Occasion& occasion, const std::vector<ContactMode>& before,
                                     const ModeChoice& choice, const ModeSelection& selection, const std::string& note) {
  if (occasion.event) return {completed(*occasion.event, before, choice, selection, note)};
  const std::vector<ContactMode>& after = choice.modes;
  std::map<EventKind, std::vector<int>> changes;  // in the order of their kinds
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] != after[i]) changes[kind_of_change(before[i], after[i])].push_back(static_cast<int>(i));
  }
  for (const int law : occasion.grazing) {
    if (after[static_cast<size_t>(law)] == ContactMode::kOpen) changes[EventKind::kTouch].push_back(law);
  }
  // In a plane a mode does not tell the direction.
  for (const int law : occasion.stopped) {
    const auto i = static_cast<size_t>(law);
    if (before[i] == ContactMode::kSlide && after[i] == ContactMode::kSlide)
      changes[EventKind::kSlipReversal].push_back(law);
  }
  std::vector<Event> events;
  std::vector<ContactMode> now = before;
  for (auto& [kind, laws] : changes) {
    std::sort(laws.begin(), laws.end());
    Event event{.t = t, .kind = kind, .laws = laws, .before = now};
    for (const int law : laws) now[static_cast<size_t>(law)] = after[static_cast<size_t>(law)];
    event.after = now;
    const auto others = selection.others();
    if (selection.complete || others > 0) event.alternatives = others;
    event.note = note;
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace tippe
