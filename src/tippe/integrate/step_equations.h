// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/expr/program.h"
#include "tippe/integrate/friction_acts_on.h"
#include "tippe/model/lagrangian.h"

namespace tippe {

class StepWriter;
struct LawRow;

/// How a step of the conserving and consistent schemes discretises the motion between impacts.
enum class MotionScheme {
  kPositions,  // Moeller (5.31): constant M, constraints on positions only
  kGgl,        // (5.49), (5.107), (5.158): constant M, constraints on positions and velocities
  kMidpoint,   // (5.58) with M, G and the kappa terms about the middle of the step: any M(q), second order
  kFrozen,     // (5.58) as printed, M, G and H at the beginning of the step: any M(q), first order
  kMomentum,   // kGgl with unit quaternions that turn by 2 atan(|s_w|/2), forces through the axes: angular momentum is kept
};

/// Where the directions of friction are taken, and on what friction acts.
struct FrictionScheme {
  bool directions_at_middle = true;  // else at the beginning of the step
  FrictionActsOn acts_on = FrictionActsOn::kAutomatic;
};

/// What the text prints otherwise, for study.
struct StepVariants {
  bool map_at_begin = false;           // F and H at qB and uB, (5.107) as printed: first order where F varies
  bool gap_gradient_at_begin = false;  // W_N = F'(dg/dq)' at qB, (5.96), (5.142), and xi_N = W_N's/dt + chi_N
};

/// The equations of one step from qB, uB at tB to qE, uE at tE = tB + dt, compiled together with their derivatives. With F the
/// kinematic map dq/dt = F(q) u, m the middle of the step, um = (uB + uE)/2, s the path of the step in velocities, impulses lambda
/// and kappa of the constraints and Lambda of the force laws, and D/Dq the discrete derivative:
///
///   M(q*)(uE - uB) + H(u*, q*) s + dt (F'(DT/Dq + DV/Dq)' + dD/du(m, s/dt) - f(m, s/dt))
///                                        - W lambda - F'(Dgamma/Dq)' kappa - sum W_i Lambda_i = 0
///   M(q*)(-s + dt um) - (dgamma/du(q*))' kappa = 0
///   qE - qB = F(qm) s
///   g(qE, tE) = 0      or, nonholonomic,  a(m) s + dt chi(m) = 0
///   gamma(uE, qE, tE) = 0
///   xi_i in N_{C_i}(-Lambda_i)
///
///   W = F'(Dg/Dq(qB, qE))' or a(m)';   explicit times in the forces: the middle of the step
///   xi_i = (g_i(qE) - g_i(qB))/dt with W_i = F'(Dg_i/Dq)' for the normal of a contact, Moeller (5.116), (5.143); else
///   xi_i = W_i's/dt + chi_i with W_i at the middle (unit quaternions normalised) or the beginning, or
///   xi_i = W_i(qE)'uE + chi_i(qE, tE) where friction acts on the end velocity
///   kMidpoint:  q* = m, u* = um,  DT/Dq = (DT/Dq(uB; qB, m) + DT/Dq(uE; m, qE))/2, Dgamma/Dq likewise
///   others:     q* = qB,          DT/Dq = DT/Dq(uE; qB, qE), Dgamma/Dq likewise; H at the middle but for kFrozen
///
/// The first equation times s plus the second times uE - uB is the change of T + V: see docs/theory/consistent.md.
/// Where kappa is absent (kPositions, or no constraints) the second equation is s = dt um and s is eliminated; also where M is
/// constant with blocks that are easily inverted. Coordinates are eliminated where F has constant entries, and unit quaternions
/// by A_E = A_B (1 + X)(1 - X)^-1, X = (0, s_w/4).
///
/// Unknowns: uE, s (unless eliminated), qE - qB of coordinates that are not, lambda, kappa (unless absent); the rows stand in the
/// same order: first equation, second, third, positions, velocities.
class StepEquations {
 public:
  /// Grows the graph of the description. The description is one that the scheme fits (find_misfit in consistent.h).
  StepEquations(const LagrangianDescription& description, MotionScheme scheme, const FrictionScheme& friction,
                const StepVariants& variants = {});

  /// Where the inputs of a step stand in the memory of the program. `law`: impulses of the law whose functions are evaluated.
  struct Inputs {
    int q_B, u_B, t_B, dt, unknowns, law, count;
  };
  struct Entry {
    int row, column;
  };
  /// Sizes and places of the unknowns and rows.
  struct Layout {
    int velocities = 0;
    int paths = 0;        // velocities, or 0 where s is eliminated
    int coordinates = 0;  // that are not eliminated
    int constraints = 0;
    bool has_kappa = false;
    [[nodiscard]] int path_rows() const { return velocities; }
    [[nodiscard]] int coordinate_rows() const { return velocities + paths; }
    [[nodiscard]] int position_rows() const { return coordinate_rows() + coordinates; }  // of g = 0; also unknowns lambda
    [[nodiscard]] int velocity_rows() const { return position_rows() + constraints; }    // of gamma = 0; also unknowns kappa
    [[nodiscard]] int unknowns() const { return velocity_rows() + (has_kappa ? constraints : 0); }
  };
  /// The functions of one force law. Columns of W have a fixed pattern.
  struct Law {
    int values = -1;  // entries of W by columns, then xi and then chi of every row
    int slopes = -1;  // the entries `impulse_slopes`, then `path_slopes`
    std::vector<int> column_start{0}, row;
    std::vector<int> impulse_slopes;  // d(W Lambda)/d unknown: places in the pattern of the step
    std::vector<Entry> path_slopes;   // d xi/d unknown: row of the law, unknown
  };

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] const Inputs& inputs() const { return inputs_; }
  [[nodiscard]] const ExprProgram& program() const { return program_; }

  /// Functions of the program. The residual is that of the equations without Lambda.
  [[nodiscard]] int residual() const { return residual_; }
  [[nodiscard]] int jacobian() const { return jacobian_; }  // values of the first entries of pattern()
  /// All entries, those that only laws touch last.
  [[nodiscard]] const std::vector<Entry>& pattern() const { return pattern_; }
  [[nodiscard]] const std::vector<Law>& laws() const { return laws_; }
  /// The same with friction on the end velocity, where FrictionScheme leaves the choice to each step; else empty.
  [[nodiscard]] const std::vector<Law>& laws_on_end_velocity() const { return laws_on_end_velocity_; }
  /// qE and s.
  [[nodiscard]] int end() const { return end_; }
  /// W lambda + F'(Dgamma/Dq)' kappa: what the constraints do to the velocities.
  [[nodiscard]] int constraint_impulse() const { return constraint_impulse_; }
  /// J  what damping took and what given forces, explicit times and moving constraints did.
  [[nodiscard]] int energy() const { return energy_; }

 private:
  StepEquations(const LagrangianDescription& description, StepWriter writer);
  template <class PlaceOf>
  Law compile_law(const std::vector<LawRow>& rows, ExprGraph& graph, PlaceOf&& place_of);

  Layout layout_;
  Inputs inputs_;
  ExprProgram program_;
  std::vector<Entry> pattern_;
  std::vector<Law> laws_, laws_on_end_velocity_;
  int residual_ = -1, jacobian_ = -1, energy_ = -1, end_ = -1, constraint_impulse_ = -1;
};

}  // namespace tippe
