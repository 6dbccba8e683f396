// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/mode_lapse.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/infinity.h"
#include "tippe/hybrid/transition_events.h"

namespace tippe {
namespace {

using Eigen::Index;

/// One piece, looked at between its beginning and its end.
class LapseSearch {
 public:
  LapseSearch(const SmoothMotion::Piece& piece, const CurrentModes& modes, SmoothMotion& motion, ModeSelector& selector,
              MotionProbe& probe)
      : piece_(piece),
        modes_(modes),
        flow_(motion.flow()),
        branches_(motion.branches()),
        selector_(selector),
        probe_(probe),
        closed_(modes.closed()),
        instant_(flow_.instant()) {
    selector.set_branches(branches_);
  }

  /// The choices at a state; nothing where a contact closes.
  [[nodiscard]] std::optional<ModeSelection> select(const State& state) {
    const Scope scope = selector_.find_scope(state, {}, &closed_);
    if (scope.impact()) return std::nullopt;
    return selector_.select(state, scope);
  }

  /// Whether the modes of the piece are among the choices. `forces`: those of that choice.
  [[nodiscard]] bool keeps_modes(const State& state, Eigen::VectorXd& forces) {
    const std::optional<ModeSelection> selection = select(state);
    if (!selection) return false;
    const auto kept = std::find_if(selection->choices.begin(), selection->choices.end(),
                                   [&](const ModeChoice& choice) { return choice.modes == modes_.modes; });
    if (kept == selection->choices.end()) return false;
    forces = kept->forces;
    return true;
  }

  /// By bisection of a piece at whose end the modes are not consistent. The contact solver tells that only to its tolerance; where contacts begin to slide,
  /// the instant is that at which their acceleration with friction at its limit is zero.
  [[nodiscard]] ModeLapse find(Eigen::VectorXd& forces) {
    double low = 0.0, high = piece_.duration;
    while (high - low > instant_) {
      const double t = 0.5 * (low + high);
      if (t == low || t == high) break;  // numbers are no finer
      (keeps_modes(state_at(t), forces) ? low : high) = t;
    }
    ModeLapse lapse{high, {}};
    const std::optional<ModeSelection> next = select(state_at(high));
    if (!next) return lapse;
    lapse.next = *next;
    if (!next->choices.empty()) lapse.t = time_of_sliding(next->choices[default_choice(*next, modes_.modes)], high);
    return lapse;
  }

 private:
  const State& state_at(double t) {
    there_ = piece_.begin;
    there_.t = piece_.begin.t + t;
    flow_.evaluate(t, there_);
    return there_;
  }

  /// m/s^2  along the direction of sliding at t, of the contact that is first to slide.
  [[nodiscard]] double acceleration(const ModeChoice& choice, double t) {
    const ModeFlow* flow = probe_.accelerate(state_at(t), {choice.modes, choice.directions, choice.forces, branches_});
    if (flow == nullptr) return std::numeric_limits<double>::quiet_NaN();
    double fastest = -kInfinity;
    for (size_t i = 0; i < modes_.modes.size(); ++i) {
      if (choice.directions[i].size() == 0) continue;
      double along = 0.0;
      const int first = flow->system().laws()[i].first_slip();
      for (Index d = 0; d < choice.directions[i].size(); ++d)
        along += choice.directions[i][d] * flow->row_acceleration(static_cast<int>(i), first + static_cast<int>(d));
      fastest = std::max(fastest, along);
    }
    return fastest;
  }

  /// s  when this acceleration is zero, by the secant method; `end` if that is not found before it.
  [[nodiscard]] double time_of_sliding(const ModeChoice& choice, double end) {
    double t = end, step = -1e-3 * end, value = acceleration(choice, t);
    bool converged = false;
    for (int pass = 0; pass < 20 && std::abs(step) > 0.01 * instant_ && std::isfinite(value); ++pass) {
      const double there_value = acceleration(choice, t + step), slope = (there_value - value) / step;
      if (!(std::abs(slope) > 0.0) || !std::isfinite(slope)) break;
      t += step;
      value = there_value;
      step = -value / slope;
      if (t + step < 0.0 || t + step > end) break;
      converged = std::abs(step) <= 0.01 * instant_;
    }
    return converged ? t : end;
  }

  const SmoothMotion::Piece& piece_;
  const CurrentModes& modes_;
  const ModeFlow& flow_;
  const std::vector<int>& branches_;
  ModeSelector& selector_;
  MotionProbe& probe_;
  std::vector<bool> closed_;
  double instant_;
  State there_;
};

}  // namespace

std::optional<ModeLapse> find_lapse(const SmoothMotion::Piece& piece, const CurrentModes& modes, SmoothMotion& motion,
                                    ModeSelector& selector, MotionProbe& probe, Eigen::VectorXd& forces_at_end) {
  LapseSearch search(piece, modes, motion, selector, probe);
  forces_at_end = modes.shares;
  if (search.keeps_modes(piece.end, forces_at_end)) return std::nullopt;
  return search.find(forces_at_end);
}

}  // namespace tippe
