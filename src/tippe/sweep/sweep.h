// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "tippe/sweep/sweep_file.h"
#include "tippe/sweep/sweep_pool.h"

namespace tippe {

/// How far a sweep is.
struct SweepProgress {
  std::int64_t done = 0, total = 0;
  std::int64_t failed = 0;  // of those done
  double rate = 0.0;        // 1/s  points since it began, or was resumed
};

struct SweepHooks {
  std::function<void(const SweepProgress&)> progress = {};  // several times a second
  const std::atomic<bool>* stop = nullptr;                  // when it becomes true, the sweep ends with what is done
  double flush_interval = 1.0;                              // s
};

struct SweepSummary {
  std::int64_t done = 0, total = 0;   // points, those of earlier parts included
  std::int64_t failed = 0;            // runs that failed or could not start
  std::string first_failure;          // its reason, of those in this part
  std::vector<Attractor> attractors;  // of a basin
  bool interrupted = false;
  double wall_time = 0.0;  // s
};

/// Who computes points, threads or other processes: hands over their rows as compute_points() does.
using SweepEngine = std::function<void(const PointRange& range, const std::atomic<bool>* stop,
                                       const std::function<void(std::vector<SweepRow>& rows)>& take)>;

/// Lets the points behind `done` be computed and writes them, in their order. What an engine computes depends on each point alone, or on its
/// line if points are followed, so that the file does not depend on it.
[[nodiscard]] SweepSummary run_sweep(const SweepPlan& plan, SweepFile& file, const SweepDone& done,
                                     const SweepEngine& compute, const SweepHooks& hooks = {});

}  // namespace tippe
