// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace tippe {

/// Follows names whose values vary through the reading of a scene: which numbers of the scene are such a value itself, and whether everything else stays
/// as it is when they change. Then the scene need not be read again.
class VariedNumbers {
 public:
  /// `nudge`: every number that is the value of one of the names comes out a little smaller, each by another share, so that it can be recognised.
  VariedNumbers(std::vector<std::string> names, bool nudge) : names_(std::move(names)), nudge_(nudge) {}

  [[nodiscard]] int find(std::string_view name) const {
    for (size_t k = 0; k < names_.size(); ++k) {
      if (names_[k] == name) return static_cast<int>(k);
    }
    return -1;
  }
  /// A number of the scene is the value of name k; returns what to read instead.
  double take(int k, double value) {
    taken_.push_back({k, value});
    return nudge_ ? nudged(taken_.size() - 1) : value;
  }
  /// A name that varies decides something else.
  void need_reading() { needs_reading_ = true; }

  struct Taken {
    int name;
    double value;
  };
  /// In the order of the reading.
  [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }
  [[nodiscard]] bool needs_reading() const { return needs_reading_; }
  /// What a reader with `nudge` returns for taken()[use].
  [[nodiscard]] double nudged(size_t use) const {
    const double value = taken_[use].value, share = std::ldexp(static_cast<double>(use + 1), -44);
    return value == 0.0 ? std::ldexp(static_cast<double>(use + 1), -500) : value * (1.0 - share);
  }

 private:
  std::vector<std::string> names_;
  bool nudge_;
  std::vector<Taken> taken_;
  bool needs_reading_ = false;
};

}  // namespace tippe
