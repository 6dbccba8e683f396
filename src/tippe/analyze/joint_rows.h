// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// The rows of the bilateral constraints alone: their normals, and the tangents of those that have some and do not slide.
struct JointRows {
  Eigen::MatrixXd directions;      // one column per row
  Eigen::VectorXd drift;           // directions'a + drift = 0
  std::vector<std::string> names;  // "rail.n", "rail.t"
};

[[nodiscard]] inline JointRows joint_rows(const AccelerationProblem& problem) {
  JointRows rows;
  Eigen::Index count = 0;
  for (const ContactRows& joint : problem.bilateral) count += joint.slides() ? 1 : joint.rows();
  rows.directions.resize(problem.n(), count);
  rows.drift.resize(count);
  const auto add = [&rows](const Eigen::VectorXd& direction, double drift, const std::string& name) {
    const auto k = static_cast<Eigen::Index>(rows.names.size());
    rows.directions.col(k) = direction;
    rows.drift[k] = drift;
    rows.names.push_back(name);
  };
  for (const ContactRows& joint : problem.bilateral) {
    add(joint.normal, joint.drift, joint.name + ".n");
    for (int k = 0; k < joint.tangent_count() && !joint.slides(); ++k)
      add(joint.tangents.col(k), joint.tangent_drift[k], joint.name + ".t" + std::to_string(k + 1));
  }
  return rows;
}

/// The gradients of the unilateral gaps, one column per contact.
[[nodiscard]] inline Eigen::MatrixXd unilateral_normals(const AccelerationProblem& problem) {
  Eigen::MatrixXd N(problem.n(), static_cast<Eigen::Index>(problem.unilateral.size()));
  for (size_t i = 0; i < problem.unilateral.size(); ++i) N.col(static_cast<Eigen::Index>(i)) = problem.unilateral[i].normal;
  return N;
}

}  // namespace tippe
