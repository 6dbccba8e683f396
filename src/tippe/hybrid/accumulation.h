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

  /// `laws`: with an impulse.
  void add_impact(double t, std::span<const int> laws, double lost);
  /// The limit of the impacts so far, if they shrink regularly and it is near: the time left is at most 1e-8 max(1 s, t), or the
  /// intervals are round-off of the time.
  [[nodiscard]] std::optional<Limit> limit() const;
  void clear() { impacts_.clear(); }

  void save(std::vector<double>& memory) const;
  /// Takes its numbers from the front.
  void restore(std::span<const double>& memory);

 private:
  static constexpr size_t kRemembered = 8;
  struct Impact {
    double t;
    double lost;  // in this and all impacts before it that shrank regularly
    std::vector<int> laws;
  };
  std::vector<Impact> impacts_;
};

}  // namespace tippe
