// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "tippe/core/dense_lu.h"
#include "tippe/core/sparse_lu.h"
#include "tippe/integrate/step_equations.h"

namespace tippe {

/// Factors the Jacobian of the equations of a step: dense up to 60 unknowns, else sparse with a pattern that is analysed once, so
/// that a chain costs O(n).
///
/// Rows and columns are scaled to size 1, by the mass matrix first: no digit of the scaled matrix depends on units that are powers of four. Where constraint rows become dependent the Jacobian becomes singular; so each pair of a
/// constraint row and the multiplier that moves it gets 1e-10 on its diagonal of the scaled matrix, with the sign of the
/// Delassus matrix there. Newton's residual knows nothing of it, hence the solution does not either.
class StepMatrix {
 public:
  explicit StepMatrix(const StepEquations& equations);

  /// `values`: in the order of the equations' pattern. False if there is no factorization.
  /// Rows of constraints with dropped[k] are replaced by "the multiplier that moves it is zero".
  [[nodiscard]] bool factorize(std::span<const double> values, double dt, const std::vector<char>& dropped);
  /// x := J^-1 r.
  void solve(const Eigen::VectorXd& r, Eigen::VectorXd& x);

 private:
  void order_scales();
  void scale_units(std::span<const double> values, double dt);
  void equilibrate(std::span<const double> values, double dt);

  const StepEquations& equations_;
  int size_;
  bool is_dense_;
  /// A row, or the column of an unknown, which is measured by entries with columns, or rows, that were scaled before it.
  struct Scaled {
    bool is_row;
    int at, first_entry;  // in scaling_entries_
  };
  std::vector<int> mass_diagonal_;  // of each velocity: where the pattern has it, -1 if it has not
  std::vector<Scaled> scaling_;
  std::vector<int> scaling_entries_;
  std::vector<StepEquations::Entry> regularized_;
  std::vector<double> regularization_;
  Eigen::VectorXd row_scale_, column_scale_, row_largest_, column_largest_, scaled_;
  Eigen::MatrixXd dense_;
  DenseLU dense_factor_;
  Eigen::SparseMatrix<double> sparse_;
  std::vector<int> place_;  // in sparse_, of the pattern's entries and then of the regularized ones
  SparseLU sparse_factor_;
};

}  // namespace tippe
