// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/contact_writer.h"
#include "tippe/shape/placed_shape.h"

namespace tippe {

// Contacts of spheres and capsules with each other, with cylinders and with polyhedra.

void sphere_sphere(const PlacedShape& first, const PlacedShape& second, ContactWriter& contacts);
void sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, ContactWriter& contacts);
void sphere_cylinder(const PlacedShape& sphere, const PlacedShape& cylinder, ContactWriter& contacts);
void sphere_polyhedron(const PlacedShape& sphere, const PlacedShape& polyhedron, ContactWriter& contacts);
void capsule_capsule(const PlacedShape& first, const PlacedShape& second, ContactWriter& contacts);
void capsule_polyhedron(const PlacedShape& capsule, const PlacedShape& polyhedron, ContactWriter& contacts);

}  // namespace tippe
