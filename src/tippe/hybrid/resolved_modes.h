// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/model/system.h"
#include "tippe/modes/modes.h"
#include "tippe/problem/instant.h"

namespace tippe {

/// The modes of a motion with the names of their forces.
struct ResolvedModes {
  ModeList list;
  std::vector<std::string> forces;  // of ConsistentMode::forces
};

/// list_motion_modes() at an instant of a system, its ties decided by Taylor polynomials of the motion up to order kTrendingOrder: `trending` has what
/// they say, and ties are left only where all derivatives vanish, which the note says. Systems that are not made of expressions keep their
/// ties. `instant`: instant_of() the system at the state with dry frictions apart, and without an impact.
[[nodiscard]] ResolvedModes resolved_modes(const System& system, const State& state, const Instant& instant,
                                           const ModeOptions& options = {});

}  // namespace tippe
