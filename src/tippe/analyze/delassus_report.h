// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// How strongly the contacts feel each other's forces, freely and through the joints.
struct DelassusReport {
  Eigen::MatrixXd matrix;       // A = N'M^-1 N; empty if M is singular
  Eigen::MatrixXd constrained;  // A_c = N'M_c^-1 N, with the bilateral constraints
  Eigen::VectorXd eigenvalues;  // of A_c, ascending
  int rank = 0;                 // of A_c, decided on unit columns
  double smallest_kept = 0.0;   // singular values of the unit columns on both sides of the rank decision; 0 if there is none
  double largest_dropped = 0.0;
  Verdict
      definite;  // A_c positive definite; margin: smallest singular value of the unit columns; if not, minus the rank tolerance
  Eigen::MatrixXd null_space;  // of A_c, one column per force pattern that the joints balance and the motion does not show
  int joint_rank = 0;          // of the bilateral normals
  Eigen::VectorXd free_acceleration;  // of each gap without contact forces and without joints (H0); empty if M is singular
  Eigen::VectorXd jointed_acceleration;  // of each gap with the joints and without contact forces (H4)
  std::vector<int> blocked;              // unilateral contacts whose gap the joints alone determine
  /// A_c with the tangents of contacts at rest among the constraints, Brogliato B (37), and whether it is definite;
  /// empty if there are none, or if
  /// they hold not all that has no mass.
  Eigen::MatrixXd sticking;
  Verdict sticking_definite;
  Eigen::MatrixXd inverse_mass;  // M_c^-1, Brogliato A (17)
  /// M - G (G'M^-1 G)^-1 G' = M M_c^-1 M, Brogliato A, Remark 8: what constraints leave of the mass matrix in an
  /// impact; empty if M is singular.
  Eigen::MatrixXd distortion;
  Eigen::VectorXd
      distortion_angle;  // degrees  per contact, between its direction and what constraints leave of it: 0 nothing is lost, 90 all
};

/// Nothing if some direction has no inertia and no joint holds it.
[[nodiscard]] std::optional<DelassusReport> report_delassus(const AccelerationProblem& problem);

}  // namespace tippe
