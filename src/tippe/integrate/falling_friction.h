// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "tippe/model/friction_curve.h"

namespace tippe {

/// Which share of its friction at rest each law has in a step, where friction falls with the slip. A law at rest sticks while its impulse lies in
/// the set of rest, and only leaving that set releases it. One that slides goes on with mu(slip) while that keeps its direction; else it
/// sticks if it can, else it slides the other way. In an impact the slip before it decides.
///
/// The slip v at the end of the step is that which a problem with share(v) gives: v = V(share(v)). Steps are solved with trial values of v,
/// downwards or upwards from the slip at the beginning, which for friction that falls leads to the nearest solution on that side, and by the secant
/// method in an interval that holds one as soon as one is known.
class FallingFriction {
 public:
  using Slip = std::array<double, 2>;  // m/s  along the directions of friction
  struct Begin {
    Slip slip{};         // at the beginning of the step
    bool slides = true;  // else it rests, whatever round-off the slip has
    bool hit = false;    // an impact, in which the slip before decides
  };

  void clear() { laws_.clear(); }
  /// The next law that acts; `curve` may be nullptr: nothing falls.
  void add(const FrictionCurve* curve, const Begin& begin);
  [[nodiscard]] bool any() const;
  [[nodiscard]] bool falls(int a) const { return knows(a) && laws_[static_cast<size_t>(a)].curve != nullptr; }
  /// With which the problem is to be solved.
  [[nodiscard]] double share(int a) const { return knows(a) ? laws_[static_cast<size_t>(a)].share : 1.0; }
  /// After it was: true if the law needs another share. `rest`: m/s, slower is none.
  bool look(int a, const Slip& slip, double rest);
  /// Whether it slid in the last solution.
  [[nodiscard]] bool slides(int a) const { return laws_[static_cast<size_t>(a)].moves; }
  /// Whether it slid before as well and goes on: it might have stuck, if its friction at rest suffices.
  [[nodiscard]] bool slides_on(int a) const;

 private:
  [[nodiscard]] bool knows(int a) const { return static_cast<size_t>(a) < laws_.size(); }
  enum class Mode { kAlways, kHeld, kSliding, kReleased };
  struct Law {
    const FrictionCurve* curve = nullptr;
    Mode mode = Mode::kAlways;
    double share = 1.0;
    bool began_sliding = false, moves = false;
    Slip direction{};
    double trial = 0.0;  // m/s  the slip of the share
    struct End {
      double slip, excess;  // m/s  a trial, and by how much it exceeds the slip that came out
    };
    std::optional<End> below, above;  // what came out was faster, slower
    int same_side = 0;                // how often the same end of the interval was replaced, one after the other
  };
  static void start_search(Law& law, double trial);
  [[nodiscard]] static double next_trial(Law& law, double came_out);

  std::vector<Law> laws_;
};

}  // namespace tippe
