// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/event_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace tippe {
namespace {

std::string describe_laws(const Event& event, const std::vector<std::string>& laws) {
  std::vector<std::string> names;
  for (const int law : event.laws) names.push_back(laws.at(static_cast<size_t>(law)));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Of the laws that take part or change; at the start of all.
std::string describe_modes(const Event& event, const std::vector<std::string>& laws) {
  std::vector<std::string> modes;
  for (size_t i = 0; i < laws.size(); ++i) {
    const bool changes = event.before[i] != event.after[i];
    const bool takes_part = std::binary_search(event.laws.begin(), event.laws.end(), static_cast<int>(i));
    if (event.kind == EventKind::kStart) {
      modes.push_back(fmt::format("{}: {}", laws[i], name_of(event.after[i])));
    } else if (changes) {
      modes.push_back(fmt::format("{}: {} -> {}", laws[i], name_of(event.before[i]), name_of(event.after[i])));
    } else if (takes_part) {
      modes.push_back(fmt::format("{}: {} as before", laws[i], name_of(event.after[i])));
    }
  }
  return fmt::format("{}", fmt::join(modes, ", "));
}

std::string describe_remarks(const Event& event) {
  std::string text;
  if (!event.alternatives) {
    const bool chooses = event.kind != EventKind::kAccumulation && event.kind != EventKind::kOwn &&
                         event.kind != EventKind::kRedundancyChange;  // what has changed with it was chosen at another event
    if (chooses) text = "not checked for other modes";
  } else if (*event.alternatives == 1) {
    text = "another mode was consistent too";
  } else if (*event.alternatives > 1) {
    text = fmt::format("{} other modes were consistent too", *event.alternatives);
  }
  return text + (text.empty() || event.note.empty() ? "" : "; ") + event.note;
}

}  // namespace

TextTable tabulate_events(std::span<const Event> events, const std::vector<std::string>& laws) {
  TextTable table{{"time", "kind", "laws", "modes", "energy lost", "remarks"}, {}, {}, 4};
  for (const Event& event : events) {
    const bool loses = event.impulse.size() > 0 || event.lost != 0.0;
    table.rows.push_back({fmt::format("{:.12f}", event.t), name_of(event.kind), describe_laws(event, laws),
                          describe_modes(event, laws), loses ? fmt::format("{:.6g}", event.lost) : "",
                          describe_remarks(event)});
  }
  return table;
}

std::string describe_counts(const EventCounts& counts) {
  std::vector<std::string> parts;
  for (size_t k = 0; k < counts.by_kind.size(); ++k) {
    if (counts.by_kind[k] > 0) parts.push_back(fmt::format("{} {}", name_of(static_cast<EventKind>(k)), counts.by_kind[k]));
  }
  return fmt::format("{} ({})", counts.total(), fmt::join(parts, ", "));
}

ModeHistory mode_history(std::span<const Event> events, size_t law) {
  ModeHistory history;
  for (const Event& event : events) {
    if (!history.times.empty() && history.times.back() == event.t) {  // of several at one instant the last stays
      history.times.pop_back();
      history.modes.pop_back();
    }
    const ContactMode mode = event.after.at(law);
    if (!history.modes.empty() && history.modes.back() == mode) continue;
    history.times.push_back(event.t);
    history.modes.push_back(mode);
  }
  return history;
}

}  // namespace tippe
