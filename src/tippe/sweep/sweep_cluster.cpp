// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_cluster.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <thread>

#include "tippe/sweep/sweep_messages.h"

namespace tippe {
namespace {

using Clock = std::chrono::steady_clock;

/// So long a process computes what it gets at once, s: much longer than a message takes, much shorter than anybody waits.
constexpr double kChunk = 0.25;
constexpr std::int64_t kMostInChunk = 8192;  // points
/// Rows that wait for those before them: a slow point must not let memory grow.
constexpr std::int64_t kMostAhead = 65'536;
/// Who has nothing to do looks for messages so often.
constexpr auto kBetweenLooks = std::chrono::microseconds(200);

/// The points that are still to be computed, those that somebody computes, and rows that wait.
class Handout {
 public:
  Handout(const SweepPlan& plan, const PointRange& range, int workers)
      : range_(range),
        line_(plan.points().line()),
        next_(range.first),
        taken_(range.first),
        rates_(static_cast<size_t>(workers), 0.0) {
    most_ahead_ = std::max(kMostAhead, line_ * (workers + 1));
  }

  [[nodiscard]] bool complete() const { return taken_ == range_.end; }

  /// The next points for this worker; none if there are none, or too many rows wait.
  std::optional<PointRange> give(size_t worker) {
    if (next_ >= range_.end || next_ - taken_ >= most_ahead_) return std::nullopt;
    const std::int64_t fair = (range_.end - next_) / (2 * static_cast<std::int64_t>(rates_.size())) + 1;
    const auto fast = static_cast<std::int64_t>(rates_[worker] * kChunk);
    const std::int64_t count = std::clamp<std::int64_t>(fast, 1, std::min(fair, kMostInChunk));
    // Whole lines, but for the rest of one that was begun.
    const std::int64_t end = std::min((next_ + count + line_ - 1) / line_ * line_, range_.end);
    PointRange points{next_, end, {}};
    if (next_ == range_.first) points.last = range_.last;
    next_ = end;
    return points;
  }
  void finished(size_t worker, std::int64_t points, double seconds) {
    rates_[worker] = static_cast<double>(points) / std::max(seconds, 1e-6);
  }

  void enter(std::vector<SweepRow> rows) {
    for (SweepRow& row : rows) {
      if (row.number < taken_ || row.number >= range_.end)
        throw std::runtime_error("another process sent points that nobody asked for");
      waiting_.emplace(row.number, std::move(row));
    }
  }
  /// Appends the rows that follow those taken before.
  void take(std::vector<SweepRow>& rows) {
    for (auto row = waiting_.begin(); row != waiting_.end() && row->first == taken_; row = waiting_.erase(row), ++taken_)
      rows.push_back(std::move(row->second));
  }

 private:
  PointRange range_;
  std::int64_t line_, next_, taken_, most_ahead_;
  std::vector<double> rates_;  // 1/s  points of each worker; 0: not known yet
  std::map<std::int64_t, SweepRow> waiting_;
};

/// What a worker is computing.
struct Task {
  bool idle = true;
  std::int64_t points = 0;
  Clock::time_point begin;
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

SweepCluster::~SweepCluster() {
  for (int other = 1; other < port_.size(); ++other) port_.send(other, pack(SweepMessage::kEnd));
  std::string message;
  for (int left = port_.size() - 1; left > 0;) {
    if (int from = 0; !port_.receive(from, message)) {
      std::this_thread::sleep_for(kBetweenLooks);
    } else if (kind_of(message) == SweepMessage::kEnd) {
      --left;
    }
  }
}

void SweepCluster::compute_points(const SweepPlan& plan, const PointRange& range, const std::atomic<bool>* stop,
                                  const std::function<void(std::vector<SweepRow>& rows)>& take) {
  const int workers = port_.size() - 1;
  for (int other = 1; other <= workers; ++other) port_.send(other, pack_request(plan.request()));
  Handout handout(plan, range, workers);
  std::vector<Task> tasks(static_cast<size_t>(workers));
  std::vector<SweepRow> rows;
  std::string message;
  auto last_take = Clock::now();
  while (!handout.complete()) {
    for (size_t worker = 0; worker < tasks.size(); ++worker) {
      if (!tasks[worker].idle) continue;
      const std::optional<PointRange> points = handout.give(worker);
      if (!points) continue;
      tasks[worker] = {false, points->end - points->first, Clock::now()};
      port_.send(static_cast<int>(worker) + 1, pack_range(*points));
    }
    int from = 0;
    const bool received = port_.receive(from, message);
    Task& task = tasks[static_cast<size_t>(std::max(from, 1) - 1)];
    switch (received ? kind_of(message) : SweepMessage::kPlan) {
      case SweepMessage::kRows:
        handout.enter(unpack_rows(message));
        break;
      case SweepMessage::kDone:
        task.idle = true;
        handout.finished(static_cast<size_t>(from) - 1, task.points, seconds_since(task.begin));
        break;
      case SweepMessage::kStop:
        return;
      case SweepMessage::kFailure:
        throw std::runtime_error(message.substr(1));
      default:
        break;
    }
    rows.clear();
    handout.take(rows);
    constexpr double kBetweenTakes = 0.05;  // s, without rows
    if (!rows.empty() || seconds_since(last_take) > kBetweenTakes) {
      take(rows);
      last_take = Clock::now();
    }
    if (stop != nullptr && *stop) return;
    if (!received) std::this_thread::sleep_for(kBetweenLooks);
  }
}

void serve_sweep(MessagePort& port, int jobs, const std::atomic<bool>* interrupt) {
  std::optional<SweepPlan> plan;
  std::atomic<bool> stop = false;
  bool told = false, released = false;
  int from = 0;
  std::string message;
  const auto look_for_interrupt = [&] {
    if (interrupt == nullptr || !*interrupt || told) return;
    told = stop = true;
    port.send(0, pack(SweepMessage::kStop));
  };
  // The first process sends nothing while points are computed but the end.
  const auto give = [&](const std::vector<SweepRow>& rows) {
    if (!rows.empty()) port.send(0, pack_rows(rows));
    look_for_interrupt();
    if (!released && port.receive(from, message)) released = stop = true;
  };
  while (!released) {
    look_for_interrupt();
    if (!port.receive(from, message)) {
      std::this_thread::sleep_for(kBetweenLooks);
      continue;
    }
    try {
      if (kind_of(message) == SweepMessage::kEnd) {
        released = true;
      } else if (kind_of(message) == SweepMessage::kPlan) {
        plan.emplace(unpack_request(message));
      } else if (plan && !stop) {
        compute_points(*plan, unpack_range(message), jobs, &stop, give);
        if (!stop) port.send(0, pack(SweepMessage::kDone));
      }
    } catch (const std::exception& error) {
      port.send(0, pack(SweepMessage::kFailure, error.what()));
    }
  }
  port.send(0, pack(SweepMessage::kEnd));
}

}  // namespace tippe
