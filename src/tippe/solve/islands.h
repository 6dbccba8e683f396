// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/core/union_find.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// The independent parts of a problem: blocks that act on each other, directly or through others. Each is a problem of its own, and
/// solving them apart costs what each needs instead of what the worst needs.
class Islands {
 public:
  /// Memory is kept between calls.
  void find(const InclusionProblem& problem);

  [[nodiscard]] int count() const { return static_cast<int>(start_.size()) - 1; }
  /// Blocks of island k.
  [[nodiscard]] int size(int k) const { return start_[k + 1] - start_[k]; }

  /// Copies island k into `part`, with the rows that belong to it in `rows`.
  void extract(const InclusionProblem& problem, int k, InclusionProblem& part, std::vector<int>& rows);

 private:
  UnionFind components_;
  std::vector<int> start_{0};  // blocks of island k are block_[start_[k]] .. block_[start_[k+1] - 1], ascending
  std::vector<int> block_;
  std::vector<int> label_, place_;
  std::vector<int> first_block_;   // of each kinetic row
  std::vector<int> kinetic_here_;  // of each kinetic row: its number in the island, -1 elsewhere
};

}  // namespace tippe
