// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/held_mass.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {

/// The LCP in the contact forces, 0 <= lambda _|_ N'M_c^-1 pushes lambda + H4 >= 0, scaled to directions of length 1:
/// x = lambda / scale.
struct SlidingMatrix {
  Eigen::MatrixXd A;
  Eigen::VectorXd q, scale;
  Eigen::MatrixXd B_push;  // what a force of 1 at each contact moves, in kinetic coordinates
};
/// `held`: definite, with the equalities of `stacked`, in which no bilateral contact slides.
[[nodiscard]] SlidingMatrix sliding_matrix(const AccelerationProblem& problem, const StackedProblem& stacked,
                                           const HeldMass& held);

}  // namespace tippe
