// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <variant>
#include <vector>

#include "tippe/problem/delassus.h"
#include "tippe/sets/contensou.h"
#include "tippe/sets/convex_set.h"

namespace tippe {

/// A unilateral contact with Coulomb friction, one block: normal first, then one or two tangents. The normal
/// part acts as HalfLine; -Lambda_T lies in the interval, disc or ellipse with semi-axes mu (Lambda_N + extra_normal).
struct CoulombContact {
  double mu1;
  double mu2;                 // equal to mu1 unless the friction is anisotropic; not used with one tangent
  double extra_normal = 0.0;  // N s  loads the friction beside Lambda_N: Poisson's law in the expansion phase

  [[nodiscard]] bool isotropic() const { return mu1 == mu2; }
};

/// A unilateral contact with Coulomb-Contensou friction, one block: normal, two tangents, drilling. -(Lambda_T, Lambda_tau) lies in
/// the drilling set of size mu Lambda_N. Solvers and the residual work in the variables scaled by A = diag(1, 1, 1, Rbar), in which
/// force and moment have the same unit.
struct DrillingContact {
  double mu;
  double Rbar;  // m  mean drilling radius, > 0
  DrillingSet set;
  double extra_normal = 0.0;  // N s  as in CoulombContact
};

/// Friction in a plane whose limit is given, one block of two rows: -Lambda lies in the ellipse with these semi-axes.
struct PlaneFriction {
  double limit1;  // N s
  double limit2;
};

/// The same with drilling, one block of three rows: -(Lambda_T, Lambda_tau) lies in the drilling set of this size.
struct DrillingFriction {
  double limit;  // N s
  double Rbar;   // m  mean drilling radius, > 0
  DrillingSet set;
};

/// What a law demands of one block: xi_i in N_{C_i}(-Lambda_i).
using LawSet = std::variant<HalfLine, Interval, CoulombContact, DrillingContact, PlaneFriction, DrillingFriction>;
inline constexpr int kLargestBlock = 4;  // rows

/// The problem of every step and every instant, one block i per law (Moeller (2.35), (5.7)):
///
///   xi_i = sum_j G_ij Lambda_j + c_i ,     xi_i in N_{C_i}(-Lambda_i)
///
/// Plain data: knows no bodies and no mechanics.
struct InclusionProblem {
  /// Block sizes are those of the laws: 1 HalfLine, Interval; 2, 3 CoulombContact; 4 DrillingContact; 2 PlaneFriction; 3 DrillingFriction.
  Delassus G;
  KeptVector c;              // velocities that would result without the Lambda, with the impact law in it
  std::vector<LawSet> laws;  // one per block of G
  /// Which independent part of a system each block belongs to, from 0; empty: all belong together. Parts do not act on each
  /// other, so each is a problem of its own and is judged by its own scale.
  std::vector<int> part;

  [[nodiscard]] int rows() const { return G.rows(); }
};

/// Empty if the sizes fit together and the laws are possible; else what does not, "block 2 has 3 rows, its law takes 1". Numbers in G
/// and c may be anything.
[[nodiscard]] std::string invalid_reason(const InclusionProblem& problem);

}  // namespace tippe
