// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/core/block_lu.h"
#include "tippe/core/dense_lu.h"
#include "tippe/solve/normal_form.h"

namespace tippe {

/// The linear equations of Newton's methods on a problem, (A (W + e) + B) x = f, with A and B block-diagonal. Solved by
/// - dense LU for few rows,
/// - LU of blocks for many (core/block_lu.h),
/// - the same in body space where W = Y'Y is factored: with D = e A + B,  (1 + Y D^-1 A Y') v = Y D^-1 f,  x = D^-1 (f - A Y'v),
///   of the size of the velocities, whatever the rank of W.
/// No symmetry is assumed: problems in the wild have none.
class NewtonSystem {
 public:
  using BlockMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 4, 4>;

  /// The form must outlive the system.
  void prepare(const NormalForm& form);

  /// Multiply-adds of one factorization, with what else costs as much; infinite if its factors would not fit into memory.
  [[nodiscard]] double work() const { return work_; }

  /// A and B of block i, to be set before factorize().
  std::vector<BlockMatrix> A, B;

  /// False if the matrix is singular to working precision, or does not fit into memory.
  [[nodiscard]] bool factorize(double e);

  /// x := (A (W + e) + B)^-1 f.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::VectorXd& x);

 private:
  enum class Way { kDense, kBlocks, kBodySpace };

  void find_nodes();
  void analyze();
  void make_dense();
  void fill_dense(double e);
  void fill_blocks(double e);
  [[nodiscard]] bool fill_body_space(double e);
  void add_product(const NormalForm::Run& left, int row, int rows, const BlockMatrix& weight, const NormalForm::Run& right,
                   int column, int columns, int size, const BlockLU::Block& to) const;
  template <class Visit>
  void for_each_node(const NormalForm::Run& run, Visit&& visit) const;

  const NormalForm* form_ = nullptr;
  Way way_ = Way::kDense;
  double work_ = 0.0;
  Eigen::MatrixXd W_, matrix_;
  bool has_W_ = false;
  DenseLU dense_;
  BlockLU lu_;
  std::vector<int> node_of_, node_row_, node_size_;  // of kinetic rows; first one of each node, and how many it has
  std::vector<LowerEntry> couplings_;
  std::vector<BlockMatrix> D_inverse_;
  Eigen::VectorXd body_;
};

}  // namespace tippe
