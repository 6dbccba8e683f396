// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tippe/sweep/point_run.h"
#include "tippe/sweep/point_set.h"
#include "tippe/sweep/scene_family.h"

namespace tippe {

/// A sweep as it is asked for.
struct SweepRequest {
  std::string scene_text, scene_file;
  SceneOverrides overrides;
  std::vector<std::string> vary;        // Axis::parse
  std::optional<std::int64_t> samples;  // in the ranges, instead of a grid
  Sampling sampling = Sampling::kRandom;
  std::uint64_t seed = 0;
  std::string table_text, table_file;   // points instead of ranges
  std::vector<std::string> quantities;  // Reduction::parse
  std::string section;                  // RunSection::parse; empty: none
  std::optional<std::int64_t> transient, keep;
  std::string follow;  // "up", "down" or "both"; empty: every point from the scene's own start
  bool basin = false;  // which attractor each point reaches, instead of the points of its section

  /// What is not asked for is that of the scene's table [sweep]. `read`: the text of a file that it names.
  void complete(const SceneSweep& scene, const std::function<std::string(const std::string& file)>& read);
};

/// What a sweep does at every point. Immutable.
class SweepPlan {
 public:
  /// Throws InputError for whatever could not run anywhere.
  explicit SweepPlan(SweepRequest request);

  [[nodiscard]] const SweepRequest& request() const { return request_; }
  [[nodiscard]] const PointSet& points() const { return points_; }
  [[nodiscard]] const SweepLook& look() const { return look_; }
  /// The scene as its file and the request have it, before anything varies.
  [[nodiscard]] const Scene& scene() const { return scene_; }
  /// Scenes for one thread.
  [[nodiscard]] SceneFamily make_family() const;
  /// Largest coordinate among the starts that the points give.
  [[nodiscard]] double extent_of_starts() const;

 private:
  void check_names() const;

  Scene scene_;
  SweepRequest request_;
  PointSet points_;
  SweepLook look_;
};

/// What is kept of one run.
struct SweepRow {
  std::int64_t number = 0;  // of the point
  std::vector<double> values;
  SweepResult result;
  double forcing_period = 0.0;  // s
  int attractor = -1;           // of a basin
  double wall_time = 0.0;       // s
};

/// Where a point ended from which the next one starts.
struct FollowedState {
  std::int64_t number;  // of the point
  State state;
};

/// Computes points. One that is followed starts where the one computed before it in its line ended, if that ran.
class SweepWorker {
 public:
  explicit SweepWorker(const SweepPlan& plan) : plan_(plan), family_(plan.make_family()) {}
  [[nodiscard]] SweepRow compute(std::int64_t number, const std::atomic<bool>* interrupt);
  /// As if that point had been computed last.
  void go_on_from(const FollowedState& last) { last_ = last; }

 private:
  void run(SweepRow& row, const std::atomic<bool>* interrupt);
  [[nodiscard]] double forcing_period_at(std::int64_t number);
  void start_from_last(Scene& scene, double forcing_period_of_last) const;

  const SweepPlan& plan_;
  SceneFamily family_;
  std::optional<FollowedState> last_;
};

}  // namespace tippe
