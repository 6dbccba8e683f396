// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/system.h"

namespace tippe {

/// Throws ModelError unless a run can start here: every number finite, M symmetric positive definite (else
/// the direction along which it is not), no gap deeper than `allowed_penetration`. Subjects are keys of a
/// scene.
void check_start(const System& system, const State& start, double allowed_penetration);

}  // namespace tippe
