// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_matrix.h"

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

constexpr int kLargestDense = 60;
constexpr double kRegularization = 1e-10;

}  // namespace

StepMatrix::StepMatrix(const StepEquations& equations)
    : equations_(equations), size_(equations.layout().unknowns()), is_dense_(size_ <= kLargestDense) {
  // Through M^-1 lambda moves uE and so gamma (without kappa: qE and so g), and kappa moves qE and so g, backwards.
  const StepEquations::Layout& layout = equations.layout();
  const int positions = layout.position_rows(), velocities = layout.velocity_rows();
  const bool has_kappa = layout.has_kappa;
  for (int k = 0; k < layout.constraints; ++k) {
    regularized_.push_back({(has_kappa ? velocities : positions) + k, positions + k});
    regularization_.push_back(kRegularization);
    if (!has_kappa) continue;
    regularized_.push_back({positions + k, velocities + k});
    regularization_.push_back(-kRegularization);
  }
  for (Eigen::VectorXd* vector : {&row_scale_, &column_scale_, &row_largest_, &column_largest_, &scaled_})
    vector->resize(size_);
  if (is_dense_) {
    dense_.resize(size_, size_);
    dense_factor_ = DenseLU(size_);
    return;
  }
  std::vector<StepEquations::Entry> entries = equations.pattern();
  entries.insert(entries.end(), regularized_.begin(), regularized_.end());
  std::vector<Eigen::Triplet<double>> triplets;
  for (const auto& [row, column] : entries) triplets.emplace_back(row, column, 1.0);
  sparse_.resize(size_, size_);
  sparse_.setFromTriplets(triplets.begin(), triplets.end());
  sparse_.makeCompressed();
  for (const auto& [row, column] : entries)
    place_.push_back(static_cast<int>(&sparse_.coeffRef(row, column) - sparse_.valuePtr()));
  sparse_factor_.analyze(sparse_);
}

/// Units first: with dt uE in place of uE, dt lambda in place of lambda, and rows times dt where they are rates, all blocks are M
/// or W. Then two sweeps that bring the largest entries of rows and columns towards 1.
void StepMatrix::equilibrate(std::span<const double> values, double dt) {
  const StepEquations::Layout& layout = equations_.layout();
  const int n = layout.velocities, positions = layout.position_rows(), velocities = layout.velocity_rows();
  for (int i = 0; i < size_; ++i) {
    row_scale_[i] = i < n || i >= velocities ? dt : 1.0;
    column_scale_[i] = i < n || (i >= positions && i < velocities) ? 1.0 / dt : 1.0;
  }
  const auto& pattern = equations_.pattern();
  for (int sweep = 0; sweep < 2; ++sweep) {
    row_largest_.setZero();
    column_largest_.setZero();
    for (size_t p = 0; p < pattern.size(); ++p) {
      const auto [row, column] = pattern[p];
      const double size = std::abs(values[p]) * row_scale_[row] * column_scale_[column];
      row_largest_[row] = std::max(row_largest_[row], size);
      column_largest_[column] = std::max(column_largest_[column], size);
    }
    for (int i = 0; i < size_; ++i) {
      if (row_largest_[i] > 0.0) row_scale_[i] /= std::sqrt(row_largest_[i]);
      if (column_largest_[i] > 0.0) column_scale_[i] /= std::sqrt(column_largest_[i]);
    }
  }
}

bool StepMatrix::factorize(std::span<const double> values, double dt, const std::vector<char>& dropped) {
  equilibrate(values, dt);
  const auto& pattern = equations_.pattern();
  const int positions = equations_.layout().position_rows(), m = equations_.layout().constraints;
  const auto is_dropped = [&](int row) {
    return row >= positions && dropped[static_cast<size_t>((row - positions) % m)] != 0;
  };
  const auto scaled = [&](size_t p) {
    if (is_dropped(pattern[p].row)) return 0.0;
    return values[p] * row_scale_[pattern[p].row] * column_scale_[pattern[p].column];
  };
  const auto diagonal = [&](size_t p) {
    const auto [row, column] = regularized_[p];
    return is_dropped(row) ? row_scale_[row] * column_scale_[column] : regularization_[p];
  };
  if (is_dense_) {
    dense_.setZero();
    for (size_t p = 0; p < pattern.size(); ++p) dense_(pattern[p].row, pattern[p].column) = scaled(p);
    for (size_t p = 0; p < regularized_.size(); ++p) dense_(regularized_[p].row, regularized_[p].column) += diagonal(p);
    dense_factor_.factorize(dense_);
    return true;
  }
  double* entries = sparse_.valuePtr();
  std::fill_n(entries, sparse_.nonZeros(), 0.0);
  for (size_t p = 0; p < pattern.size(); ++p) entries[place_[p]] += scaled(p);
  for (size_t p = 0; p < regularized_.size(); ++p) entries[place_[pattern.size() + p]] += diagonal(p);
  return sparse_factor_.factorize(sparse_);
}

void StepMatrix::solve(const Eigen::VectorXd& r, Eigen::VectorXd& x) {
  scaled_ = row_scale_.cwiseProduct(r);
  if (is_dense_) {
    dense_factor_.solve(scaled_, x);
  } else {
    sparse_factor_.solve(scaled_, x);
  }
  x.array() *= column_scale_.array();
}

}  // namespace tippe
