// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "tippe/solve/quadratic_program.h"

namespace tippe {

/// What one objective finds on a polyhedron. Residuals are measured in the data as given and equilibrated.
///
/// kOptimal: x and row multipliers y with cost - A'y >= 0, = 0 for free variables; b'y = value.
/// kUnbounded: x is a point, A ray = 0, ray >= 0 (free variables of either sign), cost'ray < 0, largest |ray| 1; value = -infinity.
/// kInfeasible, kFailed: nothing else is set but value = +infinity; see Polyhedron::farkas().
struct Extreme {
  ProgramStatus status = ProgramStatus::kFailed;
  Eigen::VectorXd x, y, ray;
  double value = 0.0;
  double primal_residual = -1.0;  // |A x - b|, relative to the largest |b| and |x|; nonnegative variables are so exactly
  double dual_residual =
      -1.0;  // kOptimal: worst sign of cost - A'y; kUnbounded: |A ray|; relative to the size of cost or ray
  int pivots = 0;

  [[nodiscard]] bool optimal() const { return status == ProgramStatus::kOptimal; }
  [[nodiscard]] bool unbounded() const { return status == ProgramStatus::kUnbounded; }
};

/// { x : A x = b, x_j >= 0 where nonnegative[j], the others free }: small and dense, made for many linear objectives over the same
/// set. Rows may be redundant, zero or contradictory, the set degenerate and unbounded. The free variables are eliminated once; a
/// feasible basis is found once and handed from one objective to the next.
class Polyhedron {
 public:
  /// Throws InputError if sizes do not fit.
  Polyhedron(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const std::vector<bool>& nonnegative);
  /// Contains `start`, whose negative entries are taken for zero where they must not be: b = A start.
  [[nodiscard]] static Polyhedron through(const Eigen::MatrixXd& A, const Eigen::VectorXd& start,
                                          const std::vector<bool>& nonnegative);
  Polyhedron(Polyhedron&& other) noexcept;
  Polyhedron& operator=(Polyhedron&& other) noexcept;
  ~Polyhedron();

  /// kOptimal: it has a point; kInfeasible: proved by farkas(); kFailed: neither; kNotFinite: the data are not.
  [[nodiscard]] ProgramStatus status() const;
  [[nodiscard]] bool feasible() const { return status() == ProgramStatus::kOptimal; }
  /// A vertex, where there is one.
  [[nodiscard]] const Eigen::VectorXd& point() const;
  /// kInfeasible: y with A'y <= 0, = 0 for free variables, b'y > 0.
  [[nodiscard]] const Eigen::VectorXd& farkas() const;
  /// Of farkas(): b'y with max |y| = 1 in equilibrated data, and the worst sign of A'y there.
  [[nodiscard]] double farkas_gap() const;
  [[nodiscard]] double farkas_defect() const;

  /// Of the simplex method so far.
  [[nodiscard]] int pivots() const;

  /// How many independent rows there are, the smallest pivot that proved it and the largest entry left in the rows that were dropped.
  struct Rank {
    int rank = 0;
    double smallest_kept = 0.0, largest_dropped = 0.0;
  };
  [[nodiscard]] const Rank& rank() const;

  /// min cost'x.
  [[nodiscard]] Extreme minimize(const Eigen::VectorXd& cost);

 private:
  Polyhedron(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const std::vector<bool>& nonnegative,
             const Eigen::VectorXd& start);
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tippe
