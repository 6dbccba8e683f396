// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// An inclusion problem as solvers like it: few kinds of blocks, and scaled so that 1 is a natural size everywhere.
///
///   u = W r + q ,   Lambda = T r / v ,   W = T G T ,   q = v T c ,   T diagonal, v one number for each independent part
///
/// Friction without a coefficient is no row, an ellipse is a disc, drilling friction in an ellipsoid is a ball. What remains:
///   line   lower <= r <= upper, u >= 0 at the lower end, u <= 0 at the upper, u = 0 between     half lines and bilateral rows too
///   cone   0 <= r_N _|_ u_N >= 0,  |r_T| <= mu r_N,  u_T against r_T where it slides            1, 2 or 3 tangents
///   prox   the same with -r_T in (r_N + extra) mu D, D known by its prox only                   other drilling sets, extra loads
/// Friction with a given limit gets a row before its own, a contact that carries nothing: its limit is the extra load.
/// T brings the diagonal of each block to about 1, with one factor for all tangents, so that a cone stays one; v brings q to unit root
/// mean square. Hence nothing below depends on units.
struct NormalForm {
  enum class Kind : unsigned char { kLine, kCone, kProx };
  using Tangents = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
  struct Block {
    Kind kind;
    int law;              // block of the given problem
    int row;              // first row here
    int size;             // rows
    double lower, upper;  // line
    double mu;            // cone, prox
    double extra;         // prox
    DrillingSet set;      // prox; kEllipsoid: the ball
    bool given = false;   // prox: friction with a given limit

    /// cone, prox: the tangential impulse nearest to x that the normal impulse r_N allows; r_N < 0 counts as 0.
    [[nodiscard]] Tangents project_friction(double r_N, const Tangents& x) const;
  };
  /// Explicit form: a block W_ij off the diagonal, row-major.
  struct Coupling {
    int column;  // block
    int offset;  // into coupling_value
  };
  /// Factored form: consecutive kinetic rows that the rows of a block share.
  struct Run {
    int row;  // first kinetic row
    int length;
    int offset;  // into run_value: `length` values for each row of the block
  };

  std::vector<Block> blocks;
  std::vector<double> to_Lambda;  // T / v of each row
  KeptVector q;
  std::vector<int> diagonal_offset;  // of each block, into diagonal_value, row-major
  std::vector<double> diagonal_value;

  bool factored = false;
  std::vector<int> coupling_start;  // explicit form: couplings of block i are coupling_start[i] .. coupling_start[i+1] - 1
  std::vector<Coupling> coupling;
  std::vector<double> coupling_value;
  std::vector<int> run_start;  // factored form, W = Y'Y: runs of block i
  std::vector<Run> run;
  std::vector<double> run_value;
  int kinetic_rows = 0;

  [[nodiscard]] int rows() const { return static_cast<int>(to_Lambda.size()); }
  [[nodiscard]] int block_count() const { return static_cast<int>(blocks.size()); }
  [[nodiscard]] const double* diagonal(int block) const { return diagonal_value.data() + diagonal_offset[block]; }

  /// The largest distance |i - j| of two blocks that act on each other directly.
  [[nodiscard]] int longest_coupling() const;

  /// Takes over a problem. The order of blocks is the given one, unless the problem is large and blocks that act on each other lie
  /// far apart; then neighbours are brought together. Allocates only when a problem is larger than all before.
  void assign(const InclusionProblem& problem);

  /// r of an iterate Lambda, and back.
  void scale(const Eigen::Ref<const Eigen::VectorXd>& Lambda, KeptVector& r) const;
  void unscale(const Eigen::Ref<const Eigen::VectorXd>& r, KeptVector& Lambda) const;

  /// u = W r + q; `kinetic` becomes Y r in factored form.
  void evaluate_velocity(const KeptVector& r, KeptVector& u, KeptVector& kinetic) const;

 private:
  void choose_order(const InclusionProblem& problem);
  void choose_rows(const InclusionProblem& problem);
  void choose_row_scales(const InclusionProblem& problem);
  void choose_part_scales(const InclusionProblem& problem);
  void scale_blocks(const InclusionProblem& problem);
  void copy_diagonal(const InclusionProblem& problem);
  void copy_couplings(const InclusionProblem& problem);
  void copy_runs(const InclusionProblem& problem);

  std::vector<int> given_row_;              // of each row here; -1: none, the contact of a friction with a given limit
  std::vector<double> shape_;               // of each row here: turns the friction set into a ball
  std::vector<double> T_;                   // of each row here
  std::vector<double> part_v_, largest_c_;  // of each independent part
  std::vector<int> members_;                // of each independent part: its blocks
  std::vector<int> order_;                  // blocks of the given problem, in the order here
  std::vector<int> block_of_;               // of each block of the given problem: the block here
  std::vector<int> touched_;
  std::vector<double> column_;
  int given_size_ = 0;
};

}  // namespace tippe
