// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>

#include "tippe/problem/delassus.h"

namespace tippe {

/// What a matrix is like, for people.
struct MatrixReport {
  int rows = 0;
  double asymmetry = 0.0;  // largest |G - G'| relative to the largest |G|; 0 for a zero matrix
  double smallest_diagonal = 0.0, largest_diagonal = 0.0;
  /// Eigenvalues if the asymmetry is at most 1e-12, else singular values.
  struct Spectrum {
    bool eigenvalues = true;
    double smallest = 0.0, largest = 0.0;
    int rank = 0;  // those above rows * 2^-52 * the largest in size
  };
  std::optional<Spectrum> spectrum;  // nothing for more than kMostSpectrumRows rows: it is found by dense algebra
};
constexpr int kMostSpectrumRows = 2000;

[[nodiscard]] MatrixReport report_matrix(const Eigen::MatrixXd& matrix);
/// Never forms a dense matrix of more than kMostSpectrumRows rows.
[[nodiscard]] MatrixReport report_matrix(const Delassus& G);

}  // namespace tippe
