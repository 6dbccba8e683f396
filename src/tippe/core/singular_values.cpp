// SPDX-License-Identifier: Apache-2.0
// Hestenes' one-sided Jacobi method (Golub and Van Loan, Matrix Computations, 4th ed., 8.6.4): plane rotations of pairs of columns make
// them orthogonal; their lengths are then the singular values, accurate relative to themselves above round-off of the largest one. The eigenvectors of A'A come first: the columns
// of A times these are orthogonal up to the square of the condition number, so that one or two sweeps finish. Eigen's BDCSVD would do the
// same; it takes 20 s to compile.
#include "tippe/core/singular_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/largest.h"
#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// (x, y) := (c x - s y, s x + c y)
void rotate(double* x, double* y, Index n, double c, double s) {
  for (Index i = 0; i < n; ++i) {
    const double xi = x[i], yi = y[i];
    x[i] = c * xi - s * yi;
    y[i] = s * xi + c * yi;
  }
}

/// Makes the columns of B orthogonal by rotations, which V takes over where it is given. `squares` gets the squares of their lengths.
/// Entries of B are of about 1, so that squares neither overflow nor vanish.
void orthogonalize_columns(MatrixXd& B, MatrixXd* V, VectorXd& squares) {
  constexpr int kMostSweeps = 60;      // half a dozen suffice
  constexpr double kLastAngle = 1e-9;  // convergence is quadratic: after rotations that small the next would be round-off
  const Index n = B.cols();
  const double parallel = kMachineEpsilon * std::sqrt(static_cast<double>(B.rows()));
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    for (Index j = 0; j < n; ++j) squares[j] = B.col(j).squaredNorm();
    const double zero = kMachineEpsilon * kMachineEpsilon * squares.maxCoeff();
    double largest_angle = 0.0;
    for (Index p = 0; p < n; ++p) {
      for (Index q = p + 1; q < n; ++q) {
        if (!(squares[p] > zero) || !(squares[q] > zero)) continue;
        const double product = B.col(p).dot(B.col(q));
        if (!(std::abs(product) > parallel * std::sqrt(squares[p] * squares[q]))) continue;
        const double zeta = (squares[q] - squares[p]) / (2.0 * product);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double c = 1.0 / std::hypot(1.0, t), s = c * t;
        largest_angle = std::max(largest_angle, std::abs(t));
        rotate(B.col(p).data(), B.col(q).data(), B.rows(), c, s);
        if (V != nullptr) rotate(V->col(p).data(), V->col(q).data(), n, c, s);
        squares[p] = B.col(p).squaredNorm();
        squares[q] = B.col(q).squaredNorm();
      }
    }
    if (largest_angle < kLastAngle) return;
  }
}

/// A power of two that brings the largest entry near 1.
double unit_scale(const MatrixXd& A) {
  const double size = largest(A);
  return size > 0.0 && std::isfinite(size) ? std::ldexp(1.0, -std::clamp(std::ilogb(size), -1000, 1000)) : 1.0;
}

}  // namespace

SingularValues decompose_singular(const MatrixXd& A) {
  const Index m = A.rows(), n = A.cols(), count = std::min(m, n);
  SingularValues svd{MatrixXd::Zero(m, count), MatrixXd::Identity(n, n), VectorXd::Zero(count)};
  if (count == 0) return svd;
  const double scale = unit_scale(A);
  const MatrixXd scaled = scale * A;
  MatrixXd V = symmetric_eigenvectors(scaled.transpose() * scaled).vectors.rowwise().reverse();
  MatrixXd B = scaled * V;
  VectorXd squares(n);
  orthogonalize_columns(B, &V, squares);

  std::vector<Index> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  if (squares.allFinite())
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return squares[i] > squares[j]; });
  for (Index k = 0; k < n; ++k) {
    const Index j = order[static_cast<size_t>(k)];
    svd.V.col(k) = V.col(j);
    if (k >= count) continue;
    const double length = std::sqrt(squares[j]);
    svd.values[k] = length / scale;
    if (length > kMachineEpsilon * std::sqrt(squares[order[0]])) svd.U.col(k) = B.col(j) / length;
  }
  return svd;
}

void find_singular_values(MatrixXd& B, VectorXd& values) {
  values.setZero(B.cols());
  if (B.size() == 0) return;
  const double scale = unit_scale(B);
  B *= scale;
  orthogonalize_columns(B, nullptr, values);
  if (!values.allFinite()) return;  // nor is B; NaN cannot be sorted
  values = values.cwiseSqrt() / scale;
  std::sort(values.data(), values.data() + values.size(), std::greater<>());
}

}  // namespace tippe
