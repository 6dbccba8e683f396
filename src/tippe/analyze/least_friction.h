// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/analyze/force_cones.h"

namespace tippe {

/// The least factor on all mu with which the parts hold a load.
struct LeastFriction {
  double factor = 0.0;   // infinity: no finite friction does
  double gap = 0.0;      // to the largest factor that is known not to suffice
  int iterations = 0;    // programs solved
  bool attained = true;  // false: an infimum; with self-stress it takes forces without bound to come close to it
};

/// Forces f with D f = w prove that max_i |friction_i| / (mu_i normal_i) suffices, a direction d that no force of the free parts and rays
/// opposes, w'd < 0, that min_i normal_i'd / (mu_i |tangents_i'd|) does not. Newton's method on the depth of the forces in their cones
/// gives both.
[[nodiscard]] LeastFriction find_least_friction(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                                const Eigen::VectorXd& w);

}  // namespace tippe
