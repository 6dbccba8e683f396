// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/hybrid/periodic_orbit.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// What a search of a periodic orbit found, or how far it got, for the terminal.
[[nodiscard]] std::string orbit_text(const System& system, const RunOrigin& origin, const PeriodicOrbit& orbit);

/// The one JSON object of `tippe orbit --json`; the keys are documented in docs/program.md.
[[nodiscard]] std::string orbit_json(const System& system, const RunOrigin& origin, const PeriodicOrbit& orbit);

}  // namespace tippe
