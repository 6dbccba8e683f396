// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tippe {

/// What varies in a sweep, and over which values: a parameter of the scene, or an initial value.
///
///   mu=0.1:0.5:200     200 values with equal distances, both ends among them
///   c=log:1:1e4:30     30 values with equal ratios
///   e=0.2,0.5,0.8      these
///   mu=0.1:0.5         a range to take samples in; also with log:
class Axis {
 public:
  /// Throws ArgumentError.
  static Axis parse(std::string_view text);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// 0: a range without values of its own, for samples.
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// The k-th value, k < count(). The ends are those given, to the bit.
  [[nodiscard]] double value(std::int64_t k) const;
  /// The value at a share of the range, in [0, 1); of a list the value whose turn it is.
  [[nodiscard]] double at(double share) const;
  /// Whether equal shares of the range have equal ratios.
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }

 private:
  [[nodiscard]] double between(double share) const;

  std::string name_;
  double first_ = 0.0, last_ = 0.0;
  std::int64_t count_ = 0;
  bool logarithmic_ = false;
  std::vector<double> list_;  // instead of the range
};

/// The finite number that a whole text is; throws ArgumentError, which blames `given`, otherwise.
[[nodiscard]] double number_of_sweep(std::string_view text, std::string_view given);

}  // namespace tippe
