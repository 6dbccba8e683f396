// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tippe/expr/graph.h"
#include "tippe/model/system.h"

namespace tippe {

/// The inputs of a Lagrangian system's expressions: q_0 .. q_{n-1}, u_0 .. u_{n-1}, t.
struct LagrangianInputs {
  int n;
  [[nodiscard]] int q(int i) const { return i; }
  [[nodiscard]] int u(int i) const { return n + i; }
  [[nodiscard]] int t() const { return 2 * n; }
  [[nodiscard]] int count() const { return 2 * n + 1; }
};

/// A force law with its expressions.
struct LawDescription {
  ForceLaw law;
  Expr gap;  // contacts: g(q, t)
  std::vector<Expr>
      velocities;  // contacts: one per friction direction, then the spin; others: the one velocity. Affine in u
};

/// A system in generalized coordinates with u = dq/dt. All expressions live in one graph and may depend on t.
struct LagrangianDescription {
  std::vector<std::string> coordinates;
  Expr kinetic;              // T(q, u, t), at most quadratic in u
  Expr potential;            // V(q, t)
  Expr damping;              // Rayleigh function D(q, u, t): force -dD/du; may be absent
  std::vector<Expr> forces;  // generalized forces f(q, u, t), one per coordinate; absent ones are zero
  std::vector<LawDescription> laws;
  ImpactLaw impact_law = ImpactLaw::kNewton;
};

/// Lagrange's equations of the second kind, made from the expressions by automatic differentiation:
///
///   M = d2T/du2,   h = dT/dq - (dp/dq) u - dp/dt - dV/dq - dD/du + f,   p = dT/du
///   contact: W_N = dg/dq, chi_N = dg/dt;  velocity v(q, u, t): W = dv/du, chi = v at u = 0
///
/// Throws ModelError if T is not quadratic in u, V or a gap depends on u, a velocity is not affine in u.
[[nodiscard]] std::unique_ptr<const System> make_lagrangian_system(const LagrangianDescription& description);

}  // namespace tippe
