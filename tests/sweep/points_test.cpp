// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tippe/core/error.h"
#include "tippe/sweep/point_set.h"
#include "tippe/sweep/sobol.h"

namespace tippe::sweep_points_test {

std::vector<double> point(const PointSet& points, std::int64_t k) {
  std::vector<double> values(points.names().size());
  points.get(k, values);
  return values;
}

TEST(SweepPoints, ARangeHasItsEndsAndEqualDistancesOrRatios) {
  const Axis mu = Axis::parse("mu=0.1:0.5:5"), c = Axis::parse("c=log:1:1e4:5"), e = Axis::parse(" e = 0.2, 0.5,0.8");
  EXPECT_EQ(mu.name(), "mu");
  EXPECT_EQ(mu.value(0), 0.1);
  EXPECT_EQ(mu.value(4), 0.5);
  EXPECT_NEAR(mu.value(1), 0.2, 1e-16);
  EXPECT_EQ(c.value(4), 1e4);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(c.value(k), std::pow(10.0, k), 1e-11 * std::pow(10.0, k));
  EXPECT_EQ(e.name(), "e");
  EXPECT_EQ(e.count(), 3);
  EXPECT_EQ(e.value(2), 0.8);
  EXPECT_EQ(Axis::parse("x'=-1:1:3").name(), "x'");
  EXPECT_EQ(Axis::parse("x'=-1:1:3").value(1), 0.0);
}

TEST(SweepPoints, AGridHasAllCombinationsAndItsLastAxisRunsFirst) {
  const PointSet points = PointSet::grid({Axis::parse("a=1:2:2"), Axis::parse("b=5,6,7")});
  ASSERT_EQ(points.size(), 6);
  std::int64_t k = 0;
  for (const double a : {1.0, 2.0}) {
    for (const double b : {5.0, 6.0, 7.0}) EXPECT_EQ(point(points, k++), (std::vector<double>{a, b}));
  }
}

TEST(SweepPoints, SobolsPointsAreThoseOfJoeAndKuo) {
  // The first ones, as all tables of them have.
  const double expected[8][3] = {{0, 0, 0},
                                 {0.5, 0.5, 0.5},
                                 {0.75, 0.25, 0.25},
                                 {0.25, 0.75, 0.75},
                                 {0.375, 0.375, 0.625},
                                 {0.875, 0.875, 0.125},
                                 {0.625, 0.125, 0.875},
                                 {0.125, 0.625, 0.375}};
  for (std::uint64_t k = 0; k < 8; ++k) {
    for (int d = 0; d < 3; ++d) EXPECT_EQ(sobol_bits(k, d) * 0x1p-32, expected[k][d]) << k << " " << d;
  }
  // Each interval of 2^-10 has one of 2^10 points, in every coordinate: a property of any such sequence, and of wrong digits hardly.
  for (int d = 0; d < kSobolDimensions; ++d) {
    std::set<std::uint32_t> intervals;
    for (std::uint64_t k = 0; k < 1024; ++k) intervals.insert(sobol_bits(k, d) >> 22);
    EXPECT_EQ(intervals.size(), 1024u) << d;
  }
}

TEST(SweepPoints, SamplesLieInTheirRangesAndFollowFromTheSeed) {
  const std::vector<Axis> axes = {Axis::parse("a=2:4"), Axis::parse("c=log:1:100"), Axis::parse("e=1,2,3")};
  for (const Sampling sampling : {Sampling::kRandom, Sampling::kSobol}) {
    const PointSet points = PointSet::samples(axes, 4096, sampling, 7), others = PointSet::samples(axes, 10, sampling, 8);
    double sum = 0.0, log_sum = 0.0;
    std::array<int, 4> lists{};
    for (std::int64_t k = 0; k < points.size(); ++k) {
      const std::vector<double> values = point(points, k);
      EXPECT_TRUE(values[0] >= 2.0 && values[0] < 4.0 && values[1] >= 1.0 && values[1] < 100.0);
      sum += values[0];
      log_sum += std::log10(values[1]);
      ++lists.at(static_cast<size_t>(values[2]));
    }
    EXPECT_NEAR(sum / 4096, 3.0, 0.04);  // 4 standard deviations of random ones: 4 * 2/sqrt(12)/64
    EXPECT_NEAR(log_sum / 4096, 1.0, 0.04);
    for (int e = 1; e <= 3; ++e) EXPECT_NEAR(lists.at(static_cast<size_t>(e)) / 4096.0, 1.0 / 3.0, 0.03);
    EXPECT_NE(point(points, 3), point(others, 3));
    EXPECT_EQ(point(points, 9), point(PointSet::samples(axes, 10, sampling, 7), 9));
  }
}

TEST(SweepPoints, ATableHasNamesAndNumbers) {
  const PointSet points = PointSet::table("mu, \"x'\"\r\n0.25,-1e-3\n\n 1 , 2\n", "points.csv");
  EXPECT_EQ(points.names(), (std::vector<std::string>{"mu", "x'"}));
  ASSERT_EQ(points.size(), 2);
  EXPECT_EQ(point(points, 0), (std::vector<double>{0.25, -1e-3}));
  EXPECT_EQ(point(points, 1), (std::vector<double>{1.0, 2.0}));
  const PointSet marked = PointSet::table(
      "\xEF\xBB\xBF"
      "mu\n+2\n",
      "points.csv");  // as spreadsheets write it
  EXPECT_EQ(marked.names(), (std::vector<std::string>{"mu"}));
  EXPECT_EQ(point(marked, 0), (std::vector<double>{2.0}));
  try {
    (void)PointSet::table("a,b\n1,2\n3,x\n", "points.csv");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "'x' is no number");
    EXPECT_EQ(error.position().line, 3);
    EXPECT_EQ(error.position().column, 3);
  }
  EXPECT_THROW((void)PointSet::table("a,b\n1\n", "points.csv"), InputError);
  EXPECT_THROW((void)PointSet::table("a,a\n1,2\n", "points.csv"), InputError);
  EXPECT_THROW((void)PointSet::table("a,b\n", "points.csv"), InputError);
}

TEST(SweepPoints, WhatIsNoRangeIsRefused) {
  for (const char* text : {"mu", "=1:2:3", "mu=", "mu=1:2:0", "mu=1:2:1.5", "mu=1:2:3:4", "mu=log:0:1:3", "mu=log:-1:1:3",
                           "mu=1:2:1", "mu=1,,2", "mu=a:b:3", "mu=nan", "mu=1:inf:3"})
    EXPECT_THROW((void)Axis::parse(text), ArgumentError) << text;
  EXPECT_THROW((void)PointSet::grid({Axis::parse("a=1:2")}), ArgumentError);
  EXPECT_THROW((void)PointSet::grid({Axis::parse("a=1:2:3"), Axis::parse("a=1:2:3")}), ArgumentError);
  EXPECT_THROW((void)PointSet::grid({Axis::parse("a=1:2:100000"), Axis::parse("b=1:2:100000")}), ArgumentError);
}

}  // namespace tippe::sweep_points_test
