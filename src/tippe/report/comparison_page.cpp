// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tippe/report/comparison.h"
#include "tippe/report/packed_document.h"
#include "tippe/report/page.h"
#include "tippe/report/replay.h"
#include "tippe/run/column_units.h"

namespace tippe {
namespace {

using Json = nlohmann::ordered_json;

/// Of "energy_change", "q x", "gap floor".
std::string unit_of(const std::string& id, const RunOrigin& origin) {
  if (id.starts_with("energy")) return "J";
  const auto found = origin.units.find(id.substr(std::min(id.size(), id.find(' ') + 1)));
  return found == origin.units.end() ? kSomeUnit : found->second;
}

/// One quantity, with a curve for each run in their order.
template <class Values>
Json panel(const ComparedQuantity& quantity, const RunOrigin& origin, const std::vector<ComparedRun>& runs,
           Values&& values) {
  Json series = Json::array();
  for (size_t r = 0; r < runs.size(); ++r) series.push_back({{"label", runs[r].label()}, {"values", base64(values(r))}});
  return {{"id", quantity.id}, {"title", quantity.title}, {"kind", "time"},
          {"axis", "samples"}, {"log", quantity.log},     {"unit", unit_of(quantity.id, origin)},
          {"runs", true},      {"series", series}};
}

/// What did not go well, one line for each run.
std::string troubles(const std::vector<ComparedRun>& runs) {
  std::string text;
  for (const ComparedRun& run : runs) {
    if (!run.summary.message.empty()) text += (text.empty() ? "" : "\n") + run.label() + ": " + run.summary.message;
  }
  return text;
}

RunStatus worst_status(const std::vector<ComparedRun>& runs) {
  RunStatus status = RunStatus::kOk;
  for (const ComparedRun& run : runs) {
    if (run.summary.status == RunStatus::kRunning) return run.summary.status;
    if (run.summary.status != RunStatus::kOk && status != RunStatus::kInterrupted) status = run.summary.status;
  }
  return status;
}

/// One for each run; the page has no forces at the common times.
std::vector<Replay> replays_of(const Comparison& comparison) {
  std::vector<Replay> replays;
  for (size_t r = 0; r < comparison.runs().size(); ++r) {
    const ComparedRun& run = comparison.runs()[r];
    Replay replay{r, run.label(), run.drawing, run.drawing_columns, {}, {}, {}};
    for (const ComparedQuantity& quantity : comparison.quantities()) {
      if (quantity.id.starts_with("q ")) replay.q.push_back({quantity.id, r});
      if (quantity.id.starts_with("gap ")) replay.gap.push_back({quantity.id, r});
    }
    replays.push_back(std::move(replay));
  }
  return replays;
}

/// Those of the scene, or where runs have others those of each run.
std::vector<std::string> settings_of(const Comparison& comparison) {
  const std::vector<std::string>& common = comparison.origin().settings;
  const std::vector<ComparedRun>& runs = comparison.runs();
  if (std::all_of(runs.begin(), runs.end(), [&](const ComparedRun& run) { return run.head.origin.settings == common; }))
    return common;
  std::vector<std::string> settings;
  for (const ComparedRun& run : runs) {
    for (const std::string& setting : run.head.origin.settings) settings.push_back(run.label() + ": " + setting);
  }
  return settings;
}

}  // namespace

std::string comparison_document(const Comparison& comparison, const TextTable& table) {
  const std::vector<ComparedRun>& runs = comparison.runs();
  const RunOrigin& origin = comparison.origin();
  std::vector<double> times(comparison.times().size());
  for (size_t k = 0; k < times.size(); ++k) times[k] = comparison.times().time(k);

  Json described = Json::array(), lines = Json::array();
  for (const std::string& note : table.notes) lines.push_back({{"label", "note"}, {"value", note}});
  for (size_t r = 0; r < runs.size(); ++r) {
    const ComparedRun& run = runs[r];
    const bool shown = !comparison.diverged(r);
    described.push_back({{"label", run.label()},
                         {"integrator", run.head.integrator},
                         {"dt", run.adaptive ? Json() : Json(run.head.dt)},
                         {"shown", shown}});
    if (!shown) {
      lines.push_back(
          {{"label", "note"},
           {"value", run.label() + " is hidden at first, because its energy lies far beyond that of the others"}});
    }
  }
  for (const std::string& setting : settings_of(comparison)) lines.push_back({{"label", "setting"}, {"value", setting}});
  for (const ComparedRun& run : runs) {
    for (const std::string& warning : run.summary.warnings)
      lines.push_back({{"label", "warning"}, {"value", run.label() + ": " + warning}});
  }

  Json panels = Json::array();
  for (size_t c = 0; c < comparison.quantities().size(); ++c) {
    panels.push_back(panel(comparison.quantities()[c], origin, runs, [&](size_t r) { return runs[r].values[c]; }));
  }
  if (runs.size() > 1) {
    const ComparedQuantity quantity{"deviation", "Deviation from the reference", true};
    panels.insert(panels.begin() + 3,  // after the energies
                  panel(quantity, origin, runs, [&](size_t r) { return comparison.deviations(r); }));
  }
  const Json data = {{"format", "tippe-report"},
                     {"version", 1},
                     {"title", origin.title},
                     {"source", origin.source},
                     {"scene_file", origin.scene_file},
                     {"scene_text", origin.scene_text},
                     {"program", runs.empty() ? "" : runs.front().head.program},
                     {"status", name_of(worst_status(runs))},
                     {"message", troubles(runs)},
                     {"summary", lines},
                     {"runs", described},
                     {"table", {{"headings", table.headings}, {"rows", table.rows}}},
                     {"axes", {{"samples", base64(times)}}},
                     {"panels", panels},
                     {"impacts", Json::array()},
                     {"replays", describe_replays(replays_of(comparison))}};
  return data.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string make_comparison_page(const Comparison& comparison, const TextTable& table) {
  return fill_page(pack_document(comparison_document(comparison, table)));
}

}  // namespace tippe
