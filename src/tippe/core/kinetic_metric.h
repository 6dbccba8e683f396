// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Forces measured by the motion that they cause: |f| = sqrt(f'M^-1 f). Ranks and angles in this metric do not depend on the units of the
/// coordinates. With a singular M the metric is that of E = M + s C C', s = tr M / tr CC', which agrees with M on every motion d that
/// the rows C leave free, C'd = 0.
class KineticMetric {
 public:
  /// `rows`: C, one column each; used only if M is singular.
  KineticMetric(const Eigen::MatrixXd& M, const Eigen::MatrixXd& rows);
  /// The same with a weight for each row, E = M + C S C': those of core/row_weights.h depend on no units.
  KineticMetric(const Eigen::MatrixXd& M, const Eigen::MatrixXd& rows, const Eigen::VectorXd& weights);

  [[nodiscard]] bool definite() const { return definite_; }
  /// Whether M, or M with the rows, gives every direction an inertia. If not, the other calls are forbidden.
  [[nodiscard]] bool holds() const { return holds_; }
  /// s in E = M + s C C', where one weight is that of all rows: 0 if M is definite.
  [[nodiscard]] double row_weight() const { return row_weight_; }
  /// If it does not hold: a direction without inertia that no row holds; largest entry 1.
  [[nodiscard]] const Eigen::VectorXd& free_direction() const { return free_direction_; }

  /// L^-1 columns, E = L L': the columns become vectors with the ordinary length.
  [[nodiscard]] Eigen::MatrixXd scale(const Eigen::MatrixXd& columns) const;
  /// L^-T u: from there back to accelerations.
  [[nodiscard]] Eigen::VectorXd to_acceleration(const Eigen::VectorXd& u) const;

 private:
  bool factorize(const Eigen::MatrixXd& E);

  bool definite_ = false, holds_ = false;
  double row_weight_ = 0.0;
  Eigen::MatrixXd L_;
  Eigen::VectorXd free_direction_;
};

/// Divided by its entry of largest size, so that this becomes 1.
[[nodiscard]] Eigen::VectorXd with_largest_entry_one(const Eigen::VectorXd& direction);

}  // namespace tippe
