// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/model/system.h"

namespace tippe {

/// Throws ModelError unless a run can start here: every number finite, M positive definite or, where the bilateral constraints
/// hold the massless directions, positive semidefinite (else the direction along which it is not), no gap deeper than
/// `allowed_penetration`, no constraint violated by more than that (its value over the size of its gradient; velocities relative
/// to their size too). Without it 1e-9 of the coordinates as the contact or constraint sees them, the largest |w_j q_j|; 1e-9 where all of them are zero.
/// Subjects are keys of a scene. Returns the largest penetration [m] that was allowed.
double check_start(const System& system, const State& start, std::optional<double> allowed_penetration);

}  // namespace tippe
