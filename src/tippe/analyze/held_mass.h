// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/rank_decision.h"

namespace tippe {

/// The inertia of a system under equalities C'x = r, of any rank, in kinetic coordinates:
///
///   E = M + s C C' = L L' ,   Q an orthonormal basis of the range of L^-1 C ,   M_c^-1 = L^-T (I - Q Q') L^-1
///
/// s = 0 where M is definite. Else the equalities must hold what has no mass; on their null space E is M.
class HeldMass {
 public:
  HeldMass(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C);

  /// False: some direction has no mass and is held by no equality. Nothing else may be asked then but that direction.
  [[nodiscard]] bool definite() const { return massless_.size() == 0; }
  [[nodiscard]] const Eigen::VectorXd& massless_direction() const { return massless_; }

  /// L^-1 x: for columns of directions.
  [[nodiscard]] Eigen::MatrixXd kinetic(const Eigen::MatrixXd& directions) const;
  /// (I - Q Q') L^-1 x, so that  x'M_c^-1 y  is the dot product of two columns; zero where only round-off is left.
  [[nodiscard]] Eigen::MatrixXd kinetic_held(const Eigen::MatrixXd& directions) const;
  /// L^-T u: the motion with these kinetic coordinates.
  [[nodiscard]] Eigen::VectorXd motion(const Eigen::VectorXd& kinetic) const;
  /// The smallest motion x in the kinetic metric with C'x = r, as well as that can be.
  [[nodiscard]] Eigen::VectorXd smallest_motion(const Eigen::VectorXd& r) const;

 private:
  bool factorize(const Eigen::MatrixXd& E);

  Eigen::MatrixXd L_, C_, Q_;
  Eigen::VectorXd massless_;
};

}  // namespace tippe
