// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// The largest absolute value among the entries; 0 if there are none.
[[nodiscard]] double largest(const Eigen::Ref<const Eigen::MatrixXd>& X);

}  // namespace tippe
