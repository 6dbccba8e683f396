// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace tippe {

/// Watches impacts for their accumulation: infinitely many in a finite time (Zeno), whose intervals shrink like a geometric series.
class AccumulationWatch {
 public:
  struct Limit {
    double remaining = 0.0;  // s  from the last impact
    std::vector<int> laws;   // that take part
    double lost = 0.0;       // J  in the impacts that led there so far
  };

  /// `interval`: since the impact before it, not from the clock, which is coarse far from zero. `laws`: with an impulse.
  void add_impact(double interval, std::span<const int> laws, double lost);
  /// The limit of the impacts so far, if they shrink regularly and it is near: the time left is at most 1e-8 of the longest interval between them, or they
  /// follow each other within an `instant` and the last ones lose at most 1e-16 of the energy that all of them lost.
  [[nodiscard]] std::optional<Limit> limit(double instant) const;
  /// Whether the last impacts lose less and less energy.
  [[nodiscard]] bool fades() const;
  void clear() {
    impacts_.clear();
    longest_ = 0.0;
  }

  void save(std::vector<double>& memory) const;
  /// Takes its numbers from the front.
  /// `laws`: of the system. Throws std::invalid_argument if it is not what save() wrote.
  void restore(std::span<const double>& memory, int laws);

 private:
  static constexpr size_t kRemembered = 8;
  struct Impact {
    double interval;  // s
    double lost;      // in this and all impacts before it that shrank regularly
    std::vector<int> laws;
  };
  [[nodiscard]] double lost(size_t back) const;
  std::vector<Impact> impacts_;
  double longest_ = 0.0;  // s  interval of the series
};

}  // namespace tippe
