// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>

#include "tippe/run/run_summary.h"

namespace tippe {

struct Checkpoint;

/// Receives what a run leaves behind while it goes on. `Recording` writes it to a file.
class RunRecorder {
 public:
  virtual ~RunRecorder() = default;

  virtual void add_sample(const Sample& sample) = 0;
  /// `energy`: T + V at the end of the step; `work`: done in it, with that of a prescribed motion.
  virtual void add_step(double time, const StepReport& report, double energy, double work) = 0;
  virtual void add_impact(const Impact& impact, std::span<const double> impulse) = 0;
  /// Only in the run of an integrator that chooses its steps, or where the scene defines events.
  virtual void add_event(const Event& event) = 0;

  /// How long after a flush the next one is due.
  [[nodiscard]] virtual std::chrono::duration<double> flush_interval() const = 0;
  /// The last flush is long ago, or much waits.
  [[nodiscard]] virtual bool flush_is_due() const = 0;
  /// Whether it wants any, and is ever flushed.
  [[nodiscard]] virtual bool keeps_checkpoints() const { return true; }
  /// From here the run can go on; kept with the next flush.
  virtual void set_checkpoint(const Checkpoint& checkpoint) = 0;
  /// Makes everything so far safe from the end of the program.
  virtual void flush(const RunSummary& summary) = 0;
  /// The run has ended.
  virtual void finish(const RunSummary& summary) = 0;
};

}  // namespace tippe
