// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "tippe/solve/stage.h"

namespace tippe {

/// The stages of a solve over all its islands: turns of two methods are two stages, not twenty, and so are all islands.
class StageBook {
 public:
  void clear(bool judged_apart) {
    stages_.clear();
    last_.clear();
    judged_apart_ = judged_apart;
    iterations_ = 0;
    enter_island(0, 1.0);
  }
  /// `weight` of the island's residual in that of the whole.
  void enter_island(int number, double weight) {
    island_ = number;
    weight_ = weight;
  }
  /// `residual` of the island after the stage.
  void add(const char* name, int iterations, double seconds, double residual) {
    iterations_ += iterations;
    size_t k = 0;
    while (k < stages_.size() && std::string_view(stages_[k].name) != name) ++k;
    if (k == stages_.size()) {
      stages_.push_back({name, 0, 0.0, 0.0});
      last_.push_back({-1, 0.0});
    }
    SolveStage& stage = stages_[k];
    Last& last = last_[k];
    stage.iterations += iterations;
    stage.seconds += seconds;
    const double left = judged_apart_ ? residual : weight_ * residual;
    if (judged_apart_) {
      stage.residual = std::max(stage.residual, left);
    } else {
      const double others = stage.residual * stage.residual - (last.island == island_ ? last.left * last.left : 0.0);
      stage.residual = std::sqrt(std::max(others, 0.0) + left * left);
    }
    last = {island_, left};
  }

  [[nodiscard]] const std::vector<SolveStage>& stages() const { return stages_; }
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  struct Last {
    int island;
    double left;  // there, measured by the whole problem
  };
  std::vector<SolveStage> stages_;
  std::vector<Last> last_;  // visit of each stage
  bool judged_apart_ = false;
  int iterations_ = 0;
  int island_ = 0;
  double weight_ = 1.0;
};

}  // namespace tippe
