// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_json_values.h"

#include <nlohmann/json.hpp>
#include "tippe/report/modes_report.h"

namespace tippe {
namespace {

Json contacts_of(const ModeList& list, const std::vector<ContactMode>& contacts) {
  Json object = Json::object();
  for (size_t c = 0; c < contacts.size(); ++c) object[list.contacts[c]] = name_of(contacts[c]);
  return object;
}

const char* trend_key(Trend::Of what, ContactMode mode) {
  if (what == Trend::Of::kReserve) return "reserve";
  if (what == Trend::Of::kSlip) return "slip";
  return mode == ContactMode::kOpen ? "gap" : "force";
}

Json part_json(const ModesReport::Part& part, bool impact) {
  const ModeList& list = part.list;
  Json modes = Json::array();
  for (const ConsistentMode& mode : list.modes) {
    Json object = {{"contacts", contacts_of(list, mode.contacts)},
                   {impact ? "velocity_after" : "acceleration", named(part.coordinates, mode.motion)},
                   {impact ? "velocity_unique" : "acceleration_unique", mode.motion_unique},
                   {impact ? "velocity_bounds" : "acceleration_bounds",
                    intervals(part.coordinates, mode.motion_lower, mode.motion_upper)},
                   {"unbalanced", mode.unbalanced.size() > 0 ? named(part.coordinates, mode.unbalanced) : Json()},
                   {impact ? "impulses" : "forces", named(part.forces, mode.forces)},
                   {impact ? "impulses_unique" : "forces_unique", mode.forces_unique},
                   {"bounds", intervals(part.forces, mode.lower, mode.upper)}};
    if (impact) {
      object["energy_change"] = known_number(mode.energy_change);
      object["surface_work"] = known_number(mode.surface_work);
      object["kinetic_energy_change"] = known_number(mode.energy_change + mode.surface_work);
    } else {
      Json trending = Json::object();
      for (size_t c = 0; c < mode.trending.size(); ++c) {
        const Trend& trend = mode.trending[c];
        trending[list.contacts[c]] = {{"of", trend_key(trend.of, mode.contacts[c])},
                                      {"order", trend.order},
                                      {"sign", trend.sign},
                                      {"simulated", trend.after > 0.0 ? known_number(trend.after) : Json()}};
      }
      object["trending"] = trending;
    }
    Json ties = Json::array();
    for (const int c : mode.ties) ties.push_back(list.contacts[static_cast<size_t>(c)]);
    object["ties"] = ties;
    object["residual"] = known_number(mode.residual);
    modes.push_back(object);
  }
  Json rejected = Json::array();
  for (const RejectedMode& mode : list.rejected)
    rejected.push_back({{"contacts", contacts_of(list, mode.contacts)}, {"reasons", mode.reasons}});
  const std::optional<bool> unique = list.unique();
  return {{"scope", list.contacts},
          {"modes", modes},
          {"unique", unique ? Json(*unique) : Json()},
          {"complete", list.complete},
          {"note", list.note.empty() ? Json() : Json(list.note)},
          {"rejected", rejected}};
}

}  // namespace

std::string modes_json(const ModesReport& report) {
  const Json object = {{"status", "ok"},
                       {"error", nullptr},
                       {"file", report.file},
                       {"title", report.title.empty() ? Json() : Json(report.title)},
                       {"time", report.time ? known_number(*report.time) : Json()},
                       {"impact", report.impact ? part_json(*report.impact, true) : Json()},
                       {"motion", report.motion ? part_json(*report.motion, false) : Json()},
                       {"notes", report.notes}};
  return dump(object);
}

}  // namespace tippe
