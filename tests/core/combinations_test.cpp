// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/combinations.h"

#include <gtest/gtest.h>

namespace tippe::combinations_test {

TEST(Combinations, TheLastChangesFastest) {
  std::vector<std::vector<int>> visited;
  for_each_combination<int>({{1, 2}, {7}, {3, 4, 5}}, [&](const std::vector<int>& taken) { visited.push_back(taken); });
  EXPECT_EQ(visited, (std::vector<std::vector<int>>{{1, 7, 3}, {1, 7, 4}, {1, 7, 5}, {2, 7, 3}, {2, 7, 4}, {2, 7, 5}}));
}

TEST(Combinations, OfNothingThereIsOneAndWithoutAChoiceNone) {
  int visits = 0;
  for_each_combination<int>({}, [&](const std::vector<int>& taken) { visits += taken.empty() ? 1 : 100; });
  EXPECT_EQ(visits, 1);
  for_each_combination<int>({{1, 2}, {}}, [&](const std::vector<int>&) { ++visits; });
  EXPECT_EQ(visits, 1);
}

}  // namespace tippe::combinations_test
