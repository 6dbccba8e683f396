// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/scene_orbit.h"

#include <fmt/format.h>

#include "tippe/core/error.h"

namespace tippe {

namespace {

void require_no_resets(const Scene& scene, const std::string& what) {
  for (const OwnEvent& event : scene.run.events.list()) {
    if (event.resets.empty()) continue;
    throw InputError(
        {scene.origin.scene_file, 0, 0},
        fmt::format("the event '{}' resets the state, and {} motions by forces and laws alone; model it as a contact with "
                    "restitution, or simulate it with 'run'",
                    event.name, what));
  }
}

}  // namespace

PeriodicOrbit find_orbit_of(const Scene& scene, OrbitOptions options) {
  require_no_resets(scene, "periodic orbits are searched for among");
  options.until = scene.run.until;
  options.forcing_period = scene.run.forcing_period;
  return find_periodic_orbit(*scene.system, scene.start, options);
}

LyapunovSpectrum find_lyapunov_exponents_of(const Scene& scene, double transient, LyapunovOptions options) {
  require_no_resets(scene, "Lyapunov exponents are those of");
  options.until = scene.run.until;
  options.transient = transient < 0.0 ? 0.5 * (scene.start.t + scene.run.until) : scene.start.t + transient;
  return find_lyapunov_exponents(*scene.system, scene.start, options);
}

}  // namespace tippe
