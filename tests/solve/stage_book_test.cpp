// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/stage_book.h"

#include <gtest/gtest.h>

#include "tippe/solve/forecast.h"

namespace tippe::solve_stage_book_test {

constexpr const char* kSweeps = "gauss-seidel";
constexpr const char* kNewton = "newton";

// Two islands that weigh 0.6 and 0.8 of the whole. Sweeps leave 0.5 and 0.25 of them, so 0.3 and 0.2 of the whole; Newton's method
// comes back to the second one twice and leaves 0.05 there: its last word counts.
TEST(StageBook, AddsWhatStagesLeaveOfTheWhole) {
  StageBook book;
  book.clear(false);
  book.enter_island(0, 0.6);
  book.add(kSweeps, 8, 0.1, 0.5);
  book.enter_island(1, 0.8);
  book.add(kSweeps, 8, 0.1, 0.25);
  book.add(kNewton, 2, 0.2, 0.125);
  book.add(kNewton, 3, 0.2, 0.0625);
  ASSERT_EQ(book.stages().size(), 2u);
  EXPECT_EQ(book.stages()[0].iterations, 16);
  EXPECT_NEAR(book.stages()[0].residual, std::hypot(0.3, 0.2), 1e-15);
  EXPECT_EQ(book.stages()[1].iterations, 5);
  EXPECT_NEAR(book.stages()[1].seconds, 0.4, 1e-15);
  EXPECT_NEAR(book.stages()[1].residual, 0.05, 1e-15);
  EXPECT_EQ(book.iterations(), 21);
}

// Equal texts may lie at different places.
TEST(StageBook, AStageIsKnownByTheTextOfItsName) {
  const std::string again = kSweeps;
  StageBook book;
  book.clear(false);
  book.add(kSweeps, 8, 0.1, 0.5);
  book.add(again.c_str(), 3, 0.1, 0.25);
  ASSERT_EQ(book.stages().size(), 1u);
  EXPECT_EQ(book.stages()[0].iterations, 11);
  EXPECT_EQ(book.stages()[0].residual, 0.25);
}

TEST(StageBook, TakesTheWorstOfPartsThatAreJudgedApart) {
  StageBook book;
  book.clear(true);
  book.enter_island(0, 0.01);
  book.add(kSweeps, 1, 0.0, 0.5);
  book.enter_island(1, 0.99);
  book.add(kSweeps, 1, 0.0, 0.25);
  EXPECT_EQ(book.stages()[0].residual, 0.5);
}

// A decade per measurement: from 1e-6, two decades above the tolerance, it takes two more.
TEST(Forecast, FollowsALinearRate) {
  Forecast forecast;
  double residual = 1.0, to_go = -1.0;
  for (int k = 0; k <= 6; ++k, residual *= 0.1) to_go = forecast.measurements_to_go(residual, 1e-8);
  EXPECT_NEAR(to_go, 2.0, 1e-9);
}

TEST(Forecast, SaysNothingBeforeItKnows) {
  Forecast forecast;
  for (int k = 0; k < 6; ++k) EXPECT_EQ(forecast.measurements_to_go(1.0, 1e-8), 0.0);
  EXPECT_GT(forecast.measurements_to_go(1.0, 1e-8), 1e9);  // no progress: for ever
}

}  // namespace tippe::solve_stage_book_test
