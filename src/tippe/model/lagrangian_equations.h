// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/core/sparse_ldlt.h"
#include "tippe/model/lagrangian.h"

namespace tippe {

/// gamma = sum_j W_j u_j + chi, free of the rates dq/dt. Structural zeros of W are left out.
struct VelocityRow {
  struct Entry {
    int velocity;
    Expr value;
  };
  Expr gamma;
  std::vector<Entry> W;
  Expr chi;
};

/// The expressions of Lagrange's equations of a description, see make_lagrangian_system(). All in the inputs q, u, t: the rates
/// are replaced.
class LagrangianEquations {
 public:
  /// Throws ModelError as make_lagrangian_system() does.
  explicit LagrangianEquations(const LagrangianDescription& description);

  std::vector<LowerEntry> mass_pattern;  // where M can be non-zero, lower triangle
  std::vector<Expr> mass;
  std::vector<Expr> h, damping, applied;  // one per velocity; h is their sum with the inertia and potential forces
  std::vector<Expr> classical;            // h without the forces of inertia
  Expr drive_power, damping_on_drift;
  std::vector<Expr> drive_momentum;  // empty without a drift of the coordinates
  Expr kinetic, potential;
  Expr drive;                                  // 2T - dq/dt . p, the constant 0 if T is homogeneous
  std::vector<Expr> rates;                     // dq/dt
  std::vector<std::vector<VelocityRow>> laws;  // per law its rows
  std::vector<VelocityRow> constraints;        // one per constraint
  std::vector<Expr> constraint_drift;          // d gamma/dt at constant u
  std::vector<Expr>
      constraint_position_size;  // of what g is the sum of: its round-off is relative to this; 0 for velocity rows
  std::vector<Expr> constraint_drift_size;  // likewise

  /// See MotionSeries::Massless.
  struct Massless {
    int velocity;
    bool of_positions;
    Expr force;
    VelocityRow row;
  };
  [[nodiscard]] std::vector<Massless> massless();

  /// d/dt at constant u of an expression in q, t and u.
  Expr rate_of(Expr y) { return along_motion_(y); }

 private:
  void read_rates();
  /// Of each coordinate.
  struct CoordinateForces {
    std::vector<Expr> momentum;             // dT/d(dq/dt)
    std::vector<Expr> V_q;                  // dV/dq
    std::vector<Expr> conservative, given;  // forces
    std::vector<Expr> drift;                // beta, the rate at u = 0
    bool drifts = false;                    // some drift is not the constant 0
  };
  void make_dynamics();
  void check_energies() const;
  void make_mass();
  CoordinateForces make_coordinate_forces();
  void project(CoordinateForces& on);
  void add_damping(const DampingDescription& matrix);
  void add_applied_forces();
  void make_drive_power(const CoordinateForces& on);
  void make_drive(const CoordinateForces& on);
  std::vector<Expr> dense_gradient(Expr y, int first, int last);
  std::vector<Expr> by_velocity(Expr y);
  void make_law(const LawDescription& law);
  void make_constraint(const ConstraintDescription& constraint);
  VelocityRow position_row(Expr position, const std::string& subject, const std::string& what);
  VelocityRow velocity_row(Expr velocity, const std::string& subject, const std::string& key);
  VelocityRow make_row(Expr gamma);
  Expr along_positions(Expr y);
  /// The name of the first velocity or rate that y contains, or "".
  [[nodiscard]] std::string velocity_in(Expr y) const;
  void require_no_velocity(Expr y, const std::string& subject, const std::string& what) const;

  const LagrangianDescription& description_;
  ExprGraph& graph_;
  LagrangianInputs inputs_;
  Substitution in_velocities_;      // dq/dt -> F u + beta
  Substitution at_zero_velocity_;   // u -> 0
  ForwardDerivative along_motion_;  // q -> dq/dt, t -> 1
};

}  // namespace tippe
