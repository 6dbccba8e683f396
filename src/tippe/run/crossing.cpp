// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/crossing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tippe/core/polynomial_roots.h"

namespace tippe {
namespace {

constexpr int kDegree = 8;
constexpr int kMostHalvings = 10;
constexpr double kResolved = 1e-9;  // of the largest value: what the last coefficients of a resolved piece may be
constexpr double kRoundOff = 1e-14;
using Coefficients = std::array<double, kDegree + 1>;

int sign(double value) {
  return (value > 0.0) - (value < 0.0);
}

/// Of the polynomial through values at (1 - cos(pi j/n))/2, j = 0 .. n, in Chebyshev polynomials of [0, 1].
Coefficients chebyshev(const Coefficients& values) {
  Coefficients c{};
  for (int k = 0; k <= kDegree; ++k) {
    double sum = 0.0;
    for (int j = 0; j <= kDegree; ++j) {
      const double weight = j == 0 || j == kDegree ? 0.5 : 1.0;
      // The place j has the angle pi - pi j/n.
      sum += weight * values[static_cast<size_t>(j)] * std::cos(std::numbers::pi * k * (kDegree - j) / kDegree);
    }
    c[static_cast<size_t>(k)] = (k == 0 || k == kDegree ? 1.0 : 2.0) / kDegree * sum;
  }
  return c;
}

/// The same polynomial in powers.
Coefficients powers(const Coefficients& c) {
  Coefficients sum{}, before{}, now{};
  now[0] = 1.0;
  for (size_t k = 0; k < c.size(); ++k) {
    Coefficients next{};
    const double factor = k == 0 ? 1.0 : 2.0;
    for (size_t i = 0; i < c.size(); ++i) {
      sum[i] += c[k] * now[i];
      next[i] = -factor * now[i] - (k == 0 ? 0.0 : before[i]) + (i > 0 ? 2.0 * factor * now[i - 1] : 0.0);
    }
    before = now;
    now = next;
  }
  return sum;
}

class Searcher {
 public:
  Searcher(const std::function<double(double)>& value, const CrossingSearch& search)
      : value_(value), search_(search), side_(search.side) {}

  std::optional<Crossing> look(double a, double b, int halvings) {
    Coefficients values{};
    for (int j = 0; j <= kDegree; ++j) {
      const double part = 0.5 * (1.0 - std::cos(std::numbers::pi * j / kDegree));
      values[static_cast<size_t>(j)] = value_(j == kDegree ? b : a + part * (b - a));
    }
    double largest = 0.0;
    bool finite = true;
    for (const double value : values) {
      largest = std::max(largest, std::abs(value));
      finite = finite && std::isfinite(value);
    }
    if (largest == 0.0) return std::nullopt;
    const Coefficients c = finite ? chebyshev(values) : Coefficients{};
    const double last = std::abs(c[kDegree]) + std::abs(c[kDegree - 1]);
    double rest = 0.0;
    for (size_t k = 1; k < c.size(); ++k) rest += std::abs(c[k]);
    if (finite && 2.0 * (rest + last) < std::abs(c[0]) && (side_ == 0 || side_ == sign(c[0]))) {
      side_ = sign(c[0]);
      return std::nullopt;
    }
    const bool resolved = finite && last <= kResolved * largest;
    if (!resolved && halvings < kMostHalvings) {
      const double middle = 0.5 * (a + b);
      if (const auto found = look(a, middle, halvings + 1)) return found;
      return look(middle, b, halvings + 1);
    }
    Coefficients p{};
    if (resolved) {
      p = powers(c);
    } else {  // all that is known are its ends
      if (!std::isfinite(values[0]) || !std::isfinite(values[kDegree])) return std::nullopt;
      p[0] = values[0];
      p[1] = values[kDegree] - values[0];
    }
    const double tolerance = std::max(resolved ? 4.0 * last : 0.0, kRoundOff * largest);
    if (side_ != 0 && std::abs(p[0]) <= tolerance)
      p[0] = side_ * std::max(std::abs(p[0]), std::numeric_limits<double>::min());
    // Next to zero the sign is that of the first power that is more than round-off, of which powers have more than values.
    constexpr double kMoreOfPowers = 100.0;
    for (size_t k = 0; side_ == 0 && k < p.size(); ++k) {
      if (std::abs(p[k]) > (k == 0 ? std::max(tolerance, search_.zero) : kMoreOfPowers * tolerance)) break;
      p[k] = 0.0;
    }
    for (const PolynomialRoot& root : isolate_roots(p, 1.0, tolerance)) {
      if (root.after == 0 || root.after == root.before) continue;
      side_ = root.after;
      const bool wanted = side_ > 0 ? search_.rising : search_.falling;
      if (!wanted) continue;
      return refine(a, b, a + root.t * (b - a));
    }
    if (std::abs(values[kDegree]) > tolerance) side_ = sign(values[kDegree]);
    return std::nullopt;
  }

 private:
  /// Of the function itself, where the polynomial has a zero at t that leads to side_.
  [[nodiscard]] Crossing refine(double a, double b, double t) const {
    const auto is_after = [&](double time) { return sign(value_(time)) == side_; };
    double early = t, late = t;
    for (double way = search_.accuracy; early > a && (early == t || is_after(early)); way *= 4.0)
      early = std::max(a, t - way);
    for (double way = search_.accuracy; late < b && !is_after(late); way *= 4.0) late = std::min(b, t + way);
    while (late - early > search_.accuracy) {
      const double middle = 0.5 * (early + late);
      if (middle <= early || middle >= late) break;
      (is_after(middle) ? late : early) = middle;
    }
    return {early, late};
  }

  const std::function<double(double)>& value_;
  const CrossingSearch& search_;
  int side_;
};

}  // namespace

std::optional<Crossing> find_crossing(const std::function<double(double)>& value, const CrossingSearch& search) {
  if (!(search.end > search.begin)) return std::nullopt;
  return Searcher(value, search).look(search.begin, search.end, 0);
}

}  // namespace tippe
