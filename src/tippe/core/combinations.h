// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tippe {

/// visit(combination) for every way to take one of `possible[i]` for each i, in their order, the last one changing fastest.
template <class T, class Visit>
void for_each_combination(const std::vector<std::vector<T>>& possible, Visit&& visit) {
  std::vector<size_t> taken(possible.size(), 0);
  std::vector<T> combination;
  for (const std::vector<T>& choices : possible) {
    if (choices.empty()) return;
    combination.push_back(choices.front());
  }
  while (true) {
    visit(combination);
    size_t i = possible.size();
    while (i > 0 && ++taken[i - 1] == possible[i - 1].size()) {
      taken[i - 1] = 0;
      combination[i - 1] = possible[i - 1].front();
      --i;
    }
    if (i == 0) return;
    combination[i - 1] = possible[i - 1][taken[i - 1]];
  }
}

}  // namespace tippe
