// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/falling_friction.h"

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

double length(const FallingFriction::Slip& slip) {
  return std::hypot(slip[0], slip[1]);
}

FallingFriction::Slip unit(const FallingFriction::Slip& slip) {
  const double size = length(slip);
  return size > 0.0 ? FallingFriction::Slip{slip[0] / size, slip[1] / size} : slip;
}

}  // namespace

void FallingFriction::add(const FrictionCurve* curve, const Begin& begin) {
  Law& law = laws_.emplace_back();
  law.curve = curve;
  if (curve == nullptr) return;
  law.began_sliding = begin.slides;
  const double speed = begin.slides ? length(begin.slip) : 0.0;
  if (begin.hit) {
    law.share = speed > 0.0 ? curve->share(speed) : 1.0;
    return;
  }
  law.mode = begin.slides ? Mode::kSliding : Mode::kHeld;
  if (!begin.slides) return;
  law.direction = unit(begin.slip);
  start_search(law, speed);
}

void FallingFriction::start_search(Law& law, double trial) {
  law.trial = trial;
  law.share = law.curve->share(trial);
  law.below.reset();
  law.above.reset();
  law.same_side = 0;
}

bool FallingFriction::any() const {
  return std::any_of(laws_.begin(), laws_.end(), [](const Law& law) { return law.curve != nullptr; });
}

bool FallingFriction::slides_on(int a) const {
  const Law& law = laws_[static_cast<size_t>(a)];
  return law.mode == Mode::kSliding && law.began_sliding && law.moves;
}

/// The next slip to try after the present one gave `came_out`.
double FallingFriction::next_trial(Law& law, double came_out) {
  const Law::End end{law.trial, law.trial - came_out};
  std::optional<Law::End>&mine = end.excess > 0.0 ? law.above : law.below, &other = end.excess > 0.0 ? law.below : law.above;
  const bool again = mine.has_value();
  mine = end;
  if (!other) return came_out;
  law.same_side = again ? law.same_side + 1 : 0;
  // Illinois: an end that stays counts half, so that both ends move.
  if (law.same_side > 0) other->excess *= 0.5;
  const double low = law.below->slip, high = law.above->slip;
  const double secant = low - law.below->excess * (high - low) / (law.above->excess - law.below->excess);
  return secant > low && secant < high ? secant : 0.5 * (low + high);
}

bool FallingFriction::look(int a, const Slip& slip, double rest) {
  Law& law = laws_[static_cast<size_t>(a)];
  const double speed = length(slip);
  law.moves = speed > rest;
  if (law.mode == Mode::kAlways) return false;
  if (law.mode == Mode::kHeld) {
    if (!law.moves) return false;
    law.mode = Mode::kReleased;
    law.direction = unit(slip);
    start_search(law, speed);
    return true;
  }
  const bool forward = slip[0] * law.direction[0] + slip[1] * law.direction[1] > 0.0;
  const bool goes_on = law.moves && forward;
  if (law.curve->constant()) {
    if (goes_on || !law.moves || law.mode == Mode::kReleased) return false;
  } else {
    constexpr double kSameSlip = 1e-13, kSameShare = 1e-12;  // 1  relative
    const double came_out = goes_on ? speed : 0.0;
    if (goes_on && std::abs(law.share - law.curve->share(speed)) <= kSameShare * law.share) return false;
    const bool narrow = law.below && law.above && law.above->slip - law.below->slip <= kSameSlip * law.above->slip;
    if (narrow) return false;
    if (law.trial > 0.0 || goes_on) {
      law.trial = next_trial(law, came_out);
      law.share = law.curve->share(law.trial);
      return true;
    }
    if (!law.moves || law.mode == Mode::kReleased) return false;
  }
  // It would turn round: it sticks, if its friction at rest suffices.
  law.mode = Mode::kHeld;
  law.share = 1.0;
  return true;
}

}  // namespace tippe
