// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tippe/run/simulate.h"
#include "tippe/sweep/reduction.h"
#include "tippe/sweep/run_section.h"

namespace tippe {

/// Why a run of a sweep ended.
enum class SweepEnd {
  kUntil,         // the end time
  kStopWhen,      // the scene's own condition
  kSection,       // all points of the section were there
  kRest,          // nothing moves any more
  kAccumulation,  // impacts of the section's contact accumulated: there is no next one
  kFailed,        // a step was not possible
  kRefused,       // the scene cannot start with these values
  kInterrupted,   // from outside: the result is worth nothing
};
inline constexpr int kSweepEnds = static_cast<int>(SweepEnd::kInterrupted) + 1;
/// The word in files: "until", "stop_when", "section", "rest", "accumulation", "failed", "refused", "interrupted".
[[nodiscard]] const char* name_of(SweepEnd end);

/// Whether there is no motion up to where it should have ended.
[[nodiscard]] inline bool is_failure(SweepEnd end) {
  return end == SweepEnd::kFailed || end == SweepEnd::kRefused;
}

/// What is kept of every run of a sweep.
struct SweepLook {
  std::vector<Reduction> reductions;
  RunSection section;
  PeriodOptions period;
  bool rest = false;  // runs end where nothing moves any more, also without a section
};

/// Slower than this, relative to the fastest motion of the run, nothing moves: all velocities, for so many steps, and so many periods of what drives the system.
constexpr double kAtRest = 1e-9;
constexpr int kStepsAtRest = 100;
constexpr double kPeriodsAtRest = 2.0;
/// Without an end of its own, a run that looks for points of a section lasts at most so many times as long as the scene says.
constexpr double kLongestSearch = 100.0;

struct SweepResult {
  SweepEnd end = SweepEnd::kUntil;
  std::string message;              // of a failure
  RunSummary summary;               // worth nothing if refused
  std::vector<double> reduced;      // one per reduction
  std::vector<SweepPoint> section;  // those that were kept
  int period = -1;                  // 0: none was found; -1: not looked for, or too few points
};

/// Prepares the options of a scene for the runs of a sweep. `until_given`: the end time is that of the request, else of the scene.
void prepare_for_sweep(Scene& scene, const SweepLook& look, bool until_given);

/// One run of a prepared scene from its start.
[[nodiscard]] SweepResult run_point(const Scene& scene, const SweepLook& look, const std::atomic<bool>* interrupt);

}  // namespace tippe
