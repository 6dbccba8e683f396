// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "support/full_pivot.h"
#include "tippe/analyze/sticking.h"
#include "tippe/problem/stacked_problem.h"
#include "tippe/solve/quadratic_program.h"

namespace tippe::test {

/// Where nothing slides: the acceleration without friction limits by Gauss' principle, Lemke's method, and what follows from it.
struct StickingOracle {
  bool solvable = false;
  Eigen::VectorXd w;         // M a + F
  std::vector<bool> closed;  // of each unilateral contact

  explicit StickingOracle(const AccelerationProblem& problem) {
    const StackedProblem stacked = stack(problem);
    const ProgramSolution solution =
        solve_quadratic_program({problem.M, problem.F, stacked.equalities.transpose(), -stacked.equality_drift,
                                 -stacked.normals.transpose(), stacked.normal_drift});
    solvable = solution.optimal();
    if (!solvable) return;
    w = problem.M * solution.x + problem.F;
    for (const ContactRows& contact : problem.unilateral) {
      const double size = contact.normal.norm() * (1.0 + solution.x.norm()) + std::abs(contact.drift);
      closed.push_back(contact.normal.dot(solution.x) + contact.drift <= 1e-8 * size);
    }
  }
};

/// Checks the forces and the direction that a judgement gives as its proof, from the definitions; for problems in which nothing slides.
inline void expect_consistent(const AccelerationProblem& problem, const Sticking& sticking) {
  const ForceLayout layout(problem);
  const Eigen::MatrixXd D = force_directions(problem);
  if (sticking.feasible.yes()) {
    ASSERT_EQ(sticking.forces.size(), layout.size());
    const Eigen::VectorXd& f = sticking.forces;
    const double size = 1.0 + f.norm();
    // Whatever M a is, it leaves sticking tangents and closed gaps alone: a = M^-1 (D f - F) for regular M.
    const Eigen::VectorXd a = solve_by_pivots(problem.M, D * f - problem.F);
    const Eigen::VectorXd relative = D.transpose() * a + force_drifts(problem);
    for (size_t i = 0; i < problem.unilateral.size(); ++i) {
      const ContactRows& contact = problem.unilateral[i];
      const int n = layout.unilateral[i];
      EXPECT_GE(f[n], -1e-9 * size);
      EXPECT_GE(relative[n], -1e-8 * size);
      EXPECT_LE(f[n] * relative[n], 1e-8 * size * size);
      if (contact.tangent_count() == 0 || contact.slides()) continue;
      EXPECT_LE(f.segment(n + 1, contact.tangent_count()).norm(), contact.mu.value_or(0.0) * f[n] + 1e-9 * size)
          << contact.name;
      EXPECT_LE(relative.segment(n + 1, contact.tangent_count()).norm(), 1e-8 * size) << contact.name;
    }
    EXPECT_LE((sticking.lower - f).maxCoeff(), 1e-9 * size);
    EXPECT_LE((f - sticking.upper).maxCoeff(), 1e-9 * size);
  }
  if (sticking.blocking_direction.size() > 0) {
    const Eigen::VectorXd& d = sticking.blocking_direction;
    EXPECT_NEAR(d.cwiseAbs().maxCoeff(), 1.0, 1e-12);
    const StickingOracle oracle(problem);
    ASSERT_TRUE(oracle.solvable);
    EXPECT_LT(oracle.w.dot(d), 0.0);
    for (size_t i = 0; i < problem.unilateral.size(); ++i) {
      const ContactRows& contact = problem.unilateral[i];
      if (contact.slides() || !sticking.mu_known || !oracle.closed[i]) continue;
      const double slip = contact.tangent_count() > 0 ? *contact.mu * (contact.tangents.transpose() * d).norm() : 0.0;
      EXPECT_GE(contact.normal.dot(d) - slip, -1e-8 * contact.normal.norm()) << contact.name;
    }
    for (const ContactRows& joint : problem.bilateral) {
      if (joint.tangent_count() > 0) continue;
      EXPECT_NEAR(joint.normal.dot(d), 0.0, 1e-8 * joint.normal.norm()) << joint.name;
    }
  }
}

}  // namespace tippe::test
