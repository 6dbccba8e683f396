// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Whether no entry is infinite or not a number: as x.allFinite(), which costs more than it should for the short vectors of a step.
[[nodiscard]] inline bool all_finite(const Eigen::Ref<const Eigen::VectorXd>& x) {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < x.size(); ++k) sum += 0.0 * x.data()[k];
  return sum == 0.0;
}

}  // namespace tippe
