// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tippe/hybrid/smooth_motion.h"

namespace tippe {

/// Is told what the steps of an event-driven simulation do, while that which they do it with is still there.
class MotionObserver {
 public:
  virtual ~MotionObserver() = default;

  /// A smooth piece of motion, before the events at its end are looked at. `flow`: its polynomials; `branches`: of the switches, which it follows.
  /// `lapses`: modes end with it that no polynomial tells the end of.
  virtual void see_piece(const SmoothMotion::Piece& piece, ModeFlow& flow, const CurrentModes& modes,
                         std::span<const int> branches, const MotionScales& scales, bool lapses) = 0;
  /// An impact of the contacts that touch, from the state before it.
  virtual void see_impact(const State& before, const std::vector<bool>& touching, const State& after) = 0;
  /// The limit of infinitely many impacts, so long after the last of them.
  virtual void see_accumulation(double remaining) = 0;
  /// A jump of velocities that follows no impact law: an impact without collision, or velocities without mass that follow the modes.
  virtual void see_other_jump(double t) = 0;
};

}  // namespace tippe
