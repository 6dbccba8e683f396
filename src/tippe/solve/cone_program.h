// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/solve/cone_scaling.h"
#include "tippe/solve/polyhedron.h"
#include "tippe/solve/self_dual.h"

namespace tippe {

enum class ConeStatus {
  kOptimal,     // x and y prove each other within kConeTolerance
  kInfeasible,  // proved by y
  kUnbounded,   // proved by a direction, if there is a feasible point at all
  kUndecided,  // no proof was found: no interior on one side, or on the edge between two of the others; x, y, s are the best point
};

[[nodiscard]] constexpr const char* name_of(ConeStatus status) {
  return status == ConeStatus::kOptimal      ? "optimal"
         : status == ConeStatus::kInfeasible ? "infeasible"
         : status == ConeStatus::kUnbounded  ? "unbounded"
                                             : "undecided";
}

/// How large violation and gap of a proof may be, in equilibrated data.
constexpr double kConeTolerance = 1e-9;

/// kOptimal: A x = b, x in K, A'y + s = c, s in K, s_free = 0, c'x = b'y.
/// kInfeasible: A'y + s = 0, s in K, s_free = 0, b'y = 1. kUnbounded: A x = 0, x in K, c'x = -1.
struct ConeSolution {
  ConeStatus status = ConeStatus::kUndecided;
  Eigen::VectorXd x, y, s;
  double objective = 0.0;       // c'x; infinity if infeasible, -infinity if unbounded
  double dual_objective = 0.0;  // b'y; not above any c'x if s is in K
  double violation = 0.0;  // how far x and s are outside K (equations hold to round-off), in equilibrated data, relative
  double gap = 0.0;        // |c'x - b'y|, likewise; 0 for a certificate
  int iterations = 0;

  [[nodiscard]] bool optimal() const { return status == ConeStatus::kOptimal; }
};

/// min c'x  subject to  A x = b,  x = (free variables, variables in K): small and dense, for many c. Rows may be redundant or
/// contradictory, free columns dependent. Free variables and redundant rows are eliminated first (by rank decisions in equilibrated
/// data), an interior point method does the rest (self_dual.h). Without second-order cones it is a linear program, and its vertices
/// are found by the simplex method (polyhedron.h).
class ConeProgram {
 public:
  /// A has free + cones.size() columns.
  ConeProgram(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const ConeProduct& cones, int free = 0);

  [[nodiscard]] ConeSolution minimize(const Eigen::VectorXd& c);
  /// The same, always by the interior point method: of many optimal points one in their middle, not a vertex.
  [[nodiscard]] ConeSolution minimize_inside(const Eigen::VectorXd& c);

 private:
  [[nodiscard]] ConeSolution minimize_linear(const Eigen::VectorXd& c);
  void eliminate();
  [[nodiscard]] ConeSolution rows_contradict() const;
  [[nodiscard]] ConeSolution free_objective_falls(const Eigen::VectorXd& direction, const Eigen::VectorXd& c) const;
  /// y of the equilibrated rows with A_cone'y = V y_core, A_free'y = 0.
  [[nodiscard]] Eigen::VectorXd lift(const Eigen::VectorXd& y_core) const;
  [[nodiscard]] Eigen::VectorXd with_free(const Eigen::VectorXd& x_cone, const Eigen::VectorXd& b) const;
  void take_solution(const SelfDualPoint& point, const Eigen::VectorXd& c, const Eigen::VectorXd& y_free,
                     ConeSolution& solution) const;
  void take_certificate(const SelfDualPoint& point, const Eigen::VectorXd& c, ConeSolution& solution) const;
  void unscale(const Eigen::VectorXd& c, double c_size, ConeSolution& solution) const;

  std::optional<Polyhedron> polyhedron_;  // if there is no second-order cone
  bool eliminated_ = false;               // what follows is known
  Eigen::MatrixXd A_given_;
  Eigen::VectorXd b_given_;
  int free_ = 0;
  Eigen::VectorXd row_, column_;  // A = row A_given column
  double b_size_ = 1.0;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;           // row b_given / b_size
  Eigen::MatrixXd free_range_;  // orthonormal bases: of the image of the free columns, of what is orthogonal to it,
  Eigen::MatrixXd complement_;
  Eigen::MatrixXd free_null_;      // and of the free variables that do nothing
  Eigen::MatrixXd reduced_;        // complement' A_cone = reduced V'
  OrthonormalConeProgram core_;    // what is left
  Eigen::VectorXd contradiction_;  // part of b that no x reaches; empty if there is none
};

}  // namespace tippe
