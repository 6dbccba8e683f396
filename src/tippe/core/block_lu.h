// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tippe/core/elimination_fronts.h"

namespace tippe {

/// LU factors of a large matrix of blocks whose pattern is symmetric while its values need not be: multifrontal, in dense pieces. Rows are
/// exchanged within the pivots of a piece only, which suffices where the matrix is near a definite one; solutions are to be judged by those who ask.
/// Memory is kept, and an analysis too as long as the pattern is the same.
class BlockLU {
 public:
  /// Sizes of the nodes (rows of blocks), and the pairs of nodes that share blocks, in any order, also several times; `couplings` is used up.
  void analyze(std::span<const int> sizes, std::vector<LowerEntry>& couplings);
  [[nodiscard]] const EliminationFronts& fronts() const { return fronts_; }

  /// All values are zero.
  void clear();
  /// The block of two nodes, to be added to: column c begins at `data + c * stride`.
  struct Block {
    double* data;
    Eigen::Index stride;
  };
  [[nodiscard]] Block block(int row_node, int column_node);
  /// What block() gave becomes factors. False if a pivot is zero or no number.
  [[nodiscard]] bool factorize();
  /// x := A^-1 x, by the rows of the nodes in the order given.
  void solve_in_place(Eigen::VectorXd& x);

 private:
  void take_from_child(const EliminationFronts::Front& child, const double* left, size_t f);

  EliminationFronts fronts_;
  std::vector<int> sizes_;
  std::vector<LowerEntry> couplings_;
  std::vector<size_t> lower_, upper_;  // of each front: pivot columns, of pivots and border, and pivot rows of the border
  std::vector<double> value_;
  std::vector<double> stack_;   // what fronts leave to their parents
  double* own_left_ = nullptr;  // of the front at work
  std::vector<int> waiting_;    // the fronts that left it
  std::vector<int> exchanged_;  // of each pivot: with which row of its front
  std::vector<int> target_;     // rows of a child in its parent
  Eigen::VectorXd ordered_, border_;
};

}  // namespace tippe
