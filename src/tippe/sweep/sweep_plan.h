// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  std::int64_t transient = 200, keep = 100;
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

 private:
  SweepRequest request_;
  Scene scene_;
  PointSet points_;
  SweepLook look_;
};

/// What is kept of one run.
struct SweepRow {
  std::int64_t number = 0;  // of the point
  std::vector<double> values;
  SweepResult result;
  double wall_time = 0.0;  // s
};

/// Computes points, one after another.
class SweepWorker {
 public:
  explicit SweepWorker(const SweepPlan& plan) : plan_(plan), family_(plan.make_family()) {}
  [[nodiscard]] SweepRow compute(std::int64_t number, const std::atomic<bool>* interrupt);

 private:
  const SweepPlan& plan_;
  SceneFamily family_;
};

}  // namespace tippe
