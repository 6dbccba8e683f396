// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tippe/sweep/state_value.h"

namespace tippe {

/// A quantity of a run, reduced to one number: "height:max". Mean and rms are those over the time, by the trapezoidal rule. "lyapunov" is the largest Lyapunov exponent of the
/// second half of the run.
struct Reduction {
  enum class Kind { kLast, kMax, kMin, kMean, kRms, kLyapunov };
  std::string text;  // as it was asked for
  StateValue value;
  Kind kind = Kind::kLast;

  /// Throws ArgumentError.
  static Reduction parse(const Scene& scene, std::string_view text);
};

/// Reduces the values of one run.
class Reducer {
 public:
  explicit Reducer(const Reduction& reduction) : reduction_(reduction) {}

  [[nodiscard]] const StateValue& value() const { return reduction_.value; }
  /// A later value, or one at the same time after a jump.
  void add(double t, double value);
  /// Not a number if there was no value.
  [[nodiscard]] double result() const;

 private:
  Reduction reduction_;
  bool any_ = false;
  double begin_ = 0.0, t_ = 0.0, last_ = 0.0, extreme_ = 0.0, integral_ = 0.0;
};

}  // namespace tippe
