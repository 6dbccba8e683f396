// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Where a system is.
struct State {
  double t = 0.0;     // s
  Eigen::VectorXd q;  // generalized positions, System::nq()
  Eigen::VectorXd u;  // generalized velocities, System::nu()
};

}  // namespace tippe
