// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>

namespace tippe::test {

/// Eigen's factorizations with complete pivoting, which the library does not use: another route to the same numbers. They are compiled
/// once, in full_pivot.cpp, because they take seconds in every file that names them.

/// Columns that span the kernel; one zero column if it has none. `threshold`: pivots below this share of the largest are zero.
[[nodiscard]] Eigen::MatrixXd kernel(const Eigen::MatrixXd& A, double threshold = 1e-14);
[[nodiscard]] Eigen::Index dimension_of_kernel(const Eigen::MatrixXd& A, double threshold);
[[nodiscard]] Eigen::MatrixXd inverse_by_pivots(const Eigen::MatrixXd& A);
[[nodiscard]] Eigen::VectorXd solve_by_pivots(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// In extended precision; nothing if a pivot is below `threshold` of the largest.
[[nodiscard]] std::optional<Eigen::VectorXd> solve_extended(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                                            long double threshold);
/// U with U'U = A.
[[nodiscard]] Eigen::MatrixXd cholesky_factor(const Eigen::MatrixXd& A);

}  // namespace tippe::test
