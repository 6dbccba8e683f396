// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tippe {

/// The primal simplex method on { x : D x = b, x >= 0 } with independent rows, equilibrated and dense. It keeps its basis from one
/// objective to the next. The inverse of the basis is kept explicitly; reduced costs are taken from D and b anew in every pivot.
class Simplex {
 public:
  enum class Outcome { kOptimal, kUnbounded, kPivotLimit };

  /// `basis`: as many columns as rows, independent. It need not be feasible. `column_size`: largest of the terms that the entries of
  /// each column were made of, for what is round-off in them.
  Simplex(Eigen::MatrixXd D, Eigen::VectorXd b, std::vector<int> basis, Eigen::VectorXd column_size);

  /// Phase 1: a feasible basis, by one artificial column. Returns what had to remain of it: 0 if feasible up to round-off. Then
  /// y() proves it otherwise: D'y <= 0, b'y > 0.
  double make_feasible();
  /// min cost'x from the last basis, which must be feasible. Dantzig's rule; Bland's while the objective stands still.
  /// `cost_size`: likewise of the costs.
  Outcome minimize(const Eigen::VectorXd& cost, const Eigen::VectorXd& cost_size);

  [[nodiscard]] const std::vector<int>& basis() const { return basis_; }
  [[nodiscard]] const Eigen::VectorXd& basic_values() const { return x_B_; }
  [[nodiscard]] const Eigen::MatrixXd& basis_inverse() const { return inverse_; }
  [[nodiscard]] const Eigen::VectorXd& y() const { return y_; }  // multipliers of the rows for the last objective
  /// After kUnbounded: the column that grows without bound, and what the basic variables lose with it.
  [[nodiscard]] int ray_column() const { return entering_; }
  [[nodiscard]] const Eigen::VectorXd& ray_loss() const { return alpha_; }
  [[nodiscard]] int pivots() const { return pivots_; }  // since construction

  /// Inverts the basis matrix anew.
  void refresh();

 private:
  void price(const Eigen::VectorXd& cost);
  int choose_entering(bool bland, const Eigen::VectorXd& cost_size) const;
  int choose_leaving(bool bland) const;
  void pivot(int row);
  void remove_artificial();
  void set_basic(int row, int column);

  Eigen::MatrixXd D_;  // its last column is the artificial one
  Eigen::VectorXd b_;
  std::vector<int> basis_;
  std::vector<bool> basic_;
  Eigen::MatrixXd inverse_, basis_matrix_;
  Eigen::VectorXd column_size_;
  Eigen::VectorXd x_B_, y_, reduced_, alpha_, row_;
  int entering_ = -1;
  int pivots_ = 0, pivots_since_refresh_ = 0;
};

}  // namespace tippe
