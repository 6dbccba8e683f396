// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

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

/// A run that its caller steps: the steps, books and samples of simulate(), without an end. What would end a run early does not; events
/// of the scene reset its state as they do in a run. The system must live as long.
class SteppedRun {
 public:
  /// `recorder` may be nullptr; it gets samples, steps, impacts and events. Adaptive integrators end a step at options.until and go on.
  SteppedRun(const System& system, const State& start, RunOptions options, RunRecorder* recorder);
  ~SteppedRun();
  SteppedRun(const SteppedRun&) = delete;
  SteppedRun& operator=(const SteppedRun&) = delete;

  struct Made {
    StepReport report;
    std::string failure;  // why it could not be made; empty: it was made
  };
  /// A step of dt (s), or of the options' own length. One that fails leaves the state alone.
  Made step(std::optional<double> dt);
  /// Another state, checked by the caller. `remembers`: the integrator keeps what it knows of the steps before, as where only inputs change.
  /// False if its energy is not finite.
  bool move_to(const State& state, bool remembers);

  [[nodiscard]] const State& state() const;
  [[nodiscard]] const Energies& energies() const;
  [[nodiscard]] const Eigen::VectorXd& gaps() const;      // of each law
  [[nodiscard]] const Eigen::VectorXd& impulses() const;  // N s  of the last step, in the order of its laws
  [[nodiscard]] const std::vector<std::string>& warnings() const;

  /// All that was done so far; `recorder`, a copy of the run's own or another, gets the sample at the end if that was not recorded.
  [[nodiscard]] RunSummary summary(RunRecorder* recorder);
  /// From here another run of the same system and options goes on to the bit. Rows of recordings are not counted.
  [[nodiscard]] Checkpoint checkpoint();
  void restore(const Checkpoint& checkpoint);

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace tippe
