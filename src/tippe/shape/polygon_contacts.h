// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/contact_writer.h"
#include "tippe/shape/placed_shape.h"

namespace tippe {

/// Contacts of planar solids: polygons with a radius, discs of one corner, stadiums of two.
void polygon_polygon(const PlacedShape& first, const PlacedShape& second, ContactWriter& contacts);

}  // namespace tippe
