// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/hybrid/periodic_orbit.h"
#include "tippe/scene/scene.h"

namespace tippe {

/// The periodic orbit of a scene, whose end time and forcing period are those of the options. Throws InputError for a scene with events that make the
/// state jump: the return map knows only those of its laws.
[[nodiscard]] PeriodicOrbit find_orbit_of(const Scene& scene, OrbitOptions options);

}  // namespace tippe
