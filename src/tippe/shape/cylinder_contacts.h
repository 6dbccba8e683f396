// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/contact_writer.h"
#include "tippe/shape/placed_shape.h"

namespace tippe {

// Contacts of cylinders with capsules, with each other and with polyhedra. docs/theory/shapes.md has the method.

void capsule_cylinder(const PlacedShape& capsule, const PlacedShape& cylinder, ContactWriter& contacts);
void cylinder_cylinder(const PlacedShape& first, const PlacedShape& second, ContactWriter& contacts);
void cylinder_polyhedron(const PlacedShape& cylinder, const PlacedShape& polyhedron, ContactWriter& contacts);

}  // namespace tippe
