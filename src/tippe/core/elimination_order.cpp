// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/elimination_order.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <numeric>

namespace tippe {

std::vector<int> elimination_order(int n, std::span<const LowerEntry> pattern) {
  std::vector<int> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  constexpr int kSmall = 6;
  if (n <= kSmall) return order;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(pattern.size() + order.size());
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (const LowerEntry& entry : pattern) entries.emplace_back(entry.row, entry.column, 1.0);
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int> ordering;
  ordering(matrix.selfadjointView<Eigen::Lower>(), permutation);
  for (int k = 0; k < n; ++k) order[k] = permutation.indices()(k);
  return order;
}

}  // namespace tippe
