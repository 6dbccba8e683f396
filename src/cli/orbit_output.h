// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/hybrid/periodic_orbit.h"
#include "tippe/scene/scene.h"

namespace tippe::cli {

/// What `tippe orbit` found, or how far it got, on standard output.
void print_orbit(const Scene& scene, const PeriodicOrbit& orbit);

/// The one JSON object of `tippe orbit --json`; the keys are documented in docs/program.md.
[[nodiscard]] std::string orbit_json(const Scene& scene, const PeriodicOrbit& orbit);

/// The same object for a search that never began.
[[nodiscard]] std::string orbit_failure_json(const std::string& status, const SourcePosition& position,
                                             const std::string& message, const std::string& scene_file = {});

}  // namespace tippe::cli
