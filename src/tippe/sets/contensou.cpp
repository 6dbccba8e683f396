// SPDX-License-Identifier: Apache-2.0
#include "tippe/sets/contensou.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "tippe/core/tolerances.h"
#include "tippe/sets/ball.h"
#include "tippe/sets/ellipsoid.h"
#include "tippe/sets/interval.h"

namespace tippe {
namespace {

using std::numbers::pi;

/// Of numbers of about 1: a twentieth of their spacing changes nothing.
constexpr double kLastTerm = 1e-17;

/// Gauss' series 2F1(a, b; c; x) for 0 <= x <= 1/4: about 25 terms.
double hypergeometric(double a, double b, double c, double x) {
  double term = 1.0, sum = 1.0;
  for (int k = 0; k < 60; ++k) {
    term *= (a + k) * (b + k) / ((c + k) * (k + 1)) * x;
    sum += term;
    if (std::abs(term) < kLastTerm) break;
  }
  return sum;
}

/// Where the ray from the boundary point at u along its normal passes through (force, moment): zero of this function of
/// w = u / (1 + u), which falls from left to right.
struct Foot {
  double value;
  double slope;
};

Foot foot_function(double w, double force, double moment, double radius, double Rbar) {
  const double u = w / (1.0 - w);
  const double R = Rbar / kMeanDrillingRadiusRatio;
  const ContensouPoint b = contensou_boundary(u);
  const double f = force - radius * b.force, m = moment - radius * Rbar * b.moment;
  // (f, m) is parallel to (u R, 1); divided by 1 + u to stay bounded.
  const double value = f * (1.0 - w) - w * R * m;
  const double u_rate = 1.0 / ((1.0 - w) * (1.0 - w));
  const double moment_rate = -(u / kMeanDrillingRadiusRatio) * b.force_rate;
  const double slope = -f - R * m + u_rate * (-radius * b.force_rate * (1.0 - w) + w * R * radius * Rbar * moment_rate);
  return {value, slope};
}

/// The boundary point nearest to (force, moment), both >= 0 and outside: safeguarded Newton.
ContensouPoint nearest_boundary_point(double force, double moment, double radius, double Rbar) {
  double lower = 0.0, upper = 1.0, w = 0.5;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Foot foot = foot_function(w, force, moment, radius, Rbar);
    if (foot.value > 0.0) {
      lower = w;
    } else {
      upper = w;
    }
    if (foot.value == 0.0) break;
    double next = w - foot.value / foot.slope;
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    const double change = std::abs(next - w);
    w = next;
    if (change <= kMachineEpsilon * std::min(w, 1.0 - w) || upper - lower <= std::numeric_limits<double>::min()) break;
  }
  return contensou_boundary(w / (1.0 - w));
}

/// Level of membership by the moment that the exact set allows beside a given force (both relative): bisection on u.
bool in_exact_set(double force, double moment) {
  if (force > 1.0 || moment > 1.0) return false;
  if (force * force + moment * moment <= 0.88) return true;  // on the boundary this is 0.8836 or more
  double lower = 0.0, upper = 1.0;
  for (int iteration = 0; iteration < 100 && upper - lower > kLastTerm; ++iteration) {
    const double w = 0.5 * (lower + upper);
    if (w == lower || w == upper) break;
    const ContensouPoint b = contensou_boundary(w / (1.0 - w));
    if (force <= b.force && moment <= b.moment) return true;  // the set is the union of these rectangles
    if (force > b.force && moment > b.moment) return false;   // beyond a boundary point in both
    if (force > b.force) {
      lower = w;
    } else {
      upper = w;
    }
  }
  return true;  // on the boundary to round-off
}

}  // namespace

ContensouPoint contensou_boundary(double u) {
  assert(u >= 0.0);
  const double u2 = u * u;
  if (u <= 1.0) {
    return {3.0 * pi / 32.0 * u * (4.0 - u2), (3.0 * u2 * u2 - 8.0 * u2 + 8.0) / 8.0, 3.0 * pi / 32.0 * (4.0 - 3.0 * u2)};
  }
  if (u <= 2.0) {
    const double angle = std::asin(1.0 / u), root = std::sqrt((u - 1.0) * (u + 1.0));
    return {3.0 / 16.0 * (u * (4.0 - u2) * angle + (u2 + 2.0) * root / u),
            ((3.0 * u2 * u2 - 8.0 * u2 + 8.0) * angle + (6.0 - 3.0 * u2) * root) / (4.0 * pi),
            3.0 / 16.0 * ((4.0 - 3.0 * u2) * angle + (3.0 - 2.0 / u2) * root)};
  }
  if (std::isinf(u)) return {1.0, 0.0, 0.0};
  // The printed forms lose digits like u^4; these do not.
  const double v = 1.0 / u2;
  return {hypergeometric(-0.5, 0.5, 2.5, v), 16.0 / (15.0 * pi * u) * hypergeometric(0.5, 0.5, 3.5, v),
          0.2 * v / u * hypergeometric(0.5, 1.5, 3.5, v)};
}

bool in_drilling_set(DrillingSet set, const Eigen::Vector3d& x, double radius, double Rbar) {
  const double force = x.head<2>().norm(), moment = std::abs(x[2]);
  if (set == DrillingSet::kCylinder) return force <= radius && moment <= radius * Rbar;
  if (force == 0.0 && moment == 0.0) return true;
  if (radius == 0.0) return false;
  if (set == DrillingSet::kEllipsoid) return std::hypot(force / radius, moment / (radius * Rbar)) <= 1.0;
  return in_exact_set(force / radius, moment / (radius * Rbar));
}

Eigen::Vector3d prox_drilling(DrillingSet set, const Eigen::Vector3d& x, double radius, double Rbar) {
  assert(radius >= 0.0 && Rbar > 0.0);
  switch (set) {
    case DrillingSet::kCylinder: {
      const Eigen::Vector2d force = prox_ball(x.head<2>(), radius);
      return {force[0], force[1], prox_interval(x[2], -radius * Rbar, radius * Rbar)};
    }
    case DrillingSet::kEllipsoid:
      return prox_ellipsoid(x, Eigen::Vector3d(radius, radius, radius * Rbar));
    case DrillingSet::kExact:
      break;
  }
  if (in_drilling_set(set, x, radius, Rbar)) return x;
  if (radius == 0.0) return Eigen::Vector3d::Zero();
  const double force = x.head<2>().norm(), moment = std::abs(x[2]);
  if (moment == 0.0) return {x[0] / force * radius, x[1] / force * radius, 0.0};
  if (force == 0.0) return {0.0, 0.0, std::copysign(radius * Rbar, x[2])};
  const ContensouPoint b = nearest_boundary_point(force, moment, radius, Rbar);
  return {x[0] / force * radius * b.force, x[1] / force * radius * b.force, std::copysign(radius * Rbar * b.moment, x[2])};
}

}  // namespace tippe
