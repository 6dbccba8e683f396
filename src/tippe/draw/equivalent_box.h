// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/body.h"

namespace tippe {

/// The homogeneous box with the mass and inertia of a body, about its centre of mass.
struct EquivalentBox {
  Eigen::Vector3d size;  // m  lengths of the edges; of a planar body a square, whose last is 0
  Eigen::Matrix3d axes;  // columns: directions of the edges in the body frame, right-handed
};
/// Of a body that turns. Edges whose length round-off makes imaginary, as those of a rod, are 0.
[[nodiscard]] EquivalentBox equivalent_box(const Body& body);

}  // namespace tippe
