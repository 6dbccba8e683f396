// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "support/units.h"

namespace tippe::test {

/// A random scene in the notation of in_units(), without its [run]. It has the parameters `load`, by which all loads are multiplied, and `start`, by which all velocities at the start are. Lengths, masses,
/// times, and angles are of about 1; so is what moves in the time that it takes.
struct RandomScene {
  unsigned seed = 0;
  std::string kind, text;
  std::vector<std::string> traits;  // what is special: "mass ratio", "huge friction", ...
  double until = 0.3;               // s  after the start
  Units units;                      // in which it is to be run,
  double clock = 0.0;               // s  and when it is to begin

  /// As it is to be run, or in the units in which it was made, from t = 0.
  [[nodiscard]] std::string scene(const std::string& integrator, double dt) const {
    return scene_in(units, clock, integrator, dt);
  }
  [[nodiscard]] std::string plain_scene(const std::string& integrator, double dt) const {
    return scene_in({}, 0.0, integrator, dt);
  }

 private:
  [[nodiscard]] std::string scene_in(const Units& in, double from, const std::string& integrator, double dt) const;
};

/// The same on every machine.
[[nodiscard]] RandomScene make_random_scene(unsigned seed);

/// The unit of a coordinate of a scene of make_random_scene(): "m" or "1".
[[nodiscard]] std::string unit_of_coordinate(const std::string& name);

}  // namespace tippe::test
