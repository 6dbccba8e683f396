// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/core/kept_vector.h"
#include "tippe/core/sparse_ldlt.h"

namespace tippe {

/// A block-sparse square matrix by compressed rows of blocks. Block row i has `row[i + 1] - row[i]` scalar
/// rows. Memory is kept by clear(), so that a matrix can be rebuilt in every step without allocation.
struct BlockSparseMatrix {
  struct Entry {
    int column;  // block column
    int offset;  // first value of the block, stored row by row
  };
  std::vector<int> row{0};          // first scalar row of each block, and the total
  std::vector<int> entry_start{0};  // entries of block row i: entry_start[i] .. entry_start[i+1] - 1, columns ascending
  std::vector<Entry> entry;
  std::vector<int> diagonal;  // offset of block (i, i)
  std::vector<double> value;

  [[nodiscard]] int blocks() const { return static_cast<int>(row.size()) - 1; }
  [[nodiscard]] int rows() const { return row.back(); }
  [[nodiscard]] int block_size(int i) const { return row[i + 1] - row[i]; }
  /// The diagonal block of i, row-major, block_size(i) squared values.
  [[nodiscard]] const double* diagonal_block(int i) const { return value.data() + diagonal[i]; }

  void clear();
  /// The sizes of all block rows come first (a block may stand left of a later block column), then the blocks
  /// row by row.
  void declare_row(int size);
  /// The new block (current row, column), to be filled by the caller. The pointer is valid until the next
  /// call.
  double* add_block(int column);
  void finish_row() { entry_start.push_back(static_cast<int>(entry.size())); }
};

/// The Delassus matrix G of a set of laws, in one of two forms:
/// - explicit: all its non-zero blocks;
/// - factored: G = Y'Y with Y = D^-1/2 L^-1 W from M = L D L', where only the diagonal blocks are formed.
///   Never worse than the mechanics behind it: a sweep over all laws costs the entries of Y, while G may be full.
struct Delassus {
  BlockSparseMatrix blocks;  // explicit form: G; factored form: its block diagonal
  bool factored = false;
  SparseColumns Y;       // factored form: one column per scalar row of G
  int kinetic_rows = 0;  // rows of Y

  [[nodiscard]] int rows() const { return blocks.rows(); }

  /// result := G x. `kinetic` is scratch for the factored form.
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& x, KeptVector& result, KeptVector& kinetic) const;

  /// result := G x + c, with sums in extended precision.
  void multiply_add_exactly(const Eigen::Ref<const Eigen::VectorXd>& x, const KeptVector& c, KeptVector& result,
                            std::vector<long double>& kinetic) const;
};

/// All of G. For small problems.
[[nodiscard]] Eigen::MatrixXd dense(const Delassus& G);

/// G given as a dense matrix, by blocks; blocks that are entirely zero are left out. Throws std::invalid_argument if the sizes do not
/// add up.
[[nodiscard]] Delassus delassus_from_dense(const Eigen::MatrixXd& G, const std::vector<int>& sizes);

}  // namespace tippe
