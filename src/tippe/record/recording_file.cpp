// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/recording_file.h"

#include <array>
#include <cmath>

#include "tippe/core/version.h"
#include "tippe/record/column_names.h"
#include "tippe/run/column_units.h"

namespace tippe {
namespace {

const std::vector<std::string>& step_energy_columns() {
  static const std::vector<std::string> names = {"total", "lost_in_contacts", "lost_in_damping", "work_done", "pushed_out"};
  return names;
}

std::span<const double> view(const Eigen::VectorXd& values) {
  return {values.data(), static_cast<size_t>(values.size())};
}

std::span<const double> view(const Eigen::Vector3d& values) {
  return {values.data(), 3};
}

}  // namespace

RecordingFile::RecordingFile(const std::filesystem::path& path, const std::filesystem::path& shown, const System& system,
                             const RunOrigin& origin, const RunOptions& options, double t0)
    : file_(Hdf5File::create(path, shown)),
      laws_(law_names(system.laws())),
      contacts_(contact_numbers(system.laws())),
      holonomic_(holonomic_numbers(system.constraints())) {
  file_.set("/", "format", std::string(kRecordingFormat));
  file_.set("/", "format_version", kRecordingFormatVersion);
  file_.set("/", "program", std::string(kProgram));
  file_.set("/", "title", origin.title);
  file_.set("/", "source", origin.source);
  file_.set("/", "status", std::string(name_of(RunStatus::kRunning)));
  file_.set("/", "message", std::string());
  file_.write_text("scene", origin.scene_text);
  file_.set("scene", "file", origin.scene_file);
  if (!origin.inputs_text.empty()) {
    file_.write_text("inputs", origin.inputs_text);
    file_.set("inputs", "file", origin.inputs_file);
  }

  file_.make_group("options");
  file_.set("options", "integrator", options.integrator);
  file_.set("options", "dt", options.dt);
  file_.set("options", "start", t0);
  file_.set("options", "until", options.until);
  file_.set("options", "every", options.sample_interval(t0));
  file_.set("options", "initial_penetration", options.initial_penetration);
  file_.set("options", "closed_tolerance", options.integrator_options.closed_tolerance);
  file_.set("options", "tolerance", options.integrator_options.tolerance);
  if (!system.has_fixed_laws())
    file_.set("options", "rest_band", options.integrator_options.rest_band.value_or(std::nan("")));
  file_.write_list("options/settings", origin.settings);
  file_.make_group("parameters");
  for (const auto& [name, value] : origin.parameters) file_.set("parameters", name, value);
  if (!options.drawing.document.empty()) file_.write_text("drawing", options.drawing.document);
  file_.make_group("laws");
  file_.write_numbers("laws/friction", friction_of(system.laws()));
  file_.write_numbers("laws/limit", limits_of(system.laws()));
  make_tables(system, origin, options);
  file_.make_group("checkpoint");
  file_.set("checkpoint", "form", kCheckpointForm);
  file_.make_group("summary");
  file_.write_list("summary/law_names", laws_);
  if (!system.constraints().empty()) file_.make_group("summary/constraints");
}

RecordingFile::RecordingFile(const std::filesystem::path& path, const std::filesystem::path& shown, const System& system,
                             const RunOptions& options, const Checkpoint& checkpoint)
    : file_(Hdf5File::open_for_writing(path, shown)),
      laws_(law_names(system.laws())),
      contacts_(contact_numbers(system.laws())),
      holonomic_(holonomic_numbers(system.constraints())) {
  open_tables(system, options);
  for (Hdf5Table* table : sample_tables()) table->truncate(static_cast<std::uint64_t>(checkpoint.samples));
  for (Hdf5Table* table : step_tables()) table->truncate(static_cast<std::uint64_t>(checkpoint.steps));
  for (Hdf5Table* table : impact_tables()) table->truncate(static_cast<std::uint64_t>(checkpoint.impacts));
  if (contact_start_.exists()) {
    contact_start_.truncate(static_cast<std::uint64_t>(checkpoint.samples) + 1);
    for (Hdf5Table* table : contact_tables()) table->truncate(static_cast<std::uint64_t>(checkpoint.contacts));
  }
  if (events_) events_->truncate(static_cast<std::uint64_t>(checkpoint.events));
  file_.set("options", "until", options.until);
  file_.set("/", "status", std::string(name_of(RunStatus::kRunning)));
  file_.set("/", "message", std::string());
  file_.write_list("summary/warnings", {});
}

void RecordingFile::make_tables(const System& system, const RunOrigin& origin, const RunOptions& options) {
  const ColumnUnits units = column_units(system, origin, options.observables.names());
  const auto named_table = [&](const std::string& name, const std::vector<std::string>& columns,
                               const std::vector<std::string>& column_units = {}) {
    file_.write_list(name + "_names", columns);
    if (!column_units.empty()) file_.write_list(name + "_units", column_units);
    return columns.empty() ? Hdf5Table() : file_.make_table(name, static_cast<int>(columns.size()));
  };
  file_.make_group("samples");
  time_ = file_.make_table("samples/time", 0);
  q_ = named_table("samples/q", system.coordinate_names(), units.q);
  u_ = named_table("samples/u", system.velocity_names(), units.u);
  gap_ = named_table("samples/gap", gap_names(system.laws()), units.gap);
  impulse_ = named_table("samples/impulse", impulse_names(system.laws()), units.impulse);
  energy_ = named_table("samples/energy", energy_columns(), std::vector<std::string>(energy_columns().size(), "J"));
  quantity_ = named_table("samples/quantity", options.observables.names(), units.quantity);
  drawing_ = named_table("samples/drawing", options.drawing.columns.names());
  since_ = named_table("samples/since", step_sum_names());
  if (!options.adaptive()) {
    if (!laws_.empty()) {
      impact_ = file_.make_table("samples/impact", static_cast<int>(impulse_names(system.laws()).size()));
      acted_ = file_.make_table("samples/acted", static_cast<int>(laws_.size()), true);
    }
    u_start_ = file_.make_table("samples/u_start", system.nu());
    moved_q_ = file_.make_table("samples/moved_q", system.nq());
    moved_u_ = file_.make_table("samples/moved_u", system.nu());
  }
  if (!system.constraints().empty()) {
    constraint_force_ =
        named_table("samples/constraint_force", constraint_names(system.constraints()), units.constraint_force);
    control_force_ = named_table("samples/control_force", control_force_names(system), units.control_force);
    constraint_position_ =
        named_table("samples/constraint_position", holonomic_names(system.constraints()), units.constraint_position);
    constraint_velocity_ =
        named_table("samples/constraint_velocity", constraint_names(system.constraints()), units.constraint_velocity);
    redundant_ = file_.make_table("samples/redundant", 0, true);
  }
  file_.make_group("steps");
  step_time_ = file_.make_table("steps/time", 0);
  step_residual_ = file_.make_table("steps/residual", 0);
  step_iterations_ = file_.make_table("steps/iterations", 0, true);
  step_energy_ = named_table("steps/energy", step_energy_columns());
  file_.make_group("impacts");
  file_.write_list("impacts/law_names", laws_);
  impact_time_ = file_.make_table("impacts/time", 0);
  impact_law_ = file_.make_table("impacts/law", 0, true);
  impact_speed_ = file_.make_table("impacts/closing_speed", 0);
  impact_lost_ = file_.make_table("impacts/energy_lost", 0);
  impact_impulse_ = file_.make_table("impacts/impulse", ForceLaw::kMostRows);
  if (has_events(options)) events_ = EventTable::make(file_, system.laws());
  if (system.has_fixed_laws()) return;
  make_contact_tables(std::ranges::any_of(system.laws(), [](const ForceLaw& law) { return law.rolling.has_value(); }));
  file_.write_list("contacts/shape_names", system.shape_names());
}

/// The contacts of sample k are the rows start[k] .. start[k + 1] - 1 of the others.
void RecordingFile::make_contact_tables(bool with_moments) {
  file_.make_group("contacts");
  const auto table = [&](const char* name, int columns, Hdf5Number number) {
    return file_.make_table(fmt::format("contacts/{}", name), columns, number, Hdf5Packing::kGzip);
  };
  contact_start_ = table("start", 0, Hdf5Number::kDouble);
  contact_start_.append(0.0);
  contact_id_ = table("id", 4, Hdf5Number::kUnsigned32);
  contact_law_ = table("law", 0, Hdf5Number::kUnsigned16);
  contact_at_ = table("at", 3, Hdf5Number::kDouble);
  contact_normal_ = table("normal", 3, Hdf5Number::kDouble);
  contact_gap_ = table("gap", 0, Hdf5Number::kDouble);
  contact_impulse_ = table("impulse", 3, Hdf5Number::kDouble);
  if (with_moments) contact_moment_ = table("rolling_moment", 3, Hdf5Number::kDouble);
}

void RecordingFile::open_contact_tables() {
  contact_start_ = file_.open_table("contacts/start", 0);
  contact_id_ = file_.open_table("contacts/id", 4);
  contact_law_ = file_.open_table("contacts/law", 0);
  contact_at_ = file_.open_table("contacts/at", 3);
  contact_normal_ = file_.open_table("contacts/normal", 3);
  contact_gap_ = file_.open_table("contacts/gap", 0);
  contact_impulse_ = file_.open_table("contacts/impulse", 3);
  if (file_.has("contacts/rolling_moment")) contact_moment_ = file_.open_table("contacts/rolling_moment", 3);
}

void RecordingFile::open_tables(const System& system, const RunOptions& options) {
  const auto named_table = [&](const std::string& name, size_t columns) {
    return columns == 0 ? Hdf5Table() : file_.open_table(name, static_cast<int>(columns));
  };
  time_ = file_.open_table("samples/time", 0);
  q_ = named_table("samples/q", system.coordinate_names().size());
  u_ = named_table("samples/u", system.velocity_names().size());
  gap_ = named_table("samples/gap", contacts_.size());
  impulse_ = named_table("samples/impulse", impulse_names(system.laws()).size());
  energy_ = named_table("samples/energy", energy_columns().size());
  quantity_ = named_table("samples/quantity", options.observables.names().size());
  since_ = named_table("samples/since", step_sum_names().size());
  if (!options.adaptive()) {
    impact_ = named_table("samples/impact", impulse_names(system.laws()).size());
    acted_ = named_table("samples/acted", laws_.size());
    u_start_ = named_table("samples/u_start", system.velocity_names().size());
    moved_q_ = named_table("samples/moved_q", system.coordinate_names().size());
    moved_u_ = named_table("samples/moved_u", system.velocity_names().size());
  }
  if (file_.has("samples/drawing")) drawing_ = named_table("samples/drawing", options.drawing.columns.names().size());
  if (const size_t rows = system.constraints().size(); rows > 0) {
    constraint_force_ = named_table("samples/constraint_force", rows);
    control_force_ = named_table("samples/control_force", system.velocity_names().size());
    constraint_position_ = named_table("samples/constraint_position", holonomic_.size());
    constraint_velocity_ = named_table("samples/constraint_velocity", rows);
    redundant_ = file_.open_table("samples/redundant", 0);
  }
  step_time_ = file_.open_table("steps/time", 0);
  step_residual_ = file_.open_table("steps/residual", 0);
  step_iterations_ = file_.open_table("steps/iterations", 0);
  step_energy_ = named_table("steps/energy", step_energy_columns().size());
  impact_time_ = file_.open_table("impacts/time", 0);
  impact_law_ = file_.open_table("impacts/law", 0);
  impact_speed_ = file_.open_table("impacts/closing_speed", 0);
  impact_lost_ = file_.open_table("impacts/energy_lost", 0);
  impact_impulse_ = file_.open_table("impacts/impulse", ForceLaw::kMostRows);
  if (has_events(options)) events_ = EventTable::open(file_, system.laws());
  if (!system.has_fixed_laws()) open_contact_tables();
}

/// Tables without columns (gaps of a system without contacts) do not exist and are left out.
std::vector<Hdf5Table*> RecordingFile::sample_tables() {
  std::vector<Hdf5Table*> tables;
  for (Hdf5Table* table : {&time_, &q_, &u_, &gap_, &impulse_, &energy_, &quantity_, &drawing_, &since_, &impact_, &acted_,
                           &u_start_, &moved_q_, &moved_u_, &constraint_force_, &control_force_, &constraint_position_,
                           &constraint_velocity_, &redundant_}) {
    if (table->exists()) tables.push_back(table);
  }
  return tables;
}

std::vector<Hdf5Table*> RecordingFile::step_tables() {
  return {&step_time_, &step_residual_, &step_iterations_, &step_energy_};
}

std::vector<Hdf5Table*> RecordingFile::impact_tables() {
  return {&impact_time_, &impact_law_, &impact_speed_, &impact_lost_, &impact_impulse_};
}

/// All but `start`, whose rows are samples.
std::vector<Hdf5Table*> RecordingFile::contact_tables() {
  std::vector<Hdf5Table*> tables = {&contact_id_,     &contact_law_, &contact_at_,
                                    &contact_normal_, &contact_gap_, &contact_impulse_};
  if (contact_moment_.exists()) tables.push_back(&contact_moment_);
  return tables;
}

void RecordingFile::add_contacts(const std::vector<ContactSample>& contacts) {
  for (const ContactSample& contact : contacts) {
    const LawId& id = contact.id;
    contact_id_.append(std::array<double, 4>{static_cast<double>(id.shape_a), static_cast<double>(id.shape_b),
                                             static_cast<double>(id.feature_a), static_cast<double>(id.feature_b)});
    contact_law_.append(contact.law);
    contact_at_.append(view(contact.place.at));
    contact_normal_.append(view(contact.place.normal));
    contact_gap_.append(contact.gap);
    contact_impulse_.append(view(contact.impulse));
    if (contact_moment_.exists()) contact_moment_.append(view(contact.moment));
  }
  contact_start_.append(static_cast<double>(contact_gap_.rows()));
}

void RecordingFile::add_sample(const Sample& sample) {
  if (contact_start_.exists()) add_contacts(sample.contacts.contacts());
  time_.append(sample.state.t);
  q_.append(view(sample.state.q));
  u_.append(view(sample.state.u));
  for (const int contact : contacts_) gap_.append(sample.gaps[contact]);
  impulse_.append(view(sample.impulses));
  const EnergyLedger& ledger = sample.ledger;
  energy_.append(std::array{sample.energies.kinetic, sample.energies.potential, ledger.final, ledger.lost_in_contacts,
                            ledger.lost_in_damping, ledger.work_done, ledger.pushed_out, ledger.unexplained()});
  quantity_.append(view(sample.quantities));
  if (drawing_.exists()) drawing_.append(view(sample.drawing));
  const StepSums& since = sample.since;
  since_.append(std::array{since.steps, since.cut_steps, since.impacts, since.residual});
  if (impact_.exists()) {
    impact_.append(view(since.impact));
    acted_.append(view(since.acted));
  }
  if (u_start_.exists()) {
    u_start_.append(view(since.u_start));
    moved_q_.append(view(since.moved_q));
    moved_u_.append(view(since.moved_u));
  }
  if (!redundant_.exists()) return;
  const ConstraintSample& constraints = sample.constraints;
  constraint_force_.append(view(constraints.force));
  control_force_.append(view(constraints.control_force));
  for (const int row : holonomic_) constraint_position_.append(constraints.position[row]);
  constraint_velocity_.append(view(constraints.velocity));
  redundant_.append(constraints.redundant ? 1.0 : 0.0);
}

void RecordingFile::add_step(double time, const StepReport& report, double energy, double work) {
  step_time_.append(time);
  step_residual_.append(report.residual);
  step_iterations_.append(report.iterations);
  step_energy_.append(std::array{energy, report.lost_in_contacts, report.lost_in_damping, work, report.pushed_out});
}

void RecordingFile::add_impact(const Impact& impact, std::span<const double> impulse) {
  impact_time_.append(impact.time);
  impact_law_.append(impact.law);
  impact_speed_.append(impact.closing_speed);
  impact_lost_.append(impact.energy_lost);
  std::array<double, ForceLaw::kMostRows> rows{};
  std::copy(impulse.begin(), impulse.end(), rows.begin());
  impact_impulse_.append(rows);
}

void RecordingFile::count_rows(Checkpoint& checkpoint) const {
  checkpoint.samples = static_cast<std::int64_t>(time_.rows());
  checkpoint.steps = static_cast<std::int64_t>(step_time_.rows());
  checkpoint.impacts = static_cast<std::int64_t>(impact_time_.rows());
  checkpoint.contacts = contact_start_.exists() ? static_cast<std::int64_t>(contact_gap_.rows()) : 0;
  checkpoint.events = events_ ? static_cast<std::int64_t>(events_->rows()) : 0;
}

bool RecordingFile::much_waits() const {
  constexpr size_t kMostWaiting = size_t{1} << 20;  // numbers
  return q_.waiting() + u_.waiting() + impulse_.waiting() + drawing_.waiting() + constraint_force_.waiting() +
             control_force_.waiting() + step_time_.waiting() + contact_at_.waiting() >
         kMostWaiting;
}

void RecordingFile::write_checkpoint(const Checkpoint& checkpoint) {
  if (!file_.has("checkpoint/names")) file_.write_list("checkpoint/names", checkpoint.names);
  file_.write_numbers("checkpoint/values", checkpoint.values);
  write_arrays(kCheckpointArrays, checkpoint.arrays);
  write_arrays(kCheckpointMemory, checkpoint.integrator_memory);
  update_list("checkpoint/warnings", checkpoint.warnings);
  file_.set("checkpoint", "samples", checkpoint.samples);
  file_.set("checkpoint", "steps", checkpoint.steps);
  file_.set("checkpoint", "impacts", checkpoint.impacts);
  if (events_) file_.set("checkpoint", "events", checkpoint.events);
  if (contact_start_.exists()) file_.set("checkpoint", "contacts", checkpoint.contacts);
}

void RecordingFile::write_arrays(const std::string& group, const NamedArrays& arrays) {
  if (!file_.has(group)) file_.make_group(group);
  std::vector<std::string> names;
  for (const auto& [name, values] : arrays.all()) {
    file_.write_numbers(group + "/" + name, values);
    names.push_back(name);
  }
  update_list(group + "_names", names);
}

void RecordingFile::write_summary(const RunSummary& summary) {
  file_.set("/", "status", std::string(name_of(summary.status)));
  file_.set("/", "message", summary.message);
  file_.set("summary", "stopped_because", summary.stopped ? summary.stopped->because : "");
  file_.set("summary", "stopped_time", summary.stopped ? summary.stopped->time : std::nan(""));
  file_.set("summary", "steps", summary.steps);
  file_.set("summary", "impacts", summary.impacts);
  file_.set("summary", "failed_steps", summary.failed_steps);
  file_.set("summary", "rejected_steps", summary.rejected_steps);
  file_.set("summary", "iterations", summary.iterations);
  file_.set("summary", "halved_steps", summary.halved_steps);
  file_.set("summary", "inexact_steps", summary.inexact_steps);
  file_.set("summary", "ambiguous_steps", summary.ambiguous_steps);
  file_.set("summary", "worst_residual", summary.worst_residual);
  file_.set("summary", "median_residual", summary.median_residual);
  file_.set("summary", "residual_90_percent", summary.residual_90_percent);
  file_.set("summary", "worst_penetration", summary.worst_penetration);
  file_.set("summary", "worst_penetration_at", summary.worst_penetration_at);
  file_.set("summary", "energy_initial", summary.energy.initial);
  file_.set("summary", "energy_final", summary.energy.final);
  file_.set("summary", "energy_lost_in_contacts", summary.energy.lost_in_contacts);
  file_.set("summary", "energy_lost_in_damping", summary.energy.lost_in_damping);
  file_.set("summary", "energy_work_done", summary.energy.work_done);
  file_.set("summary", "energy_pushed_out", summary.energy.pushed_out);
  file_.set("summary", "energy_unexplained", summary.energy.unexplained());
  file_.set("summary", "energy_max_rise_per_step", summary.energy.max_rise_per_step);
  file_.set("summary", "energy_scale", summary.energy.scale);
  file_.set("summary", "wall_time", summary.wall_time);
  file_.set("summary", "time", summary.final_state.t);
  file_.write_numbers("summary/q", view(summary.final_state.q));
  file_.write_numbers("summary/u", view(summary.final_state.u));
  file_.write_numbers("summary/lost_by_law", view(summary.lost_by_law));
  file_.write_numbers("summary/impacts_by_law",
                      std::vector<double>(summary.impacts_by_law.begin(), summary.impacts_by_law.end()), true);
  if (!summary.own_events.empty()) {
    std::vector<std::string> names;
    std::vector<double> counts;
    for (const OwnEventCount& event : summary.own_events) {
      names.push_back(event.name);
      counts.push_back(static_cast<double>(event.count));
    }
    update_list("summary/own_events", names);
    file_.write_numbers("summary/own_event_counts", counts, true);
  }
  if (events_) {
    const auto& counts = summary.events.by_kind;
    file_.write_numbers("summary/events_by_kind", std::vector<double>(counts.begin(), counts.end()), true);
  }
  if (summary.status != RunStatus::kRunning || !file_.has("summary/warnings"))
    file_.write_list("summary/warnings", summary.warnings);
  update_list("summary/notes", summary.notes);
  if (summary.constraints.rows > 0) write_constraint_summary(summary.constraints);
}

void RecordingFile::write_constraint_summary(const ConstraintSummary& constraints) {
  const auto set = [&](const char* name, const auto& value) { file_.set("summary/constraints", name, value); };
  set("rows", std::int64_t{constraints.rows});
  set("holonomic", std::int64_t{constraints.holonomic});
  set("rank_at_start", std::int64_t{constraints.rank_at_start});
  set("smallest_rank", std::int64_t{constraints.smallest_rank});
  set("worst_position", constraints.position.value);
  set("worst_position_at", constraints.position.at);
  set("worst_position_time", constraints.position.time);
  set("worst_velocity", constraints.velocity.value);
  set("worst_velocity_at", constraints.velocity.at);
  set("worst_velocity_time", constraints.velocity.time);
  set("position_at_start", constraints.position_at_start);
  set("position_at_end", constraints.position_at_end);
  set("velocity_at_start", constraints.velocity_at_start);
  set("velocity_at_end", constraints.velocity_at_end);
}

/// A list that seldom changes.
void RecordingFile::update_list(const std::string& name, const std::vector<std::string>& values) {
  if (!file_.has(name) || file_.read_list(name) != values) file_.write_list(name, values);
}

void RecordingFile::flush() {
  for (const std::vector<Hdf5Table*>& tables : {sample_tables(), step_tables(), impact_tables()}) {
    for (Hdf5Table* table : tables) table->flush();
  }
  if (contact_start_.exists()) {
    contact_start_.flush();
    for (Hdf5Table* table : contact_tables()) table->flush();
  }
  if (events_) events_->flush(file_);
  file_.flush();
}

}  // namespace tippe
