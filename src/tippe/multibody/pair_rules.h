// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tippe {

/// Which of many partners may touch, and by which rule: of all rules that name a pair the last one counts. Rules stand for products of
/// sets; pairs are not listed, so that "all with all" costs nothing.
class PairRules {
 public:
  static constexpr int kNone = -1;

  explicit PairRules(size_t partners) : partners_(partners) {}

  /// Each of `first` with each of `second`. `joined_too`: also partners that are joined. Returns the number of the rule.
  int add(std::vector<size_t> first, std::vector<size_t> second, bool joined_too);
  /// Two partners that a joint connects.
  void join(size_t i, size_t j) { joined_.insert(key_of(i, j)); }
  /// After the last rule, before the first question.
  void finish();

  /// The last rule that names a pair, or kNone. A partner does not touch itself.
  [[nodiscard]] int rule(size_t i, size_t j) const;
  /// Calls use(i, j, rule) for the pairs that a rule names, in the order of the smaller and then the larger number, until it returns false.
  template <class Use>
  void for_each_pair(Use&& use) const {
    for (size_t i = 0; i < partners_; ++i) {
      if (class_[i] == 0) continue;
      for (size_t j = i + 1; j < partners_; ++j) {
        if (const int found = rule(i, j); found != kNone && !use(i, j, found)) return;
      }
    }
  }
  [[nodiscard]] size_t partners() const { return partners_; }

 private:
  struct Rule {
    std::vector<size_t> first, second;
    bool joined_too = false;
    [[nodiscard]] bool of_one_pair() const { return first.size() == 1 && second.size() == 1; }
  };
  static std::uint64_t key_of(size_t i, size_t j) {
    return (static_cast<std::uint64_t>(std::min(i, j)) << 32U) | static_cast<std::uint64_t>(std::max(i, j));
  }
  [[nodiscard]] int last_among_joined(size_t i, size_t j) const;

  size_t partners_;
  std::vector<Rule> rules_;
  std::unordered_set<std::uint64_t> joined_;
  std::unordered_map<std::uint64_t, int> single_;  // rules of one pair, the last of each
  std::vector<int> class_;  // of each partner: those of one class are in the same sets; 0: in none at all
  int classes_ = 0;
  std::vector<int> of_classes_;  // the last rule of two classes
};

}  // namespace tippe
