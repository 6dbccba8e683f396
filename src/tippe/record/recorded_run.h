// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tippe/run/run_summary.h"

namespace tippe {

/// A table of a recording, read back.
struct RecordedTable {
  std::vector<std::string> names;
  std::vector<double> values;           // row by row
  std::vector<std::string> units = {};  // of the columns; empty in recordings without units

  [[nodiscard]] std::vector<double> column(size_t k) const;
};

/// The contacts that were found while a run went on, and carried: of sample k those from start[k] to start[k + 1] - 1, with what they did
/// since the sample before.
struct RecordedContacts {
  std::vector<std::string> shapes;  // names; ids count shapes from 1
  std::vector<size_t> start;        // empty if contacts were not found
  std::vector<LawId> id;
  std::vector<int> law;
  std::vector<double> at, normal, impulse;  // m, 1, N s  three of each contact; the impulse on its first shape, in space
  std::vector<double> gap;                  // m
  std::vector<double> moment;               // N m s  three of each, of rolling resistance; empty where no law has any

  [[nodiscard]] bool were_found() const { return !start.empty(); }
};

/// A recording read back. All readers throw FileError for what is no recording or damaged, and InputError for one of another
/// format version.
struct RecordedRun {
  RunOrigin origin;
  std::string program, integrator, message;
  RunStatus status = RunStatus::kRunning;
  double dt = 0.0;
  double start = 0.0, until = 0.0;  // s   as asked for
  std::vector<double> time;
  RecordedTable q, u, gap, impulse, energy, quantity;
  RecordedTable since, impact, acted, u_start, moved_q, moved_u;  // StepSums; all but the first may be empty
  std::string drawing;                                            // JSON, docs/recording.md#drawing; empty: nothing is drawn
  RecordedTable drawing_columns;
  RecordedTable constraint_force, control_force, constraint_position, constraint_velocity;  // empty without constraints
  std::vector<double> redundant;  // 1 at samples where constraint forces are not unique
  std::vector<double> step_time, step_residual, step_iterations;
  std::vector<double>
      step_energy;  // J  total at its end, lost_in_contacts, lost_in_damping, work_done, pushed_out in it, for each step
  std::vector<double> impact_time, impact_law, impact_speed, impact_lost;
  std::vector<double> impact_impulse;  // N s  ForceLaw::kMostRows for each impact, unused ones 0
  RecordedContacts contacts;
  std::vector<Event> events;  // in their order; none with integrators that do not look for them
  std::vector<std::string> laws;
  std::vector<double> law_friction, law_limit;  // two numbers for each law, docs/recording.md; empty in recordings without
};
/// Impulses of all laws divided by the time since the sample before, N; not a number where no time has passed, as at the first sample.
[[nodiscard]] RecordedTable mean_forces(const RecordedRun& run);

[[nodiscard]] RecordedRun read_recording(const std::filesystem::path& path);

/// The events of a recording alone.
struct RecordedEvents {
  std::vector<Event> events;
  std::vector<std::string> laws, rows;  // names of all laws, and of their rows
};
[[nodiscard]] RecordedEvents read_recorded_events(const std::filesystem::path& path);

/// What the program printed at the end of the run, or, for a run that was killed, what was known at its last flush.
struct RecordedSummary {
  RunHead head;
  RunSummary summary;
};
[[nodiscard]] RecordedSummary read_summary(const std::filesystem::path& path);

/// A whole recording as it is at one moment, also of a run that goes on.
struct RecordedState {
  std::string stamp;   // changes with the content of the file
  double every = 0.0;  // s   between samples
  RecordedRun run;
  RecordedSummary recorded;
};
[[nodiscard]] RecordedState read_state(const std::filesystem::path& path);
/// The stamp that read_state() would find; empty if there is no file.
[[nodiscard]] std::string recording_stamp(const std::filesystem::path& path);

}  // namespace tippe
