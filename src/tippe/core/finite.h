// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Whether no entry is infinite or not a number: as x.allFinite(), which costs more than it should for the short vectors of a step.
template <class Vector>
[[nodiscard]] bool all_finite(const Eigen::MatrixBase<Vector>& x) {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < x.size(); ++k) sum += 0.0 * x.derived().coeff(k);
  return sum == 0.0;
}

}  // namespace tippe
