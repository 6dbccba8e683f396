// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "tippe/run/run_recorder.h"

namespace tippe {

class FilePair;
class RecordingFile;

/// Writes a run to HDF5 while it goes on, so that it may be killed at any moment (FilePair).
class Recording final : public RunRecorder {
 public:
  Recording(const std::filesystem::path& path, const System& system, const RunOrigin& origin, const RunOptions& options,
            double t0);
  /// Goes on with a recording from its checkpoint.
  Recording(const std::filesystem::path& path, const System& system, const RunOptions& options,
            const Checkpoint& checkpoint);
  ~Recording() override;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void add_sample(const Sample& sample) override;
  void add_step(double time, const StepReport& report, double energy, double work) override;
  void add_impact(const Impact& impact, std::span<const double> impulse) override;
  void add_event(const Event& event) override;

  /// A second by default.
  void set_flush_interval(std::chrono::duration<double> interval) { flush_interval_ = interval; }
  [[nodiscard]] std::chrono::duration<double> flush_interval() const override { return flush_interval_; }
  [[nodiscard]] bool flush_is_due() const override;
  void set_checkpoint(const Checkpoint& checkpoint) override;
  /// Brings everything so far to disk.
  void flush(const RunSummary& summary) override;
  void finish(const RunSummary& summary) override;

 private:
  void write_next(const RunSummary& summary);

  std::unique_ptr<FilePair> files_;  // removes what is left after both below are closed
  std::unique_ptr<RecordingFile> next_, published_;
  std::unique_ptr<Checkpoint> checkpoint_;
  std::chrono::duration<double> flush_interval_{1.0};
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace tippe
