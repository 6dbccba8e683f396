// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_cluster.h"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <thread>

#include "support/scenes.h"
#include "tippe/core/text_file.h"
#include "tippe/sweep/sweep_cells.h"
#include "tippe/sweep/sweep_messages.h"

namespace tippe::sweep_cluster_test {

/// Letter boxes of threads that stand for processes.
class Boxes {
 public:
  explicit Boxes(int size) : boxes_(static_cast<size_t>(size)) {}

  class Port final : public MessagePort {
   public:
    Port(Boxes& boxes, int rank) : boxes_(boxes), rank_(rank) {}
    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return static_cast<int>(boxes_.boxes_.size()); }
    void send(int to, std::string_view message) override {
      const std::lock_guard lock(boxes_.mutex_);
      boxes_.boxes_[static_cast<size_t>(to)].emplace_back(rank_, message);
    }
    bool receive(int& from, std::string& message) override {
      const std::lock_guard lock(boxes_.mutex_);
      auto& box = boxes_.boxes_[static_cast<size_t>(rank_)];
      if (box.empty()) return false;
      from = box.front().first;
      message = std::move(box.front().second);
      box.pop_front();
      return true;
    }

   private:
    Boxes& boxes_;
    int rank_;
  };

 private:
  std::mutex mutex_;
  std::vector<std::deque<std::pair<int, std::string>>> boxes_;
};

SweepPlan plan_of(const std::string& scene, std::vector<std::string> vary, const std::string& section,
                  const std::string& follow) {
  SweepRequest request;
  request.scene_file = test::scene_path(scene);
  request.scene_text = read_text_file(request.scene_file, {.kind = "scene", .instead_of_folder = ""});
  request.vary = std::move(vary);
  request.section = section;
  request.quantities = {"phi:max"};
  if (scene == "impact_oscillator") request.quantities = {"x:max", "x':rms"};
  request.transient = 2;
  request.keep = 3;
  request.follow = follow;
  request.overrides.until = "3";
  if (scene == "impacting_pendulum") request.overrides.dt = "1e-3";
  if (scene == "impact_oscillator") request.overrides.until = "60";
  return SweepPlan(std::move(request));
}

/// All numbers that a file would have of these rows, and the reasons.
void append(const SweepPlan& plan, const std::vector<SweepRow>& rows, std::vector<double>& cells, std::string& reasons) {
  for (const SweepRow& row : rows) {
    cells.push_back(static_cast<double>(row.number));
    cells.insert(cells.end(), row.values.begin(), row.values.end());
    append_result(row.result, 0.0, plan.points().down(row.number), cells);
    append_ledger(row.result, cells);
    append_final(row.result, state_columns(plan.scene(), {}).size(), cells);
    cells.insert(cells.end(), row.result.reduced.begin(), row.result.reduced.end());
    for (const SweepPoint& point : row.result.section) append_section_point(row.number, point, cells);
    reasons += row.result.message;
  }
  for (double& cell : cells) cell = std::isnan(cell) ? -12345.0 : cell;
}

void expect_same_by_processes(const SweepPlan& plan, std::int64_t first, std::optional<FollowedState> last) {
  std::vector<double> alone, together;
  std::string reasons_alone, reasons_together;
  const PointRange range{first, plan.points().size(), std::move(last)};
  compute_points(plan, range, 1, nullptr,
                 [&](const std::vector<SweepRow>& rows) { append(plan, rows, alone, reasons_alone); });
  Boxes boxes(4);
  std::vector<std::thread> others;
  for (int rank = 1; rank < 4; ++rank) {
    others.emplace_back([&, rank] {
      Boxes::Port port(boxes, rank);
      serve_sweep(port, rank, nullptr);
    });
  }
  {
    Boxes::Port port(boxes, 0);
    SweepCluster cluster(port);
    cluster.compute_points(plan, range, nullptr,
                           [&](const std::vector<SweepRow>& rows) { append(plan, rows, together, reasons_together); });
  }
  for (std::thread& other : others) other.join();
  EXPECT_GT(alone.size(), 100u);
  EXPECT_EQ(alone, together);
  EXPECT_EQ(reasons_alone, reasons_together);
}

TEST(SweepCluster, ManyProcessesComputeTheBitsOfOne) {
  // Some runs are refused: the pendulum begins behind its wall.
  expect_same_by_processes(plan_of("impacting_pendulum", {"epsilon=0.5:0.9:5", "phi=-0.1:0.4:11"}, "phi'", ""), 0, {});
  expect_same_by_processes(plan_of("impacting_pendulum", {"epsilon=0.5:0.9:5", "phi=-0.1:0.4:11"}, "", ""), 17, {});
}

TEST(SweepCluster, LinesThatAreFollowedStayTogetherAndGoOnInTheirMiddle) {
  const SweepPlan plan = plan_of("impact_oscillator", {"s=0.9:1:3", "F=0.36:0.37:3"}, "stroboscopic", "both");
  expect_same_by_processes(plan, 0, {});
  State state = plan.scene().start;
  state.q[0] = -0.5;
  expect_same_by_processes(plan, 8, FollowedState{7, state});
}

TEST(SweepCluster, WhatGoesWrongInAnotherProcessIsSaidAndNobodyWaitsForever) {
  Boxes boxes(2);
  std::thread other([&] {
    Boxes::Port port(boxes, 1);
    int from = 0;
    std::string message;
    while (!port.receive(from, message)) std::this_thread::yield();
    port.send(0, pack(SweepMessage::kFailure, "no memory"));
    serve_sweep(port, 1, nullptr);
  });
  {
    Boxes::Port port(boxes, 0);
    SweepCluster cluster(port);
    const SweepPlan plan = plan_of("impacting_pendulum", {"epsilon=0.5:0.9:5"}, "", "");
    try {
      cluster.compute_points(plan, {0, 5, {}}, nullptr, [](const auto&) {});
      ADD_FAILURE() << "nobody said it";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "no memory");
    }
  }
  other.join();
  EXPECT_THROW((void)unpack_rows(pack(SweepMessage::kRows, "abc")), std::runtime_error);
  EXPECT_THROW((void)unpack_range(pack(SweepMessage::kRows)), std::runtime_error);
}

TEST(SweepCluster, AnInterruptOfAnotherProcessEndsTheSweep) {
  Boxes boxes(3);
  std::atomic<bool> interrupted = true;
  std::vector<std::thread> others;
  for (int rank = 1; rank < 3; ++rank) {
    others.emplace_back([&, rank] {
      Boxes::Port port(boxes, rank);
      serve_sweep(port, 1, rank == 2 ? &interrupted : nullptr);
    });
  }
  {
    Boxes::Port port(boxes, 0);
    SweepCluster cluster(port);
    std::int64_t rows = 0;
    cluster.compute_points(plan_of("impacting_pendulum", {"epsilon=0.5:0.9:100000"}, "", ""), {0, 100000, {}}, nullptr,
                           [&](const std::vector<SweepRow>& more) { rows += static_cast<std::int64_t>(more.size()); });
    EXPECT_LT(rows, 100000);
  }
  for (std::thread& other : others) other.join();
}

}  // namespace tippe::sweep_cluster_test
