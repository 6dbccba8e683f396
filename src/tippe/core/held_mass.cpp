// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/held_mass.h"

#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"
#include "tippe/core/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

HeldMass::HeldMass(const MatrixXd& M, const MatrixXd& C) : metric_(M, C, row_weights(M, C)), C_(C) {
  if (definite()) Q_ = decide_rank(unit_columns(kinetic(C), 0.0)).range;
}

MatrixXd HeldMass::left_free(const MatrixXd& kinetic_columns) const {
  const MatrixXd once = kinetic_columns - Q_ * (Q_.transpose() * kinetic_columns);
  return once - Q_ * (Q_.transpose() * once);
}

MatrixXd HeldMass::kinetic_held(const MatrixXd& directions) const {
  const MatrixXd K = kinetic(directions);
  const VectorXd length = K.colwise().norm();
  MatrixXd B = left_free(K);
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    if (B.col(j).norm() <= kNothingLeft * length[j]) B.col(j).setZero();
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
