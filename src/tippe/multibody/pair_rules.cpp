// SPDX-License-Identifier: Apache-2.0
#include "tippe/multibody/pair_rules.h"

#include <algorithm>

namespace tippe {

int PairRules::add(std::vector<size_t> first, std::vector<size_t> second, bool joined_too) {
  rules_.push_back({std::move(first), std::move(second), joined_too});
  return static_cast<int>(rules_.size()) - 1;
}

void PairRules::finish() {
  // The sets of each partner: 2 r for the first of rule r, 2 r + 1 for its second.
  std::vector<std::vector<size_t>> sets(partners_);
  std::vector<char> named(partners_, 0);
  for (size_t r = 0; r < rules_.size(); ++r) {
    const Rule& rule = rules_[r];
    for (const size_t partner : rule.first) named[partner] = 1;
    for (const size_t partner : rule.second) named[partner] = 1;
    if (rule.of_one_pair()) {
      single_[key_of(rule.first[0], rule.second[0])] = static_cast<int>(r);
      continue;
    }
    for (const size_t partner : rule.first) sets[partner].push_back(2 * r);
    for (const size_t partner : rule.second) sets[partner].push_back(2 * r + 1);
  }
  std::map<std::pair<char, std::vector<size_t>>, int> numbers = {{{0, {}}, 0}};
  std::vector<const std::vector<size_t>*> sets_of_class = {&numbers.begin()->first.second};
  class_.assign(partners_, 0);
  for (size_t partner = 0; partner < partners_; ++partner) {
    const auto [found, is_new] =
        numbers.try_emplace({named[partner], std::move(sets[partner])}, static_cast<int>(numbers.size()));
    if (is_new) sets_of_class.push_back(&found->first.second);
    class_[partner] = found->second;
  }
  classes_ = static_cast<int>(numbers.size());
  of_classes_.assign(static_cast<size_t>(classes_) * static_cast<size_t>(classes_), kNone);
  for (int a = 0; a < classes_; ++a) {
    for (int b = 0; b < classes_; ++b) {
      int& last = of_classes_[static_cast<size_t>(a * classes_ + b)];
      for (const size_t set : *sets_of_class[static_cast<size_t>(a)]) {
        const size_t other = set ^ 1U;
        const std::vector<size_t>& others = *sets_of_class[static_cast<size_t>(b)];
        if (std::binary_search(others.begin(), others.end(), other)) last = std::max(last, static_cast<int>(set / 2));
      }
    }
  }
}

int PairRules::rule(size_t i, size_t j) const {
  if (i == j) return kNone;
  if (!joined_.empty() && joined_.contains(key_of(i, j))) return last_among_joined(i, j);
  int last = of_classes_[static_cast<size_t>(class_[i] * classes_ + class_[j])];
  if (!single_.empty()) {
    const auto found = single_.find(key_of(i, j));
    if (found != single_.end()) last = std::max(last, found->second);
  }
  return last;
}

int PairRules::last_among_joined(size_t i, size_t j) const {
  const auto names = [](const std::vector<size_t>& set, size_t partner) {
    return std::find(set.begin(), set.end(), partner) != set.end();
  };
  for (size_t r = rules_.size(); r-- > 0;) {
    const Rule& rule = rules_[r];
    if (!rule.joined_too) continue;
    if ((names(rule.first, i) && names(rule.second, j)) || (names(rule.first, j) && names(rule.second, i)))
      return static_cast<int>(r);
  }
  return kNone;
}

}  // namespace tippe
