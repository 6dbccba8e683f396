// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep.h"

#include <chrono>

namespace tippe {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

SweepSummary run_sweep(const SweepPlan& plan, SweepFile& file, const SweepDone& done, const SweepEngine& compute,
                       const SweepHooks& hooks) {
  const auto begin = Clock::now();
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  SweepSummary summary;
  const std::int64_t first = summary.done = done.rows;
  summary.total = plan.points().size();
  summary.failed = done.failed;
  AttractorBook book(plan.look().period.coordinate, plan.extent_of_starts(), done.attractors);
  file.flush();
  auto last_flush = begin, last_progress = begin;
  compute({first, summary.total, done.last}, hooks.stop, [&](std::vector<SweepRow>& rows) {
    for (SweepRow& row : rows) {
      if (plan.request().basin) row.attractor = book.enter(row.result, row.forcing_period);
      file.add(row, book.attractors());
      ++summary.done;
      if (!is_failure(row.result.end)) continue;
      if (summary.failed++ == done.failed) summary.first_failure = row.result.message;
    }
    const auto now = Clock::now();
    if (seconds(now - last_flush) > hooks.flush_interval) {
      file.flush();
      last_flush = Clock::now();
    }
    if (constexpr double kBetween = 0.1; hooks.progress && seconds(now - last_progress) > kBetween) {
      hooks.progress(
          {summary.done, summary.total, summary.failed, static_cast<double>(summary.done - first) / seconds(now - begin)});
      last_progress = now;
    }
  });
  summary.interrupted = summary.done < summary.total;
  summary.attractors = book.attractors();
  file.finish(summary.interrupted ? "interrupted" : summary.failed > 0 ? "failed" : "ok");
  summary.wall_time = seconds(Clock::now() - begin);
  return summary;
}

}  // namespace tippe
