// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/common_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace tippe {
namespace {

constexpr double kSameTime = 1e-6;  // of a step, or of the time between samples

/// Whether all multiples of `interval` until the end are multiples of dt, but for a millionth of a step and round-off.
bool is_multiple(double interval, double dt, double span) {
  const double ratio = interval / dt;
  const double off_at_end = std::abs(ratio - std::round(ratio)) * (span / interval);
  return off_at_end <= kSameTime + 4.0 * std::numeric_limits<double>::epsilon() * (span / dt);
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
  constexpr double kFewest = 20;  // common times in a run, unless its steps are that few
  const double span = runs.front().until - t0;
  double coarse = 0.0, fine = std::numeric_limits<double>::infinity();
  for (const RunOptions& run : runs) {
    if (run.adaptive()) continue;
    coarse = std::max(coarse, run.dt);
    fine = std::min(fine, run.dt);
  }
  const double wanted = std::max(span / static_cast<double>(most), runs.front().every);
  double interval = wanted;
  if (coarse > 0.0) {
    const auto fits = [&](double candidate) {
      return std::all_of(runs.begin(), runs.end(),
                         [&](const RunOptions& run) { return run.adaptive() || is_multiple(candidate, run.dt, span); });
    };
    double common = coarse;
    for (int k = 2; !fits(common); ++k) {
      common = k * coarse;
      if (common * kFewest > span) {
        return {{},
                fmt::format("steps from {} to {} end at the same times less than {} times until t = {}, and runs are "
                            "compared where they do; take steps that are multiples of each other",
                            fine, coarse, kFewest, runs.front().until)};
      }
    }
    interval = std::max(1.0, std::ceil(wanted / common - kSameTime)) * common;
  }
  for (RunOptions& run : runs) run.every = run.adaptive() ? interval : std::round(interval / run.dt) * run.dt;
  return {CommonTimes(t0, runs.front().until, interval), {}};
}

}  // namespace tippe
