// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "tippe/core/dense_lu.h"
#include "tippe/core/sparse_lu.h"
#include "tippe/solve/normal_form.h"

namespace tippe {

/// The linear equations of Newton's methods on a problem, (A (W + e) + B) x = f, with A and B block-diagonal. Solved by
/// - dense LU for few rows,
/// - sparse LU with one symbolic analysis for many,
/// - sparse LU in body space where W = Y'Y is factored: with D = e A + B,  (1 + Y D^-1 A Y') v = Y D^-1 f,  x = D^-1 (f - A Y'v),
///   of the size of the velocities, whatever the rank of W.
/// No symmetry is assumed: problems in the wild have none.
class NewtonSystem {
 public:
  using BlockMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 4, 4>;

  /// The form must outlive the system.
  void prepare(const NormalForm& form);

  /// A and B of block i, to be set before factorize().
  std::vector<BlockMatrix> A, B;

  /// False if the matrix is singular to working precision.
  [[nodiscard]] bool factorize(double e);

  /// x := (A (W + e) + B)^-1 f.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::VectorXd& x);

  /// Multiply-adds of one factorization for a problem, roughly, from the pattern alone; infinite if its factors would not fit into
  /// memory.
  [[nodiscard]] static double work(const NormalForm& form);

 private:
  enum class Way { kDense, kSparse, kBodySpace };

  void prepare_dense();
  void prepare_sparse();
  void prepare_body_space();
  void fill_dense(double e);
  void fill_sparse(double e);
  [[nodiscard]] bool fill_body_space(double e);

  const NormalForm* form_ = nullptr;
  Way way_ = Way::kDense;
  Eigen::MatrixXd W_, matrix_;
  DenseLU dense_;
  using Sparse = Eigen::SparseMatrix<double>;
  Sparse sparse_;
  SparseLU sparse_lu_;
  std::vector<int> position_;  // of the values of each block in sparse_, columns of a block one after the other
  std::vector<BlockMatrix> D_inverse_;
  Eigen::VectorXd reduced_, body_;
};

}  // namespace tippe
