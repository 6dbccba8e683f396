// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

namespace tippe {
namespace {

using Clock = std::chrono::steady_clock;

/// Rows that wait for those before them: a slow point must not let memory grow.
constexpr std::int64_t kMostWaiting = 4096;

/// Threads that compute points, and the rows that they have computed.
class Pool {
 public:
  Pool(const SweepPlan& plan, std::int64_t first, const std::optional<FollowedState>& last, int jobs,
       const std::atomic<bool>* stop)
      : plan_(plan), stop_(stop), first_(first), last_(last), next_line_(first / plan.points().line()), taken_(first) {
    if (plan.points().line() > 1) most_lines_ = (jobs + 1) * plan.points().line();
    for (int k = 0; k < jobs; ++k) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    abandon_ = true;
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Appends the rows that follow those taken before, as many as there are; waits a moment if there is none.
  void take(std::vector<SweepRow>& rows) {
    std::unique_lock lock(mutex_);
    if (ready_.empty() || ready_.begin()->first != taken_) arrived_.wait_for(lock, std::chrono::milliseconds(20));
    while (!ready_.empty() && ready_.begin()->first == taken_) {
      rows.push_back(std::move(ready_.begin()->second));
      ready_.erase(ready_.begin());
      ++taken_;
    }
    if (failure_) std::rethrow_exception(failure_);
    lock.unlock();
    if (!rows.empty()) room_.notify_all();
  }

 private:
  void work() {
    try {
      SweepWorker worker(plan_);
      while (!abandon_ && !(stop_ != nullptr && stop_->load(std::memory_order_relaxed))) {
        const std::int64_t length = plan_.points().line(), begin = next_line_++ * length, end = begin + length;
        if (begin >= plan_.points().size()) return;
        if (begin < first_ && last_) worker.go_on_from(*last_);
        for (std::int64_t number = std::max(begin, first_); number < end && !abandon_; ++number) {
          SweepRow row = worker.compute(number, stop_ != nullptr ? stop_ : &abandon_);
          if (row.result.end == SweepEnd::kInterrupted) return;
          hand_over(std::move(row));
        }
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void hand_over(SweepRow row) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return row.number - taken_ < std::max(kMostWaiting, most_lines_) || abandon_; });
    const bool awaited = row.number == taken_;
    ready_.emplace(row.number, std::move(row));
    lock.unlock();
    if (awaited) arrived_.notify_one();
  }

  const SweepPlan& plan_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> abandon_ = false;
  std::int64_t first_;
  std::optional<FollowedState> last_;
  std::int64_t most_lines_ = 0;  // rows of as many whole lines as there are threads may wait for the first of them
  std::atomic<std::int64_t> next_line_;
  std::mutex mutex_;
  std::condition_variable arrived_, room_;
  std::map<std::int64_t, SweepRow> ready_;  // by number
  std::int64_t taken_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

bool is_failure(SweepEnd end) {
  return end == SweepEnd::kFailed || end == SweepEnd::kRefused;
}

}  // namespace

int default_jobs() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

SweepSummary run_sweep(const SweepPlan& plan, SweepFile& file, const SweepDone& done, int jobs, const SweepHooks& hooks) {
  const auto begin = Clock::now();
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  SweepSummary summary;
  const std::int64_t first = summary.done = done.rows;
  summary.total = plan.points().size();
  summary.failed = done.failed;
  AttractorBook book(plan.look().period.coordinate, plan.extent_of_starts(), done.attractors);
  file.flush();
  auto last_flush = begin, last_progress = begin;
  {
    Pool pool(plan, first, done.last,
              static_cast<int>(std::min<std::int64_t>(jobs, std::max<std::int64_t>(1, summary.total - first))), hooks.stop);
    std::vector<SweepRow> rows;
    while (summary.done < summary.total) {
      rows.clear();
      pool.take(rows);
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
      if (hooks.stop != nullptr && *hooks.stop && rows.empty()) break;
    }
  }
  summary.interrupted = summary.done < summary.total;
  summary.attractors = book.attractors();
  file.finish(summary.interrupted ? "interrupted" : summary.failed > 0 ? "failed" : "ok");
  summary.wall_time = seconds(Clock::now() - begin);
  return summary;
}

}  // namespace tippe
