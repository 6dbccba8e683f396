// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/analyze/analysis.h"

namespace tippe {

/// The least forces of actuators with which all contacts stay closed, and stick if they are at rest: step 6 of the
/// algorithm in Brogliato B. Each counts with
/// the kinetic length of its direction, sqrt(b'M^-1 b), so that units do not matter. All friction coefficients are
/// known. `directions`: one column
/// for each actuator.
[[nodiscard]] LeastActuation least_actuation(const AccelerationProblem& problem, const Eigen::MatrixXd& directions);

}  // namespace tippe
