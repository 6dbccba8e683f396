// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Linear complementarity problem: find z with  0 <= z  _|_  M z + q >= 0.
struct LcpProblem {
  Eigen::MatrixXd M;  // n x n, of any kind
  Eigen::VectorXd q;  // n
};

/// Mixed linear complementarity problem: find u (free) and v with
///   A u + C v + a = 0 ,   0 <= v  _|_  D u + B v + b >= 0.
/// Both sizes may be zero, A may be singular.
struct MlcpProblem {
  Eigen::MatrixXd A, B, C, D;  // nu x nu, nv x nv, nu x nv, nv x nu
  Eigen::VectorXd a, b;        // nu, nv
};

/// Throws InputError, naming the field, its size and the rule, if the sizes do not fit.
void require_sizes(const LcpProblem& problem);
void require_sizes(const MlcpProblem& problem);

/// An LCP is an MLCP without free variables.
[[nodiscard]] MlcpProblem as_mlcp(const LcpProblem& problem);

/// How far a point is from solving a problem, computed from the data alone. With s_i = 1 / max_j |row i, j| (1 for a zero row)
///   LCP   e = min(z, s (M z + q)) ,                                  scale s q
///   MLCP  e = ( s (A u + C v + a), min(v, s (D u + B v + b)) ) ,     scale s (a, b), rows of [A C] and [D B]
///   relative = |e| / |scale| ,   worst = max |e_i| / max |scale_i|   denominators 1 where they would be 0
struct ComplementarityResidual {
  double relative = -1.0;
  double worst = -1.0;
  int worst_row = -1;  // counted over (u, v); -1 if there is none
};

/// +infinity if the point or its image is not finite.
[[nodiscard]] ComplementarityResidual evaluate_residual(const LcpProblem& problem,
                                                        const Eigen::Ref<const Eigen::VectorXd>& z);
[[nodiscard]] ComplementarityResidual evaluate_residual(const MlcpProblem& problem,
                                                        const Eigen::Ref<const Eigen::VectorXd>& u,
                                                        const Eigen::Ref<const Eigen::VectorXd>& v);

}  // namespace tippe
