// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/motion_scales.h"
#include "tippe/model/system.h"

namespace tippe {

/// Looks at single states. Every call says all that its answer depends on, nothing is left over from the call before; an answer is valid until the next
/// call. `branches`: of each switch, see MotionSeries::Switch::forced.
class MotionProbe {
 public:
  /// `scales` must outlive the probe.
  MotionProbe(const System& system, const MotionScales& scales);

  /// Gaps, directions and velocities of the laws: coefficients 0.
  const MotionSeries& evaluate(const State& state, std::span<const int> branches);
  /// What accelerations depend on beside the state, as in ModeFlow::set_modes() and set_shares().
  struct Modes {
    std::span<const ContactMode> modes;
    std::span<const Eigen::VectorXd> directions;
    const Eigen::VectorXd& shares;
    std::span<const int> branches;
    std::span<const ModeFlow::TurnRate> turn_rates = {};  // of each law, see ModeFlow::set_turn_rate()
  };
  /// Accelerations and forces while the laws keep their modes: coefficients 0; nullptr if there are none.
  const ModeFlow* accelerate(const State& state, const Modes& modes);
  /// J  that moving supports do by impulses of the laws (rows of all laws): -impulse . chi.
  [[nodiscard]] double work_of_supports(const State& state, std::span<const int> branches, const Eigen::VectorXd& impulse);
  /// The largest that the arguments of switches may become by what coordinates and velocities have been so far. What depends on time alone has no size.
  [[nodiscard]] Eigen::VectorXd switch_sizes(const State& state, std::span<const int> branches);
  /// A jump at the root of a switch may turn it back: `sides` that are not zero := those that follow from the velocities after the jump.
  void turn_switches(const State& state, std::vector<int>& sides);

 private:
  const System& system_;
  const MotionScales& scales_;
  ModeFlow flow_;
};

}  // namespace tippe
