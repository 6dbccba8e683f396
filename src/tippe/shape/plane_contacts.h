// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/contact_writer.h"
#include "tippe/shape/placed_shape.h"

namespace tippe {

/// Contacts of any other shape with a plane.
void shape_plane(const PlacedShape& shape, const PlacedShape& plane, ContactWriter& contacts);

}  // namespace tippe
