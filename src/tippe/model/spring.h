// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/lagrangian.h"
#include "tippe/model/vector3.h"

namespace tippe {

/// A point that moves.
struct MovingPoint {
  Vector3 position;  // m
  Vector3 velocity;  // m/s
};

/// A spring with a damper beside it, between two points at the distance |d|.
struct Spring {
  double stiffness = 0.0;  // N/m
  double damping = 0.0;    // N s/m
  double length = 0.0;     // m     without force
};

/// Adds the potential k/2 (|d| - l)^2 and the Rayleigh function c/2 (d|d|/dt)^2. The force has no direction where the points meet; with
/// l = 0 both are smooth there: k/2 |d|^2 and c/2 |dd/dt|^2, a damper against every relative velocity of the points.
void add_spring(const Spring& spring, const MovingPoint& a, const MovingPoint& b, LagrangianDescription& description);

}  // namespace tippe
