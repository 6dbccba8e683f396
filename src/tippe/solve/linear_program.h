// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/solve/polyhedron.h"

namespace tippe {

/// min p'x  subject to  A_eq x = b_eq,  A_in x <= b_in;  x is free. Small and dense; rows may be redundant, zero or contradictory.
/// Without rows of a kind its matrix may be left empty.
struct LinearProgram {
  Eigen::VectorXd p;
  Eigen::MatrixXd A_eq;
  Eigen::VectorXd b_eq;
  Eigen::MatrixXd A_in;
  Eigen::VectorXd b_in;
};

/// The rows of a linear program, for many objectives: a polyhedron in x and the slacks of the inequalities.
class LinearSet {
 public:
  /// p is not used and may be empty. Throws InputError if sizes do not fit.
  explicit LinearSet(const LinearProgram& program);

  /// A vertex, where there is one: kOptimal, with multipliers 0, or kInfeasible with a Farkas vector.
  [[nodiscard]] ProgramSolution point() const;
  /// The optimal x is a vertex where the set has one.
  [[nodiscard]] ProgramSolution minimize(const Eigen::VectorXd& p);

 private:
  Eigen::Index n_, n_eq_, n_in_;
  Polyhedron set_;
};

[[nodiscard]] inline ProgramSolution solve_linear_program(const LinearProgram& program) {
  return LinearSet(program).minimize(program.p);
}

[[nodiscard]] inline ProgramSolution find_feasible_point(const LinearProgram& program) {
  return LinearSet(program).point();
}

}  // namespace tippe
