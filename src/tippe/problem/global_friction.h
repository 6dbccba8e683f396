// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>

#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// A friction problem with the velocities of the bodies as unknowns beside the impulses r:
///
///   M v = H r + f ,     u = H'v + w ,     Coulomb's law between r_i and u_i at every contact
///
/// Contact i owns the columns spacedim i ... of H, normal first.
struct GlobalFrictionProblem {
  int spacedim = 3;  // 2 or 3: rows of a contact
  Eigen::SparseMatrix<double> M;
  Eigen::SparseMatrix<double> H;
  Eigen::VectorXd f;   // rows of M
  Eigen::VectorXd w;   // columns of H
  Eigen::VectorXd mu;  // one per contact, >= 0
};

/// The same without v:  G = H'M^-1 H, c = H'M^-1 f + w. A symmetric positive definite M gives G = Y'Y, which may stay factored;
/// any other M (not symmetric to 1e-12 of its largest entry, or indefinite) gives an explicit G. Throws InputError, without a file
/// name, if M is singular, or if G would be explicit and has more than 10000 rows. Sizes must fit.
[[nodiscard]] InclusionProblem condense(const GlobalFrictionProblem& problem);

/// v = M^-1 (H r + f). Throws as condense() does for a singular M.
[[nodiscard]] Eigen::VectorXd recover_velocities(const GlobalFrictionProblem& problem, const Eigen::VectorXd& r);

}  // namespace tippe
