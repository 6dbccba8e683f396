// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

// A mass matrix M that is singular, or nearly so, moves under constraints W'u = r like  E = M + W S W'  with any diagonal S > 0, and E is
// definite where M and W together hold every direction, Brogliato B (27)-(31). Which S is a matter of digits alone. Each row weighs as
// much as the inertia that it moves,
//
//   s_k = 1 / (w_k' D^-1 w_k) ,  D the diagonal of M, with 1 for coordinates without mass:
//
// units of rows and of coordinates change nothing, and a heavy body somewhere does not drown a light one elsewhere. Coordinates
// without mass get theirs from their rows, in whatever unit they are, as factorizations compare pivots with the diagonal.

/// 1/D of a coordinate.
[[nodiscard]] inline double lightness(double mass) {
  return mass > 0.0 ? 1.0 / mass : 1.0;
}

/// s of a row by its square w' D^-1 w.
[[nodiscard]] inline double row_weight(double square) {
  return square > 0.0 ? 1.0 / square : 0.0;
}

/// s of all columns of W.
[[nodiscard]] inline Eigen::VectorXd row_weights(const Eigen::MatrixXd& M, const Eigen::MatrixXd& W) {
  return (W.cwiseAbs2().transpose() * M.diagonal().unaryExpr(&lightness)).unaryExpr(&row_weight);
}

}  // namespace tippe
