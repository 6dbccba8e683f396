// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "tippe/integrate/decomposed_inertia.h"
#include "tippe/integrate/discrete_derivative.h"
#include "tippe/integrate/step_equations.h"
#include "tippe/model/lagrangian_equations.h"

namespace tippe {

/// One row of a force law in a step.
struct LawRow {
  std::vector<VelocityRow::Entry> W;
  Expr xi;
  Expr chi;  // the part of xi that does not follow from the path: moving supports
};

/// Writes the equations of a step down as expressions; the names are those of StepEquations.
class StepWriter {
 public:
  using Vector = std::vector<Expr>;

  StepWriter(const LagrangianDescription& description, MotionScheme scheme, const FrictionScheme& friction,
             const StepVariants& variants = {});

  [[nodiscard]] const StepEquations::Layout& layout() const { return layout_; }
  [[nodiscard]] const StepEquations::Inputs& inputs() const { return inputs_; }

  /// All rows, without the impulses of laws.
  Vector write_rows();
  /// qE, then s.
  Vector write_end();
  /// What damping took, what forces and prescribed motions did.
  Vector write_energy();
  /// After write_rows().
  [[nodiscard]] Vector write_constraint_impulse();
  /// `on_end_velocity`: what its friction acts on, else the displacement.
  std::vector<LawRow> write_law(size_t law, bool on_end_velocity);
  [[nodiscard]] FrictionActsOn friction_acts_on() const { return friction_.acts_on; }

 private:
  Expr number(double value) { return graph_.constant(value); }
  Vector inputs_from(int first, int count);
  template <class F>
  Vector each(int count, F&& make) {
    Vector values;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) values.push_back(make(i));
    return values;
  }
  void find_map();
  void find_inverse_mass();
  void number_unknowns();
  void place_inputs();
  void write_path();
  void write_coordinates();
  void write_quaternion(const UnitQuaternion& quaternion);
  void make_orientations();
  /// factor times the discrete derivative of f over the step, on coordinates, and what acts through axes on velocities.
  void add_discrete(Expr factor, Expr f, Vector& on_coordinates, Vector& on_velocities);
  /// f(qE) - f(qB) at fixed times.
  Expr change_of(Expr f);
  /// Of what acts on a body in the middle of its turn: the moment that changes its angular momentum by as much.
  void turn_moments(Vector& on_velocities);
  [[nodiscard]] bool acts_through_axes(Expr f) const;
  Vector normalized_middle();
  void make_segments();

  /// dq/dt at velocities u, of those coordinates for which F is constant; nothing for the others.
  Vector rates_at(const Vector& u);
  /// What stands for the inputs behind q, at velocities u; `direction` for the inputs w behind all others.
  Vector others(const Vector& u, Expr t, const Vector& direction = {});
  Substitution at(const Vector& q, const Vector& u, Expr t, const Vector& direction = {});
  /// velocities += F(q)'forces, with F where `place` puts it.
  void add_mapped(const Vector& forces, Substitution& place, Vector& velocities);
  [[nodiscard]] bool depends_on_t(Expr y) const;

  void add_inertia(Vector& on_coordinates, Vector& on_velocities, Vector& kinematics);
  void add_body_inertia(const BodyInertia& inertia, Vector& on_velocities, Vector& kinematics);
  void write_normal(const LawDescription& description, const VelocityRow& at_place, LawRow& row);
  void add_forces(Vector& on_coordinates, Vector& on_velocities);
  void add_constraints(Vector& rows, Vector& kinematics);
  void add_velocity_levels(Vector& rows, Vector& kinematics);

  const LagrangianDescription& description_;
  MotionScheme scheme_;
  FrictionScheme friction_;
  StepVariants variants_;
  ExprGraph& graph_;
  LagrangianInputs lagrangian_;
  int n_, nu_;
  LagrangianEquations equations_;
  std::optional<BodyInertia> decomposed_;  // of T, where it has velocities of its own in which M is constant
  StepEquations::Layout layout_;
  StepEquations::Inputs inputs_{};

  std::vector<std::vector<VelocityRow::Entry>> F_;  // of each coordinate
  std::vector<char> constant_row_, quaternion_row_;
  std::vector<std::vector<std::pair<int, double>>> inverse_mass_;  // rows of M^-1; empty: s is not eliminated by it

  Vector q_B, u_B, q_E, u_E, dq, q_M, u_M, s, v;  // u_M = (uB + uE)/2, v = s/dt
  Expr dt, t_B, t_M, t_E;
  Vector lambda, kappa;
  Vector q_star, u_star;  // of M; H takes q_gyro, u_gyro
  Vector q_gyro, u_gyro;
  Vector q_map;  // of F
  /// A body with a unit quaternion, of kMomentum.
  struct Orientation {
    UnitQuaternion quaternion;
    std::array<Expr, 3> turn;                                 // theta = s_w
    Expr c;                                                   // sqrt(1 + |theta|^2/4)
    std::array<std::array<Expr, 3>, 3> begin, delta, middle;  // axes at qB, their change, their mean
  };
  std::vector<Orientation> orientations_;
  std::optional<Substitution> by_axes_;        // into expressions whose inputs behind q are the axes of all orientations
  std::vector<DiscreteDerivative> over_axes_;  // one
  std::vector<Difference> change_over_axes_;   // one
  Vector constraint_on_coordinates, constraint_on_velocities;  // impulses
  std::vector<DiscreteDerivative> over_step_;                  // of V and g: one
  std::vector<DiscreteDerivative> of_motion_;                  // of T and gamma: one, or two halves
  std::vector<Difference> change_over_step_;                   // one
};

}  // namespace tippe
