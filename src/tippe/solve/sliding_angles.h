// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <functional>

namespace tippe {

/// Directions in which contacts slide in their tangent planes, one angle each.
struct SlidingAngles {
  Eigen::VectorXd angles;
  Eigen::VectorXd misalignment;  // at these angles; empty: it could not be evaluated on the way
};

/// Newton's method for misalignment(angles) = 0 from one start, its derivative by differences; every step makes it smaller, and it ends
/// where none does, or at |misalignment| <= negligible. `misalignment`: the relative motion of each contact across its direction. Not
/// relative to the size of that motion: where it is small, its direction hardly depends on the angle but at the solution. Empty where it
/// does not exist.
[[nodiscard]] SlidingAngles find_sliding_angles(
    const std::function<Eigen::VectorXd(const Eigen::VectorXd& angles)>& misalignment, Eigen::VectorXd start,
    double negligible);

}  // namespace tippe
