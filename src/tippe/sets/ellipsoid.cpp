// SPDX-License-Identifier: Apache-2.0
#include "tippe/sets/ellipsoid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

/// sum_k (a_k x_k / (a_k^2 + tau))^2 and half its derivative, both decreasing functions' values at tau.
struct Secular {
  double value;
  double half_slope;
};

/// `unit`: what x and a are multiplied with.
Secular secular(std::span<const double> x, std::span<const double> a, double unit, double tau) {
  Secular f{0.0, 0.0};
  for (size_t k = 0; k < x.size(); ++k) {
    const double axis = a[k] * unit;
    if (axis == 0.0) continue;
    const double inverse = 1.0 / (axis * axis + tau), ratio = axis * (x[k] * unit) * inverse;
    f.value += ratio * ratio;
    f.half_slope -= ratio * ratio * inverse;
  }
  return f;
}

/// A power of two that brings a size to about 1.
double inverse_unit_of(double size) {
  if (!(size > 0.0) || !std::isfinite(size)) return size > 0.0 ? 0.0 : 1.0;
  constexpr int kLargest = std::numeric_limits<double>::max_exponent - 1;
  return std::ldexp(1.0, std::min(-std::ilogb(size), kLargest));
}

}  // namespace

double ellipsoid_level(std::span<const double> x, std::span<const double> semi_axes) {
  double level = 0.0;
  for (size_t k = 0; k < x.size(); ++k) {
    if (x[k] == 0.0) continue;
    const double ratio = x[k] / semi_axes[k];
    level += ratio * ratio;
  }
  return level;
}

void prox_ellipsoid(std::span<const double> x, std::span<const double> semi_axes, std::span<double> result) {
  assert(x.size() == semi_axes.size() && x.size() == result.size());
  if (ellipsoid_level(x, semi_axes) <= 1.0) {
    std::copy(x.begin(), x.end(), result.begin());
    return;
  }
  // Everything is measured in units near the largest number that occurs, so that no square over- or underflows
  // where it matters.
  double size = 0.0, lower = 0.0, inside_flat_axes = 0.0;
  for (size_t k = 0; k < x.size(); ++k) {
    assert(semi_axes[k] >= 0.0);
    size = std::max({size, std::abs(x[k]), semi_axes[k]});
  }
  const double unit = inverse_unit_of(size);
  for (size_t k = 0; k < x.size(); ++k) {
    const double axis = semi_axes[k] * unit, point = std::abs(x[k]) * unit;
    if (axis == 0.0) continue;
    lower = std::max(lower, axis * point - axis * axis);  // here one term of the sum alone is 1
    inside_flat_axes += (point / axis) * (point / axis);
  }

  double tau = 0.0;
  if (inside_flat_axes > 1.0) {
    // Newton on 1/sqrt(f) - 1, which is increasing, concave and nearly linear: from the left, where f >= 1,
    // it does not overshoot, and it ends when it no longer advances.
    tau = lower;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const Secular f = secular(x, semi_axes, unit, tau);
      const double root = std::sqrt(f.value);
      const double advance = f.value * (1.0 - root) / f.half_slope;
      if (!(advance > kMachineEpsilon * 0.25 * tau)) break;
      tau += advance;
    }
  }
  for (size_t k = 0; k < x.size(); ++k) {
    const double axis = semi_axes[k] * unit;
    const double square = axis * axis;
    result[k] = axis == 0.0 ? 0.0 : x[k] * (square / (square + tau));
  }
}

}  // namespace tippe
