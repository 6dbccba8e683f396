// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "tippe/shape/solid.h"

namespace tippe {

/// Shapes of a body, in its frame: m from the centre of mass along the body axes.
using Shape = std::variant<SphereShape, BoxShape, CapsuleShape, CylinderShape, HullShape>;

/// Spheres whose convex hull the shape is, so that it touches a plane where one of them does: a sphere itself, both ends of a
/// capsule, the corners of a box (radius 0; eight, or four of a rectangle), the points of a hull (radius 0). None for a cylinder.
[[nodiscard]] std::vector<SphereShape> spheres_of(const Shape& shape);

}  // namespace tippe
