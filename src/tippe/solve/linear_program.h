// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/solve/quadratic_program.h"

namespace tippe {

/// min p'x  subject to  A_eq x = b_eq,  A_in x <= b_in;  x is free. The quadratic program with Q = 0.
struct LinearProgram {
  Eigen::VectorXd p;
  Eigen::MatrixXd A_eq;
  Eigen::VectorXd b_eq;
  Eigen::MatrixXd A_in;
  Eigen::VectorXd b_in;
};

/// As solve_quadratic_program. The optimal x is a vertex where the constraints have one.
[[nodiscard]] ProgramSolution solve_linear_program(const LinearProgram& program);

/// A point of { A_eq x = b_eq, A_in x <= b_in }: kOptimal, or kInfeasible with a Farkas vector. p is not used and may be empty.
[[nodiscard]] ProgramSolution find_feasible_point(const LinearProgram& program);

}  // namespace tippe
