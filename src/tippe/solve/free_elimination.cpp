// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/free_elimination.h"

#include <algorithm>
#include <cmath>

#include "tippe/solve/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

FreeElimination::FreeElimination(const MixedProblem& problem, double round_off)
    : size_(problem.size()),
      free_(problem.free),
      round_off_(round_off),
      T_(problem.K),
      t_(problem.k),
      largest_(T_.cwiseAbs()),
      largest_value_(t_.cwiseAbs()) {
  for (int i = 0; i < size_; ++i) {
    row_label_.push_back(size_ + i);
    column_label_.push_back(i);
    if (i >= free_) pair_.push_back({i, i});
  }
  while (exchange_free() || exchange_with_pair()) {
  }
  std::vector<int> rows, columns;
  for (int i = 0; i < size_; ++i) {
    if (is_open_row(i)) rows.push_back(i);
    if (is_open_column(i)) columns.push_back(i);
  }
  for (size_t i = 0; i < rows.size(); ++i) split_.emplace_back(rows[i], columns[i]);
  // Rows and columns of the remaining LCP, with the sign of the second half of a split variable.
  std::vector<int> row, column;
  std::vector<double> sign;
  const auto add = [&](int r, int c, double s) {
    row.push_back(r);
    column.push_back(c);
    sign.push_back(s);
  };
  for (const Pair& pair : pair_) add(pair.row, pair.column, 1.0);
  for (const auto& [r, c] : split_) {
    add(r, c, 1.0);
    add(r, c, -1.0);
  }
  const Eigen::Map<const VectorXd> signs(sign.data(), static_cast<Eigen::Index>(sign.size()));
  M_ = signs.asDiagonal() * MatrixXd(T_(row, column)) * signs.asDiagonal();
  q_ = signs.cwiseProduct(VectorXd(t_(row)));
}

void FreeElimination::exchange(int row, int column) {
  const double pivot = T_(row, column);
  const VectorXd pivot_column = T_.col(column);
  const Eigen::RowVectorXd pivot_row = T_.row(row);
  const double pivot_value = t_[row];
  const MatrixXd change = pivot_column * (pivot_row / pivot);
  const VectorXd change_value = pivot_column * (pivot_value / pivot);
  T_ -= change;
  t_ -= change_value;
  // What is left of larger numbers that cancel is round-off, and must not pass for data.
  largest_ = largest_.cwiseMax(change.cwiseAbs());
  largest_value_ = largest_value_.cwiseMax(change_value.cwiseAbs());
  T_ = (T_.array().abs() > round_off_ * largest_.array()).select(T_, 0.0);
  t_ = (t_.array().abs() > round_off_ * largest_value_.array()).select(t_, 0.0);
  T_.row(row) = -pivot_row / pivot;
  T_.col(column) = pivot_column / pivot;
  T_(row, column) = 1.0 / pivot;
  t_[row] = -pivot_value / pivot;
  largest_.row(row) /= std::abs(pivot);
  largest_.col(column) /= std::abs(pivot);
  largest_value_[row] /= std::abs(pivot);
  std::swap(row_label_[static_cast<size_t>(row)], column_label_[static_cast<size_t>(column)]);
}

bool FreeElimination::exchange_free() {
  double best = kSmallestPivot;
  int row = -1, column = -1;
  for (int j = 0; j < size_; ++j) {
    if (!is_open_column(j)) continue;
    for (int i = 0; i < size_; ++i) {
      if (!is_open_row(i) || std::abs(T_(i, j)) <= best) continue;
      best = std::abs(T_(i, j));
      row = i, column = j;
    }
  }
  if (row < 0) return false;
  exchange(row, column);
  return true;
}

bool FreeElimination::exchange_with_pair() {
  double best = kSmallestPivot;
  int row = -1, column = -1, chosen = -1;
  for (size_t k = 0; k < pair_.size(); ++k) {
    int i_k = -1, j_k = -1;  // the free row and column with the largest entries in this pair
    double in_row = 0.0, in_column = 0.0;
    for (int i = 0; i < size_; ++i) {
      if (is_open_row(i) && std::abs(T_(i, pair_[k].column)) > in_row) in_row = std::abs(T_(i, pair_[k].column)), i_k = i;
      if (is_open_column(i) && std::abs(T_(pair_[k].row, i)) > in_column) in_column = std::abs(T_(pair_[k].row, i)), j_k = i;
    }
    if (std::min(in_row, in_column) <= best) continue;
    best = std::min(in_row, in_column);
    row = i_k, column = j_k, chosen = static_cast<int>(k);
  }
  if (chosen < 0) return false;
  Pair& pair = pair_[static_cast<size_t>(chosen)];
  exchange(row, pair.column);
  exchange(pair.row, column);
  pair = {row, column};
  return true;
}

VectorXd FreeElimination::restore(const VectorXd& z, const VectorXd& w, bool direction) const {
  VectorXd nonbasic = VectorXd::Zero(size_);
  for (size_t k = 0; k < pair_.size(); ++k) nonbasic[pair_[k].column] = z[static_cast<Eigen::Index>(k)];
  for (size_t s = 0; s < split_.size(); ++s) {
    const auto first = static_cast<Eigen::Index>(pair_.size() + 2 * s);
    nonbasic[split_[s].second] = z[first] - z[first + 1];
  }
  VectorXd basic = T_ * nonbasic;
  if (!direction) basic += t_;
  for (size_t k = 0; k < pair_.size(); ++k) basic[pair_[k].row] = w[static_cast<Eigen::Index>(k)];
  VectorXd x(size_);
  for (int i = 0; i < size_; ++i) {
    const int row_label = row_label_[static_cast<size_t>(i)], column_label = column_label_[static_cast<size_t>(i)];
    if (row_label < size_) x[row_label] = basic[i];
    if (column_label < size_) x[column_label] = nonbasic[i];
  }
  return x;
}

std::vector<bool> FreeElimination::restore_basis(const std::vector<bool>& z_basic) const {
  std::vector<bool> active(pair_.size());
  for (size_t k = 0; k < pair_.size(); ++k) {
    const bool swapped = row_label_[static_cast<size_t>(pair_[k].row)] < size_;
    active[k] = z_basic[k] != swapped;
  }
  return active;
}

}  // namespace tippe
