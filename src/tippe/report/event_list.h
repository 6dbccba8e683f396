// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tippe/report/text_table.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// One row for each event: time, kind, laws that take part, their modes before and after, energy lost, remarks.
[[nodiscard]] TextTable tabulate_events(std::span<const Event> events, const std::vector<std::string>& laws);

/// "8 (start 1, impact 6, accumulation 1)".
[[nodiscard]] std::string describe_counts(const EventCounts& counts);

/// Of one law: from times[k] on it is in modes[k], until the next time or the end. Nothing if there are no events.
struct ModeHistory {
  std::vector<double> times;  // s
  std::vector<ContactMode> modes;
};
[[nodiscard]] ModeHistory mode_history(std::span<const Event> events, size_t law);

}  // namespace tippe
