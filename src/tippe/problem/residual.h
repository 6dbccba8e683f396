// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// How far Lambda is from solving a problem, without a unit: it does not change when impulses are scaled by a and velocities
/// by b. The one judge of all solvers.
///
///   xi    = G Lambda + c                                      recomputed from the data; then Lambda^ = A^-1 Lambda, xi^ = A xi in
///                                                             all that follows, see RowScales
///   rho_i = 1 / max_k (A G_ii A)_kk                           not positive: the smallest rho of the others, or 1
///   e_i   = Lambda_i - P_K(Lambda_i - rho_i xi^_i)            isotropic Coulomb contact, K its friction cone (De Saxce's form);
///                                                             xi^ = xi + (mu |xi_T|, 0, 0); mu <= 1e3
///   e_i   = Lambda_i + prox_{C_i}(-Lambda_i + rho_i xi_i)     all others; friction sets of size max(0, Lambda_N)
///   relative = |e| / |(rho_i c_i)|                            denominator 1 if c = 0; largest over the independent parts
///   worst    = max_i |e_i| / max_i |rho_i c_i|                the same for the worst block alone
struct Residual {
  double relative = -1.0;
  double worst = -1.0;
  int worst_block = -1;  // with the largest |e_i| in the part that decides
};

/// The diagonal A of a block, 1 for its normal: for the last row of drilling friction the mean drilling radius, for that of friction in a plane with
/// given limits their ratio, and for tangents that are measured in another unit than the normal the power of two that brings G_TT near to G_NN.
/// That changes mu to mu / A_T.
struct RowScales {
  double tangents = 1.0, last = 1.0;
  int last_row = 3;
  [[nodiscard]] double operator[](int row) const { return row == last_row ? last : row == 0 ? 1.0 : tangents; }
};
[[nodiscard]] RowScales row_scales(const InclusionProblem& problem, int block);

/// Scratch of evaluate_residual; keeps its memory between calls.
struct ResidualWork {
  KeptVector xi;
  KeptVector kinetic;
  KeptVector rho;                 // of each block
  std::vector<RowScales> scales;  // likewise
  std::vector<long double> exact_kinetic;
  struct Part {
    double unit = 0.0;                        // what all numbers are divided by before they are squared
    double scale = 0.0, largest_scale = 0.0;  // |rho c| of all blocks and of the largest, in that unit
    double error = 0.0, worst_error = -1.0;
    int worst_block = -1;
  };
  std::vector<Part> parts;
};

/// +infinity if Lambda or G Lambda + c is not finite. After the call work.xi holds xi.
[[nodiscard]] Residual evaluate_residual(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda,
                                         ResidualWork& work);

/// The same for many iterates of one problem: what does not depend on Lambda is evaluated once, in prepare_residual(). Neither the
/// problem nor `work` may change between the two but by evaluate_prepared_residual().
void prepare_residual(const InclusionProblem& problem, ResidualWork& work);
[[nodiscard]] Residual evaluate_prepared_residual(const InclusionProblem& problem,
                                                  const Eigen::Ref<const Eigen::VectorXd>& Lambda, ResidualWork& work);

/// As evaluate_residual(), with xi in extended precision: what the claim of a solution rests on. Of many iterates the one whose
/// round-off happens to be the smallest looks best; this one does not depend on the order of sums.
[[nodiscard]] Residual certify_residual(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda,
                                        ResidualWork& work);
/// The same after prepare_residual().
[[nodiscard]] Residual certify_prepared_residual(const InclusionProblem& problem,
                                                 const Eigen::Ref<const Eigen::VectorXd>& Lambda, ResidualWork& work);

/// |(rho_i c_i)| over all blocks: what the residual is measured by, 0 if c = 0. After prepare_residual().
[[nodiscard]] double residual_scale(const ResidualWork& work);

/// The smallest rho_i over all blocks with a positive diagonal; 1 if there is none.
[[nodiscard]] double smallest_rho(const InclusionProblem& problem);

}  // namespace tippe
