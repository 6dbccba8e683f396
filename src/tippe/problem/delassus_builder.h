// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/core/union_find.h"
#include "tippe/problem/delassus.h"

namespace tippe {

/// kCheaper: explicit unless the factored form needs less than half the numbers.
enum class DelassusForm { kCheaper, kExplicit, kFactored };

/// Fills G from W_i' M^-1 W_j = Y_i . Y_j, given Y and the rows of each law.
class DelassusBuilder {
 public:
  /// `sizes`: scalar rows of each block, in the order of the columns of G.Y; kinetic_rows: rows of Y.
  void build(const std::vector<int>& sizes, int kinetic_rows, Delassus& G, DelassusForm form = DelassusForm::kCheaper);

  /// After build(): which blocks are coupled, directly or through others. Numbers from 0.
  void find_parts(std::vector<int>& part);

 private:
  /// Whether G is factored, and coupled_.
  void find_one_block(int size, Delassus& G, DelassusForm form);
  void find_blocks(const std::vector<int>& sizes, int kinetic_rows, Delassus& G, DelassusForm form);
  void find_members(const std::vector<int>& sizes, int kinetic_rows, const SparseColumns& Y);
  [[nodiscard]] bool find_coupled_blocks(const std::vector<int>& sizes, const SparseColumns& Y, size_t most_numbers);

  // Which blocks share a row of Y: blocks of row k are members_[member_start_[k] .. member_start_[k+1] - 1].
  std::vector<int> member_start_, members_, fill_;
  std::vector<int> coupled_start_, coupled_;  // coupled blocks of block i, ascending
  std::vector<int> seen_, visited_;           // for whom a block and a row of Y have been looked at last
  UnionFind components_;
  std::vector<double> dense_;
};

}  // namespace tippe
