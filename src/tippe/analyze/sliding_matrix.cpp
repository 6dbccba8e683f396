// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sliding_matrix.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SlidingMatrix sliding_matrix(const AccelerationProblem& problem, const StackedProblem& stacked, const HeldMass& held) {
  const MatrixXd B_n = held.kinetic_held(stacked.normals);
  SlidingMatrix result;
  result.B_push = held.kinetic_held(stacked.pushes);
  result.scale.resize(B_n.cols());
  for (Eigen::Index i = 0; i < result.scale.size(); ++i)
    result.scale[i] = B_n.col(i).norm() > 0.0 ? 1.0 / B_n.col(i).norm() : 1.0;
  result.A = result.scale.asDiagonal() * B_n.transpose() * result.B_push * result.scale.asDiagonal();
  const VectorXd particular = held.smallest_motion(-stacked.equality_drift);
  const VectorXd u = -held.kinetic_held(problem.F + problem.M * particular);
  const VectorXd jointed = stacked.normals.transpose() * (particular + held.motion(u)) + stacked.normal_drift;
  result.q = result.scale.cwiseProduct(jointed);
  return result;
}

}  // namespace tippe
