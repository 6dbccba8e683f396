// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/union_find.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace tippe::union_find_test {

/// Components of a graph by walking it, numbered by their first member.
std::vector<int> walked(int n, const std::vector<std::pair<int, int>>& edges) {
  std::vector<int> part(static_cast<size_t>(n), -1);
  int count = 0;
  for (int first = 0; first < n; ++first) {
    if (part[static_cast<size_t>(first)] >= 0) continue;
    std::vector<int> open{first};
    part[static_cast<size_t>(first)] = count;
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      for (const auto& [a, b] : edges) {
        for (const int next : {a == at ? b : -1, b == at ? a : -1}) {
          if (next < 0 || part[static_cast<size_t>(next)] >= 0) continue;
          part[static_cast<size_t>(next)] = count;
          open.push_back(next);
        }
      }
    }
    ++count;
  }
  return part;
}

TEST(UnionFind, ComponentsAreThoseOfAWalkNumberedByTheirFirstMember) {
  std::mt19937 random(3);
  UnionFind components;
  std::vector<int> part;
  for (int repetition = 0; repetition < 300; ++repetition) {
    const int n = static_cast<int>(random() % 20);
    std::vector<std::pair<int, int>> edges;
    components.reset(n);
    for (int e = n == 0 ? 0 : static_cast<int>(random() % 20); e > 0; --e) {
      edges.emplace_back(static_cast<int>(random() % n), static_cast<int>(random() % n));
      components.join(edges.back().first, edges.back().second);
    }
    const std::vector<int> expected = walked(n, edges);
    EXPECT_EQ(components.number(part), n == 0 ? 0 : *std::max_element(expected.begin(), expected.end()) + 1);
    EXPECT_EQ(part, expected);
  }
}

}  // namespace tippe::union_find_test
