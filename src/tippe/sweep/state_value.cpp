// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/state_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"

namespace tippe {

std::vector<std::string> names_of_state_values(const Scene& scene) {
  std::vector<std::string> names = scene.run.observables.names();
  for (const auto* more : {&scene.system->coordinate_names(), &scene.system->velocity_names()})
    names.insert(names.end(), more->begin(), more->end());
  return names;
}

StateValue find_state_value(const Scene& scene, const std::string& name, Argument argument) {
  using enum StateValue::Kind;
  for (const auto& [kind, names] :
       {std::pair{kQuantity, &scene.run.observables.names()}, std::pair{kCoordinate, &scene.system->coordinate_names()},
        std::pair{kVelocity, &scene.system->velocity_names()}}) {
    const auto found = std::find(names->begin(), names->end(), name);
    if (found != names->end()) return {kind, found - names->begin()};
  }
  const std::vector<std::string> known = names_of_state_values(scene);
  throw ArgumentError(argument, fmt::format("there is no quantity, coordinate or velocity '{}'{} (there are: {})", name,
                                            did_you_mean(name, known), comma_list(known)));
}

}  // namespace tippe
