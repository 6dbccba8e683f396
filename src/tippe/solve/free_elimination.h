// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "tippe/solve/mixed_problem.h"

namespace tippe {

/// Brings the free variables of a mixed problem into the basis, so that an LCP in the pairs remains: first by Gauss pivots in the
/// block of the free variables, then, where that block is exhausted, by exchanging a free variable together with a pair (a
/// principal pivot of order 2). A positive semidefinite matrix stays so. Free variables that cannot be brought in become the
/// difference of two nonnegative ones, u = p - t with 0 <= p _|_ e >= 0 and 0 <= t _|_ -e >= 0. Wants equilibrated data.
class FreeElimination {
 public:
  explicit FreeElimination(const MixedProblem& problem);

  /// The LCP that remains.
  [[nodiscard]] const Eigen::MatrixXd& M() const { return M_; }
  [[nodiscard]] const Eigen::VectorXd& q() const { return q_; }

  /// x of the mixed problem from z and w = M z + q; with `direction` from z and w = M z, for a ray.
  [[nodiscard]] Eigen::VectorXd restore(const Eigen::VectorXd& z, const Eigen::VectorXd& w, bool direction) const;
  /// Which pairs of the mixed problem have x_i basic, when the LCP has z_i basic.
  [[nodiscard]] std::vector<bool> restore_basis(const std::vector<bool>& z_basic) const;

 private:
  struct Pair {
    int row, column;
  };
  void exchange(int row, int column);
  bool exchange_free();
  bool exchange_with_pair();
  // Free rows and columns that have not been exchanged yet.
  [[nodiscard]] bool is_open_row(int row) const {
    const int label = row_label_[static_cast<size_t>(row)] - size_;
    return label >= 0 && label < free_;
  }
  [[nodiscard]] bool is_open_column(int column) const { return column_label_[static_cast<size_t>(column)] < free_; }

  int size_, free_;
  Eigen::MatrixXd T_;  // basic = T nonbasic + t
  Eigen::VectorXd t_;
  std::vector<int> row_label_, column_label_;  // x_i is i, y_i is size + i
  std::vector<Pair> pair_;                     // where the two variables of a pair are now
  std::vector<std::pair<int, int>> split_;     // row and column of free variables that stay
  Eigen::MatrixXd M_;
  Eigen::VectorXd q_;
};

}  // namespace tippe
