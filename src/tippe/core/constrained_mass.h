// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "tippe/core/sparse_ldlt.h"

namespace tippe {

/// How many rows of a set of constraints are independent, and how clear that is: singular values of their kinetic directions,
/// each of unit length.
struct RankDecision {
  int rows = 0;
  int rank = 0;
  double cutoff = 0.0;  // 1   a singular value at most this counts as zero
  double smallest_kept =
      0.0;  // 1   a bound from below is not meant: for full rank it may be a pivot instead of the singular value
  double largest_dropped = 0.0;  // 1

  [[nodiscard]] bool redundant() const { return rank < rows; }
};

/// The kinetics of velocities u under bilateral rows  W'u = r:  mass matrix M, positive semidefinite with a fixed pattern, and
/// directions W, of any rank, with a fixed pattern.
///
///   M = L L',  Y = L^-1 W (kinetic directions),  Q an orthonormal basis of their range,
///   M_c^-1 = L^-T (I - Q Q') L^-1                                            Brogliato A (16)-(19)
///
/// Everything follows by orthogonalisation in kinetic coordinates, with one rank decision: unit columns, absolute cut-off.
/// Where M is singular it is replaced by E = M + W S W' (core/row_weights.h), which changes multipliers (they are computed with M) but no
/// motion. HeldMass is the same for problems that are dense and small, with the same weights and the same decision on the rank.
///
/// Few rows: dense QR with column pivoting, cut-off rank_tolerance(rows). Many rows: sparse Gram matrix Y'Y with twice the
/// orthogonalisation, which costs what the structure costs but resolves singular values only down to 3e-7.
class ConstrainedMass {
 public:
  ConstrainedMass();
  /// `W`: any matrix with the pattern of the directions.
  ConstrainedMass(int n, std::span<const LowerEntry> mass_pattern, const SparseColumns& W);
  ConstrainedMass(ConstrainedMass&& other) noexcept;
  ConstrainedMass& operator=(ConstrainedMass&& other) noexcept;
  ~ConstrainedMass();

  /// False if a direction has no mass and is held by no constraint: massless_direction() tells which. Allocates nothing from the
  /// second call on. `coarsest_cutoff`: rows count as dependent up to this singular value, where it is larger than the usual one.
  [[nodiscard]] bool factorize(std::span<const double> M, const SparseColumns& W, double coarsest_cutoff = 0.0);
  [[nodiscard]] Eigen::VectorXd massless_direction() const;
  /// M itself is singular: the constraints hold what has no mass.
  [[nodiscard]] bool mass_is_singular() const { return extended_in_use_; }

  [[nodiscard]] const RankDecision& rank() const { return rank_; }
  /// The kinetic length of a row's direction, sqrt(w'M^-1 w): what makes rows of different units comparable.
  [[nodiscard]] double row_length(int row) const { return norm_[row]; }
  /// Rows that take part in a dependency: their multipliers are not unique.
  [[nodiscard]] const std::vector<int>& redundant_rows();

  /// dropped[k] := 1 for rows that depend on others, so that the rest is independent; rows with first[k] are rather kept.
  void choose_dependent(const std::vector<char>& first, std::vector<char>& dropped);

  /// x := M_c^-1 x: the velocities that an impulse x gives, W'x = 0.
  void solve_in_place(Eigen::VectorXd& x);
  /// The smallest change of velocities in the kinetic metric with W'change = r. Where rows are redundant, those that are dropped
  /// follow only if r fits: misfit[k] = |W_k'change - r_k|.
  void smallest_change(const Eigen::VectorXd& r, Eigen::VectorXd& change, Eigen::VectorXd& misfit);
  /// Appends L^-1 w orthogonalised against all kinetic directions, so that  w_i'M_c^-1 w_j  is the dot product of two columns.
  void append_kinetic_column(std::span<const int> rows, std::span<const double> values, SparseColumns& Y);
  /// Lambda of least norm with W Lambda = impulse, for an impulse in the range of W.
  void multipliers(const Eigen::VectorXd& impulse, Eigen::VectorXd& Lambda);
  /// sqrt(x'M^-1 x): the size of an impulse as a velocity in the kinetic metric.
  [[nodiscard]] double kinetic_size(const Eigen::VectorXd& x);
  /// y := M x, with M itself.
  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;

 private:
  struct Decompositions;  // of Eigen's, whose headers are slow to compile

  [[nodiscard]] const SparseLDLT& factor() const { return extended_in_use_ ? extended_ : mass_; }
  [[nodiscard]] SparseLDLT& factor() { return extended_in_use_ ? extended_ : mass_; }
  bool factorize_mass(const SparseColumns& W);
  void make_extended_pattern(const SparseColumns& W);
  void decompose_dense();
  void decompose_sparse();
  void make_gram_pattern();
  void remove_range(Eigen::VectorXd& y);
  /// z := the shortest kinetic vector with Y'z = r on the kept rows.
  void solve_rows(const Eigen::VectorXd& r, Eigen::VectorXd& z);
  void find_null_space();

  int n_ = 0, p_ = 0;
  std::vector<LowerEntry> mass_pattern_;
  std::vector<double> M_;
  SparseLDLT mass_, extended_;
  bool is_factored_ = false;  // what is in M_; without constraints a mass that stays is factored once
  bool extended_in_use_ = false, has_extended_ = false;
  std::vector<LowerEntry> extended_pattern_;
  std::vector<int> mass_place_, product_place_;  // where entries of M and of W W' go in the extended matrix
  std::vector<double> extended_values_;
  Eigen::VectorXd lightness_;  // of the coordinates

  SparseColumns Y_;       // unit kinetic directions
  Eigen::VectorXd norm_;  // their lengths before
  bool dense_ = true;
  RankDecision rank_;
  Eigen::MatrixXd A_, Q_, R_transposed_;
  Eigen::VectorXd sigma_;
  std::unique_ptr<Decompositions> decompositions_;
  SparseLDLT gram_;
  std::vector<LowerEntry> gram_pattern_;
  std::vector<double> gram_values_;
  bool has_null_space_ = false;
  Eigen::MatrixXd null_space_;  // columns: combinations of multipliers without effect, orthonormal
  Eigen::MatrixXd combination_;
  Eigen::VectorXd null_work_;
  std::vector<int> redundant_rows_;
  Eigen::VectorXd kinetic_, row_work_, row_solution_, small_;
  SparseColumns column_;
};

}  // namespace tippe
