// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

constexpr int kMostRowsOfPMatrix = 15;  // the work grows like 2^rows

/// Whether all principal minors of A are positive, so that  0 <= z _|_ A z + q >= 0  has exactly one solution for every q. Pivots up to
/// `tolerance` do not count as positive; A should have entries of size 1. At most kMostRowsOfPMatrix rows.
[[nodiscard]] bool is_p_matrix(const Eigen::MatrixXd& A, double tolerance);

}  // namespace tippe
