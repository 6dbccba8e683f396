// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>

#include "tippe/shape/solid.h"

namespace tippe {

/// Of a solid with density 1. Of a planar one, whose "volume" is an area, only (2, 2) of the inertia is filled.
struct MassProperties {
  double volume = 0.0;                                // m^3, planar m^2
  Eigen::Vector3d center = Eigen::Vector3d::Zero();   // m  of mass, in the frame of the solid
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // m^5, planar m^4  about the centre of mass, axes of that frame
};

/// Throws ModelError for a degenerate hull, a size that is not positive, and a plane, which has no volume.
[[nodiscard]] MassProperties mass_properties(const Solid& solid, bool planar = false);

/// Of several, each with its own density 1; what they have in common counts for each of them.
[[nodiscard]] MassProperties sum_of(std::span<const MassProperties> parts);

}  // namespace tippe
