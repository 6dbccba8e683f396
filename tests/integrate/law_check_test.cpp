// SPDX-License-Identifier: Apache-2.0
// Each kind of violation, by hand: G = 2, so that 1 N s stands for a velocity of 2 m/s.
#include "tippe/integrate/law_check.h"

#include <gtest/gtest.h>

namespace tippe::integrate_law_check_test {

ForceLaw contact(int rows, double mu1 = 0.0, double mu2 = 0.0) {
  ForceLaw law;
  law.name = "floor";
  law.rows = rows;
  law.mu1 = mu1;
  law.mu2 = mu2;
  return law;
}

ForceLaw other(ForceLaw::Kind kind, double limit = 0.0) {
  ForceLaw law;
  law.kind = kind;
  law.limit = limit;
  return law;
}

/// What is wrong, or "".
std::string judge(const ForceLaw& law, std::vector<double> Lambda, std::vector<double> xi, double dt = 0.1,
                  double tolerance = 1e-8) {
  std::vector<double> G(static_cast<size_t>(law.rows * law.rows), 0.0);
  for (int k = 0; k < law.rows; ++k) G[static_cast<size_t>(k * law.rows + k)] = 2.0;
  const std::vector<double> terms(static_cast<size_t>(law.rows), 0.0);
  LawCheck check;
  check.add({7, &law, Lambda.data(), xi.data(), terms.data(), G.data(), dt, 0});
  const auto violation = check.judge(tolerance);
  if (!violation) return "";
  EXPECT_EQ(violation->law, 7);
  return violation->what;
}

TEST(LawCheck, NormalsPushAndDoNotClose) {
  const ForceLaw law = contact(1);
  EXPECT_EQ(judge(law, {1.0}, {0.0}), "");
  EXPECT_EQ(judge(law, {0.0}, {1.0}), "");
  EXPECT_EQ(judge(law, {-3.3}, {0.0}), "it pulls with an impulse of 3.3");
  EXPECT_EQ(judge(law, {0.0}, {-0.5}), "it closes with a velocity of 0.5");
  EXPECT_EQ(judge(law, {1.0}, {0.5}), "it pushes with an impulse of 1 while it opens with 0.5");
  EXPECT_EQ(judge(law, {1.0}, {1e-12}), "");
  EXPECT_EQ(judge(law, {0.0}, {0.0}), "");
}

TEST(LawCheck, OneWayClutchesLikewise) {
  const ForceLaw law = other(ForceLaw::Kind::kOneWay);
  EXPECT_EQ(judge(law, {1.0}, {0.0}), "");
  EXPECT_NE(judge(law, {-1.0}, {0.0}), "");
  EXPECT_NE(judge(law, {0.0}, {-1.0}), "");
}

TEST(LawCheck, FrictionStaysWithinItsLimitAndOpposesTheSlip) {
  const ForceLaw law = contact(2, 0.5);
  EXPECT_EQ(judge(law, {2.0, 0.7}, {0.0, 0.0}), "");   // sticks
  EXPECT_EQ(judge(law, {2.0, -1.0}, {0.0, 3.0}), "");  // slides
  EXPECT_NE(judge(law, {2.0, 1.1}, {0.0, 0.0}), "");   // above its limit
  EXPECT_NE(judge(law, {2.0, 1.0}, {0.0, 3.0}), "");   // pushes along the slip
  EXPECT_NE(judge(law, {2.0, -0.9}, {0.0, 3.0}), "");  // slips below its limit
  EXPECT_NE(judge(law, {0.0, -0.1}, {1.0, 3.0}), "");  // friction without a normal impulse
}

TEST(LawCheck, AnisotropicFriction) {
  const ForceLaw law = contact(3, 0.5, 0.25);
  EXPECT_EQ(judge(law, {2.0, 0.0, -0.5}, {0.0, 0.0, 1.0}), "");
  EXPECT_NE(judge(law, {2.0, 0.0, -0.6}, {0.0, 0.0, 1.0}), "");
  // Along xi = (1, 2): -Lambda = (mu1^2, 2 mu2^2) N / sqrt(mu1^2 + 4 mu2^2), the point of the ellipse with that normal.
  const double root = std::sqrt(0.25 + 0.25);
  EXPECT_EQ(judge(law, {2.0, -0.5 / root, -0.25 / root}, {0.0, 1.0, 2.0}), "");
  EXPECT_NE(judge(law, {2.0, -0.25 / root, -0.5 / root}, {0.0, 1.0, 2.0}), "");
  const ForceLaw smooth_along_second = contact(3, 0.3, 0.0);
  EXPECT_EQ(judge(smooth_along_second, {1.0, 0.2, 0.0}, {0.0, 0.0, 4.0}), "");
  EXPECT_NE(judge(smooth_along_second, {1.0, 0.0, -0.1}, {0.0, 0.0, 0.0}), "");
}

TEST(LawCheck, DryFriction) {
  const ForceLaw law = other(ForceLaw::Kind::kDryFriction, 10.0);
  EXPECT_EQ(judge(law, {0.6}, {0.0}), "");
  EXPECT_EQ(judge(law, {-1.0}, {2.0}), "");
  EXPECT_NE(judge(law, {-1.2}, {2.0}), "");
  EXPECT_NE(judge(law, {-0.6}, {2.0}), "");
  EXPECT_NE(judge(law, {0.1}, {0.0}, 0.0), "");  // none in an impact
  EXPECT_EQ(judge(law, {-1e-37}, {1e-54}), "");  // sticks, far below its limit, to round-off
}

// A violation counts against its own part only.
TEST(LawCheck, PartsHaveScalesOfTheirOwn) {
  const ForceLaw law = contact(1);
  const double G = 1.0, large = 1e9, small = -1e-3, zero = 0.0;
  LawCheck check;
  check.add({0, &law, &large, &zero, &zero, &G, 0.1, 0});
  check.add({1, &law, &small, &zero, &zero, &G, 0.1, 1});
  ASSERT_TRUE(check.judge(1e-8));
  EXPECT_EQ(check.judge(1e-8)->law, 1);
}

// What is the small difference of large velocities is known to their round-off.
TEST(LawCheck, RoundOffIsNoViolation) {
  const ForceLaw law = contact(1);
  const double G = 1.0, Lambda = 0.0, xi = -1e-13, large = 1.0, small = 1e-3;
  LawCheck check;
  check.add({0, &law, &Lambda, &xi, &large, &G, 0.1, 0});
  EXPECT_FALSE(check.judge(1e-8));
  check.clear();
  check.add({0, &law, &Lambda, &xi, &small, &G, 0.1, 0});
  EXPECT_TRUE(check.judge(1e-8));
}

}  // namespace tippe::integrate_law_check_test
