// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tippe/record/recorded_run.h"

namespace tippe {

/// What the page replays of one run, data.ts "replays". `q`, `gap`, `force`: where it finds coordinates, gaps and forces of rows.
struct Replay {
  size_t run = 0;
  std::string label;
  std::string drawing;                       // JSON of the recording
  std::vector<std::vector<double>> columns;  // at the times of the axis "samples"
  struct Place {
    std::string panel;
    size_t series;
  };
  std::vector<Place> q, gap, force;
  RecordedContacts contacts{};
};
/// As JSON; nothing of a replay without a drawing.
[[nodiscard]] nlohmann::ordered_json describe_replays(const std::vector<Replay>& replays);

}  // namespace tippe
