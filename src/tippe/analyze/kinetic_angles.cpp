// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/kinetic_angles.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "tippe/analyze/joint_rows.h"
#include "tippe/core/held_mass.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// pi - angle(u, v) of unit vectors, in degrees; by the tangent, which keeps its digits for small angles.
double kinetic_angle(const VectorXd& u, const VectorXd& v) {
  if (u.squaredNorm() == 0.0 || v.squaredNorm() == 0.0) return std::numeric_limits<double>::quiet_NaN();
  const double cosine = u.dot(v);
  const double angle = std::atan2((u - cosine * v).norm(), cosine);
  return (std::numbers::pi - angle) * 180.0 / std::numbers::pi;
}

MatrixXd angles_between(const MatrixXd& U, const MatrixXd& V) {
  MatrixXd angles(U.cols(), V.cols());
  for (Eigen::Index i = 0; i < U.cols(); ++i) {
    for (Eigen::Index j = 0; j < V.cols(); ++j) angles(i, j) = kinetic_angle(U.col(i), V.col(j));
  }
  return angles;
}

}  // namespace

KineticAngles measure_kinetic_angles(const AccelerationProblem& problem) {
  const JointRows joints = joint_rows(problem);
  const HeldMass held(problem.M, joints.directions);
  KineticAngles angles;
  if (!held.definite()) return angles;
  const MatrixXd contacts = unit_columns(held.kinetic(unilateral_normals(problem)), 0.0);
  const MatrixXd rows = unit_columns(held.kinetic(joints.directions), 0.0);
  const MatrixXd left = unit_columns(held.left_free(contacts), kNothingLeft);
  angles.unilateral_constrained = angles_between(left, left);
  if (!held.mass_definite()) return angles;
  angles.unilateral = angles_between(contacts, contacts);
  angles.unilateral_bilateral = angles_between(contacts, rows);
  if (contacts.cols() > 0 && rows.cols() > 0)
    angles.principal_cosines = decompose_singular(decide_rank(contacts).range.transpose() * held.range()).values;
  return angles;
}

}  // namespace tippe
