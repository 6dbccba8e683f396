// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_pool.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

namespace tippe {
namespace {

/// Rows that wait for those before them: a slow point must not let memory grow.
constexpr std::int64_t kMostWaiting = 4096;
/// A thread hands over so many rows at once, or those of so long, s: waking another one costs as much as a short run.
constexpr size_t kMostAtOnce = 64;
constexpr double kLongAtOnce = 2e-3;

/// Threads that compute points, and the rows that they have computed.
class Pool {
 public:
  Pool(const SweepPlan& plan, const PointRange& range, int jobs, const std::atomic<bool>* stop)
      : plan_(plan), stop_(stop), range_(range), next_line_(range.first / plan.points().line()), taken_(range.first) {
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
      std::vector<SweepRow> rows;
      double computed = 0.0;  // s
      while (!abandon_ && !(stop_ != nullptr && stop_->load(std::memory_order_relaxed))) {
        const std::int64_t length = plan_.points().line(), begin = next_line_++ * length, end = begin + length;
        if (begin >= range_.end) break;
        if (begin < range_.first && range_.last) worker.go_on_from(*range_.last);
        for (std::int64_t number = std::max(begin, range_.first); number < std::min(end, range_.end) && !abandon_;
             ++number) {
          rows.push_back(worker.compute(number, stop_ != nullptr ? stop_ : &abandon_));
          if (rows.back().result.end == SweepEnd::kInterrupted) {
            rows.pop_back();
            return hand_over(rows);
          }
          computed += rows.back().wall_time;
          if (rows.size() < kMostAtOnce && computed < kLongAtOnce) continue;
          hand_over(rows);
          computed = 0.0;
        }
      }
      hand_over(rows);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void hand_over(std::vector<SweepRow>& rows) {
    if (rows.empty()) return;
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return rows.front().number - taken_ < std::max(kMostWaiting, most_lines_) || abandon_; });
    const bool awaited = rows.front().number == taken_;
    for (SweepRow& row : rows) ready_.emplace(row.number, std::move(row));
    lock.unlock();
    rows.clear();
    if (awaited) arrived_.notify_one();
  }

  const SweepPlan& plan_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> abandon_ = false;
  PointRange range_;
  std::int64_t most_lines_ = 0;  // rows of as many whole lines as there are threads may wait for the first of them
  std::atomic<std::int64_t> next_line_;
  std::mutex mutex_;
  std::condition_variable arrived_, room_;
  std::map<std::int64_t, SweepRow> ready_;  // by number
  std::int64_t taken_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace

int default_jobs() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void compute_points(const SweepPlan& plan, const PointRange& range, int jobs, const std::atomic<bool>* stop,
                    const std::function<void(std::vector<SweepRow>& rows)>& take) {
  Pool pool(plan, range, static_cast<int>(std::clamp<std::int64_t>(range.end - range.first, 1, jobs)), stop);
  std::vector<SweepRow> rows;
  for (std::int64_t next = range.first; next < range.end;) {
    rows.clear();
    pool.take(rows);
    next += static_cast<std::int64_t>(rows.size());
    take(rows);
    if (stop != nullptr && *stop && rows.empty()) return;
  }
}

}  // namespace tippe
