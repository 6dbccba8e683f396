// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/analyze/load_support.h"

namespace tippe {

/// The least factor on all mu with which the parts hold a load.
struct LeastFriction {
  double factor = 0.0;   // infinity: no finite friction does; not a number: not found
  double gap = 0.0;      // to the largest factor that is proved not to suffice
  int iterations = 0;    // programs solved
  bool attained = true;  // false: an infimum; with self-stress it takes forces without bound to come close to it
};

/// Forces f with D f = w prove that max_i |friction_i| / (mu_i normal_i) suffices, a direction d that no force of the free parts and rays
/// opposes, w'd < 0, that min_i normal_i'd / (mu_i |tangents_i'd|) does not. Newton's method on the depth of the forces in their cones
/// gives both. `support`: of the same parts.
[[nodiscard]] LeastFriction find_least_friction(const std::vector<ForcePart>& parts, const LoadSupport& support);

}  // namespace tippe
