// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/suggest.h"

namespace tippe::core_suggest_test {

const std::vector<std::string> kWords = {"kinetic", "potential", "damping", "dt"};

TEST(ClosestMatch, FindsMisspelledWords) {
  EXPECT_EQ(closest_match("potental", kWords), "potential");  // a letter missing
  EXPECT_EQ(closest_match("Kinetic", kWords), "kinetic");     // case
  EXPECT_EQ(closest_match("dampnig", kWords), "damping");     // neighbours swapped
  EXPECT_EQ(closest_match("td", kWords), "dt");
}

TEST(ClosestMatch, KeepsQuietWhenNothingIsClose) {
  EXPECT_EQ(closest_match("velocity", kWords), "");
  EXPECT_EQ(closest_match("t", kWords), "");
  EXPECT_EQ(closest_match("dx", kWords), "");
  EXPECT_EQ(closest_match(std::string(100000, 'k'), kWords), "");
}

TEST(ClosestMatch, TakesTheOnlyWordThatBeginsAlike) {
  EXPECT_EQ(closest_match("pot", kWords), "potential");
  EXPECT_EQ(closest_match("stiff", std::vector<std::string>{"stiffness", "damping"}), "stiffness");
  EXPECT_EQ(closest_match("kinetic_energy", kWords), "kinetic");
  EXPECT_EQ(closest_match("stiff", std::vector<std::string>{"stiffness", "stiffener"}), "");
}

TEST(CommaList, ShowsTheFirstFortyOfMany) {
  EXPECT_EQ(comma_list(kWords), "kinetic, potential, damping, dt");
  const std::string list = comma_list(std::vector<std::string>(100, "x"));
  EXPECT_TRUE(list.ends_with(", x and 60 more"));
  EXPECT_EQ(std::count(list.begin(), list.end(), 'x'), 40);
}

}  // namespace tippe::core_suggest_test
