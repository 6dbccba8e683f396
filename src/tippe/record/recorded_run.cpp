// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/recorded_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/version.h"
#include "tippe/record/recorded_checkpoint.h"
#include "tippe/record/recording_file.h"
#include "tippe/storage/file_snapshot.h"

namespace tippe {
namespace {

Hdf5File require_recording(Hdf5File file) {
  if (!file.has_attribute("/", "format") || file.text_attribute("/", "format") != kRecordingFormat)
    throw FileError(file.name() + ": not a recording of tippe");
  const double version = file.number_attribute("/", "format_version");
  if (version != static_cast<double>(kRecordingFormatVersion)) {
    throw InputError({file.name(), 0, 0}, fmt::format("a recording of format version {}; this is {}, which reads version {}",
                                                      version, kProgram, kRecordingFormatVersion));
  }
  return file;
}

[[noreturn]] void refuse(const Hdf5File& file, const std::string& what) {
  throw FileError(fmt::format("{}: damaged: {}", file.name(), what));
}

RunStatus read_status(const Hdf5File& file) {
  const std::string name = file.text_attribute("/", "status");
  const std::optional<RunStatus> status = find_run_status(name);
  if (!status) refuse(file, fmt::format("there is no status '{}'", name));
  return *status;
}

Hdf5File open_recording(const std::filesystem::path& path) {
  return require_recording(Hdf5File::open(path));
}

RunHead read_head(const Hdf5File& file) {
  RunHead head;
  head.program = file.text_attribute("/", "program");
  head.origin.title = file.text_attribute("/", "title");
  head.origin.source = file.text_attribute("/", "source");
  head.origin.scene_text = file.read_text("scene");
  head.origin.scene_file = file.text_attribute("scene", "file");
  if (file.has("inputs")) {
    head.origin.inputs_text = file.read_text("inputs");
    head.origin.inputs_file = file.text_attribute("inputs", "file");
  }
  head.origin.settings = file.read_list("options/settings");
  head.integrator = file.text_attribute("options", "integrator");
  head.dt = file.number_attribute("options", "dt");
  head.coordinates = file.read_list("samples/q_names");
  head.velocities = file.read_list("samples/u_names");
  head.laws = file.read_list("impacts/law_names");
  head.contacts = file.read_list("samples/gap_names");
  return head;
}

/// A list whose length is known from its names.
Eigen::VectorXd read_vector(const Hdf5File& file, const std::string& name, size_t length) {
  const std::vector<double> values = file.read_table(name);
  if (values.size() != length) refuse(file, fmt::format("{} has {} numbers", name, values.size()));
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(length));
}

/// A whole number that is not negative, as doubles hold them exactly.
std::int64_t to_count(const Hdf5File& file, const std::string& name, double value) {
  if (!(value >= 0.0 && value < 9e15 && value == std::trunc(value))) refuse(file, fmt::format("{} = {}", name, value));
  return static_cast<std::int64_t>(value);
}

std::int64_t count_attribute(const Hdf5File& file, const std::string& object, const std::string& attribute) {
  return to_count(file, attribute, file.number_attribute(object, attribute));
}

ConstraintSummary read_constraint_summary(const Hdf5File& file) {
  const std::string group = "summary/constraints";
  ConstraintSummary constraints;
  if (!file.has(group)) return constraints;
  const auto count = [&](const char* name) {
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    return static_cast<int>(std::min(kMost, count_attribute(file, group, name)));
  };
  const auto number = [&](const char* name) { return file.number_attribute(group, name); };
  constraints.rows = count("rows");
  constraints.holonomic = count("holonomic");
  constraints.rank_at_start = count("rank_at_start");
  constraints.smallest_rank = count("smallest_rank");
  constraints.position = {number("worst_position"), file.text_attribute(group, "worst_position_at"),
                          number("worst_position_time")};
  constraints.velocity = {number("worst_velocity"), file.text_attribute(group, "worst_velocity_at"),
                          number("worst_velocity_time")};
  constraints.position_at_start = number("position_at_start");
  constraints.position_at_end = number("position_at_end");
  constraints.velocity_at_start = number("velocity_at_start");
  constraints.velocity_at_end = number("velocity_at_end");
  return constraints;
}

}  // namespace

std::vector<double> RecordedTable::column(size_t k) const {
  std::vector<double> result;
  for (size_t place = k; place < values.size(); place += names.size()) result.push_back(values[place]);
  return result;
}

RecordedTable mean_forces(const RecordedRun& run) {
  RecordedTable forces = run.impulse;
  const size_t width = forces.names.size();
  for (size_t k = 0; k < run.time.size(); ++k) {
    const double interval = k > 0 ? run.time[k] - run.time[k - 1] : 0.0;
    for (size_t c = 0; c < width; ++c)
      forces.values[k * width + c] = interval > 0.0 ? forces.values[k * width + c] / interval : std::nan("");
  }
  return forces;
}

namespace {

RecordedContacts read_contacts(const Hdf5File& file, size_t samples, size_t laws) {
  RecordedContacts contacts;
  if (!file.has("contacts")) return contacts;
  contacts.shapes = file.read_list("contacts/shape_names");
  const std::vector<double> start = file.read_table("contacts/start"), law = file.read_table("contacts/law");
  const std::vector<std::int64_t> id = file.read_integers("contacts/id");
  contacts.at = file.read_table("contacts/at");
  contacts.normal = file.read_table("contacts/normal");
  contacts.impulse = file.read_table("contacts/impulse");
  contacts.gap = file.read_table("contacts/gap");
  if (file.has("contacts/rolling_moment")) contacts.moment = file.read_table("contacts/rolling_moment");
  const size_t count = contacts.gap.size();
  const auto has_three = [&](const std::vector<double>& values) { return values.size() == 3 * count; };
  if (start.size() != samples + 1 || law.size() != count || id.size() != 4 * count || !has_three(contacts.at) ||
      !has_three(contacts.normal) || !has_three(contacts.impulse) ||
      !(contacts.moment.empty() || has_three(contacts.moment)))
    refuse(file, "the tables of /contacts differ in length");
  for (const double row : start) {
    if (!(row >= (contacts.start.empty() ? 0.0 : static_cast<double>(contacts.start.back())) &&
          row <= static_cast<double>(count) && row == std::trunc(row)) ||
        (contacts.start.empty() && row != 0.0))
      refuse(file, "contacts/start does not count the contacts of the samples");
    contacts.start.push_back(static_cast<size_t>(row));
  }
  for (size_t k = 0; k < count; ++k) {
    const auto part = [&](size_t i) { return static_cast<std::uint32_t>(id[4 * k + i]); };
    const LawId& added = contacts.id.emplace_back(LawId{part(0), part(1), part(2), part(3)});
    const auto is_shape = [&](std::uint32_t shape) { return shape >= 1 && shape <= contacts.shapes.size(); };
    if (!is_shape(added.shape_a) || !is_shape(added.shape_b)) refuse(file, "contacts/id names a shape that there is not");
    if (!(law[k] >= 0.0 && law[k] < static_cast<double>(laws))) refuse(file, "contacts/law names a law that there is not");
    contacts.law.push_back(static_cast<int>(law[k]));
  }
  return contacts;
}

void read_samples(const Hdf5File& file, RecordedRun& run) {
  run.time = file.read_table("samples/time");
  const auto table = [&](const std::string& name) {
    RecordedTable result{file.read_list(name + "_names"), file.has(name) ? file.read_table(name) : std::vector<double>()};
    if (result.values.size() != result.names.size() * run.time.size())
      refuse(file, fmt::format("{} has another length than samples/time", name));
    if (file.has(name + "_units")) result.units = file.read_list(name + "_units");
    if (!result.units.empty() && result.units.size() != result.names.size())
      refuse(file, fmt::format("{}_units has another length than {}_names", name, name));
    return result;
  };
  run.q = table("samples/q");
  run.u = table("samples/u");
  run.gap = table("samples/gap");
  run.impulse = table("samples/impulse");
  run.energy = table("samples/energy");
  run.quantity = table("samples/quantity");
  run.since = table("samples/since");
  if (file.has("samples/u_start")) {
    const auto sums = [&](const std::string& name, const std::vector<std::string>& names) {
      RecordedTable result{names, file.read_table(name)};
      if (result.values.size() != names.size() * run.time.size())
        refuse(file, fmt::format("{} has another size than its samples", name));
      return result;
    };
    if (!run.laws.empty()) {
      run.impact = sums("samples/impact", run.impulse.names);
      run.acted = sums("samples/acted", run.laws);
    }
    run.u_start = sums("samples/u_start", run.u.names);
    run.moved_q = sums("samples/moved_q", run.q.names);
    run.moved_u = sums("samples/moved_u", run.u.names);
  }
  if (file.has("drawing")) {
    run.drawing = file.read_text("drawing");
    if (!is_drawing_document(run.drawing)) refuse(file, "/drawing is no drawing");
    run.drawing_columns = table("samples/drawing");
  }
  if (file.has("samples/redundant")) {
    run.constraint_force = table("samples/constraint_force");
    run.control_force = table("samples/control_force");
    run.constraint_position = table("samples/constraint_position");
    run.constraint_velocity = table("samples/constraint_velocity");
    run.redundant = file.read_table("samples/redundant");
    if (run.redundant.size() != run.time.size()) refuse(file, "samples/redundant has another length than samples/time");
  }
}

void read_steps(const Hdf5File& file, RecordedRun& run) {
  run.step_time = file.read_table("steps/time");
  run.step_residual = file.read_table("steps/residual");
  run.step_iterations = file.read_table("steps/iterations");
  run.step_energy = file.read_table("steps/energy");
  const size_t steps = run.step_time.size();
  if (run.step_residual.size() != steps || run.step_iterations.size() != steps || run.step_energy.size() != 5 * steps)
    refuse(file, "the columns of /steps differ in length");
}

void read_impacts(const Hdf5File& file, RecordedRun& run) {
  run.impact_time = file.read_table("impacts/time");
  run.impact_law = file.read_table("impacts/law");
  run.impact_speed = file.read_table("impacts/closing_speed");
  run.impact_lost = file.read_table("impacts/energy_lost");
  run.impact_impulse = file.read_table("impacts/impulse");
  const size_t impacts = run.impact_time.size();
  if (run.impact_law.size() != impacts || run.impact_speed.size() != impacts || run.impact_lost.size() != impacts ||
      run.impact_impulse.size() != impacts * ForceLaw::kMostRows)
    refuse(file, "the columns of /impacts differ in length");
  for (const double law : run.impact_law) {
    if (!(law >= 0.0 && law < static_cast<double>(run.laws.size())))
      refuse(file, fmt::format("impacts/law has the number {}", law));
  }
}

RecordedRun read_recording(const Hdf5File& file) {
  RunHead head = read_head(file);
  RecordedRun run;
  run.origin = std::move(head.origin);
  run.program = head.program;
  run.integrator = head.integrator;
  run.dt = head.dt;
  run.start = file.number_attribute("options", "start");
  run.until = file.number_attribute("options", "until");
  run.laws = head.laws;
  run.status = read_status(file);
  run.message = file.text_attribute("/", "message");
  if (file.has("laws/friction")) {
    run.law_friction = file.read_table("laws/friction");
    run.law_limit = file.read_table("laws/limit");
    if (run.law_friction.size() != 2 * run.laws.size() || run.law_limit.size() != 2 * run.laws.size())
      refuse(file, "/laws does not have two numbers for each law");
  }
  read_samples(file, run);
  for (const RecordedTable* table : {&run.q, &run.u, &run.gap, &run.quantity}) {
    for (size_t k = 0; k < table->units.size(); ++k) run.origin.units[table->names[k]] = table->units[k];
  }
  read_steps(file, run);
  read_impacts(file, run);
  run.events = read_events(file, run.laws.size(), run.impulse.names.size());
  run.contacts = read_contacts(file, run.time.size(), run.laws.size());
  return run;
}

}  // namespace

RecordedRun read_recording(const std::filesystem::path& path) {
  return read_recording(open_recording(path));
}

RecordedEvents read_recorded_events(const std::filesystem::path& path) {
  const Hdf5File file = open_recording(path);
  RecordedEvents recorded{{}, file.read_list("impacts/law_names"), file.read_list("samples/impulse_names")};
  recorded.events = read_events(file, recorded.laws.size(), recorded.rows.size());
  return recorded;
}

namespace {

RecordedSummary read_summary(const Hdf5File& file) {
  RecordedSummary recorded{read_head(file), {}};
  const RunHead& head = recorded.head;
  RunSummary& summary = recorded.summary;
  const auto number = [&](const char* name) { return file.number_attribute("summary", name); };
  summary.status = read_status(file);
  summary.message = file.text_attribute("/", "message");
  const std::string because = file.text_attribute("summary", "stopped_because");
  if (!because.empty()) summary.stopped = EarlyStop{number("stopped_time"), because};
  summary.steps = count_attribute(file, "summary", "steps");
  summary.impacts = count_attribute(file, "summary", "impacts");
  summary.failed_steps = count_attribute(file, "summary", "failed_steps");
  summary.rejected_steps = count_attribute(file, "summary", "rejected_steps");
  summary.iterations = count_attribute(file, "summary", "iterations");
  summary.halved_steps = count_attribute(file, "summary", "halved_steps");
  summary.inexact_steps = count_attribute(file, "summary", "inexact_steps");
  if (file.has_attribute("summary", "ambiguous_steps"))
    summary.ambiguous_steps = count_attribute(file, "summary", "ambiguous_steps");
  summary.constraints = read_constraint_summary(file);
  summary.worst_residual = number("worst_residual");
  if (file.has_attribute("summary", "median_residual")) {
    summary.median_residual = number("median_residual");
    summary.residual_90_percent = number("residual_90_percent");
  }
  summary.worst_penetration = number("worst_penetration");
  summary.worst_penetration_at = file.text_attribute("summary", "worst_penetration_at");
  summary.energy.initial = number("energy_initial");
  summary.energy.final = number("energy_final");
  summary.energy.lost_in_contacts = number("energy_lost_in_contacts");
  summary.energy.lost_in_damping = number("energy_lost_in_damping");
  summary.energy.work_done = number("energy_work_done");
  summary.energy.pushed_out = number("energy_pushed_out");
  summary.energy.max_rise_per_step = number("energy_max_rise_per_step");
  summary.energy.scale = number("energy_scale");
  summary.wall_time = number("wall_time");
  summary.final_state.t = number("time");
  summary.final_state.q = read_vector(file, "summary/q", head.coordinates.size());
  summary.final_state.u = read_vector(file, "summary/u", head.velocities.size());
  summary.lost_by_law = read_vector(file, "summary/lost_by_law", head.laws.size());
  for (const double count : read_vector(file, "summary/impacts_by_law", head.laws.size()))
    summary.impacts_by_law.push_back(to_count(file, "impacts_by_law", count));
  if (file.has("summary/events_by_kind")) {
    const Eigen::VectorXd counts = read_vector(file, "summary/events_by_kind", summary.events.by_kind.size());
    std::transform(counts.begin(), counts.end(), summary.events.by_kind.begin(),
                   [&](double count) { return to_count(file, "events_by_kind", count); });
  }
  if (file.has("summary/own_events")) {
    const std::vector<std::string> names = file.read_list("summary/own_events");
    const Eigen::VectorXd counts = read_vector(file, "summary/own_event_counts", names.size());
    for (size_t k = 0; k < names.size(); ++k)
      summary.own_events.push_back({names[k], to_count(file, "own_event_counts", counts[static_cast<Eigen::Index>(k)])});
  }
  summary.warnings = file.read_list("summary/warnings");
  if (file.has("summary/notes")) summary.notes = file.read_list("summary/notes");
  return recorded;
}

}  // namespace

RecordedSummary read_summary(const std::filesystem::path& path) {
  return read_summary(open_recording(path));
}

RecordedState read_state(const std::filesystem::path& path) {
  RecordedState state;
  const Hdf5File file = require_recording(Hdf5File::open_snapshot(path, &state.stamp));
  state.every = file.number_attribute("options", "every");
  state.run = read_recording(file);
  state.recorded = read_summary(file);
  return state;
}

std::string recording_stamp(const std::filesystem::path& path) {
  return file_stamp(path);
}

namespace {

/// Not a number if there is none of that name.
double number_of(const Checkpoint& checkpoint, const std::string& name) {
  const auto found = std::find(checkpoint.names.begin(), checkpoint.names.end(), name);
  return found == checkpoint.names.end() ? std::nan("")
                                         : checkpoint.values[static_cast<size_t>(found - checkpoint.names.begin())];
}

/// Throws FileError unless the tables hold the rows that the checkpoint counts, and these end at its time.
void check_checkpoint(const Hdf5File& file, const RecordedCheckpoint& recorded) {
  const Checkpoint& checkpoint = recorded.checkpoint;
  const auto require = [&](bool holds, const char* what) {
    if (!holds) refuse(file, fmt::format("the checkpoint {}", what));
  };
  const double dt = recorded.head.dt, t = recorded.reached;
  if (!(std::isfinite(dt) && dt > 0.0)) refuse(file, fmt::format("the step is {}", dt));
  if (!(std::isfinite(recorded.every) && recorded.every > 0.0))
    refuse(file, fmt::format("the time between samples is {}", recorded.every));
  if (!std::isfinite(recorded.until)) refuse(file, fmt::format("the end time is {}", recorded.until));
  require(std::isfinite(t), "has no time");
  require(number_of(checkpoint, "steps") == static_cast<double>(checkpoint.steps), "counts steps in two ways");
  require(number_of(checkpoint, "impacts") == static_cast<double>(checkpoint.impacts), "counts impacts in two ways");
  const auto ends_at = [&](const std::string& table, std::int64_t rows, bool exactly) {
    const std::vector<double> times = file.read_table(table);
    const auto count = static_cast<size_t>(rows);
    require(count <= times.size(), "counts more rows than there are");
    const bool ends = count == 0 || (exactly ? times[count - 1] == t : times[count - 1] <= t);
    // A sample at the end of a part of a run, and whatever came after the last flush before a failure, lie behind it.
    require(ends && (count == times.size() || times[count] >= t), "counts other rows than those until its time");
  };
  require(checkpoint.samples > 0, "has no sample");
  ends_at("samples/time", checkpoint.samples, number_of(checkpoint, "sampled") != 0.0);
  ends_at("steps/time", checkpoint.steps, true);
  ends_at("impacts/time", checkpoint.impacts, false);
  if (file.has("events")) ends_at("events/time", checkpoint.events, false);
}

NamedArrays read_arrays(const Hdf5File& file, const std::string& group) {
  NamedArrays arrays;
  for (const std::string& name : file.read_list(group + "_names")) {
    if (arrays.find(name) != nullptr) refuse(file, fmt::format("{} has two arrays '{}'", group, name));
    arrays.add(name, file.read_table(group + "/" + name));
  }
  return arrays;
}

}  // namespace

RecordedCheckpoint read_checkpoint(const std::filesystem::path& path) {
  const Hdf5File file = open_recording(path);
  RecordedCheckpoint recorded;
  recorded.head = read_head(file);
  if (recorded.head.program != kProgram) {
    throw InputError({path.string(), 0, 0}, fmt::format("recorded by {}; this is {}, which cannot go on with it to the bit",
                                                        recorded.head.program, kProgram));
  }
  const double form = file.has_attribute("checkpoint", "form") ? file.number_attribute("checkpoint", "form") : 1.0;
  if (form != static_cast<double>(kCheckpointForm)) {
    throw InputError({path.string(), 0, 0},
                     fmt::format("its checkpoint has form {}, and this program reads form {}: the run "
                                 "cannot be resumed; run the scene again",
                                 form, kCheckpointForm));
  }
  recorded.until = file.number_attribute("options", "until");
  recorded.every = file.number_attribute("options", "every");
  Checkpoint& checkpoint = recorded.checkpoint;
  checkpoint.names = file.read_list("checkpoint/names");
  checkpoint.values = file.read_table("checkpoint/values");
  checkpoint.arrays = read_arrays(file, kCheckpointArrays);
  checkpoint.integrator_memory = read_arrays(file, kCheckpointMemory);
  checkpoint.warnings = file.read_list("checkpoint/warnings");
  checkpoint.samples = count_attribute(file, "checkpoint", "samples");
  checkpoint.steps = count_attribute(file, "checkpoint", "steps");
  checkpoint.impacts = count_attribute(file, "checkpoint", "impacts");
  if (file.has_attribute("checkpoint", "contacts")) checkpoint.contacts = count_attribute(file, "checkpoint", "contacts");
  if (file.has_attribute("checkpoint", "events")) checkpoint.events = count_attribute(file, "checkpoint", "events");
  if (checkpoint.names.size() != checkpoint.values.size()) refuse(file, "the checkpoint has names without numbers");
  recorded.reached = number_of(checkpoint, "t");
  check_checkpoint(file, recorded);
  return recorded;
}

}  // namespace tippe
