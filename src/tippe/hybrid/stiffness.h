// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "tippe/hybrid/current_modes.h"
#include "tippe/hybrid/motion_probe.h"
#include "tippe/hybrid/motion_scales.h"

namespace tippe {

/// Notices when steps follow the fastest damping or springs of a system and not its motion: Taylor polynomials are explicit.
class StiffnessWatch {
 public:
  StiffnessWatch(const System& system, const MotionScales& scales, MotionProbe& probe)
      : system_(system), scales_(scales), probe_(probe) {}

  /// After a piece of motion without an event. 1/s: the rate by which its steps are limited, once, if that is so for long.
  std::optional<double> add(const State& begin, const State& end, double duration, const CurrentModes& modes,
                            std::span<const int> branches);
  /// After an event.
  void clear() { short_steps_ = 0; }

 private:
  [[nodiscard]] double fastest_rate(const State& state, const CurrentModes& modes, std::span<const int> branches);

  const System& system_;
  const MotionScales& scales_;
  MotionProbe& probe_;
  int short_steps_ = 0;
  bool said_ = false;
};

}  // namespace tippe
