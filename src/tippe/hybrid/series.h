// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cmath>

/// Taylor polynomials as arrays of coefficients, c[k] of t^k.
namespace tippe {

/// Coefficient k of the product a b.
[[nodiscard]] inline double product_coefficient(const double* a, const double* b, int k) {
  double sum = 0.0;
  for (int j = 0; j <= k; ++j) sum += a[j] * b[k - j];
  return sum;
}

/// Coefficient k of sqrt(a), of which root holds those before k; a[0] > 0.
[[nodiscard]] inline double root_coefficient(const double* a, const double* root, int k) {
  if (k == 0) return std::sqrt(a[0]);
  double sum = a[k];
  for (int j = 1; j < k; ++j) sum -= root[j] * root[k - j];
  return sum / (2.0 * root[0]);
}

/// Coefficient k of a / b, of which quotient holds those before k.
[[nodiscard]] inline double quotient_coefficient(const double* a, const double* b, const double* quotient, int k) {
  double sum = a[k];
  for (int j = 1; j <= k; ++j) sum -= b[j] * quotient[k - j];
  return sum / b[0];
}

[[nodiscard]] inline double evaluate_series(const double* c, int order, double t) {
  double sum = c[order];
  for (int k = order - 1; k >= 0; --k) sum = sum * t + c[k];
  return sum;
}

/// The integral from 0 to t.
[[nodiscard]] inline double integrate_series(const double* c, int order, double t) {
  double sum = c[order] / (order + 1);
  for (int k = order - 1; k >= 0; --k) sum = sum * t + c[k] / (k + 1);
  return sum * t;
}

/// Each column one polynomial per row: value := sum_k c.col(k) t^k.
inline void evaluate_columns(const Eigen::MatrixXd& c, int order, double t, Eigen::VectorXd& value) {
  value = c.col(order);
  for (int k = order - 1; k >= 0; --k) value = value * t + c.col(k);
}

}  // namespace tippe
