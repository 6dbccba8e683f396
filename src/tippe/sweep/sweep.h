// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "tippe/sweep/sweep_file.h"

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
  std::int64_t done = 0, total = 0;  // points, those of earlier parts included
  std::int64_t failed = 0;           // runs that failed or could not start
  std::string first_failure;         // its reason, of those in this part
  bool interrupted = false;
  double wall_time = 0.0;  // s
};

/// How many threads a sweep has by default: one for each core.
[[nodiscard]] int default_jobs();

/// Computes the points from `first` on with so many threads and writes them, in their order. What a thread computes depends on its point alone, so that the
/// file does not depend on their number. `failed`: of the points before.
[[nodiscard]] SweepSummary run_sweep(const SweepPlan& plan, SweepFile& file, std::int64_t first, std::int64_t failed,
                                     int jobs, const SweepHooks& hooks = {});

}  // namespace tippe
