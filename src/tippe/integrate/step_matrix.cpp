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
  order_scales();
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

/// In which order units spread from the momentum equations and velocities, whose units are those of the mass matrix, to all other rows and unknowns.
void StepMatrix::order_scales() {
  const auto& pattern = equations_.pattern();
  mass_diagonal_.assign(static_cast<size_t>(equations_.layout().velocities), -1);
  std::vector<char> row_known(static_cast<size_t>(size_)), column_known(static_cast<size_t>(size_));
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto [row, column] = pattern[p];
    if (row != column || row >= equations_.layout().velocities) continue;
    mass_diagonal_[static_cast<size_t>(row)] = static_cast<int>(p);
    row_known[static_cast<size_t>(row)] = column_known[static_cast<size_t>(row)] = 1;
  }
  for (size_t before = 1, after = 0; before != after;) {
    before = scaling_.size();
    for (const bool rows : {true, false}) {
      std::vector<char>& known = rows ? row_known : column_known;
      const std::vector<char> others = rows ? column_known : row_known;
      for (int i = 0; i < size_; ++i) {
        if (known[static_cast<size_t>(i)] != 0) continue;
        const auto first = static_cast<int>(scaling_entries_.size());
        for (size_t p = 0; p < pattern.size(); ++p) {
          const auto [row, column] = pattern[p];
          if ((rows ? row : column) == i && others[static_cast<size_t>(rows ? column : row)] != 0)
            scaling_entries_.push_back(static_cast<int>(p));
        }
        if (static_cast<int>(scaling_entries_.size()) == first) continue;
        scaling_.push_back({rows, i, first});
        known[static_cast<size_t>(i)] = 1;
      }
    }
    after = scaling_.size();
  }
}

/// Momentum equations and velocities by the diagonal of M, what follows so that its largest entry with those before is 1.
void StepMatrix::scale_units(std::span<const double> values, double dt) {
  const StepEquations::Layout& layout = equations_.layout();
  row_scale_.setOnes();
  column_scale_.setOnes();
  for (int i = 0; i < layout.velocities; ++i) {
    const int diagonal = mass_diagonal_[static_cast<size_t>(i)];
    const double mass = diagonal < 0 ? 0.0 : std::abs(values[static_cast<size_t>(diagonal)]);
    const double size = mass > 0.0 ? std::sqrt(mass) : 1.0;
    row_scale_[i] = dt / size;
    column_scale_[i] = 1.0 / (dt * size);
  }
  const auto& pattern = equations_.pattern();
  for (size_t s = 0; s < scaling_.size(); ++s) {
    const size_t end = s + 1 < scaling_.size() ? static_cast<size_t>(scaling_[s + 1].first_entry) : scaling_entries_.size();
    double largest = 0.0;
    for (auto e = static_cast<size_t>(scaling_[s].first_entry); e < end; ++e) {
      const auto p = static_cast<size_t>(scaling_entries_[e]);
      const double other = scaling_[s].is_row ? column_scale_[pattern[p].column] : row_scale_[pattern[p].row];
      largest = std::max(largest, std::abs(values[p]) * other);
    }
    if (largest > 0.0) (scaling_[s].is_row ? row_scale_ : column_scale_)[scaling_[s].at] = 1.0 / largest;
  }
}

/// Units first. Then two sweeps that bring the largest entries of rows and columns towards 1.
void StepMatrix::equilibrate(std::span<const double> values, double dt) {
  scale_units(values, dt);
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
  for (const auto& [row, column] : regularized_) {
    if (is_dropped(row)) row_scale_[row] = 1.0 / column_scale_[column];  // a multiplier instead of a constraint
  }
  const auto diagonal = [&](size_t p) { return is_dropped(regularized_[p].row) ? 1.0 : regularization_[p]; };
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
