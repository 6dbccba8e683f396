// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/lagrangian.h"
#include "tippe/verify/formula.h"

namespace tippe::verify {

/// Where a system is, in the numbers of the judge.
struct Place {
  Real t = 0.0L;
  Vector q, u;
};

/// Relative velocities gamma = W'u + chi of one law, or of all constraints: a column for each.
struct Rows {
  SparseMatrix W;
  Vector chi;
  [[nodiscard]] Vector gamma(const Vector& u) const { return W.transpose() * u + chi; }
};

/// The equations of motion from their definitions, at one place at a time. For velocities u of one's own choice with dq/dt = F u + beta:
///
///   M = F' d2T/dq'2 F + d2T_bodies/du2
///   h = F'(dT/dq - d(dT/dq')/dt at constant u - dV/dq + f) - dD/du - gyroscopic torques of bodies
///   a gap g(q, t): W = F' dg/dq, chi = dg/dt + dg/dq beta; a velocity v(q, q', u, t): W = F' dv/dq' + dv/du
///
/// The torque of a body whose coordinates are a unit quaternion is Euler's, w x (Theta w).
class Mechanics {
 public:
  explicit Mechanics(const LagrangianDescription& description);

  [[nodiscard]] int nq() const { return in_.n; }
  [[nodiscard]] int nu() const { return in_.nu(); }
  [[nodiscard]] bool velocities_are_rates() const { return in_.own == 0; }
  [[nodiscard]] const std::vector<LawDescription>& laws() const { return description_.laws; }
  [[nodiscard]] const std::vector<ConstraintDescription>& constraints() const { return description_.constraints; }
  [[nodiscard]] const LagrangianDescription& description() const { return description_; }

  /// Of expressions at a place.
  [[nodiscard]] Vector inputs(const Place& place) const;
  [[nodiscard]] Vector rate(const Place& place) const;
  [[nodiscard]] SparseMatrix rate_map(const Place& place) const;  // F
  [[nodiscard]] Real kinetic(const Place& place) const;
  [[nodiscard]] Real potential(const Place& place) const;
  [[nodiscard]] SparseMatrix mass(const Place& place) const;
  [[nodiscard]] Vector forces(const Place& place) const;  // h
  [[nodiscard]] Real gap(size_t law, const Place& place) const;
  [[nodiscard]] Real gap_size(size_t law, const Place& place) const;  // m  of its terms
  [[nodiscard]] Rows rows(size_t law, const Place& place) const;
  [[nodiscard]] Rows constraint_rows(const Place& place) const;
  [[nodiscard]] Vector constraint_positions(const Place& place) const;  // 0 where a row has none
  /// d(gamma)/dt of the rows of a law, or of all constraints, at du/dt = 0.
  [[nodiscard]] Vector drift(size_t law, const Place& place) const;
  [[nodiscard]] Vector constraint_drift(const Place& place) const;
  /// F' d(gamma)/dq at constant u of all constraints, a column for each.
  [[nodiscard]] Matrix constraint_velocity_slopes(const Place& place) const;
  /// d(dq/dt)/dt at du/dt = 0.
  [[nodiscard]] Vector rate_drift(const Place& place) const;
  /// Which part of the row of a constraint is no combination of the rows before it: the smallest of those that are not zero, 1e-6 or less.
  struct Dependence {
    bool redundant = false;
    Real smallest = 1.0L;  // of rows that are independent
  };
  [[nodiscard]] Dependence dependence(const Place& place) const;
  /// The nearest q that keeps the positions of the constraints, by the kinetic energy.
  [[nodiscard]] Vector nearest_on_constraints(Place place) const;
  /// Brings unit quaternions back to length 1.
  void normalize(Vector& q) const;
  [[nodiscard]] bool is_damped() const { return !damping_.is_zero() || !damping_matrices_.empty(); }
  [[nodiscard]] bool constant_mass() const { return constant_mass_.size() > 0; }

 private:
  struct Row {
    Formula formula;
    bool position;  // a gap or a position, else a velocity
  };
  [[nodiscard]] Rows rows_of(const std::vector<Row>& rows, const Place& place) const;
  [[nodiscard]] Real drift_of(const Row& row, const Vector& x, const Vector& along) const;
  [[nodiscard]] Vector along_motion(const Vector& x) const;
  [[nodiscard]] SparseMatrix find_mass(const Place& place) const;

  const LagrangianDescription& description_;
  LagrangianInputs in_;
  std::vector<Formula> rates_;  // with velocities of one's own choice
  Formula kinetic_, bodies_, potential_, damping_;
  std::vector<Formula> kinetic_terms_, bodies_terms_;
  std::vector<Formula> forces_;
  struct Applied {
    Formula velocity, force;
  };
  std::vector<Applied> applied_;
  struct Damping {
    std::vector<Formula> velocities;
    std::vector<std::vector<Formula>> matrix;
  };
  std::vector<Damping> damping_matrices_;
  struct Gyro {
    int row, column;
    Formula value;
  };
  std::vector<Gyro> gyro_;  // of bodies without a unit quaternion
  std::vector<std::vector<Row>> laws_;
  std::vector<Row> constraints_;
  SparseMatrix constant_mass_;  // empty where M depends on the place
};

/// What is left of r when everything in the range of A is taken away, with lengths measured by `scale` (r_i / scale_i); the coefficients are
/// those of one solution A x = r - rest.
[[nodiscard]] Vector outside_range(const Matrix& A, const Vector& r, const Vector& scale, Vector* coefficients = nullptr);
/// A solution of A x = b by elimination with the largest pivot; where A is `singular`, by this share of its first pivot, one with as many zeros as its defect.
[[nodiscard]] Matrix solve(Matrix A, Matrix b, Real singular = 1e-16L);
/// M^-1 W under the constraints W_S: how velocities respond to impulses. Zero where M is singular and nothing holds.
[[nodiscard]] Matrix response_to(const SparseMatrix& M, const SparseMatrix& W_S, const Matrix& W);
/// w'M^-1 w under the constraints of each column w of W.
[[nodiscard]] Vector squares_by_response(const SparseMatrix& M, const SparseMatrix& W_S, const SparseMatrix& W);
/// Velocities that neither M nor a column of W_S connects with others.
[[nodiscard]] std::vector<std::vector<Eigen::Index>> connected_parts(const SparseMatrix& M, const SparseMatrix& W_S);
/// The smallest change of velocities by the kinetic energy with W_S'x = b; rows that depend on others are left out.
[[nodiscard]] Vector smallest_change(const SparseMatrix& M, const SparseMatrix& W_S, const Vector& b);
/// The largest entry of a column, without its sign.
[[nodiscard]] Real largest_of(const SparseMatrix& W, Eigen::Index column);

}  // namespace tippe::verify
