// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/common_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "tippe/core/tolerances.h"
#include "tippe/run/tolerances.h"

namespace tippe {
namespace {

/// Whether all multiples of `interval` until the end are multiples of dt, but for a millionth of a step and round-off.
bool is_multiple(double interval, double dt, double span) {
  const double ratio = interval / dt;
  const double off_at_end = std::abs(ratio - std::round(ratio)) * (span / interval);
  return off_at_end <= kSameTime + 4.0 * kMachineEpsilon * (span / dt);
}

}  // namespace

CommonTimes::CommonTimes(double t0, double until, double interval) : t0_(t0), until_(until), interval_(interval) {
  assert(interval > 0.0 && until > t0);
  const double intervals = (until - t0) / interval;
  // The end is one more, unless it is a multiple of the interval.
  count_ = static_cast<size_t>(std::ceil(intervals - kSameTime)) + 1;
}

double CommonTimes::time(size_t k) const {
  return k + 1 == count_ ? until_ : t0_ + static_cast<double>(k) * interval_;
}

std::optional<size_t> CommonTimes::find(double t) const {
  if (count_ == 0) return std::nullopt;
  const double tolerance = kSameTime * interval_;
  if (std::abs(t - until_) <= tolerance) return count_ - 1;
  const double nearest = std::round((t - t0_) / interval_);
  if (!(nearest >= 0.0 && nearest < static_cast<double>(count_))) return std::nullopt;
  const auto k = static_cast<size_t>(nearest);
  return std::abs(t - time(k)) <= tolerance ? std::optional(k) : std::nullopt;
}

CommonTimesChoice choose_common_times(std::span<RunOptions> runs, double t0, std::int64_t most) {
  assert(!runs.empty() && most > 0);
  constexpr double kFewest = 20;             // common times in a run, unless its steps are that few
  constexpr int kMostMultiples = 1'000'000;  // of the coarsest step, to be tried
  const double span = runs.front().until - t0;
  std::vector<double> steps;
  for (const RunOptions& run : runs) {
    if (!run.adaptive()) steps.push_back(run.dt);
  }
  const double wanted = std::max(span / static_cast<double>(most), runs.front().every);
  double interval = wanted;
  if (!steps.empty()) {
    const auto [fine, coarse] = std::minmax_element(steps.begin(), steps.end());
    const auto fits = [&](double candidate) {
      return std::all_of(steps.begin(), steps.end(), [&](double dt) { return is_multiple(candidate, dt, span); });
    };
    double common = *coarse;
    for (int k = 2; !fits(common); ++k) {
      common = k * *coarse;
      if (common * kFewest > span || k > kMostMultiples) {
        return {
            {},
            fmt::format("runs are compared at times at which steps of all of them end, and steps from {} to {} have less "
                        "than {} of them until t = {}; take steps that are multiples of each other",
                        *fine, *coarse, kFewest, runs.front().until)};
      }
    }
    interval = std::max(1.0, std::ceil(wanted / common - kSameTime)) * common;
  }
  for (RunOptions& run : runs) run.every = run.adaptive() ? interval : std::round(interval / run.dt) * run.dt;
  return {CommonTimes(t0, runs.front().until, interval), {}};
}

}  // namespace tippe
