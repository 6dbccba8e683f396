// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/contact_writer.h"
#include "tippe/shape/placed_shape.h"
#include "tippe/shape/polyhedron_scratch.h"

namespace tippe {

/// Contacts of boxes and hulls with each other. docs/theory/shapes.md has the method.
void polyhedron_polyhedron(const PlacedShape& first, const PlacedShape& second, PolyhedronScratch& scratch,
                           ContactWriter& contacts);

}  // namespace tippe
