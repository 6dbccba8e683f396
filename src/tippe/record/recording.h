// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "tippe/record/recorded_run.h"
#include "tippe/record/recording_file.h"

namespace tippe {

/// Writes a run to HDF5 while it goes on, so that it may be killed at any moment: the file under the recording's name is
/// always whole. HDF5 changes many places of a file when a table grows, and a kill between two of them leaves a file that does
/// not open or lacks rows. Therefore there are two files. The one under the name is never touched; what is new goes into the
/// other, NAME.next, and when that is whole the two exchange their names in one atomic step.
class Recording {
 public:
  Recording(const std::filesystem::path& path, const System& system, const RunOrigin& origin, const RunOptions& options,
            double t0);
  /// Goes on with a recording from its checkpoint.
  Recording(const std::filesystem::path& path, const System& system, const RunOptions& options,
            const Checkpoint& checkpoint);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void add_sample(const Sample& sample);
  /// `energy`: T + V at the end of the step; `work`: done in it, with that of a prescribed motion.
  void add_step(double time, const StepReport& report, double energy, double work);
  void add_impact(const Impact& impact, std::span<const double> impulse);
  /// Only in the run of an integrator that chooses its steps.
  void add_event(const Event& event);

  /// How long after a flush the next one is due: a second by default.
  void set_flush_interval(std::chrono::duration<double> interval) { flush_interval_ = interval; }
  [[nodiscard]] std::chrono::duration<double> flush_interval() const { return flush_interval_; }
  /// The last flush is long ago, or much waits.
  [[nodiscard]] bool flush_is_due() const;
  /// From here the run can go on; goes into the file with the next flush.
  void set_checkpoint(Checkpoint checkpoint);
  /// Brings everything so far to disk.
  void flush(const RunSummary& summary);
  void finish(const RunSummary& summary);

 private:
  void write_next(const RunSummary& summary);
  void exchange_names();

  std::filesystem::path path_, next_path_;
  std::optional<RecordingFile> next_, published_;
  bool named_ = false;  // whether the file under the name is ours: from the first flush on
  Checkpoint checkpoint_;
  std::chrono::duration<double> flush_interval_{1.0};
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace tippe
