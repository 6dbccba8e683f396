// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>

namespace tippe {

/// LU factors of a square matrix with row pivoting, compiled once. A singular matrix is not noticed: it shows in the solution.
class DenseLU {
 public:
  /// With memory for matrices of this many rows.
  explicit DenseLU(int rows = 0);
  DenseLU(DenseLU&& other) noexcept;
  DenseLU& operator=(DenseLU&& other) noexcept;
  ~DenseLU();

  /// Allocates nothing if the size is that of the last matrix.
  void factorize(const Eigen::MatrixXd& A);
  /// x := A^-1 b; they must not share memory.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::VectorXd& x) const;
  [[nodiscard]] Eigen::MatrixXd inverse() const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace tippe
