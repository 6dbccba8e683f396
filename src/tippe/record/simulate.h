// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "tippe/record/recording.h"

namespace tippe {

/// Called several times a second while a run goes on.
struct Progress {
  double t;
  double fraction;  // 0 .. 1
  std::int64_t steps;
};
using ProgressCallback = std::function<void(const Progress&)>;

/// A step right after it was made, also if it failed.
struct StepView {
  std::int64_t number;  // from 1
  double begin, end;    // s
  const StepReport& report;
  const Integrator& integrator;
};
using StepCallback = std::function<void(const StepView&)>;

/// Called for every sample: those that are due, and those around impacts and at the end.
using SampleCallback = std::function<void(const Sample&)>;

/// A contact counts an impact when it carries an impulse, carried none in the three steps before, and closed
/// faster at the beginning of the step than this fraction of its own largest closing speed so far (and than
/// round-off). With an integrator that finds events each contact counts one that takes part in an impact and closed
/// faster than round-off; those of an accumulation, which are infinitely many, do not count.
constexpr double kImpactThreshold = 1e-3;

/// Runs a system from its start to options.until, or until its stop value becomes positive. Writes to `recording` if there is one. Stops after the
/// current step when `stop` becomes true, or when a step fails; everything computed until then is recorded. There is a sample at
/// every event, and where velocities jump one before and one after, at the same time if the step has no length.
/// The options must be valid. `from`: goes on from there, bit for bit as if the run had not been interrupted; `start` is still
/// the start of the whole run. `after_step` sees every step, `on_sample` what a recording would hold.
[[nodiscard]] RunSummary simulate(const System& system, const State& start, const RunOptions& options, Recording* recording,
                                  const ProgressCallback& progress = {}, const std::atomic<bool>* stop = nullptr,
                                  const Checkpoint* from = nullptr, const StepCallback& after_step = {},
                                  const SampleCallback& on_sample = {});

/// The same with an integrator of one's own for this system. It is adaptive if and only if the one that the options name is.
[[nodiscard]] RunSummary simulate_with(std::unique_ptr<Integrator> integrator, const System& system, const State& start,
                                       const RunOptions& options, Recording* recording,
                                       const ProgressCallback& progress = {}, const std::atomic<bool>* stop = nullptr,
                                       const Checkpoint* from = nullptr, const StepCallback& after_step = {},
                                       const SampleCallback& on_sample = {});

}  // namespace tippe
