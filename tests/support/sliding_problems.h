// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "support/complementarity.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe::test {

inline ContactRows contact_rows(const std::string& name, const Eigen::VectorXd& normal, double drift = 0.0) {
  ContactRows contact;
  contact.name = name;
  contact.normal = normal;
  contact.drift = drift;
  contact.tangents.resize(normal.size(), 0);
  return contact;
}

/// In the plane; slip 0: it sticks or is about to slide.
inline ContactRows planar_contact(const std::string& name, const Eigen::VectorXd& normal, const Eigen::VectorXd& tangent,
                                  double mu, double slip, double drift = 0.0, double tangent_drift = 0.0) {
  ContactRows contact = contact_rows(name, normal, drift);
  contact.tangents = tangent;
  contact.tangent_drift = Eigen::VectorXd::Constant(1, tangent_drift);
  contact.mu = mu;
  contact.slip = Eigen::VectorXd::Constant(1, slip);
  return contact;
}

/// Painleve's rod: mass 1, half length 1, gravity g, tan(theta) = 2; the lower tip slides to the left, against the lean. The
/// coefficient of the normal force in the acceleration of the gap is A = 1.6 - 1.2 mu, without force it is B = -g + sin(theta) omega^2.
inline AccelerationProblem painleve_rod(double mu, double omega, double g = 10.0) {
  const double c = 1.0 / std::sqrt(5.0), s = 2.0 / std::sqrt(5.0);
  AccelerationProblem problem;
  problem.M = Eigen::Vector3d(1.0, 1.0, 1.0 / 3.0).asDiagonal();
  problem.F = Eigen::Vector3d(0.0, g, 0.0);
  problem.unilateral = {planar_contact("tip", Eigen::Vector3d(0.0, 1.0, -c), Eigen::Vector3d(1.0, 0.0, s), mu, -2.0,
                                       s * omega * omega, c * omega * omega)};
  return problem;
}

/// A block of mass 1 on feet at the given places left and right of its centre, which is `height` above the floor; it slides to the right.
inline AccelerationProblem sliding_block(const std::vector<double>& feet, double height, double mu) {
  AccelerationProblem problem;
  problem.M = Eigen::Vector3d(1.0, 1.0, 0.5).asDiagonal();
  problem.F = Eigen::Vector3d(0.0, 10.0, 0.0);
  for (const double x : feet)
    problem.unilateral.push_back(planar_contact("foot" + std::to_string(problem.unilateral.size() + 1),
                                                Eigen::Vector3d(0.0, 1.0, x), Eigen::Vector3d(1.0, 0.0, height), mu, 1.0));
  return problem;
}

}  // namespace tippe::test
