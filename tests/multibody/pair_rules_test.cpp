// SPDX-License-Identifier: Apache-2.0
#include "tippe/multibody/pair_rules.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tippe::multibody_pair_rules_test {

TEST(PairRules, TheLastRuleThatNamesAPairCounts) {
  PairRules rules(4);
  const std::vector<size_t> all = {0, 1, 2, 3};
  EXPECT_EQ(rules.add(all, all, false), 0);
  EXPECT_EQ(rules.add({1}, {2}, true), 1);
  EXPECT_EQ(rules.add({2}, {0, 3}, false), 2);
  rules.finish();
  EXPECT_EQ(rules.rule(0, 1), 0);
  EXPECT_EQ(rules.rule(1, 2), 1);
  EXPECT_EQ(rules.rule(2, 1), 1);
  EXPECT_EQ(rules.rule(3, 2), 2);
  EXPECT_EQ(rules.rule(2, 2), PairRules::kNone);
}

TEST(PairRules, JoinedPartnersNeedARuleOfTheirOwn) {
  PairRules rules(3);
  rules.join(1, 0);
  rules.add({0, 1, 2}, {0, 1, 2}, false);
  rules.finish();
  EXPECT_EQ(rules.rule(0, 1), PairRules::kNone);
  EXPECT_EQ(rules.rule(0, 2), 0);
  PairRules named(3);
  named.join(0, 1);
  named.add({1}, {0}, true);
  named.add({0, 1, 2}, {0, 1, 2}, false);
  named.finish();
  EXPECT_EQ(named.rule(0, 1), 0);
}

// Against the table of all pairs, in which every rule writes.
TEST(PairRules, RandomRulesAreThoseOfTheTable) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    constexpr size_t kPartners = 8;
    PairRules rules(kPartners);
    std::map<std::pair<size_t, size_t>, int> table;
    std::vector<char> joined(kPartners * kPartners, 0);
    for (int k = 0; k < 3; ++k) {
      const size_t i = random() % kPartners, j = random() % kPartners;
      if (i == j) continue;
      rules.join(i, j);
      joined[i * kPartners + j] = joined[j * kPartners + i] = 1;
    }
    for (int r = 0; r < 6; ++r) {
      const auto some = [&] {
        std::vector<size_t> set;
        const size_t most = 1 + random() % kPartners;
        for (size_t k = 0; k < kPartners; ++k) {
          if (random() % kPartners < most) set.push_back(k);
        }
        return set;
      };
      const std::vector<size_t> first = some(), second = some();
      const bool joined_too = random() % 3 == 0;
      rules.add(first, second, joined_too);
      for (const size_t i : first) {
        for (const size_t j : second) {
          if (i != j && (joined_too || !joined[i * kPartners + j])) table[std::minmax(i, j)] = r;
        }
      }
    }
    rules.finish();
    std::map<std::pair<size_t, size_t>, int> found;
    rules.for_each_pair([&](size_t i, size_t j, int rule) {
      found[{i, j}] = rule;
      return true;
    });
    EXPECT_EQ(found, table) << trial;
    for (size_t i = 0; i < kPartners; ++i) {
      for (size_t j = 0; j < kPartners; ++j) {
        const auto entry = table.find(std::minmax(i, j));
        EXPECT_EQ(rules.rule(i, j), i == j || entry == table.end() ? PairRules::kNone : entry->second);
      }
    }
  }
}

TEST(PairRules, AMillionPairsAreNotListed) {
  PairRules rules(1'000'000);
  std::vector<size_t> all(1'000'000);
  for (size_t k = 0; k < all.size(); ++k) all[k] = k;
  rules.add(all, all, false);
  rules.finish();
  int seen = 0;
  rules.for_each_pair([&](size_t, size_t, int) { return ++seen < 10; });
  EXPECT_EQ(seen, 10);
  EXPECT_EQ(rules.rule(999'999, 3), 0);
}

}  // namespace tippe::multibody_pair_rules_test
