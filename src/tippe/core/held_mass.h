// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/kinetic_metric.h"

namespace tippe {

/// The inertia of a system under equalities C'x = r, of any rank, in kinetic coordinates: E = L L' of the KineticMetric with the weights of
/// core/row_weights.h, Q an orthonormal basis of the range of L^-1 C, and M_c^-1 = L^-T (I - Q Q') L^-1. For the small dense problems of
/// an instant; ConstrainedMass is the same for the steps of a simulation, with patterns that stay and no allocation.
class HeldMass {
 public:
  HeldMass(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C);

  /// False: some direction has no mass and is held by no equality. Nothing else may be asked then but that direction.
  [[nodiscard]] bool definite() const { return metric_.holds(); }
  [[nodiscard]] const Eigen::VectorXd& massless_direction() const { return metric_.free_direction(); }

  /// M alone is positive definite.
  [[nodiscard]] bool mass_definite() const { return metric_.definite(); }
  /// Of C, on unit columns in the kinetic metric.
  [[nodiscard]] int rank() const { return static_cast<int>(Q_.cols()); }

  /// L^-1 x: for columns of directions.
  [[nodiscard]] Eigen::MatrixXd kinetic(const Eigen::MatrixXd& directions) const { return metric_.scale(directions); }
  /// (I - Q Q') x: what the equalities leave of kinetic columns; applied twice, so that nothing of the equalities is left.
  [[nodiscard]] Eigen::MatrixXd left_free(const Eigen::MatrixXd& kinetic_columns) const;
  /// (I - Q Q') L^-1 x, so that  x'M_c^-1 y  is the dot product of two columns; zero where only round-off is left.
  [[nodiscard]] Eigen::MatrixXd kinetic_held(const Eigen::MatrixXd& directions) const;
  /// L^-T u: the motion with these kinetic coordinates.
  [[nodiscard]] Eigen::VectorXd motion(const Eigen::VectorXd& kinetic) const { return metric_.to_acceleration(kinetic); }
  /// The smallest motion x in the kinetic metric with C'x = r, as well as that can be.
  [[nodiscard]] Eigen::VectorXd smallest_motion(const Eigen::VectorXd& r) const;
  /// Q.
  [[nodiscard]] const Eigen::MatrixXd& range() const { return Q_; }

 private:
  KineticMetric metric_;
  Eigen::MatrixXd C_, Q_;
};

}  // namespace tippe
