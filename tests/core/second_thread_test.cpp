// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/second_thread.h"

#include <gtest/gtest.h>

namespace tippe::core_second_thread_test {

TEST(SecondThread, RunsBothEveryTime) {
  SecondThread second;
  long ours = 0, theirs = 0;
  std::thread::id there;
  for (int k = 1; k <= 300; ++k) {
    auto mine = [&] { ours += k; };
    auto other = [&] {
      theirs += k;
      there = std::this_thread::get_id();
    };
    second.run(mine, other);
    ASSERT_EQ(ours, theirs);  // both are done when run() returns
  }
  EXPECT_EQ(ours, 300L * 301 / 2);
  EXPECT_NE(there, std::this_thread::get_id());
}

TEST(SecondThread, EndsWithoutWork) {
  SecondThread second;
}

}  // namespace tippe::core_second_thread_test
