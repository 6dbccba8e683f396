// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/expr/program.h"
#include "tippe/model/lagrangian.h"

namespace tippe {

/// The energy-conserving schemes of Moeller, sections 5.2.2 and 5.2.3.
enum class ConservingScheme {
  kPositions,  // (5.31): constant M, constraints on positions only
  kGgl,        // (5.49): constant M, constraints on positions and velocities
  kMidpoint,   // (5.58) with M, G and the kappa terms about the middle of the step: any M(q), second order
  kFrozen,     // (5.58) as printed, M and G at the beginning of the step: any M(q), first order
};

/// The equations of one step from qB, uB at tB to qE, uE at tE = tB + dt, compiled together with their derivatives. With m the
/// middle of the step, dq = qE - qB, impulses lambda and kappa, and D/Dq the discrete derivative:
///
///   M(q*)(uE - uB) + G(u*, q*) dq + dt (DT/Dq + DV/Dq + dD/du(m, dq/dt) - f(m, dq/dt))' - W lambda - (Dgamma/Dq)' kappa = 0
///   M(q*)(-dq + dt/2 (uB + uE)) - (dgamma/du(q*))' kappa = 0
///   g(qE, tE) = 0      or, nonholonomic,  a(m) dq + dt chi(m) = 0
///   gamma(uE, qE, tE) = 0
///
///   W = (Dg/Dq(qB, qE))' or a(m)';   explicit times in the forces: the middle of the step
///   kMidpoint:  q* = m, u* = (uB + uE)/2,  DT/Dq = (DT/Dq(uB; qB, m) + DT/Dq(uE; m, qE))/2, Dgamma/Dq likewise
///   others:     q* = qB, u* = uB,          DT/Dq = DT/Dq(uE; qB, qE), Dgamma/Dq likewise
///
/// The first equation times dq plus the second times uE - uB is the change of T + V: see docs/theory/conserving.md.
/// Where kappa is absent (kPositions, or no constraints) the second equation is dq = dt/2 (uB + uE) and qE is eliminated.
///
/// Unknowns: uE, qE (unless eliminated), lambda, kappa (unless absent); the rows stand in the same order: first equation, second
/// equation, positions, velocities.
class ConservingEquations {
 public:
  /// Grows the graph of the description. The description is one that the scheme fits (find_conserving_misfit).
  ConservingEquations(const LagrangianDescription& description, ConservingScheme scheme);

  /// Where the inputs of a step stand in the memory of the program.
  struct Inputs {
    int q_B, u_B, t_B, dt, unknowns, count;
  };
  struct Entry {
    int row, column;
  };

  [[nodiscard]] int coordinates() const { return n_; }
  [[nodiscard]] int constraints() const { return m_; }
  [[nodiscard]] int unknowns() const { return velocity_rows_ + (has_kappa_ ? m_ : 0); }
  [[nodiscard]] bool eliminates_positions() const { return !has_kappa_; }
  [[nodiscard]] int position_rows() const { return position_rows_; }  // first row of g = 0, first unknown of lambda
  [[nodiscard]] int velocity_rows() const { return velocity_rows_; }  // first row of gamma = 0, first unknown of kappa
  [[nodiscard]] const Inputs& inputs() const { return inputs_; }
  [[nodiscard]] const ExprProgram& program() const { return program_; }

  /// Functions of the program.
  [[nodiscard]] int residual() const { return residual_; }
  [[nodiscard]] int jacobian() const { return jacobian_; }  // values in the order of pattern()
  [[nodiscard]] const std::vector<Entry>& pattern() const { return pattern_; }
  /// One number per row: sum of |d row/dz| |z| over all inputs z of the step. An error of this times 2^-52 is round-off.
  [[nodiscard]] int sizes() const { return sizes_; }
  /// J  what damping took and what given forces, explicit times and moving constraints did.
  [[nodiscard]] int energy() const { return energy_; }

 private:
  int n_, m_;
  bool has_kappa_;
  int position_rows_, velocity_rows_;
  Inputs inputs_;
  ExprProgram program_;
  std::vector<Entry> pattern_;
  int residual_ = -1, jacobian_ = -1, sizes_ = -1, energy_ = -1;
};

}  // namespace tippe
