// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/constrained_mass.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>

#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"
#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

constexpr int kMostDenseEntries = 4096;   // n p up to which the directions are orthogonalised as a dense matrix
constexpr double kPivotCutoff = 1e-13;    // of the Gram matrix of unit columns: squares of lengths, 3e-7 as a length
constexpr double kClearlyRegular = 1e-4;  // pivots of the QR of unit columns above this need no singular values

double dot(const SparseColumns& columns, int i, int j) {
  double sum = 0.0;
  int p = columns.start[i], s = columns.start[j];
  while (p < columns.start[i + 1] && s < columns.start[j + 1]) {
    if (columns.row[p] == columns.row[s]) {
      sum += columns.value[p++] * columns.value[s++];
    } else {
      ++(columns.row[p] < columns.row[s] ? p : s);
    }
  }
  return sum;
}

}  // namespace

struct ConstrainedMass::Decompositions {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> rows;
  Eigen::HouseholderQR<Eigen::MatrixXd> null_space;
};

ConstrainedMass::ConstrainedMass() = default;
ConstrainedMass::ConstrainedMass(ConstrainedMass&&) noexcept = default;
ConstrainedMass& ConstrainedMass::operator=(ConstrainedMass&&) noexcept = default;
ConstrainedMass::~ConstrainedMass() = default;

ConstrainedMass::ConstrainedMass(int n, std::span<const LowerEntry> mass_pattern, const SparseColumns& W)
    : n_(n),
      p_(W.columns()),
      mass_pattern_(mass_pattern.begin(), mass_pattern.end()),
      mass_(n, mass_pattern),
      dense_(static_cast<long>(n) * W.columns() <= kMostDenseEntries),
      decompositions_(std::make_unique<Decompositions>()) {
  rank_.rows = p_;
  norm_.setZero(p_);
}

bool ConstrainedMass::factorize(std::span<const double> M, const SparseColumns& W, double coarsest_cutoff) {
  const double usual = dense_ ? rank_tolerance(p_) : std::sqrt(kPivotCutoff);
  rank_.cutoff = std::max(usual, coarsest_cutoff);
  has_null_space_ = false;
  if (p_ == 0 && is_factored_ && std::equal(M.begin(), M.end(), M_.begin(), M_.end())) return true;
  M_.assign(M.begin(), M.end());
  is_factored_ = factorize_mass(W);
  if (!is_factored_) return false;
  Y_.clear();
  for (int k = 0; k < p_; ++k) {
    const auto begin = static_cast<size_t>(W.start[k]), count = static_cast<size_t>(W.start[k + 1]) - begin;
    factor().append_kinetic_column(std::span(W.row).subspan(begin, count), std::span(W.value).subspan(begin, count), Y_);
    double square = 0.0;
    for (int p = Y_.start[k]; p < Y_.start[k + 1]; ++p) square += Y_.value[p] * Y_.value[p];
    norm_[k] = std::sqrt(square);
    if (norm_[k] == 0.0) continue;
    for (int p = Y_.start[k]; p < Y_.start[k + 1]; ++p) Y_.value[p] /= norm_[k];
  }
  if (p_ == 0) return true;
  if (dense_) {
    decompose_dense();
  } else {
    decompose_sparse();
  }
  return true;
}

bool ConstrainedMass::factorize_mass(const SparseColumns& W) {
  extended_in_use_ = false;
  if (mass_.factorize(M_) && (p_ == 0 || mass_.smallest_pivot_ratio() > kNearlySingularMass)) return true;
  if (p_ == 0) return false;
  if (!has_extended_) make_extended_pattern(W);
  extended_in_use_ = true;
  lightness_.setOnes(n_);
  for (size_t e = 0; e < M_.size(); ++e) {
    if (mass_pattern_[e].row == mass_pattern_[e].column) lightness_[mass_pattern_[e].row] = lightness(M_[e]);
  }
  std::fill(extended_values_.begin(), extended_values_.end(), 0.0);
  for (size_t e = 0; e < M_.size(); ++e) extended_values_[static_cast<size_t>(mass_place_[e])] += M_[e];
  size_t product = 0;
  for (int k = 0; k < p_; ++k) {
    double square = 0.0;
    for (int a = W.start[k]; a < W.start[k + 1]; ++a) square += W.value[a] * W.value[a] * lightness_[W.row[a]];
    const double weight = row_weight(square);
    for (int a = W.start[k]; a < W.start[k + 1]; ++a) {
      for (int b = W.start[k]; b <= a; ++b)
        extended_values_[static_cast<size_t>(product_place_[product++])] += weight * W.value[a] * W.value[b];
    }
  }
  return extended_.factorize(extended_values_);
}

void ConstrainedMass::make_extended_pattern(const SparseColumns& W) {
  std::map<std::pair<int, int>, int> place;
  const auto place_of = [&](int row, int column) {
    const auto [entry, is_new] =
        place.try_emplace({std::max(row, column), std::min(row, column)}, static_cast<int>(extended_pattern_.size()));
    if (is_new) extended_pattern_.push_back({std::max(row, column), std::min(row, column)});
    return entry->second;
  };
  for (const LowerEntry& entry : mass_pattern_) mass_place_.push_back(place_of(entry.row, entry.column));
  for (int k = 0; k < p_; ++k) {
    for (int a = W.start[k]; a < W.start[k + 1]; ++a) {
      for (int b = W.start[k]; b <= a; ++b) product_place_.push_back(place_of(W.row[a], W.row[b]));
    }
  }
  extended_values_.resize(extended_pattern_.size());
  extended_ = SparseLDLT(n_, extended_pattern_);
  has_extended_ = true;
}

Eigen::VectorXd ConstrainedMass::massless_direction() const {
  return factor().failed_direction();
}

void ConstrainedMass::decompose_dense() {
  A_.setZero(n_, p_);
  for (int k = 0; k < p_; ++k) {
    for (int s = Y_.start[k]; s < Y_.start[k + 1]; ++s) A_(Y_.row[s], k) = Y_.value[s];
  }
  auto& qr = decompositions_->rows;
  qr.compute(A_);
  const int most = std::min(n_, p_);
  const auto& R = qr.matrixQR();
  int rank = 0;
  while (rank < most && std::abs(R(rank, rank)) > rank_.cutoff) ++rank;
  rank_.smallest_kept = rank > 0 ? std::abs(R(rank - 1, rank - 1)) : 0.0;
  rank_.largest_dropped = rank < most ? std::abs(R(rank, rank)) : 0.0;
  if (rank < p_ || rank_.smallest_kept < kClearlyRegular) {
    R_transposed_.setZero(p_, most);
    for (int k = 0; k < p_; ++k) {
      for (int i = 0; i <= std::min(k, most - 1); ++i) R_transposed_(k, i) = R(i, k);
    }
    find_singular_values(R_transposed_, sigma_);
    rank = 0;
    while (rank < most && sigma_[rank] > rank_.cutoff) ++rank;
    rank_.smallest_kept = rank > 0 ? sigma_[rank - 1] : 0.0;
    rank_.largest_dropped = rank < most ? sigma_[rank] : 0.0;
  }
  rank_.rank = rank;
  Q_.setIdentity(n_, rank);
  qr.householderQ().applyThisOnTheLeft(Q_, small_);
}

void ConstrainedMass::make_gram_pattern() {
  std::vector<std::vector<int>> columns_at(static_cast<size_t>(n_));
  for (int k = 0; k < p_; ++k) {
    for (int s = Y_.start[k]; s < Y_.start[k + 1]; ++s) columns_at[static_cast<size_t>(Y_.row[s])].push_back(k);
  }
  std::vector<int> seen(static_cast<size_t>(p_), -1);
  for (int k = 0; k < p_; ++k) {
    for (int s = Y_.start[k]; s < Y_.start[k + 1]; ++s) {
      for (const int other : columns_at[static_cast<size_t>(Y_.row[s])]) {
        if (other > k || seen[static_cast<size_t>(other)] == k) continue;
        seen[static_cast<size_t>(other)] = k;
        gram_pattern_.push_back({k, other});
      }
    }
  }
  gram_values_.resize(gram_pattern_.size());
  gram_ = SparseLDLT(p_, gram_pattern_);
}

void ConstrainedMass::decompose_sparse() {
  if (gram_pattern_.empty()) make_gram_pattern();
  for (size_t e = 0; e < gram_pattern_.size(); ++e) gram_values_[e] = dot(Y_, gram_pattern_[e].row, gram_pattern_[e].column);
  const SparseLDLT::Semidefinite found = gram_.factorize_semidefinite(gram_values_, rank_.cutoff * rank_.cutoff);
  rank_.rank = found.rank;
  rank_.smallest_kept = std::sqrt(found.smallest_kept);
  rank_.largest_dropped = std::sqrt(std::max(0.0, found.largest_dropped));
}

/// y := (I - Q Q') y, twice, so that the result is orthogonal to working precision.
void ConstrainedMass::remove_range(Eigen::VectorXd& y) {
  for (int pass = 0; pass < 2; ++pass) {
    if (dense_) {
      small_.noalias() = Q_.transpose() * y;
      y.noalias() -= Q_ * small_;
    } else {
      row_work_.resize(p_);
      for (int k = 0; k < p_; ++k) row_work_[k] = Y_.dot(k, y.data());
      gram_.solve_in_place(row_work_);
      for (int k = 0; k < p_; ++k) Y_.add_to(k, -row_work_[k], y.data());
    }
  }
}

void ConstrainedMass::solve_in_place(Eigen::VectorXd& x) {
  if (p_ == 0) return mass_.solve_in_place(x);
  factor().to_kinetic(x, kinetic_);
  remove_range(kinetic_);
  factor().from_kinetic(kinetic_, x);
}

void ConstrainedMass::append_kinetic_column(std::span<const int> rows, std::span<const double> values, SparseColumns& Y) {
  if (p_ == 0) return mass_.append_kinetic_column(rows, values, Y);
  column_.clear();
  factor().append_kinetic_column(rows, values, column_);
  kinetic_.setZero(n_);
  column_.add_to(0, 1.0, kinetic_.data());
  double before = kinetic_.squaredNorm();
  remove_range(kinetic_);
  // A direction that the constraints hold altogether is zero, not round-off.
  if (kinetic_.squaredNorm() <= kNothingLeft * kNothingLeft * before) kinetic_.setZero();
  for (int i = 0; i < n_; ++i) {
    if (kinetic_[i] != 0.0) Y.push(i, kinetic_[i]);
  }
  Y.finish_column();
}

void ConstrainedMass::solve_rows(const Eigen::VectorXd& r, Eigen::VectorXd& z) {
  row_solution_.resize(p_);
  for (int k = 0; k < p_; ++k) row_solution_[k] = norm_[k] > 0.0 ? r[k] / norm_[k] : 0.0;
  z.setZero(n_);
  if (dense_) {
    const auto rank = static_cast<Eigen::Index>(rank_.rank);
    const auto& qr = decompositions_->rows;
    small_.resize(rank);
    for (Eigen::Index k = 0; k < rank; ++k) small_[k] = row_solution_[qr.colsPermutation().indices()[k]];
    qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solveInPlace(small_);
    z.noalias() = Q_ * small_;
    return;
  }
  for (int pass = 0; pass < 2; ++pass) {  // the second mends what the square of the condition lost
    row_work_ = row_solution_;
    for (int k = 0; k < p_; ++k) row_work_[k] -= Y_.dot(k, z.data());
    gram_.solve_in_place(row_work_);
    for (int k = 0; k < p_; ++k) Y_.add_to(k, row_work_[k], z.data());
  }
}

void ConstrainedMass::smallest_change(const Eigen::VectorXd& r, Eigen::VectorXd& change, Eigen::VectorXd& misfit) {
  misfit.setZero(p_);
  if (p_ == 0) {
    change.setZero(n_);
    return;
  }
  solve_rows(r, kinetic_);
  for (int k = 0; k < p_; ++k) misfit[k] = std::abs(norm_[k] * Y_.dot(k, kinetic_.data()) - r[k]);
  factor().from_kinetic(kinetic_, change);
}

void ConstrainedMass::multipliers(const Eigen::VectorXd& impulse, Eigen::VectorXd& Lambda) {
  Lambda.setZero(p_);
  if (p_ == 0) return;
  factor().to_kinetic(impulse, kinetic_);
  if (dense_) {
    const auto rank = static_cast<Eigen::Index>(rank_.rank);
    const auto& qr = decompositions_->rows;
    small_.noalias() = Q_.transpose() * kinetic_;
    qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(small_);
    for (Eigen::Index k = 0; k < rank; ++k) Lambda[qr.colsPermutation().indices()[k]] = small_[k];
  } else {
    row_work_.resize(p_);
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < p_; ++k) row_work_[k] = Y_.dot(k, kinetic_.data());
      gram_.solve_in_place(row_work_);
      for (int k = 0; k < p_; ++k) Y_.add_to(k, -row_work_[k], kinetic_.data());
      Lambda += row_work_;
    }
  }
  for (int k = 0; k < p_; ++k) Lambda[k] = norm_[k] > 0.0 ? Lambda[k] / norm_[k] : 0.0;
  if (!rank_.redundant()) return;
  if (!has_null_space_) find_null_space();
  null_work_.noalias() = null_space_.transpose() * Lambda;
  Lambda.noalias() -= null_space_ * null_work_;
}

/// Each dropped row is a combination of the kept ones; in multipliers instead of unit rows, then made orthonormal.
void ConstrainedMass::find_null_space() {
  const int missing = p_ - rank_.rank;
  null_space_.setZero(p_, missing);
  if (dense_) {
    const auto rank = static_cast<Eigen::Index>(rank_.rank);
    const auto& qr = decompositions_->rows;
    const auto& indices = qr.colsPermutation().indices();
    combination_ = qr.matrixQR().block(0, rank, rank, missing);
    qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(combination_);
    for (int d = 0; d < missing; ++d) {
      null_space_(indices[rank + d], d) = 1.0;
      for (Eigen::Index k = 0; k < rank; ++k) null_space_(indices[k], d) = -combination_(k, d);
    }
  } else {
    for (int k = 0, d = 0; k < p_; ++k) {
      if (!gram_.dropped(k)) continue;
      kinetic_.setZero(n_);
      Y_.add_to(k, 1.0, kinetic_.data());
      row_work_.resize(p_);
      for (int i = 0; i < p_; ++i) row_work_[i] = Y_.dot(i, kinetic_.data());
      gram_.solve_in_place(row_work_);
      null_space_.col(d) = -row_work_;
      null_space_(k, d++) = 1.0;
    }
  }
  for (int k = 0; k < p_; ++k) {
    if (norm_[k] > 0.0) null_space_.row(k) /= norm_[k];
  }
  decompositions_->null_space.compute(null_space_);
  null_space_.setIdentity(p_, missing);
  decompositions_->null_space.householderQ().applyThisOnTheLeft(null_space_, null_work_);
  has_null_space_ = true;
}

const std::vector<int>& ConstrainedMass::redundant_rows() {
  redundant_rows_.clear();
  redundant_rows_.reserve(static_cast<size_t>(p_));
  if (!rank_.redundant()) return redundant_rows_;
  if (!has_null_space_) find_null_space();
  constexpr double kTakesPart = 1e-8;  // of combinations of length 1: smaller entries are round-off
  for (int k = 0; k < p_; ++k) {
    if (null_space_.row(k).norm() > kTakesPart) redundant_rows_.push_back(k);
  }
  return redundant_rows_;
}

void ConstrainedMass::choose_dependent(const std::vector<char>& first, std::vector<char>& dropped) {
  dropped.assign(static_cast<size_t>(p_), 0);
  if (!rank_.redundant()) return;
  if (!dense_) {
    for (int k = 0; k < p_; ++k) dropped[static_cast<size_t>(k)] = gram_.dropped(k) ? 1 : 0;
    return;
  }
  // Gram-Schmidt, twice, in the order of preference; as many rows as the rank has places.
  constexpr double kDependent = 1e-7;  // of a unit direction: what is left of one that the rank leaves no place for
  int kept = 0;
  for (const char wanted : {char{1}, char{0}}) {
    for (int k = 0; k < p_; ++k) {
      if ((first[static_cast<size_t>(k)] != 0) != (wanted != 0)) continue;
      kinetic_.setZero(n_);
      Y_.add_to(k, 1.0, kinetic_.data());
      for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < kept; ++i) kinetic_ -= A_.col(i).dot(kinetic_) * A_.col(i);
      }
      const double rest = kinetic_.norm();
      if (kept == rank_.rank || !(rest > kDependent)) {
        dropped[static_cast<size_t>(k)] = 1;
      } else {
        A_.col(kept++) = kinetic_ / rest;
      }
    }
  }
}

double ConstrainedMass::kinetic_size(const Eigen::VectorXd& x) {
  factor().to_kinetic(x, kinetic_);
  return kinetic_.norm();
}

void ConstrainedMass::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.setZero(n_);
  for (size_t e = 0; e < M_.size(); ++e) {
    const auto& [row, column] = mass_pattern_[e];
    y[row] += M_[e] * x[column];
    if (row != column) y[column] += M_[e] * x[row];
  }
}

}  // namespace tippe
