// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/motion_scales.h"
#include "tippe/model/system.h"

namespace tippe {

/// The order of the Taylor polynomials at which a step costs least for its error. `tolerance`: of a step's error, relative to the motion.
[[nodiscard]] int taylor_order(double tolerance);

/// 1  of the size of a polynomial, for its last terms: truncation errors add up, and the last term is only the size of what is left out.
[[nodiscard]] double truncation(double tolerance);

/// s  over which the polynomials of an expansion are those of the motion up to the tolerance.
[[nodiscard]] double longest_step(const System& system, ModeFlow& flow, const MotionScales& scales, double tolerance);

}  // namespace tippe
