// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>

#include "tippe/analyze/analysis.h"

namespace tippe {

/// `motion` and other motions of the same problem, among them one in which as many contacts stay closed as possible;
/// `complete`: all there are, or
/// their bounds in `motion`.
[[nodiscard]] LiftOff find_lift_off(const AccelerationProblem& problem, const Motion& motion,
                                    std::span<const Eigen::VectorXd> others, bool complete);

}  // namespace tippe
