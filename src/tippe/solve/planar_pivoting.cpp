// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/planar_pivoting.h"

#include <cmath>

#include "tippe/solve/lemke.h"

namespace tippe {
namespace {

/// Unknowns of a block in the complementarity problem.
int unknowns(const NormalForm::Block& block) {
  if (block.kind != NormalForm::Kind::kLine) return 4;
  return std::isinf(block.lower) == std::isinf(block.upper) ? 2 : 1;  // both ends or none, or one
}

Eigen::MatrixXd dense_matrix(const NormalForm& form) {
  const int n = form.rows();
  Eigen::MatrixXd W(n, n);
  KeptVector unit, u, kinetic;
  unit.setZero(n);
  for (int k = 0; k < n; ++k) {
    unit[k] = 1.0;
    form.evaluate_velocity(unit, u, kinetic);
    W.col(k) = u - form.q;
    unit[k] = 0.0;
  }
  return W;
}

}  // namespace

bool PlanarPivoting::applies(const NormalForm& form) {
  constexpr int kMostUnknowns = 600;  // about a second for a direction
  int size = 0;
  for (const NormalForm::Block& block : form.blocks) {
    const bool line = block.kind == NormalForm::Kind::kLine;
    const bool planar = block.kind == NormalForm::Kind::kCone && block.size == 2;
    if (!line && !planar) return false;
    size += unknowns(block);
  }
  return size <= kMostUnknowns;
}

bool PlanarPivoting::solve(const NormalForm& form, int direction, KeptVector& r) {
  int size = 0;
  for (const NormalForm::Block& block : form.blocks) size += unknowns(block);
  // r = end + P z,  w = P' (W r + q) + E z + e.
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(form.rows(), size), E = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd end = Eigen::VectorXd::Zero(form.rows()), e = Eigen::VectorXd::Zero(size);
  int k = 0;
  for (const NormalForm::Block& block : form.blocks) {
    P(block.row, k) = 1.0;
    if (block.kind == NormalForm::Kind::kCone) {
      P(block.row + 1, k + 1) = 1.0;
      P(block.row + 1, k + 2) = -1.0;
      E(k + 1, k + 3) = E(k + 2, k + 3) = 1.0;
      E(k + 3, k) = block.mu;
      E(k + 3, k + 1) = E(k + 3, k + 2) = -1.0;
    } else if (std::isfinite(block.lower)) {
      end[block.row] = block.lower;
      if (std::isfinite(block.upper)) {
        E(k, k + 1) = 1.0;
        E(k + 1, k) = -1.0;
        e[k + 1] = block.upper - block.lower;
      }
    } else if (std::isfinite(block.upper)) {
      end[block.row] = block.upper;
      P(block.row, k) = -1.0;
    } else {
      P(block.row, k + 1) = -1.0;
    }
    k += unknowns(block);
  }
  const Eigen::MatrixXd W = dense_matrix(form);
  const Eigen::MatrixXd M = P.transpose() * W * P + E;
  const Eigen::VectorXd q = P.transpose() * (W * end + form.q) + e;
  constexpr double kGolden = 0.6180339887498949;  // spreads the entries of each direction evenly over [1, 4)
  Eigen::VectorXd d(size);
  for (int i = 0; i < size; ++i) d[i] = 1.0 + 3.0 * std::fmod(kGolden * direction * (i + 1), 1.0);
  const LemkeResult result = solve_by_lemke(M, q, d, 50 * size);
  pivots_ = result.pivots;
  if (result.outcome != LemkeOutcome::kSolution || !result.z.allFinite()) return false;
  r = end + P * result.z;
  return true;
}

}  // namespace tippe
