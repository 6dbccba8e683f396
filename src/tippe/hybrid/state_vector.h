// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// q and u in one column.
[[nodiscard]] inline Eigen::VectorXd stacked(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  Eigen::VectorXd z(q.size() + u.size());
  z << q, u;
  return z;
}

}  // namespace tippe
