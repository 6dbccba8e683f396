// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace tippe {

/// Connected components of the numbers 0 .. n - 1. The root of a component is its smallest member. Memory is kept between uses.
class UnionFind {
 public:
  /// Every number alone.
  void reset(int n) {
    parent_.resize(static_cast<size_t>(n));
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  void join(int a, int b) {
    a = root(a);
    b = root(b);
    parent_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
  }
  /// part[i] := the component of i; components are numbered by their first member. Returns how many there are.
  int number(std::vector<int>& part) {
    part.resize(parent_.size());
    int count = 0;
    for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
      const int top = root(i);
      part[static_cast<size_t>(i)] = top == i ? count++ : part[static_cast<size_t>(top)];
    }
    return count;
  }

 private:
  int root(int i) {
    int* parent = parent_.data();
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }

  std::vector<int> parent_;
};

}  // namespace tippe
