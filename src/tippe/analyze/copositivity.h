// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/verdict.h"

namespace tippe {

constexpr int kMostRowsOfCopositivity = 10;  // the work grows like 2^rows

/// The least x'A x over x >= 0, |x| = 1: A is copositive if it is not negative, strictly if it is positive. By
/// Kaplan's test: it is an
/// eigenvalue of a principal submatrix of (A + A')/2 with a positive eigenvector. 1 without rows.
[[nodiscard]] double least_form(const Eigen::MatrixXd& A);

/// The implication of Theorem 3.8.6 in Cottle, Pang and Stone for a copositive A:  0 <= z _|_ A z >= 0  implies  q'z
/// >= 0 . Every support of z is
/// tried.
[[nodiscard]] Answer resists_load(const Eigen::MatrixXd& A, const Eigen::VectorXd& q);

}  // namespace tippe
