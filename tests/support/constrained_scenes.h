// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tippe::test {

/// Mass 2 on a rod of length 1.5, let go from the horizontal.
inline const std::string kPendulum = R"toml(
[parameters]
m = 2
l = 1.5
g = 9.81
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*m*(x'^2 + y'^2)"
potential = "m*g*y"
[[bilateral]]
name = "rod"
position = "0.5*(x^2 + y^2 - l^2)"
[initial]
x = "l"
[run]
integrator = "rk4"
dt = 1e-3
until = 2
[output]
every = 0.01
)toml";

/// A blade that glides with 3 m/s and turns with 2 rad/s.
inline const std::string kKnifeEdge = R"toml(
[lagrangian]
coordinates = ["x", "y", "th"]
kinetic = "0.5*2*(x'^2 + y'^2) + 0.5*th'^2"
[[bilateral]]
name = "blade"
velocity = "y'*cos(th) - x'*sin(th)"
[initial]
"x'" = 3
"th'" = 2
[run]
integrator = "rk4"
dt = 1e-3
until = 2
[output]
every = 0.01
)toml";

/// The pendulum with its rod written twice.
inline std::string twice(std::string pendulum) {
  return pendulum.insert(pendulum.find("[initial]"),
                         "[[bilateral]]\nname = \"rod again\"\nposition = \"0.5*(x^2 + y^2 - l^2)\"\n");
}

}  // namespace tippe::test
