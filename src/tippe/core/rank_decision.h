// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/singular_values.h"

namespace tippe {

/// How many directions a matrix has, and how clear that is.
struct RankSplit {
  int rank = 0;
  double smallest_kept = 0.0;  // the singular values on both sides of the decision; 0 if there is none
  double largest_dropped = 0.0;
  Eigen::MatrixXd range;       // orthonormal basis of the image, rank columns
  Eigen::MatrixXd null_space;  // orthonormal basis of { x : A x = 0 }
};

/// Singular values above `tolerance` count. The tolerance is absolute: for matrices with columns of length 1 (or 0), where it
/// cannot be fooled by a matrix that is all round-off.
[[nodiscard]] RankSplit decide_rank(const Eigen::MatrixXd& A, double tolerance);
/// kDependentColumns sqrt(columns), for unit columns.
[[nodiscard]] double rank_tolerance(Eigen::Index columns);
/// With that tolerance.
[[nodiscard]] RankSplit decide_rank(const Eigen::MatrixXd& A);

/// The shortest x that makes |A x - b| smallest, where singular values of A up to `tolerance` count as zero.
[[nodiscard]] Eigen::VectorXd solve_least_norm(const SingularValues& svd, const Eigen::VectorXd& b, double tolerance);

/// Columns divided by their lengths; columns shorter than `zero` become 0. `lengths` takes the lengths.
[[nodiscard]] Eigen::MatrixXd unit_columns(const Eigen::MatrixXd& A, double zero, Eigen::VectorXd* lengths = nullptr);

}  // namespace tippe
