// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/model/system.h"

namespace tippe {

// Coordinates and velocities of different kinds, metres and radians, are compared by their kinetic sizes: that of a velocity u_j is sqrt(M_jj) |u_j|.

/// Of the kinetically largest: coordinates and velocities that are smaller are not worth their own accuracy.
inline constexpr double kSmallPart = 1e-3;

/// What a kinetic size of 1 stands for, 1 / sqrt(M_jj) of each velocity; 0 where there is no inertia. `M`: by System::mass_pattern().
[[nodiscard]] Eigen::VectorXd kinetic_weights(const System& system, const std::vector<double>& M);
/// What has no inertia is compared with the lightest, as its own size may be zero.
void weigh_massless(Eigen::VectorXd& weight);
/// Of all coordinates and of all velocities; none is zero.
struct StateWeights {
  Eigen::VectorXd q, u;

  /// At the evaluator's state, where M was found.
  [[nodiscard]] static StateWeights of(const System& system, Evaluator& evaluator, const std::vector<double>& M);
};
/// Of the coordinates, by those of the velocities that move them at the evaluator's state. `rate`: becomes |dq_i/dt| for u_j = 1, where velocities are
/// not rates; may be nullptr.
[[nodiscard]] Eigen::VectorXd weights_of_coordinates(const System& system, Evaluator& evaluator,
                                                     const Eigen::VectorXd& weight, Eigen::MatrixXd* rate = nullptr);
/// The largest value over its weight, where that is not zero.
[[nodiscard]] double largest_of(const Eigen::VectorXd& values, const Eigen::VectorXd& weights);

}  // namespace tippe
