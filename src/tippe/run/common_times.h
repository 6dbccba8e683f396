// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tippe/run/run_options.h"

namespace tippe {

/// Times at which several runs of one scene have samples: t0, t0 + interval, ..., and the end.
class CommonTimes {
 public:
  /// No times. For a comparison use choose_common_times().
  CommonTimes() = default;
  /// interval > 0 and until > t0.
  CommonTimes(double t0, double until, double interval);

  [[nodiscard]] size_t size() const { return count_; }
  /// s   of the k-th, k < size()
  [[nodiscard]] double time(size_t k) const;
  [[nodiscard]] double interval() const { return interval_; }
  /// Which of them t is but for round-off; nothing for a time in between.
  [[nodiscard]] std::optional<size_t> find(double t) const;

 private:
  double t0_ = 0.0, until_ = 0.0, interval_ = 0.0;  // s
  size_t count_ = 0;
};

/// Chooses times that are ends of steps of every run, at most about `most` of them and no closer than the `every` of the first,
/// and sets `every` of the runs so that they sample there. The runs must be valid and have the same end; adaptive ones sample
/// anywhere. If the steps have multiples in common too seldom in the run, `problem` says so and nothing is set.
struct CommonTimesChoice {
  CommonTimes times;
  std::string problem;  // empty if there are such times
};
[[nodiscard]] CommonTimesChoice choose_common_times(std::span<RunOptions> runs, double t0, std::int64_t most);

}  // namespace tippe
