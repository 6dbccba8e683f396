// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/record/recorded_run.h"
#include "tippe/run/run_recorder.h"

namespace tippe {

/// Keeps what a run leaves behind in memory: what reading its recording back would give. Copies are recordings of their own. The system need not live
/// as long.
class MemoryRecording final : public RunRecorder {
 public:
  /// `samples`: false keeps the summary only.
  MemoryRecording(const System& system, const RunOrigin& origin, const RunOptions& options, double t0, bool samples = true);

  void add_sample(const Sample& sample) override;
  void add_step(double time, const StepReport& report, double energy, double work) override;
  void add_impact(const Impact& impact, std::span<const double> impulse) override;
  void add_event(const Event& event) override;
  [[nodiscard]] std::chrono::duration<double> flush_interval() const override { return std::chrono::hours(24); }
  [[nodiscard]] bool flush_is_due() const override { return false; }
  [[nodiscard]] bool keeps_checkpoints() const override { return false; }
  void set_checkpoint(const Checkpoint& /*checkpoint*/) override {}
  void flush(const RunSummary& /*summary*/) override {}
  void finish(const RunSummary& summary) override;

  [[nodiscard]] const RecordedRun& run() const { return run_; }
  [[nodiscard]] const RecordedSummary& recorded() const { return recorded_; }
  [[nodiscard]] RecordedRun take_run() { return std::move(run_); }
  [[nodiscard]] RecordedSummary take_recorded() { return std::move(recorded_); }
  /// Goes on with what was recorded before, of the same system and options.
  void go_on_with(RecordedRun run) { run_ = std::move(run); }

 private:
  bool samples_, events_, adaptive_, found_, rolls_;
  std::vector<int> contacts_, holonomic_;
  RecordedRun run_;
  RecordedSummary recorded_;
};

}  // namespace tippe
