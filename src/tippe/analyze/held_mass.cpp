// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/held_mass.h"

#include "tippe/core/rank_decision.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

HeldMass::HeldMass(const MatrixXd& M, const MatrixXd& C) : metric_(M, C), C_(C) {
  if (definite()) Q_ = decide_rank(unit_columns(kinetic(C), 0.0)).range;
}

MatrixXd HeldMass::kinetic_held(const MatrixXd& directions) const {
  MatrixXd B = kinetic(directions);
  const VectorXd length = B.colwise().norm();
  for (int twice = 0; twice < 2; ++twice) B -= Q_ * (Q_.transpose() * B);
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    if (B.col(j).norm() <= 1e-10 * length[j]) B.col(j).setZero();
  }
  return B;
}

VectorXd HeldMass::smallest_motion(const VectorXd& r) const {
  VectorXd lengths;
  const MatrixXd Y = unit_columns(kinetic(C_), 0.0, &lengths);
  VectorXd scaled = r;
  for (Eigen::Index i = 0; i < r.size(); ++i) scaled[i] = lengths[i] > 0.0 ? r[i] / lengths[i] : 0.0;
  return motion(solve_least_norm(decompose_singular(Y.transpose()), scaled, rank_tolerance(Y.cols())));
}

}  // namespace tippe
