// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tippe/expr/graph.h"
#include "tippe/model/system.h"

namespace tippe {

/// The inputs of a Lagrangian system's expressions: coordinates q_i, their rates dq_i/dt, t, and the generalized velocities u_j
/// if they are chosen otherwise than u = dq/dt.
struct LagrangianInputs {
  int n;        // coordinates
  int own = 0;  // velocities of one's own choice; 0: the rates are the velocities
  [[nodiscard]] int q(int i) const { return i; }
  [[nodiscard]] int rate(int i) const { return n + i; }
  [[nodiscard]] int t() const { return 2 * n; }
  [[nodiscard]] int u(int j) const { return own > 0 ? 2 * n + 1 + j : n + j; }
  [[nodiscard]] int nu() const { return own > 0 ? own : n; }
  [[nodiscard]] int count() const { return 2 * n + 1 + own; }
};

/// A force law with its expressions.
struct LawDescription {
  ForceLaw law;
  Expr gap;  // contacts: g(q, t)
  std::vector<Expr>
      velocities;  // contacts: one per friction direction, then the spin; others: the one velocity. Affine in u
};

/// A bilateral constraint with its expression: one of the two.
struct ConstraintDescription {
  Constraint constraint;
  Expr position;  // holonomic: g(q, t) = 0
  Expr velocity;  // Pfaffian: gamma(q, dq/dt, t) = 0, affine in the velocities
};

/// Damping by a matrix, symmetric or not: the force -sum_ik (dv_i/du)' D_ik v_k of velocities v that are affine in u.
struct DampingDescription {
  std::vector<Expr> velocities;           // v(q, dq/dt, t)
  std::vector<std::vector<Expr>> matrix;  // D(q, dq/dt, t), square; D + D' positive semidefinite, so that it takes energy
  std::string key;                        // in a scene: "damping[0]"
};

/// A given force f along a velocity v that is affine in u: the generalized force (dv/du)' f. A force at a point of a body has the three
/// components of the velocity of the point, a torque those of the angular velocity.
struct AppliedForce {
  Expr velocity;  // v(q, dq/dt, u, t)
  Expr force;     // f(q, dq/dt, u, t)
};

/// Part of the inertia of a rigid body, in velocities of its own: T = u'Mu/2 with constant M, and the gyroscopic forces -H(u, q) u,
/// H skew, Moeller (5.132), (5.85).
struct BodyInertia {
  Expr kinetic;  // T(u); absent: no bodies
  struct GyroEntry {
    int row, column;  // velocities
    Expr value;       // of the inputs q and u
  };
  std::vector<GyroEntry> gyro;  // H by its non-zero entries, both halves
};

/// Coordinates a .. a + 3 are a unit quaternion whose rate is dA/dt = A (0, w)/2 with the velocities w .. w + 2, Moeller (4.119).
struct UnitQuaternion {
  int first_coordinate;
  int first_velocity;
};

/// A system in generalized coordinates. All expressions live in one graph, which the description keeps alive, and may depend
/// on t.
struct LagrangianDescription {
  std::shared_ptr<ExprGraph> graph = std::make_shared<ExprGraph>();
  std::vector<std::string> coordinates;
  std::vector<std::string> velocities;  // names of velocities u of one's own choice; none: u = dq/dt
  std::vector<Expr> rates;              // with them, one per coordinate: dq_i/dt = (F(q,t) u + beta(q,t))_i
  std::vector<std::string> rate_names;  // without them: names of the velocities u_i = dq_i/dt; none: x' for the coordinate x
  Expr kinetic;                         // T(q, dq/dt, t), at most quadratic in dq/dt
  BodyInertia bodies;                   // beside `kinetic`
  std::vector<UnitQuaternion> unit_quaternions;
  std::vector<int> input_coordinates;                // coordinates that somebody sets; own velocities, and their rates are 0
  Expr potential;                                    // V(q, t)
  Expr damping;                                      // Rayleigh function D(q, dq/dt, t): force -dD/d(dq/dt); may be absent
  std::vector<DampingDescription> damping_matrices;  // beside `damping`
  std::vector<Expr> forces;                  // generalized forces f(q, dq/dt, t), one per coordinate; absent ones are zero
  std::vector<AppliedForce> applied_forces;  // beside `forces`
  std::vector<ConstraintDescription> constraints;
  std::vector<LawDescription> laws;
  ImpactLaw impact_law = ImpactLaw::kNewton;
  std::optional<RestitutionMatrix> restitution_matrix;

  [[nodiscard]] LagrangianInputs inputs() const {
    return {static_cast<int>(coordinates.size()), static_cast<int>(velocities.size())};
  }
  /// Replaces the rates dq/dt by F u + beta; changes nothing where u = dq/dt.
  [[nodiscard]] Substitution rates_by_velocities() const;
};

/// Lagrange's equations of the second kind, made from the expressions by automatic differentiation:
///
///   M = d2T/du2,   h = dT/dq - (dp/dq) u - dp/dt - dV/dq - dD/du + f,   p = dT/du     (damping matrices beside dD/du)
///   contact: W_N = dg/dq, chi_N = dg/dt;  velocity v(q, u, t): W = dv/du, chi = v at u = 0
///
/// With velocities of one's own choice they are projected on the admissible motions (Jourdain), Moeller (3.30):
///
///   M = F'(d2T/d(dq/dt)2) F,   h = F'(dT/dq - dp/dt at constant u - dV/dq + f) - dD/du,   W = F'dg/dq,  chi = dg/dt + dg/dq beta
///
/// Bodies add d2T/du2 to M and -H u to h.
///
/// Throws ModelError if T is not quadratic in the rates or contains own velocities, V or a gap depends on velocities, a velocity or
/// a rate is not affine in them, or if the restitution matrix does not fit the laws.
[[nodiscard]] std::unique_ptr<const System> make_lagrangian_system(LagrangianDescription description);

}  // namespace tippe
