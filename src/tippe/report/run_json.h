// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/record/recorded_run.h"
#include "tippe/report/json_values.h"

namespace tippe {

/// All of a run but its events and files.
[[nodiscard]] Json run_object(const RunHead& head, const RunSummary& summary);

/// The one JSON object of `tippe run --json` and `tippe show --json`; the keys are documented in docs/program.md.
[[nodiscard]] std::string run_json(const RunHead& head, const RunSummary& summary, const RecordedEvents& events,
                                   const std::vector<std::string>& files);

}  // namespace tippe
