// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tippe {

/// min 1/2 x'Q x + p'x  subject to  A_eq x = b_eq,  A_in x <= b_in;  x is free. Small and dense. Q is symmetric and positive
/// semidefinite; rows may be redundant, zero or contradictory. Without rows of a kind its matrix may be left empty.
struct QuadraticProgram {
  Eigen::MatrixXd Q;
  Eigen::VectorXd p;
  Eigen::MatrixXd A_eq;
  Eigen::VectorXd b_eq;
  Eigen::MatrixXd A_in;
  Eigen::VectorXd b_in;
};

enum class ProgramStatus {
  kOptimal,     // the measured KKT residual is at most 1e-9
  kInfeasible,  // proved by y_eq, y_in
  kUnbounded,   // proved by a feasible x and a direction
  kFailed,      // numerical: neither an optimum nor a proof was found; x is the best point
  kNotFinite,   // the data are infinite or not a number
};

[[nodiscard]] constexpr const char* name_of(ProgramStatus status) {
  switch (status) {
    case ProgramStatus::kOptimal:
      return "optimal";
    case ProgramStatus::kInfeasible:
      return "infeasible";
    case ProgramStatus::kUnbounded:
      return "unbounded";
    case ProgramStatus::kFailed:
      return "failed";
    case ProgramStatus::kNotFinite:
      return "not finite";
  }
  return "";
}

/// kOptimal: x and multipliers with Q x + p + A_eq'y_eq + A_in'y_in = 0, y_in >= 0, y_in _|_ b_in - A_in x.
/// kInfeasible: a Farkas vector, A_eq'y_eq + A_in'y_in = 0, y_in >= 0, b_eq'y_eq + b_in'y_in < 0.
/// kUnbounded: x is feasible, Q d = 0, A_eq d = 0, A_in d <= 0, p'd < 0 for d = direction.
struct ProgramSolution {
  ProgramStatus status = ProgramStatus::kFailed;
  Eigen::VectorXd x;
  Eigen::VectorXd y_eq, y_in;
  Eigen::VectorXd direction;   // only if unbounded
  std::vector<int> active;     // inequality rows that hold with equality because the method chose them, ascending
  double objective = 0.0;      // of x; -infinity if unbounded, +infinity if infeasible
  double kkt_residual = -1.0;  // kOptimal, kFailed: largest KKT error in the equilibrated data, relative to 1 + max |x~, y~|
  double certificate_gap =
      0.0;  // kInfeasible, kUnbounded: -(b'y) or -(p'd) in equilibrated data with max |y~| or |d~| at most 1
  int pivots = 0;

  [[nodiscard]] bool optimal() const { return status == ProgramStatus::kOptimal; }
};

/// By Lemke's method on the KKT conditions, with lexicographic anti-cycling: finite for every convex program, degenerate or not. The
/// final basis is solved again in the original data. Where there is no optimum, linear programs (linear_program.h) prove it. Throws InputError if sizes do not fit or Q is not symmetric or not
/// positive semidefinite.
[[nodiscard]] ProgramSolution solve_quadratic_program(const QuadraticProgram& program);

}  // namespace tippe
