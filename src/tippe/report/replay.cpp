// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/replay.h"

#include <nlohmann/json.hpp>

#include "tippe/report/page.h"

namespace tippe {

using Json = nlohmann::ordered_json;

Json describe_replays(const std::vector<Replay>& replays) {
  const auto references = [](const std::vector<Replay::Place>& places) {
    Json list = Json::array();
    for (const Replay::Place& place : places) list.push_back({{"panel", place.panel}, {"series", place.series}});
    return list;
  };
  Json described = Json::array();
  for (const Replay& replay : replays) {
    if (replay.drawing.empty()) continue;
    Json columns = Json::array();
    for (const std::vector<double>& column : replay.columns) columns.push_back(base64(column));
    described.push_back({{"run", replay.run},
                         {"label", replay.label},
                         {"axis", "samples"},
                         {"drawing", Json::parse(replay.drawing)},
                         {"columns", columns},
                         {"q", references(replay.q)},
                         {"gap", references(replay.gap)},
                         {"force", references(replay.force)}});
    const RecordedContacts& found = replay.contacts;
    if (!found.were_found()) continue;
    described.back()["contacts"] = {{"start", base64(std::vector<double>(found.start.begin(), found.start.end()))},
                                    {"at", base64(found.at)},
                                    {"normal", base64(found.normal)},
                                    {"impulse", base64(found.impulse)}};
  }
  return described;
}

}  // namespace tippe
