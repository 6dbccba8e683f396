// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/model/system.h"

namespace tippe {

/// Velocities that have no mass and that no constraint touches, whatever the state: only contacts, friction and loads hold them.
[[nodiscard]] std::vector<int> loose_velocities(const System& system);

/// Why a method that divides by the mass does not take a system, or "".
[[nodiscard]] std::string needs_mass(const System& system);

}  // namespace tippe
