// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/sparse_ldlt.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "tippe/core/elimination_order.h"
#include "tippe/core/tolerances.h"

namespace tippe {
SparseLDLT::SparseLDLT(int n, std::span<const LowerEntry> pattern) : n_(n) {
  permutation_ = elimination_order(n, pattern);
  inverse_.resize(n);
  for (int k = 0; k < n; ++k) inverse_[permutation_[k]] = k;

  // The permuted upper triangle by columns.
  std::vector<std::vector<std::pair<int, int>>> columns(n);
  for (size_t p = 0; p < pattern.size(); ++p) {
    const int a = inverse_[pattern[p].row], b = inverse_[pattern[p].column];
    columns[std::max(a, b)].emplace_back(std::min(a, b), static_cast<int>(p));
  }
  M_start_.assign(1, 0);
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    for (const auto& [row, from] : column) {
      M_row_.push_back(row);
      M_from_.push_back(from);
    }
    M_start_.push_back(static_cast<int>(M_row_.size()));
  }

  // Elimination tree and row patterns: row k of L reaches from the entries of column k up the tree.
  parent_.assign(n, -1);
  std::vector<int> seen(n, -1), count(n, 0);
  row_start_.assign(1, 0);
  for (int k = 0; k < n; ++k) {
    seen[k] = k;
    const size_t begin = row_column_.size();
    for (int p = M_start_[k]; p < M_start_[k + 1]; ++p) {
      for (int i = M_row_[p]; seen[i] != k; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = k;
        seen[i] = k;
        row_column_.push_back(i);
        ++count[i];
      }
    }
    std::sort(row_column_.begin() + static_cast<std::ptrdiff_t>(begin), row_column_.end());
    row_start_.push_back(static_cast<int>(row_column_.size()));
  }

  L_start_.assign(n + 1, 0);
  std::partial_sum(count.begin(), count.end(), L_start_.begin() + 1);
  L_row_.resize(L_start_[n]);
  L_value_.assign(L_start_[n], 0.0);
  filled_.assign(n, 0);
  for (int k = 0; k < n; ++k) {
    for (int p = row_start_[k]; p < row_start_[k + 1]; ++p) {
      const int i = row_column_[p];
      L_row_[L_start_[i] + filled_[i]++] = k;
    }
  }
  D_.assign(n, 0.0);
  inverse_sqrt_D_.assign(n, 0.0);
  work_.assign(n, 0.0);
  path_.reserve(n);
  marked_.assign(n, 0);
}

/// Row k of L from the rows above it; D_[k] is the pivot. Returns the diagonal entry of M.
double SparseLDLT::eliminate_row(int k, std::span<const double> values) {
  for (int p = M_start_[k]; p < M_start_[k + 1]; ++p) work_[M_row_[p]] = values[M_from_[p]];
  const double diagonal = work_[k];
  double pivot = diagonal;
  work_[k] = 0.0;
  for (int p = row_start_[k]; p < row_start_[k + 1]; ++p) {
    const int i = row_column_[p];
    const double y = work_[i];
    work_[i] = 0.0;
    const int end = L_start_[i] + filled_[i];
    for (int s = L_start_[i]; s < end; ++s) work_[L_row_[s]] -= L_value_[s] * y;
    const double l = y / D_[i];
    pivot -= l * y;
    L_value_[end] = l;
    ++filled_[i];
  }
  D_[k] = pivot;
  return diagonal;
}

bool SparseLDLT::factorize(std::span<const double> values) {
  assert(values.size() == M_row_.size());
  const double round_off = n_ * kMachineEpsilon;
  failed_at_ = -1;
  smallest_ratio_ = 1.0;
  std::fill(filled_.begin(), filled_.end(), 0);
  for (int k = 0; k < n_; ++k) {
    const double diagonal = eliminate_row(k, values);
    smallest_ratio_ = std::min(smallest_ratio_, D_[k] / diagonal);
    if (!(D_[k] > round_off * std::abs(diagonal))) {  // also catches NaN
      failed_at_ = k;
      return false;
    }
    inverse_sqrt_D_[k] = 1.0 / std::sqrt(D_[k]);
  }
  return true;
}

SparseLDLT::Semidefinite SparseLDLT::factorize_semidefinite(std::span<const double> values, double cutoff) {
  assert(values.size() == M_row_.size());
  Semidefinite result{.rank = 0, .smallest_kept = std::numeric_limits<double>::infinity(), .largest_dropped = 0.0};
  failed_at_ = -1;
  std::fill(filled_.begin(), filled_.end(), 0);
  for (int k = 0; k < n_; ++k) {
    eliminate_row(k, values);
    if (D_[k] > cutoff) {
      ++result.rank;
      result.smallest_kept = std::min(result.smallest_kept, D_[k]);
      inverse_sqrt_D_[k] = 1.0 / std::sqrt(D_[k]);
    } else {
      result.largest_dropped = std::max(result.largest_dropped, D_[k]);
      D_[k] = std::numeric_limits<double>::infinity();
      inverse_sqrt_D_[k] = 0.0;
    }
  }
  if (result.rank == 0) result.smallest_kept = 0.0;
  return result;
}

void SparseLDLT::solve_in_place(Eigen::VectorXd& x) const {
  assert(x.size() == n_);
  for (int k = 0; k < n_; ++k) work_[k] = x[permutation_[k]];
  for (int k = 0; k < n_; ++k) {
    const double y = work_[k];
    for (int s = L_start_[k]; s < L_start_[k + 1]; ++s) work_[L_row_[s]] -= L_value_[s] * y;
  }
  for (int k = n_ - 1; k >= 0; --k) {
    double y = work_[k] / D_[k];
    for (int s = L_start_[k]; s < L_start_[k + 1]; ++s) y -= L_value_[s] * work_[L_row_[s]];
    work_[k] = y;
  }
  for (int k = 0; k < n_; ++k) {
    x[permutation_[k]] = work_[k];
    work_[k] = 0.0;
  }
}

void SparseLDLT::to_kinetic(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.resize(n_);
  for (int k = 0; k < n_; ++k) work_[k] = x[permutation_[k]];
  for (int k = 0; k < n_; ++k) {
    const double value = work_[k];
    work_[k] = 0.0;
    for (int s = L_start_[k]; s < L_start_[k + 1]; ++s) work_[L_row_[s]] -= L_value_[s] * value;
    y[k] = value * inverse_sqrt_D_[k];
  }
}

void SparseLDLT::from_kinetic(const Eigen::VectorXd& y, Eigen::VectorXd& u) const {
  u.resize(n_);
  for (int k = n_ - 1; k >= 0; --k) {
    double value = y[k] * inverse_sqrt_D_[k];
    for (int s = L_start_[k]; s < L_start_[k + 1]; ++s) value -= L_value_[s] * work_[L_row_[s]];
    work_[k] = value;
    u[permutation_[k]] = value;
  }
  std::fill(work_.begin(), work_.end(), 0.0);
}

void SparseLDLT::append_kinetic_column(std::span<const int> rows, std::span<const double> values, SparseColumns& Y) {
  path_.clear();
  for (size_t p = 0; p < rows.size(); ++p) {
    const int k = inverse_[rows[p]];
    work_[k] += values[p];
    for (int i = k; i >= 0 && !marked_[i]; i = parent_[i]) {  // L^-1 w fills in along the path to the root
      marked_[i] = 1;
      path_.push_back(i);
    }
  }
  std::sort(path_.begin(), path_.end());
  for (const int k : path_) {
    const double y = work_[k];
    work_[k] = 0.0;
    marked_[k] = 0;
    for (int s = L_start_[k]; s < L_start_[k + 1]; ++s) work_[L_row_[s]] -= L_value_[s] * y;
    Y.push(k, y * inverse_sqrt_D_[k]);
  }
  Y.finish_column();
}

Eigen::VectorXd SparseLDLT::failed_direction() const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
  if (failed_at_ < 0) return z;
  // Rows above the failed one are factorized: with L' y = -l_k, z = (y, 1) gives z'Mz = D_k.
  std::vector<double> y(n_, 0.0);
  y[failed_at_] = 1.0;
  for (int k = failed_at_ - 1; k >= 0; --k) {
    for (int s = L_start_[k]; s < L_start_[k] + filled_[k]; ++s) {
      if (L_row_[s] <= failed_at_) y[k] -= L_value_[s] * y[L_row_[s]];
    }
  }
  for (int k = 0; k < n_; ++k) z[permutation_[k]] = y[k];
  return z / z.cwiseAbs().maxCoeff();
}

}  // namespace tippe
