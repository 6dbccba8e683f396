// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/record/event_table.h"
#include "tippe/run/checkpoint.h"
#include "tippe/run/run_summary.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe {

inline constexpr std::string_view kRecordingFormat = "tippe recording";
inline constexpr std::int64_t kRecordingFormatVersion = 4;
/// Of checkpoints, which only the program that wrote them reads.
inline constexpr std::int64_t kCheckpointForm = 3;
inline constexpr const char* kCheckpointArrays = "checkpoint/arrays";
inline constexpr const char* kCheckpointMemory = "checkpoint/memory";

/// One HDF5 file with the layout of docs/recording.md. Rows wait in memory until flush().
class RecordingFile {
 public:
  /// A new file at `path`; `shown` is its name in messages.
  RecordingFile(const std::filesystem::path& path, const std::filesystem::path& shown, const System& system,
                const RunOrigin& origin, const RunOptions& options, double t0);
  /// One that exists, to go on from its checkpoint: what lies behind that is cut off.
  RecordingFile(const std::filesystem::path& path, const std::filesystem::path& shown, const System& system,
                const RunOptions& options, const Checkpoint& checkpoint);

  void add_sample(const Sample& sample);
  void add_step(double time, const StepReport& report, double energy, double work);
  void add_impact(const Impact& impact, std::span<const double> impulse);
  void add_event(const Event& event) { events_->add(event); }
  /// Numbers of rows, those that wait included, for a checkpoint.
  void count_rows(Checkpoint& checkpoint) const;
  [[nodiscard]] bool much_waits() const;

  void write_checkpoint(const Checkpoint& checkpoint);
  void write_summary(const RunSummary& summary);
  void flush();

 private:
  [[nodiscard]] std::vector<Hdf5Table*> sample_tables();
  [[nodiscard]] std::vector<Hdf5Table*> step_tables();
  [[nodiscard]] std::vector<Hdf5Table*> impact_tables();
  [[nodiscard]] std::vector<Hdf5Table*> contact_tables();
  void make_contact_tables(bool with_moments);
  void open_contact_tables();
  void add_contacts(const std::vector<ContactSample>& contacts);
  void make_tables(const System& system, const RunOrigin& origin, const RunOptions& options);
  void open_tables(const System& system, const RunOptions& options);
  void write_constraint_summary(const ConstraintSummary& constraints);
  void write_arrays(const std::string& group, const NamedArrays& arrays);
  void update_list(const std::string& name, const std::vector<std::string>& values);

  Hdf5File file_;
  std::vector<std::string> laws_;
  std::vector<int> contacts_, holonomic_;
  Hdf5Table time_, q_, u_, gap_, impulse_, energy_, quantity_, drawing_;
  Hdf5Table since_, impact_, acted_, u_start_, moved_q_, moved_u_;
  Hdf5Table constraint_force_, control_force_, constraint_position_, constraint_velocity_, redundant_;
  Hdf5Table step_time_, step_residual_, step_iterations_, step_energy_;
  Hdf5Table impact_time_, impact_law_, impact_speed_, impact_lost_, impact_impulse_;
  Hdf5Table contact_start_, contact_id_, contact_law_, contact_at_, contact_normal_, contact_gap_, contact_impulse_,
      contact_moment_;
  std::optional<EventTable> events_;  // of integrators that choose their steps: those may look for events
};

}  // namespace tippe
