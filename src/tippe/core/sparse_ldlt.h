// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace tippe {

/// Columns of a sparse matrix, appended one by one; memory is kept by clear().
struct SparseColumns {
  std::vector<int> start{0};  // column k holds entries start[k] .. start[k+1] - 1
  std::vector<int> row;
  std::vector<double> value;

  [[nodiscard]] int columns() const { return static_cast<int>(start.size()) - 1; }
  void clear() { truncate(0); }
  /// Keeps the first `count` columns.
  void truncate(int count) {
    start.resize(static_cast<size_t>(count) + 1);
    row.resize(static_cast<size_t>(start.back()));
    value.resize(static_cast<size_t>(start.back()));
  }
  void push(int r, double v) {
    row.push_back(r);
    value.push_back(v);
  }
  void finish_column() { start.push_back(static_cast<int>(row.size())); }

  /// A copy of column k of another.
  void append_column(const SparseColumns& other, int k) {
    row.insert(row.end(), other.row.begin() + other.start[k], other.row.begin() + other.start[k + 1]);
    value.insert(value.end(), other.value.begin() + other.start[k], other.value.begin() + other.start[k + 1]);
    finish_column();
  }

  /// Column k dotted with a dense vector.
  [[nodiscard]] double dot(int k, const double* x) const {
    double sum = 0.0;
    for (int p = start[k]; p < start[k + 1]; ++p) sum += value[p] * x[row[p]];
    return sum;
  }
  /// x += a * column k.
  void add_to(int k, double a, double* x) const {
    for (int p = start[k]; p < start[k + 1]; ++p) x[row[p]] += a * value[p];
  }
};

/// Entry (row, column) of the lower triangle, row >= column.
struct LowerEntry {
  int row;
  int column;
};

/// P M P' = L D L' of a symmetric positive definite M whose pattern never changes: the pattern is analysed
/// once (fill-reducing order, structure of L), after that factorizing and solving allocate nothing and cost
/// what the structure costs: O(n) for a chain.
///
/// Up-looking factorization: row k of L follows from the rows above it,
///   L(0:k,0:k) D(0:k) l_k = M(0:k, k),   D_k = M_kk - l_k' D l_k.
class SparseLDLT {
 public:
  SparseLDLT() = default;
  /// `pattern` holds each entry of the lower triangle at most once; missing diagonal entries are zero.
  SparseLDLT(int n, std::span<const LowerEntry> pattern);

  /// `values` in the order of the pattern. False if M is not positive definite to working precision: a pivot
  /// is not above n * 2^-52 times its diagonal entry. Then failed_direction() tells along which direction.
  [[nodiscard]] bool factorize(std::span<const double> values);
  /// After factorize(): the smallest ratio of a pivot to its diagonal entry, small where M is nearly singular.
  [[nodiscard]] double smallest_pivot_ratio() const { return smallest_ratio_; }

  /// For a positive semidefinite M with unit diagonal, such as a Gram matrix: a row whose pivot is at most `cutoff` depends on
  /// those before it and is dropped, together with its unknown, which solve_in_place() then sets to zero. Returns the number of
  /// rows that are kept; dropped() tells which are not. The smallest pivot kept and the largest dropped are for reports.
  struct Semidefinite {
    int rank = 0;
    double smallest_kept = 0.0, largest_dropped = 0.0;
  };
  Semidefinite factorize_semidefinite(std::span<const double> values, double cutoff);
  [[nodiscard]] bool dropped(int row) const { return inverse_sqrt_D_[static_cast<size_t>(inverse_[row])] == 0.0; }

  /// x := M^-1 x.
  void solve_in_place(Eigen::VectorXd& x) const;
  /// y := D^-1/2 L^-1 P x, so that |y|^2 = x'M^-1 x: forces to kinetic coordinates. And u := P'L^-T D^-1/2 y: kinetic coordinates
  /// to velocities, so that |y|^2 = u'M u. One after the other they are solve_in_place().
  void to_kinetic(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  void from_kinetic(const Eigen::VectorXd& y, Eigen::VectorXd& u) const;

  /// Appends to Y the column y = D^-1/2 L^-1 P w, so that w_i' M^-1 w_j = y_i . y_j. Rows of Y are permuted
  /// coordinates; only the structurally non-zero ones are stored.
  void append_kinetic_column(std::span<const int> rows, std::span<const double> values, SparseColumns& Y);

  /// After a failed factorize(): z with z'Mz <= 0 (to round-off), largest entry 1.
  [[nodiscard]] Eigen::VectorXd failed_direction() const;

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] int factor_entries() const { return static_cast<int>(L_row_.size()); }

 private:
  double eliminate_row(int k, std::span<const double> values);

  int n_ = 0;
  std::vector<int> permutation_;  // permuted index -> original index
  std::vector<int> inverse_;      // original index -> permuted index
  std::vector<int> parent_;       // elimination tree, -1 at a root
  std::vector<int> M_start_, M_row_,
      M_from_;                               // permuted upper triangle by columns; M_from_: place in `values`
  std::vector<int> row_start_, row_column_;  // row patterns of L, columns ascending
  std::vector<int> L_start_, L_row_;         // L by columns, without its unit diagonal
  std::vector<double> L_value_, D_, inverse_sqrt_D_;
  std::vector<int> filled_;           // entries of each column written so far
  mutable std::vector<double> work_;  // zero between calls
  std::vector<int> path_;
  std::vector<char> marked_;
  int failed_at_ = -1;
  double smallest_ratio_ = 1.0;
};

}  // namespace tippe
