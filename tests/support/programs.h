// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/complementarity.h"
#include "tippe/solve/linear_program.h"

namespace tippe::test {

/// Checks what a solution claims against the program as given, from the definitions; `size` is that of the largest number involved.
inline void expect_proved(const QuadraticProgram& given, const ProgramSolution& solution, double size = 10.0) {
  QuadraticProgram program = given;
  if (program.b_eq.size() == 0) program.A_eq.resize(0, program.p.size());
  if (program.b_in.size() == 0) program.A_in.resize(0, program.p.size());
  const auto largest = [](const Eigen::VectorXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; };
  const auto excess = [](const Eigen::VectorXd& x) { return x.size() > 0 ? std::max(0.0, x.maxCoeff()) : 0.0; };
  const double tolerance = 1e-10 * size;
  const Eigen::VectorXd& x = solution.x;
  const auto expect_feasible = [&] {
    EXPECT_LE(largest(program.A_eq * x - program.b_eq), tolerance);
    EXPECT_LE(excess(program.A_in * x - program.b_in), tolerance);
  };
  switch (solution.status) {
    case ProgramStatus::kOptimal: {
      expect_feasible();
      EXPECT_LE(excess(-solution.y_in), 0.0);
      const Eigen::VectorXd gradient =
          program.Q * x + program.p + program.A_eq.transpose() * solution.y_eq + program.A_in.transpose() * solution.y_in;
      EXPECT_LE(largest(gradient), tolerance);
      for (Eigen::Index i = 0; i < program.b_in.size(); ++i) {
        const double slack = program.b_in[i] - program.A_in.row(i).dot(x);
        EXPECT_LE(std::min(solution.y_in[i], slack), tolerance);
        const bool active = std::binary_search(solution.active.begin(), solution.active.end(), static_cast<int>(i));
        EXPECT_TRUE(!active || std::abs(slack) <= tolerance) << "row " << i << " slack " << slack;
      }
      EXPECT_NEAR(solution.objective, 0.5 * x.dot(program.Q * x) + program.p.dot(x), tolerance);
      EXPECT_LE(solution.kkt_residual, 1e-9);
      break;
    }
    case ProgramStatus::kInfeasible:
      EXPECT_LE(excess(-solution.y_in), 0.0);
      EXPECT_LE(largest(program.A_eq.transpose() * solution.y_eq + program.A_in.transpose() * solution.y_in), tolerance);
      EXPECT_LT(program.b_eq.dot(solution.y_eq) + program.b_in.dot(solution.y_in), -1e-9);
      break;
    case ProgramStatus::kUnbounded:
      expect_feasible();
      EXPECT_LE(largest(program.Q * solution.direction), tolerance);
      EXPECT_LE(largest(program.A_eq * solution.direction), tolerance);
      EXPECT_LE(excess(program.A_in * solution.direction), tolerance);
      EXPECT_LT(program.p.dot(solution.direction), -1e-9);
      break;
    default:
      ADD_FAILURE() << name_of(solution.status);
  }
}

inline QuadraticProgram as_quadratic(const LinearProgram& program) {
  return {Eigen::MatrixXd::Zero(program.p.size(), program.p.size()),
          program.p,
          program.A_eq,
          program.b_eq,
          program.A_in,
          program.b_in};
}

/// By Lemke's method on the KKT conditions, which shares no code with the simplex method of solve_linear_program().
inline ProgramSolution solve_by_lemke(const LinearProgram& program) {
  return solve_quadratic_program(as_quadratic(program));
}

/// Feasible and bounded: optimal at a known x with known multipliers. Some rows are inactive, some only touch.
inline QuadraticProgram manufacture_program(Random& random, int n, int n_eq, int n_in, int rank, double& optimum) {
  QuadraticProgram program;
  program.Q = random_semidefinite(random, n, rank, 0.0);
  program.A_eq = random_matrix(random, n_eq, n);
  program.A_in = random_matrix(random, n_in, n);
  const Eigen::VectorXd x = random.vector(n);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(n_in), slack = Eigen::VectorXd::Zero(n_in);
  for (int i = 0; i < n_in; ++i) {
    const int kind = random.below(3);
    if (kind == 0) y[i] = random.uniform(0.0, 1.0);
    if (kind == 1) slack[i] = random.uniform(0.0, 1.0);
  }
  program.b_eq = program.A_eq * x;
  program.b_in = program.A_in * x + slack;
  program.p = -program.Q * x - program.A_in.transpose() * y - program.A_eq.transpose() * random.vector(n_eq);
  optimum = 0.5 * x.dot(program.Q * x) + program.p.dot(x);
  return program;
}

}  // namespace tippe::test
