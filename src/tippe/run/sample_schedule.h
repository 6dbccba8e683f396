// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tippe/run/run_options.h"
#include "tippe/run/tolerances.h"

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

  /// Whether this is a schedule after that many steps: one read from a checkpoint need not be, and due() might not end.
  [[nodiscard]] bool fits(std::int64_t step) const {
    return samples_ >= 0 && next_ > static_cast<double>(step) && next_ == std::round(static_cast<double>(samples_) * ratio_);
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

/// Times of the samples of a scheme with dense output: t0 + k every. One that is the end of the run but for round-off is that end.
class SampleTimes {
 public:
  SampleTimes(const RunOptions& options, double t0)
      : t0_(t0), until_(options.until), interval_(options.sample_interval(t0)) {}

  [[nodiscard]] double next() const {
    const double time = t0_ + static_cast<double>(samples_) * interval_;
    return std::abs(time - until_) <= kSameTime * interval_ ? until_ : time;
  }
  /// The next one was taken.
  void advance() { ++samples_; }

  /// Whether `t` lies between the sample taken last and the next one, but for round-off: the times read from a checkpoint may be others.
  [[nodiscard]] bool fits(double t) const {
    const double slack = 0.5 * interval_;
    return samples_ >= 0 && next() > t - slack && next() <= t + interval_ + slack;
  }

  /// Names all members that change, for a checkpoint.
  template <class Archive>
  void visit(Archive& archive) {
    archive("sampling.times", samples_);
  }

 private:
  double t0_, until_, interval_;
  std::int64_t samples_ = 0;
};

}  // namespace tippe
