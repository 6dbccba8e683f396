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
  Pool(const SweepPlan& plan, std::int64_t first, int jobs, const std::atomic<bool>* stop)
      : plan_(plan), stop_(stop), next_(first), taken_(first) {
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
        const std::int64_t number = next_++;
        if (number >= plan_.points().size()) return;
        SweepRow row = worker.compute(number, stop_ != nullptr ? stop_ : &abandon_);
        if (row.result.end == SweepEnd::kInterrupted) return;
        hand_over(std::move(row));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void hand_over(SweepRow row) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return row.number - taken_ < kMostWaiting || abandon_; });
    const bool awaited = row.number == taken_;
    ready_.emplace(row.number, std::move(row));
    lock.unlock();
    if (awaited) arrived_.notify_one();
  }

  const SweepPlan& plan_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> abandon_ = false;
  std::atomic<std::int64_t> next_;
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

SweepSummary run_sweep(const SweepPlan& plan, SweepFile& file, std::int64_t first, std::int64_t failed, int jobs,
                       const SweepHooks& hooks) {
  const auto begin = Clock::now();
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  SweepSummary summary;
  summary.done = first;
  summary.total = plan.points().size();
  summary.failed = failed;
  file.flush();
  auto last_flush = begin, last_progress = begin;
  {
    Pool pool(plan, first, static_cast<int>(std::min<std::int64_t>(jobs, std::max<std::int64_t>(1, summary.total - first))),
              hooks.stop);
    std::vector<SweepRow> rows;
    while (summary.done < summary.total) {
      rows.clear();
      pool.take(rows);
      for (const SweepRow& row : rows) {
        file.add(row);
        ++summary.done;
        if (!is_failure(row.result.end)) continue;
        if (summary.failed++ == failed) summary.first_failure = row.result.message;
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
  file.finish(summary.interrupted ? "interrupted" : summary.failed > 0 ? "failed" : "ok");
  summary.wall_time = seconds(Clock::now() - begin);
  return summary;
}

}  // namespace tippe
