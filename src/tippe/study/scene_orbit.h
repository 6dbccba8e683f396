// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/hybrid/lyapunov.h"
#include "tippe/hybrid/periodic_orbit.h"
#include "tippe/scene/scene.h"

namespace tippe {

/// The periodic orbit of a scene, whose end time and forcing period are those of the options. Throws InputError for a scene with events that make the
/// state jump: the return map knows only those of its laws.
[[nodiscard]] PeriodicOrbit find_orbit_of(const Scene& scene, OrbitOptions options);

/// The Lyapunov exponents of its motion until its end time, likewise. `transient`: from its start; < 0: half of the time.
[[nodiscard]] LyapunovSpectrum find_lyapunov_exponents_of(const Scene& scene, double transient, LyapunovOptions options);

}  // namespace tippe
