// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/analyze/force_cones.h"

namespace tippe {

/// Which contacts can carry the load w at all, with any finite friction.
struct LoadSupport {
  bool possible = false;   // some finite friction coefficients hold the load
  bool tipping = false;    // no normal forces >= 0 hold it, even with friction of any size in all contacts
  std::vector<bool> used;  // of each part; those not used carry nothing with any finite friction. Empty if tipping
  Eigen::VectorXd forces;  // D f = w with positive normal forces in all used rays and cones
};

/// Friction in a contact without normal force is zero, so contacts that cannot be loaded take their friction away from the others,
/// until nothing changes. (Brogliato B, Proposition 11 holds only if this ends with some forces.)
[[nodiscard]] LoadSupport find_support(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                       const Eigen::VectorXd& w);

/// Cones whose contacts can be pressed against each other at will with friction coefficients however small: they hold forces of any
/// kind. Empty entries for rays and free parts are false.
[[nodiscard]] std::vector<bool> find_jammed(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts);

}  // namespace tippe
