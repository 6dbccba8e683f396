// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "tippe/hybrid/periodic_orbit.h"

namespace tippe {

/// The eigenvalues of the derivative of a return map that are not zero, the largest first, singular values below `noise` counting as none.
[[nodiscard]] std::vector<std::complex<double>> nonzero_eigenvalues(Eigen::MatrixXd A, double noise);

/// By the largest of them, which are known up to `error`.
[[nodiscard]] PeriodicOrbit::Stability stability_of(const std::vector<std::complex<double>>& multipliers, double error);

}  // namespace tippe
