// SPDX-License-Identifier: Apache-2.0
#include "run_summary.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"

namespace tippe::python {
namespace {

template <class Values>
nb::dict by_name(const std::vector<std::string>& names, const Values& values) {
  nb::dict result;
  for (size_t k = 0; k < names.size(); ++k) result[names[k].c_str()] = values[static_cast<std::ptrdiff_t>(k)];
  return result;
}

nb::object constraints_dict(const ConstraintSummary& constraints) {
  if (constraints.rows == 0) return nb::none();
  nb::dict result;
  result["rows"] = constraints.rows;
  result["holonomic"] = constraints.holonomic;
  result["rank_at_start"] = constraints.rank_at_start;
  result["smallest_rank"] = constraints.smallest_rank;
  result["worst_position"] = constraints.position.value;
  result["worst_position_at"] = constraints.position.at;
  result["worst_position_time"] = constraints.position.time;
  result["position_at_start"] = constraints.position_at_start;
  result["position_at_end"] = constraints.position_at_end;
  result["worst_velocity"] = constraints.velocity.value;
  result["worst_velocity_at"] = constraints.velocity.at;
  result["worst_velocity_time"] = constraints.velocity.time;
  result["velocity_at_start"] = constraints.velocity_at_start;
  result["velocity_at_end"] = constraints.velocity_at_end;
  return result;
}

}  // namespace

nb::dict summary_dict(const RunHead& head, const RunSummary& summary) {
  nb::dict result;
  result["status"] = name_of(summary.status);
  result["message"] = summary.message;
  result["steps"] = summary.steps;
  result["time"] = summary.final_state.t;
  result["q"] = frozen_copy(summary.final_state.q);
  result["u"] = frozen_copy(summary.final_state.u);
  result["stopped_because"] = summary.stopped ? summary.stopped->because : std::string();
  result["stopped_time"] = summary.stopped ? nb::cast(summary.stopped->time) : nb::none();
  result["impacts"] = summary.impacts;
  result["impacts_by_law"] = by_name(head.laws, summary.impacts_by_law);
  result["lost_by_law"] = by_name(head.laws, summary.lost_by_law);
  nb::dict events;
  for (size_t k = 0; k < summary.events.by_kind.size(); ++k) {
    if (summary.events.by_kind[k] > 0) events[name_of(static_cast<EventKind>(k))] = summary.events.by_kind[k];
  }
  result["events_by_kind"] = events;
  nb::dict own_events;
  for (const OwnEventCount& event : summary.own_events) own_events[event.name.c_str()] = event.count;
  result["own_events"] = own_events;
  result["energy_initial"] = summary.energy.initial;
  result["energy_final"] = summary.energy.final;
  result["energy_lost_in_contacts"] = summary.energy.lost_in_contacts;
  result["energy_lost_in_damping"] = summary.energy.lost_in_damping;
  result["energy_work_done"] = summary.energy.work_done;
  result["energy_pushed_out"] = summary.energy.pushed_out;
  result["energy_unexplained"] = summary.energy.unexplained();
  result["energy_max_rise_per_step"] = summary.energy.max_rise_per_step;
  result["energy_scale"] = summary.energy.scale;
  result["worst_residual"] = summary.worst_residual;
  result["median_residual"] = summary.median_residual;
  result["residual_90_percent"] = summary.residual_90_percent;
  result["iterations"] = summary.iterations;
  result["failed_steps"] = summary.failed_steps;
  result["rejected_steps"] = summary.rejected_steps;
  result["halved_steps"] = summary.halved_steps;
  result["inexact_steps"] = summary.inexact_steps;
  result["ambiguous_steps"] = summary.ambiguous_steps;
  result["worst_penetration"] = summary.worst_penetration;
  result["worst_penetration_at"] = summary.worst_penetration_at;
  result["constraints"] = constraints_dict(summary.constraints);
  result["wall_time"] = summary.wall_time;
  result["warnings"] = nb::tuple(nb::cast(summary.warnings));
  result["notes"] = nb::tuple(nb::cast(summary.notes));
  return result;
}

}  // namespace tippe::python
