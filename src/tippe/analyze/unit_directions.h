// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/core/kinetic_metric.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// The directions of all forces free of units: in the kinetic metric, each contact measured in the force along its normal that has length 1
/// there. Normal and friction of a contact share this unit, so that mu is what it was. With a singular M the metric is that of M
/// with the directions as rows.
class UnitDirections {
 public:
  explicit UnitDirections(const AccelerationProblem& problem);

  /// One column per force component, in the order of the ForceLayout: scale(M a + F) = columns * x, force_units * x the forces.
  [[nodiscard]] const Eigen::MatrixXd& columns() const { return columns_; }
  /// One per component: what a force of 1 in free units is.
  [[nodiscard]] const Eigen::VectorXd& force_units() const { return force_units_; }
  [[nodiscard]] Eigen::VectorXd scale(const Eigen::VectorXd& load) const { return metric_.scale(load); }
  /// The motion d with D'd = columns'u, apart from the units, and load'd = scale(load)'u; largest absolute entry 1.
  [[nodiscard]] Eigen::VectorXd motion_of(const Eigen::VectorXd& u) const;
  /// The problem with each contact and constraint in its unit: the same accelerations.
  [[nodiscard]] AccelerationProblem in_unit_rows(AccelerationProblem problem) const;
  /// A motion without inertia that no force acts along; empty if there is none.
  [[nodiscard]] const Eigen::VectorXd& massless_direction() const { return massless_direction_; }

 private:
  KineticMetric metric_;
  Eigen::VectorXd massless_direction_;
  Eigen::MatrixXd columns_;
  Eigen::VectorXd force_units_;
};

}  // namespace tippe
