// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/model/system.h"

namespace tippe {

/// Of each coordinate, whether a full turn of it, by 2 pi, changes nothing in the equations of motion: as the angle of a wheel. Judged at some states about `start`: a
/// dependence that has another period, or none, shows there.
[[nodiscard]] std::vector<bool> find_full_turns(const System& system, const State& start);

}  // namespace tippe
