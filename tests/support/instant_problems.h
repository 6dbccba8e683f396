// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/random.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe::test {

/// A contact or constraint without friction.
inline ContactRows row(std::string name, const Eigen::VectorXd& normal, double drift = 0.0) {
  ContactRows contact;
  contact.name = std::move(name);
  contact.normal = normal;
  contact.drift = drift;
  contact.tangents.resize(normal.size(), 0);
  return contact;
}

/// One that sticks or, with a slip, slides.
inline ContactRows row(std::string name, const Eigen::VectorXd& normal, const Eigen::MatrixXd& tangents, double mu,
                       const Eigen::VectorXd& slip = {}) {
  ContactRows contact = row(std::move(name), normal);
  contact.tangents = tangents;
  contact.tangent_drift = Eigen::VectorXd::Zero(tangents.cols());
  contact.mu = mu;
  contact.slip = slip;
  return contact;
}

inline AccelerationProblem problem_of(const Eigen::MatrixXd& M, const Eigen::VectorXd& F,
                                      std::vector<ContactRows> unilateral, std::vector<ContactRows> bilateral = {}) {
  return {M, F, std::move(unilateral), std::move(bilateral), {}};
}

/// lower .. upper.
inline int random_integer(Random& random, int lower, int upper) {
  return lower + random.below(upper - lower + 1);
}

}  // namespace tippe::test
