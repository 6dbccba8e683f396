// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/polynomial_roots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace tippe::core_polynomial_roots_test {

using Coefficients = std::vector<double>;

Coefficients times(const Coefficients& a, const Coefficients& b) {
  Coefficients product(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) product[i + k] += a[i] * b[k];
  }
  return product;
}

Coefficients with_roots(const std::vector<double>& roots) {
  Coefficients p = {1.0};
  for (const double root : roots) p = times(p, {-root, 1.0});
  return p;
}

double value(const Coefficients& p, double t) {
  double sum = 0.0;
  for (std::size_t k = p.size(); k-- > 0;) sum = sum * t + p[k];
  return sum;
}

std::string text(const std::vector<PolynomialRoot>& roots) {
  std::string s;
  for (const auto& root : roots)
    s += std::to_string(root.t) + " (" + std::to_string(root.before) + ", " + std::to_string(root.after) + ") ";
  return s;
}

// Wilkinson's polynomial of degree 10, roots k / 10: its condition numbers are below 1e7.
TEST(PolynomialRoots, FindsWilkinsonsRoots) {
  std::vector<double> known;
  for (int k = 1; k <= 10; ++k) known.push_back(0.1 * k);
  const auto roots = isolate_roots(with_roots(known), 1.05, 0.0);
  ASSERT_EQ(roots.size(), 10u) << text(roots);
  for (int k = 0; k < 10; ++k) {
    EXPECT_NEAR(roots[k].t, known[k], 1e-9);
    EXPECT_EQ(roots[k].before, k % 2 == 0 ? 1 : -1);
    EXPECT_EQ(roots[k].after, -roots[k].before);
  }
}

// T_n(x) = cos(n arccos x), here in x = t - 1: roots at 1 + cos((2 k + 1) pi / 2 n).
TEST(PolynomialRoots, FindsThoseOfChebyshevsPolynomials) {
  for (const int n : {2, 5, 8, 12}) {
    Coefficients before = {1.0}, now = {-1.0, 1.0};
    for (int k = 2; k <= n; ++k) {
      Coefficients next = times({-2.0, 2.0}, now);
      for (std::size_t i = 0; i < before.size(); ++i) next[i] -= before[i];
      before = now;
      now = next;
    }
    const auto roots = isolate_roots(now, 2.0, 1e-12);
    ASSERT_EQ(roots.size(), n);
    double size = 0.0;
    for (std::size_t k = 0; k < now.size(); ++k) size += std::abs(now[k]) * std::pow(2.0, k);
    for (int k = 0; k < n; ++k) {
      const double angle = (2 * (n - k) - 1) * std::numbers::pi / (2 * n);
      // |T_n'| >= n in the interval.
      EXPECT_NEAR(roots[k].t, 1.0 + std::cos(angle), 1e-15 * size / n + 1e-15) << n << ", " << k;
    }
  }
}

// T_6 + 1 = 2 T_3^2 touches zero at 0 and sqrt(3) / 2.
TEST(PolynomialRoots, FindsWhereAnOscillationTouches) {
  const Coefficients t3 = {0.0, -3.0, 0.0, 4.0};
  const Coefficients square = times(t3, t3);
  const auto roots = isolate_roots(square, 1.0, 1e-14);
  ASSERT_EQ(roots.size(), 1u) << text(roots);
  EXPECT_NEAR(roots[0].t, std::sqrt(0.75), 1e-15);
  EXPECT_EQ(roots[0].before, 1);
  EXPECT_EQ(roots[0].after, 1);
}

TEST(PolynomialRoots, FindsDoubleTripleAndQuadrupleRoots) {
  const auto twice = isolate_roots(with_roots({0.3, 0.3}), 1.0, 1e-14);
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_NEAR(twice[0].t, 0.3, 1e-15);
  EXPECT_EQ(twice[0].before * twice[0].after, 1);

  const auto thrice = isolate_roots(with_roots({0.3, 0.3, 0.3}), 1.0, 0.0);
  ASSERT_EQ(thrice.size(), 1u) << text(thrice);
  EXPECT_NEAR(thrice[0].t, 0.3, std::cbrt(1e-15));  // where round-off in p leaves the sign open
  EXPECT_EQ(thrice[0].before, -1);
  EXPECT_EQ(thrice[0].after, 1);

  const auto four = isolate_roots(with_roots({0.3, 0.3, 0.3, 0.3}), 1.0, 0.0);
  ASSERT_EQ(four.size(), 1u) << text(four);
  EXPECT_NEAR(four[0].t, 0.3, std::pow(1e-15, 0.25));
  EXPECT_EQ(four[0].before, 1);
  EXPECT_EQ(four[0].after, 1);

  const auto mixed = isolate_roots(with_roots({0.2, 0.5, 0.5, 0.8, 0.8, 0.8}), 1.0, 1e-14);
  ASSERT_EQ(mixed.size(), 3u) << text(mixed);
  EXPECT_NEAR(mixed[1].t, 0.5, 1e-12);
  EXPECT_EQ(mixed[1].before, mixed[1].after);
  EXPECT_EQ(mixed[2].before, -mixed[2].after);
}

TEST(PolynomialRoots, TellsRootsOfAClusterApartThatTheToleranceAllows) {
  // Between the two the polynomial reaches -2.5e-9.
  const Coefficients near = with_roots({0.5, 0.5 + 1e-4});
  const auto apart = isolate_roots(near, 1.0, 1e-9);
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_NEAR(apart[0].t, 0.5, 1e-11);
  EXPECT_NEAR(apart[1].t, 0.5001, 1e-11);
  const auto together = isolate_roots(near, 1.0, 1e-8);
  ASSERT_EQ(together.size(), 1u);
  EXPECT_NEAR(together[0].t, 0.50005, 1e-12);
  EXPECT_EQ(together[0].before, 1);
  EXPECT_EQ(together[0].after, 1);
}

TEST(PolynomialRoots, TouchesWithinTheTolerance) {
  const Coefficients miss = {0.16 + 1e-10, -0.8, 1.0};  // (t - 0.4)^2 + 1e-10
  EXPECT_TRUE(isolate_roots(miss, 1.0, 0.9e-10).empty());
  const auto roots = isolate_roots(miss, 1.0, 1.1e-10);
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_NEAR(roots[0].t, 0.4, 1e-15);
}

TEST(PolynomialRoots, FindsARootAtTheEndAndNoneBehindIt) {
  const auto exact = isolate_roots(Coefficients{0.5, -1.0}, 0.5, 0.0);
  ASSERT_EQ(exact.size(), 1u);
  EXPECT_EQ(exact[0].t, 0.5);
  EXPECT_EQ(exact[0].before, 1);
  EXPECT_EQ(exact[0].after, 0);
  EXPECT_EQ(isolate_roots(Coefficients{0.5, -1.0}, 0.5 - 1e-13, 1e-12).size(), 1u);
  EXPECT_TRUE(isolate_roots(Coefficients{0.5, -1.0}, 0.5 - 1e-11, 1e-12).empty());
  // It crosses just before the end and stays small.
  const auto crossed = isolate_roots(Coefficients{0.5, -1.0}, 0.5 + 1e-13, 1e-12);
  ASSERT_EQ(crossed.size(), 1u);
  EXPECT_NEAR(crossed[0].t, 0.5, 1e-15);
  EXPECT_EQ(crossed[0].after, -1);
}

// A contact that opens: gap t^2 (1 - t)(2 - t). Round-off in the coefficients that should be zero must not matter.
TEST(PolynomialRoots, LeavesOutZerosAtTheStart) {
  Coefficients p = with_roots({0.0, 0.0, 1.0, 2.0});
  const auto exact = isolate_roots(p, 3.0, 1e-12);
  p[0] = -1e-17;
  p[1] = 1e-16;
  const auto rounded = isolate_roots(p, 3.0, 1e-12, 2);
  for (const auto& roots : {exact, rounded}) {
    ASSERT_EQ(roots.size(), 2u) << text(roots);
    EXPECT_NEAR(roots[0].t, 1.0, 1e-14);
    EXPECT_NEAR(roots[1].t, 2.0, 1e-14);
    EXPECT_EQ(roots[0].before, 1);
    EXPECT_EQ(roots[1].before, -1);
  }
  // t^2 (1e-9 - t) closes again soon.
  const auto soon = isolate_roots(Coefficients{0.0, 0.0, 1e-9, -1.0}, 1.0, 1e-12, 2);
  ASSERT_EQ(soon.size(), 1u);
  EXPECT_NEAR(soon[0].t, 1e-9, 1e-23);
}

TEST(PolynomialRoots, AStartWithinTheToleranceIsARootOnlyIfTheSignChanges) {
  const auto closing = isolate_roots(Coefficients{1e-17, -1.0, 0.3}, 1.0, 1e-12);
  ASSERT_EQ(closing.size(), 1u);
  EXPECT_NEAR(closing[0].t, 1e-17, 1e-31);
  EXPECT_EQ(closing[0].after, -1);
  EXPECT_TRUE(isolate_roots(Coefficients{1e-17, 1.0, 0.3}, 1.0, 1e-12).empty());
  EXPECT_TRUE(isolate_roots(Coefficients{1e-13, -1e-14, 1e-13}, 1.0, 1e-12).empty());
}

TEST(PolynomialRoots, NoneOfZerosAndConstants) {
  EXPECT_TRUE(isolate_roots(Coefficients{}, 1.0, 1e-12).empty());
  EXPECT_TRUE(isolate_roots(Coefficients{0.0, 0.0}, 1.0, 1e-12).empty());
  EXPECT_TRUE(isolate_roots(Coefficients{3.0}, 1.0, 1e-12).empty());
  EXPECT_TRUE(isolate_roots(Coefficients{0.0, 0.0, 3.0, 0.0}, 1.0, 1e-12).empty());
  EXPECT_THROW((void)isolate_roots(Coefficients{1.0, NAN}, 1.0, 1e-12), std::invalid_argument);
  EXPECT_THROW((void)isolate_roots(Coefficients(66, 1.0), 1.0, 1e-12), std::invalid_argument);
}

// sin(50 t) by its Taylor polynomial of degree 29: coefficients from 50 to 1e19, roots near k pi / 50.
TEST(PolynomialRoots, CoefficientsOverManyMagnitudes) {
  Coefficients p(30, 0.0);
  double c = 50.0;
  for (int k = 1; k < 30; k += 2) {
    p[k] = c;
    c *= -2500.0 / ((k + 1) * (k + 2));
  }
  const auto roots = isolate_roots(p, 0.15, 1e-9, 1);
  ASSERT_EQ(roots.size(), 2u) << text(roots);
  EXPECT_NEAR(roots[0].t, std::numbers::pi / 50, 1e-15);
  // The first term that the series leaves out, (2 pi)^31 / 31!, moves the second root by -1.3e-11.
  const double left_out = std::exp(31 * std::log(2 * std::numbers::pi) - std::lgamma(32.0));
  EXPECT_NEAR(roots[1].t, 2 * std::numbers::pi / 50 - left_out / 50, 0.05 * left_out / 50);
}

// Products of linear factors with roots inside and outside and of quadratic ones without. All known roots must be found, and nothing else.
TEST(PolynomialRoots, FindsWhatRandomFactorsHave) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int found = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const double end = std::pow(10.0, 6.0 * uniform(random) - 5.0);
    std::vector<double> inside;
    Coefficients p = {std::pow(10.0, 8.0 * uniform(random) - 4.0)};
    const int simple = trial % 5;
    for (int i = 0; i < simple; ++i) inside.push_back(0.03 + 0.94 * uniform(random));
    std::sort(inside.begin(), inside.end());
    bool close = false;
    for (int i = 1; i < simple; ++i) close = close || inside[i] - inside[i - 1] < 0.02;
    if (close) continue;
    for (const double root : inside) p = times(p, {-root * end, 1.0});
    std::vector<double> twice;
    if (trial % 3 == 0) {
      const double root = 0.03 + 0.94 * uniform(random);
      for (const double other : inside) close = close || std::abs(root - other) < 0.02;
      if (close) continue;
      twice.push_back(root);
      p = times(p, times({-root * end, 1.0}, {-root * end, 1.0}));
    }
    for (int i = 0; i < 1 + trial % 7; ++i) {
      const double real = 2.0 * uniform(random) - 0.5, imaginary = 0.2 + uniform(random);
      p = times(p, {(real * real + imaginary * imaginary) * end * end, -2.0 * real * end, 1.0});
      p = times(p, {(uniform(random) < 0.5 ? -1.2 - uniform(random) : 0.1 + uniform(random)) * end, 1.0});
    }
    double size = 0.0;
    for (std::size_t k = 0; k < p.size(); ++k) size += std::abs(p[k]) * std::pow(end, k);
    const auto roots = isolate_roots(p, end, 1e-14 * size);
    std::vector<double> all = inside;
    all.insert(all.end(), twice.begin(), twice.end());
    std::sort(all.begin(), all.end());
    // Where the polynomial is not clear of zero between neighbours the contract lets them be one.
    bool clear = std::abs(value(p, 0.0)) > 1e-13 * size && std::abs(value(p, end)) > 1e-13 * size;
    for (std::size_t i = 1; i < all.size(); ++i)
      clear = clear && std::abs(value(p, 0.5 * (all[i] + all[i - 1]) * end)) > 1e-12 * size;
    if (!clear) continue;
    ASSERT_EQ(roots.size(), all.size()) << "trial " << trial << ": " << text(roots);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool touches = std::find(twice.begin(), twice.end(), all[i]) != twice.end();
      EXPECT_NEAR(roots[i].t / end, all[i], touches ? 1e-5 : 1e-8) << trial;
      EXPECT_EQ(roots[i].before == roots[i].after, touches) << trial;
      EXPECT_EQ(roots[i].before, value(p, (i == 0 ? 0.5 * all[0] : 0.5 * (all[i] + all[i - 1])) * end) > 0.0 ? 1 : -1)
          << trial;
      ++found;
    }
  }
  EXPECT_GT(found, 500);
}

}  // namespace tippe::core_polynomial_roots_test
