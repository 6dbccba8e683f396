// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/joint_velocity.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/verdict.h"

namespace tippe {

JointVelocity keep_joints(const ImpactProblem& problem, const HeldMass& mass) {
  constexpr double kOfBody = 1e-12;  // of the kinetic speed: a smaller error is round-off of the other velocities
  using Eigen::VectorXd;
  const VectorXd& given = problem.velocity;
  const auto count = static_cast<Eigen::Index>(problem.bilateral.size());
  JointVelocity kept{given, VectorXd::Zero(given.size())};
  if (count == 0) return kept;
  Eigen::MatrixXd G(given.size(), count);
  VectorXd rates(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const ContactRows& joint = problem.bilateral[static_cast<size_t>(i)];
    G.col(i) = joint.normal;
    rates[i] = joint.rate;
  }
  const VectorXd size = G.cwiseAbs().transpose() * given.cwiseAbs() + rates.cwiseAbs();
  const VectorXd length = mass.kinetic(G).colwise().norm();
  const double body_speed = std::sqrt(std::max(0.0, given.dot(problem.M * given)));
  const auto error = [&] { return VectorXd(G.transpose() * kept.velocity + rates); };
  const auto breaks = [&](const VectorXd& by, double speed) {
    return (by.array().abs() > (kVerdictTolerance * size).cwiseMax(kOfBody * speed * length).array()).any();
  };
  const VectorXd before = error();
  if (!breaks(before, body_speed)) return kept;
  kept.changed = true;
  kept.change = mass.smallest_motion(-before);
  kept.velocity += kept.change;
  const double moved = std::sqrt(std::max(0.0, kept.change.dot(problem.M * kept.change)));
  kept.contradictory = breaks(error(), body_speed + moved);
  return kept;
}

}  // namespace tippe
