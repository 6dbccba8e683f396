// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tippe/record/run_options.h"

namespace tippe {

/// Step numbers of the samples: those nearest to multiples of `every`.
class SampleSchedule {
 public:
  SampleSchedule(const RunOptions& options, double t0) : ratio_(std::max(1.0, options.sample_interval(t0) / options.dt)) {}

  [[nodiscard]] bool due(std::int64_t step) {
    if (static_cast<double>(step) < next_) return false;
    while (next_ <= static_cast<double>(step)) next_ = std::round(static_cast<double>(++samples_) * ratio_);
    return true;
  }

  /// Names all members, for a checkpoint.
  template <class Archive>
  void visit(Archive& archive) {
    archive("sampling.samples", samples_);
    archive("sampling.next", next_);
  }

 private:
  double ratio_;
  std::int64_t samples_ = 0;
  double next_ = 0.0;
};

}  // namespace tippe
