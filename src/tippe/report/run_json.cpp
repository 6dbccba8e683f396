// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/run_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tippe {
namespace {

Json violation(const WorstViolation& worst, double at_start, double at_end) {
  return {{"worst", number(worst.value)},
          {"worst_at", text_or_null(worst.at)},
          {"worst_time", worst.at.empty() ? Json() : number(worst.time)},
          {"start", number(at_start)},
          {"end", number(at_end)}};
}

Json constraints_object(const ConstraintSummary& constraints) {
  if (constraints.rows == 0) return nullptr;
  return {{"rows", constraints.rows},
          {"rank_at_start", constraints.rank_at_start},
          {"smallest_rank", constraints.smallest_rank},
          {"position", constraints.holonomic == 0
                           ? Json()
                           : violation(constraints.position, constraints.position_at_start, constraints.position_at_end)},
          {"velocity", violation(constraints.velocity, constraints.velocity_at_start, constraints.velocity_at_end)}};
}

}  // namespace

Json run_object(const RunHead& head, const RunSummary& summary) {
  const EnergyLedger& energy = summary.energy;
  Json event_counts = Json::object();
  for (size_t k = 0; k < summary.events.by_kind.size(); ++k) {
    if (summary.events.by_kind[k] > 0) event_counts[name_of(static_cast<EventKind>(k))] = summary.events.by_kind[k];
  }
  Json own_events = Json::object();
  for (const OwnEventCount& event : summary.own_events) own_events[event.name] = event.count;
  Json impacts_by_contact = Json::object();
  for (size_t i = 0; i < head.laws.size(); ++i) {
    if (std::find(head.contacts.begin(), head.contacts.end(), head.laws[i]) != head.contacts.end())
      impacts_by_contact[head.laws[i]] = summary.impacts_by_law[i];
  }
  Json error;
  if (summary.status != RunStatus::kOk && summary.status != RunStatus::kRunning)
    error = {{"file", head.origin.scene_file}, {"line", nullptr}, {"column", nullptr}, {"message", summary.message}};
  Json stopped;
  if (summary.stopped) stopped = {{"time", number(summary.stopped->time)}, {"because", summary.stopped->because}};
  return {{"status", name_of(summary.status)},
          {"error", error},
          {"scene", head.origin.scene_file},
          {"integrator", head.integrator},
          {"dt", head.dt},
          {"steps", summary.steps},
          {"stopped", stopped},
          {"t_end", number(summary.final_state.t)},
          {"final",
           {{"q", named_values(head.coordinates, summary.final_state.q)},
            {"u", named_values(head.velocities, summary.final_state.u)}}},
          {"energy",
           {{"initial", number(energy.initial)},
            {"final", number(energy.final)},
            {"lost_in_contacts", number(energy.lost_in_contacts)},
            {"lost_in_damping", number(energy.lost_in_damping)},
            {"work_done", number(energy.work_done)},
            {"pushed_out", number(energy.pushed_out)},
            {"unexplained", number(energy.unexplained())},
            {"max_rise_per_step", number(energy.max_rise_per_step)},
            {"scale", number(energy.scale)}}},
          {"lost_by_law", named_values(head.laws, summary.lost_by_law)},
          {"impacts", summary.impacts},
          {"impacts_by_contact", impacts_by_contact},
          {"impact_threshold", summary.events.total() > 0 ? Json() : Json(kImpactThreshold)},
          {"event_counts", event_counts},
          {"own_events", own_events},
          {"solver",
           {{"worst_residual", number(summary.worst_residual)},
            {"median_residual", number(summary.median_residual)},
            {"residual_90_percent", number(summary.residual_90_percent)},
            {"failed_steps", summary.failed_steps},
            {"rejected_steps", summary.rejected_steps},
            {"iterations", summary.iterations},
            {"halved_steps", summary.halved_steps},
            {"inexact_steps", summary.inexact_steps},
            {"ambiguous_steps", summary.ambiguous_steps}}},
          {"constraints", constraints_object(summary.constraints)},
          {"worst_penetration", number(summary.worst_penetration)},
          {"worst_penetration_at", text_or_null(summary.worst_penetration_at)},
          {"warnings", summary.warnings},
          {"notes", summary.notes},
          {"wall_time_s", summary.wall_time}};
}

std::string run_json(const RunHead& head, const RunSummary& summary, const RecordedEvents& events,
                     const std::vector<std::string>& files) {
  Json object = run_object(head, summary);
  object["events"] = events_array(events);
  object["files"] = files;
  return dump(object);
}

}  // namespace tippe
