// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/memory_recording.h"

#include <algorithm>

#include "tippe/core/version.h"
#include "tippe/record/column_names.h"
#include "tippe/run/column_units.h"

namespace tippe {
namespace {

void append_to(std::vector<double>& values, const Eigen::VectorXd& added) {
  values.insert(values.end(), added.begin(), added.end());
}
void append_to(std::vector<double>& values, std::initializer_list<double> added) {
  values.insert(values.end(), added);
}
/// Where the table has columns.
void append_to(RecordedTable& table, const Eigen::VectorXd& added) {
  if (!table.names.empty()) append_to(table.values, added);
}

}  // namespace

MemoryRecording::MemoryRecording(const System& system, const RunOrigin& origin, const RunOptions& options, double t0,
                                 bool samples)
    : samples_(samples),
      events_(has_events(options)),
      adaptive_(options.adaptive()),
      found_(!system.has_fixed_laws()),
      rolls_(std::ranges::any_of(system.laws(), [](const ForceLaw& law) { return law.rolling.has_value(); })),
      contacts_(contact_numbers(system.laws())),
      holonomic_(holonomic_numbers(system.constraints())) {
  run_.origin = origin;
  run_.program = kProgram;
  run_.integrator = options.integrator;
  run_.dt = options.dt;
  run_.start = t0;
  run_.until = options.until;
  run_.laws = law_names(system.laws());
  run_.q.names = system.coordinate_names();
  run_.u.names = system.velocity_names();
  run_.gap.names = gap_names(system.laws());
  run_.impulse.names = impulse_names(system.laws());
  run_.energy.names = energy_columns();
  run_.quantity.names = options.observables.names();
  run_.since.names = step_sum_names();
  if (!adaptive_) {
    if (!run_.laws.empty()) {
      run_.impact.names = run_.impulse.names;
      run_.acted.names = run_.laws;
    }
    run_.u_start.names = run_.u.names;
    run_.moved_q.names = run_.q.names;
    run_.moved_u.names = run_.u.names;
  }
  run_.drawing = options.drawing.document;
  if (!run_.drawing.empty()) run_.drawing_columns.names = options.drawing.columns.names();
  if (!system.constraints().empty()) {
    run_.constraint_force.names = constraint_names(system.constraints());
    run_.control_force.names = control_force_names(system);
    run_.constraint_position.names = holonomic_names(system.constraints());
    run_.constraint_velocity.names = constraint_names(system.constraints());
  }
  const ColumnUnits units = column_units(system, origin, options.observables.names());
  run_.q.units = units.q;
  run_.u.units = units.u;
  run_.gap.units = units.gap;
  run_.impulse.units = units.impulse;
  run_.energy.units.assign(run_.energy.names.size(), "J");
  run_.quantity.units = units.quantity;
  run_.constraint_force.units = units.constraint_force;
  run_.control_force.units = units.control_force;
  run_.constraint_position.units = units.constraint_position;
  run_.constraint_velocity.units = units.constraint_velocity;
  for (const RecordedTable* table : {&run_.q, &run_.u, &run_.gap, &run_.quantity}) {
    for (size_t k = 0; k < table->units.size(); ++k) run_.origin.units[table->names[k]] = table->units[k];
  }
  run_.law_friction = friction_of(system.laws());
  run_.law_limit = limits_of(system.laws());
  if (found_) {
    run_.contacts.shapes = system.shape_names();
    run_.contacts.start.push_back(0);
  }
  recorded_.head = describe_head(system, origin, options);
}

void MemoryRecording::add_sample(const Sample& sample) {
  if (!samples_) return;
  if (found_) {
    RecordedContacts& found = run_.contacts;
    for (const ContactSample& contact : sample.contacts.contacts()) {
      found.id.push_back(contact.id);
      found.law.push_back(contact.law);
      for (int i = 0; i < 3; ++i) {
        found.at.push_back(contact.place.at[i]);
        found.normal.push_back(contact.place.normal[i]);
        found.impulse.push_back(contact.impulse[i]);
        if (rolls_) found.moment.push_back(contact.moment[i]);
      }
      found.gap.push_back(contact.gap);
    }
    found.start.push_back(found.gap.size());
  }
  run_.time.push_back(sample.state.t);
  append_to(run_.q, sample.state.q);
  append_to(run_.u, sample.state.u);
  for (const int contact : contacts_) run_.gap.values.push_back(sample.gaps[contact]);
  append_to(run_.impulse, sample.impulses);
  const EnergyLedger& ledger = sample.ledger;
  append_to(run_.energy.values, {sample.energies.kinetic, sample.energies.potential, ledger.final, ledger.lost_in_contacts,
                                 ledger.lost_in_damping, ledger.work_done, ledger.pushed_out, ledger.unexplained()});
  append_to(run_.quantity, sample.quantities);
  append_to(run_.drawing_columns, sample.drawing);
  const StepSums& since = sample.since;
  append_to(run_.since.values, {since.steps, since.cut_steps, since.impacts, since.residual});
  append_to(run_.impact, since.impact);
  append_to(run_.acted, since.acted);
  append_to(run_.u_start, since.u_start);
  append_to(run_.moved_q, since.moved_q);
  append_to(run_.moved_u, since.moved_u);
  if (run_.constraint_force.names.empty()) return;
  const ConstraintSample& constraints = sample.constraints;
  append_to(run_.constraint_force, constraints.force);
  append_to(run_.control_force, constraints.control_force);
  for (const int row : holonomic_) run_.constraint_position.values.push_back(constraints.position[row]);
  append_to(run_.constraint_velocity, constraints.velocity);
  run_.redundant.push_back(constraints.redundant ? 1.0 : 0.0);
}

void MemoryRecording::add_step(double time, const StepReport& report, double energy, double work) {
  if (!samples_) return;
  run_.step_time.push_back(time);
  run_.step_residual.push_back(report.residual);
  run_.step_iterations.push_back(report.iterations);
  append_to(run_.step_energy, {energy, report.lost_in_contacts, report.lost_in_damping, work, report.pushed_out});
}

void MemoryRecording::add_impact(const Impact& impact, std::span<const double> impulse) {
  if (!samples_) return;
  run_.impact_time.push_back(impact.time);
  run_.impact_law.push_back(impact.law);
  run_.impact_speed.push_back(impact.closing_speed);
  run_.impact_lost.push_back(impact.energy_lost);
  for (size_t row = 0; row < ForceLaw::kMostRows; ++row)
    run_.impact_impulse.push_back(row < impulse.size() ? impulse[row] : 0.0);
}

void MemoryRecording::add_event(const Event& event) {
  if (samples_ && events_) run_.events.push_back(event);
}

void MemoryRecording::finish(const RunSummary& summary) {
  recorded_.summary = summary;
  run_.status = summary.status;
  run_.message = summary.message;
}

}  // namespace tippe
