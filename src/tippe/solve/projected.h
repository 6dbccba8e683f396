// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/problem/residual.h"
#include "tippe/solve/solution.h"

namespace tippe {

struct ProjectedOptions {
  enum class Sweep { kJacobi, kGaussSeidel };
  Sweep sweep = Sweep::kGaussSeidel;
  int max_iterations = 20000;
  double tolerance = 1e-10;  // 1  converged when Residual::relative <= tolerance
  double alpha = 1.0;        // 1  relaxation, r_i = alpha / max_k (G_ii)_kk, in (0, 2]      Moeller (2.44), (2.68)
  bool recover = true;       //    diagonal step while the prox does not project             Moeller (2.63)
  bool transform = true;     //    ellipses are turned into discs, A = diag(mu1, mu2)        Moeller (2.50)-(2.53)
  int check_every = 50;      //    iterations between two measured residuals, at the most

  [[nodiscard]] std::string invalid_reason() const;  // empty if usable, else "alpha = 3 must lie in (0, 2]"
};

/// The projected iterations of the literature, -Lambda_i := prox_{C_i}(-Lambda_i + r_i xi_i): Jacobi takes
/// all xi from the last iterate (2.45), Gauss-Seidel the newest (2.67). In a contact the normal comes first,
/// and the size of the friction set follows the normal impulse of the same sweep (Gauss-Seidel) or of the
/// last iterate (Jacobi).
///
/// Both are reliable for few, well-conditioned contacts and slow otherwise; Jacobi needs alpha < 1 for
/// coupled contacts.
class ProjectedSolver {
 public:
  /// Starts from solution.Lambda if its size fits, else from zero. Allocates only when a problem is larger than all before.
  SolveStatus solve(const InclusionProblem& problem, const ProjectedOptions& options, Solution& solution);

 private:
  void prepare(const InclusionProblem& problem);
  double sweep(const InclusionProblem& problem, const ProjectedOptions& options, KeptVector& Lambda);
  void evaluate_block_velocity(const InclusionProblem& problem, int block, const KeptVector& Lambda, double* xi) const;
  void evaluate_kinetic(const InclusionProblem& problem, const KeptVector& Lambda);

  std::vector<double> diagonal_;  // of G, per row, replaced by 1/fallback where it is not positive
  KeptVector kinetic_;            // Y Lambda, factored form
  KeptVector previous_;           // last iterate
  KeptVector best_;
  ResidualWork residual_work_;
  double scale_ = 1.0;  // |(rho_i c_i)|
};

}  // namespace tippe
