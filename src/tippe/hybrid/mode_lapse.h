// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/hybrid/mode_selection.h"
#include "tippe/hybrid/motion_probe.h"
#include "tippe/hybrid/smooth_motion.h"

namespace tippe {

/// Where the modes of a smooth piece cease to be consistent.
struct ModeLapse {
  double t = 0.0;      // s  after the beginning of the piece
  ModeSelection next;  // the modes from then on; no choices: to be chosen by the state
};

/// Looks for that in a piece whose contacts share their load in space (ModeFlow::shares_in_space()): there no event
/// function tells it. Nothing if the modes are consistent at its end. `forces_at_end`: those with which they are consistent
/// there, or where they cease to be; rows of all laws.
[[nodiscard]] std::optional<ModeLapse> find_lapse(const SmoothMotion::Piece& piece, const CurrentModes& modes,
                                                  SmoothMotion& motion, ModeSelector& selector, MotionProbe& probe,
                                                  Eigen::VectorXd& forces_at_end);

}  // namespace tippe
