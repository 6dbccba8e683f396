// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/shape/contact_writer.h"
#include "tippe/shape/placed_shape.h"
#include "tippe/shape/polyhedron_scratch.h"

namespace tippe {

/// Writes down where two shapes, numbers `names.a` and `names.b`, touch or are within `reach`.
void find_contacts(const PlacedShape& a, const PlacedShape& b, const FoundContact& names, double reach,
                   PolyhedronScratch& scratch, std::vector<FoundContact>& contacts);

}  // namespace tippe
