// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <span>

#include "tippe/run/run_recorder.h"

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

/// Called for every impact that is counted, before the callbacks of its step.
using ImpactCallback = std::function<void(const Impact&)>;

/// Called after every step that succeeded, with a sample whose sums are those of this step alone, without quantities, drawing and
/// constraints; and with the events of the step.
using StepSampleCallback = std::function<void(const Sample&, std::span<const Event>)>;

/// Who takes part in a run beside the integrator. All are optional.
struct RunHooks {
  RunRecorder* recorder = nullptr;  // receives samples, steps, impacts, events and checkpoints
  ProgressCallback progress = {};
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, the run stops after the current step
  const Checkpoint* from = nullptr;         // goes on from there, bit for bit as if the run had not been interrupted
  StepCallback after_step = {};             // sees every step
  SampleCallback on_sample = {};            // sees what a recording would hold
  ImpactCallback on_impact = {};            // sees what a recording has in its table of impacts
  StepSampleCallback on_step = {};          // sees what a recording with a sample after every step would hold
};

/// Runs a system from its start to options.until, or until its stop value becomes positive. Stops when a step fails; everything
/// computed until then is recorded. There is a sample at every event, and where velocities jump one before and one after, at the
/// same time if the step has no length. The options must be valid. `start` is the start of the whole run, also of one that goes
/// on from a checkpoint.
[[nodiscard]] RunSummary simulate(const System& system, const State& start, const RunOptions& options,
                                  const RunHooks& hooks = {});

/// The same with a user-defined integrator for this system. It is adaptive if and only if the one that the options name is.
[[nodiscard]] RunSummary simulate_with(std::unique_ptr<Integrator> integrator, const System& system, const State& start,
                                       const RunOptions& options, const RunHooks& hooks = {});

}  // namespace tippe
