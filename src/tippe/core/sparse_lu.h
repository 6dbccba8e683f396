// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>

namespace tippe {

/// LU factors of a sparse square matrix with row pivoting and one analysis per pattern, compiled once.
class SparseLU {
 public:
  SparseLU();
  SparseLU(SparseLU&& other) noexcept;
  SparseLU& operator=(SparseLU&& other) noexcept;
  ~SparseLU();

  /// Comes first, and again for another pattern. `A`: compressed, with any values.
  void analyze(const Eigen::SparseMatrix<double>& A);
  /// `A`: with the pattern that was analysed. False if a pivot is zero.
  [[nodiscard]] bool factorize(const Eigen::SparseMatrix<double>& A);
  /// x := A^-1 b; they must not share memory.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::VectorXd& x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace tippe
