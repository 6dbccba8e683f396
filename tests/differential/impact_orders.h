// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/system.h"

namespace tippe::test {

/// By how much the velocities after an impact depend on which of several contacts is hit first: the kinetic norm of the largest difference, of that of the velocities before.
/// `reach`: contacts with smaller gaps are hit together with others, or shortly before or after them.
[[nodiscard]] double spread_by_order(const System& system, const State& before, double reach);

}  // namespace tippe::test
