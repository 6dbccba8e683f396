// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/matrix_report.h"

#include <Eigen/SparseCore>
#include <cassert>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double quotient(double difference, double size) {
  return size > 0.0 ? difference / size : 0.0;
}

void report_diagonal(const VectorXd& diagonal, MatrixReport& report) {
  if (diagonal.size() == 0) return;
  report.smallest_diagonal = diagonal.minCoeff();
  report.largest_diagonal = diagonal.maxCoeff();
}

MatrixReport::Spectrum find_spectrum(const MatrixXd& matrix, double asymmetry) {
  MatrixReport::Spectrum spectrum;
  spectrum.eigenvalues = asymmetry <= kAsymmetry;
  if (matrix.size() == 0) return spectrum;
  const VectorXd values = spectrum.eigenvalues ? symmetric_eigenvalues(matrix) : decompose_singular(matrix).values;
  spectrum.smallest = values.minCoeff();
  spectrum.largest = values.maxCoeff();
  const double round_off = static_cast<double>(matrix.rows()) * kMachineEpsilon * values.cwiseAbs().maxCoeff();
  spectrum.rank = static_cast<int>((values.array().abs() > round_off).count());
  return spectrum;
}

}  // namespace

MatrixReport report_matrix(const MatrixXd& matrix) {
  assert(matrix.rows() == matrix.cols());
  MatrixReport report;
  report.rows = static_cast<int>(matrix.rows());
  report_diagonal(matrix.diagonal(), report);
  if (matrix.size() > 0)
    report.asymmetry = quotient((matrix - matrix.transpose()).cwiseAbs().maxCoeff(), matrix.cwiseAbs().maxCoeff());
  if (report.rows <= kMostSpectrumRows) report.spectrum = find_spectrum(matrix, report.asymmetry);
  return report;
}

MatrixReport report_matrix(const Delassus& G) {
  const int rows = G.rows();
  if (rows <= kMostSpectrumRows) return report_matrix(dense(G));
  MatrixReport report;
  report.rows = rows;
  VectorXd diagonal(rows);
  std::vector<Eigen::Triplet<double>> entries;
  const BlockSparseMatrix& blocks = G.blocks;
  double largest = 0.0;
  for (int i = 0; i < blocks.blocks(); ++i) {
    const int size = blocks.block_size(i);
    for (int r = 0; r < size; ++r) diagonal[blocks.row[i] + r] = blocks.diagonal_block(i)[r * size + r];
    if (G.factored) continue;  // Y'Y is symmetric
    for (int e = blocks.entry_start[i]; e < blocks.entry_start[i + 1]; ++e) {
      const auto& [column, offset] = blocks.entry[e];
      const int width = blocks.block_size(column);
      for (int k = 0; k < size * width; ++k) {
        const double value = blocks.value[offset + k];
        entries.emplace_back(blocks.row[i] + k / width, blocks.row[column] + k % width, value);
        entries.emplace_back(blocks.row[column] + k % width, blocks.row[i] + k / width, -value);
        largest = std::max(largest, std::abs(value));
      }
    }
  }
  report_diagonal(diagonal, report);
  Eigen::SparseMatrix<double> difference(rows, rows);
  difference.setFromTriplets(entries.begin(), entries.end());
  if (difference.nonZeros() > 0) report.asymmetry = quotient(difference.coeffs().abs().maxCoeff(), largest);
  return report;
}

}  // namespace tippe
