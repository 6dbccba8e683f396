// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "tippe/sweep/sweep_plan.h"

namespace tippe {

/// Points of a sweep, one after another.
struct PointRange {
  std::int64_t first = 0, end = 0;  // end is the first that is none of them
  std::optional<FollowedState>
      last;  // where points are followed and the first one begins no line: what was computed before it
};

/// How many threads a sweep has by default: one for each core.
[[nodiscard]] int default_jobs();

/// Computes points with so many threads. `take` gets the rows in the order of the points, whatever the number of threads, and several times a second at
/// least, then perhaps none. When `stop` becomes true, it ends with what is done.
void compute_points(const SweepPlan& plan, const PointRange& range, int jobs, const std::atomic<bool>* stop,
                    const std::function<void(std::vector<SweepRow>& rows)>& take);

}  // namespace tippe
