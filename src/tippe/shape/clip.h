// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/shape/feature.h"
#include "tippe/shape/polyhedron.h"
#include "tippe/shape/polyhedron_scratch.h"

namespace tippe {

/// Cuts off what of `scratch.outline`, a convex polygon in the frame of `solid`, is beside a face, whose sides are moved out by
/// `margin`. Returns how far what is left reaches in from every side, at least: nothing more than the margin is no overlap.
[[nodiscard]] double clip_to_face(const ConvexPolyhedron& solid, int face, double margin, PolyhedronScratch& scratch);

/// Of more than eight corners those that are furthest in eight fixed directions along the face, and the lowest.
void keep_eight(const ConvexPolyhedron& solid, int face, PolyhedronScratch& scratch);

}  // namespace tippe
