// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/system.h"

namespace tippe {

/// Throws ModelError unless a run can start here: every number finite, M positive definite or, where the bilateral constraints
/// hold the massless directions, positive semidefinite (else the direction along which it is not), no gap deeper than
/// `allowed_penetration`, no constraint violated by more than that (its value over the size of its gradient; velocities relative
/// to their size too). Subjects are keys of a scene.
void check_start(const System& system, const State& start, double allowed_penetration);

}  // namespace tippe
