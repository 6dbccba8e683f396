// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/p_matrix.h"

namespace tippe {

// A is a P-matrix if and only if a_11 > 0 and both the rest A_22 and the Schur complement A_22 - a_21 a_12 / a_11 are:
// every minor is one of A_22, or a_11 times one of the complement (Tsatsomeros and Li).
bool is_p_matrix(const Eigen::MatrixXd& A, double tolerance) {
  if (A.rows() == 0) return true;
  if (!(A(0, 0) > tolerance)) return false;
  const auto rest = A.rows() - 1;
  const Eigen::MatrixXd below = A.bottomRightCorner(rest, rest);
  if (!is_p_matrix(below, tolerance)) return false;
  return is_p_matrix(below - A.bottomLeftCorner(rest, 1) * A.topRightCorner(1, rest) / A(0, 0), tolerance);
}

}  // namespace tippe
