// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>

namespace tippe {

/// Where forces stand that a contact bounds: mu x[normal] >= |friction|. Without tangents x[normal] >= 0.
struct PushingCone {
  Eigen::Index normal = 0;
  int tangents = 0;  // they follow the normal force
  double mu = 0.0;
  double length = 1.0;  // what makes normal forces of different units comparable: x[normal] length
};

/// Of all forces x + z with columns z = 0, those whose smallest reserve of friction, or normal force, is largest: they stay within
/// their cones longest while the load changes. Forces that no cone names are free. x, if that is not found.
[[nodiscard]] Eigen::VectorXd central_forces(const Eigen::MatrixXd& columns, std::span<const PushingCone> cones,
                                             const Eigen::VectorXd& x);

}  // namespace tippe
