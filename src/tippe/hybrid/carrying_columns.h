// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tippe {

/// Columns of A (of full row rank) that form a basis in which A x = b has x >= 0 in all columns but the `free` ones, if there is such a
/// basis; else any basis that comes near. Fewer than A has rows if A does not have full row rank. By non-negative least squares in
/// their dual form, a least distance: the columns that it uses are independent.
[[nodiscard]] std::vector<int> choose_carrying_columns(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                                       const std::vector<bool>& free);

/// Independent columns of A, as many as there are, sorted: the first ones of `order` that are clearly so, then what else is needed.
[[nodiscard]] std::vector<int> choose_independent_columns(const Eigen::MatrixXd& A, const std::vector<int>& order);

}  // namespace tippe
