// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>

namespace tippe {

/// The Cholesky factor of a symmetric matrix, A = L L', compiled once.
class DenseLLT {
 public:
  DenseLLT();
  DenseLLT(DenseLLT&& other) noexcept;
  DenseLLT& operator=(DenseLLT&& other) noexcept;
  ~DenseLLT();

  /// Whether all squares of the diagonal of L exceed `smallest` times the diagonal of A; otherwise the factor is of no use.
  bool factorize(const Eigen::MatrixXd& A, double smallest);
  /// A^-1 B and L^-1 B.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::Ref<const Eigen::MatrixXd>& B) const;
  [[nodiscard]] Eigen::MatrixXd solve_lower(const Eigen::Ref<const Eigen::MatrixXd>& B) const;
  /// |L^-1 x|, the length of x in the metric of A^-1.
  [[nodiscard]] double length(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// x := A^-1 x.
  void solve_in_place(Eigen::VectorXd& x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace tippe
