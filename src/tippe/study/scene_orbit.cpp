// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/scene_orbit.h"

#include <fmt/format.h>

#include "tippe/core/error.h"

namespace tippe {

PeriodicOrbit find_orbit_of(const Scene& scene, OrbitOptions options) {
  for (const OwnEvent& event : scene.run.events.list()) {
    if (event.resets.empty()) continue;
    throw InputError(
        {scene.origin.scene_file, 0, 0},
        fmt::format("the event '{}' resets the state, and periodic orbits are searched for among motions by forces and "
                    "laws alone; model it as a contact with restitution, or simulate it with 'run'",
                    event.name));
  }
  options.until = scene.run.until;
  options.forcing_period = scene.run.forcing_period;
  return find_periodic_orbit(*scene.system, scene.start, options);
}

}  // namespace tippe
