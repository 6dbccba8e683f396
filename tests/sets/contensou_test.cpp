// SPDX-License-Identifier: Apache-2.0
#include "tippe/sets/contensou.h"

#include <numbers>

#include "support/random.h"

namespace tippe::sets_contensou_test {

using Eigen::Vector3d;
using std::numbers::pi;

TEST(Contensou, AgreesWithComputedPoints) {  // found in 50-digit arithmetic
  const Vector3d p = prox_drilling(DrillingSet::kExact, {1.0, 0.5, 0.7}, 0.6, 1.0);
  EXPECT_NEAR(p[0], 0.444560282996, 1e-12);
  EXPECT_NEAR(p[1], 0.222280141498, 1e-12);
  EXPECT_NEAR(p[2], 0.277068350762, 1e-12);
  const Vector3d thin = prox_drilling(DrillingSet::kExact, {0.3, 0.3, 0.001}, 0.6, 2.945e-4);
  EXPECT_NEAR(thin[0], 0.299999786482, 1e-12);
  EXPECT_NEAR(thin[1], 0.299999786482, 1e-12);
  EXPECT_NEAR(thin[2], 1.09445317555e-4, 1e-15);
}

TEST(Contensou, BoundaryRunsFromDrillingToSliding) {
  EXPECT_EQ(contensou_boundary(0.0).force, 0.0);
  EXPECT_EQ(contensou_boundary(0.0).moment, 1.0);
  const ContensouPoint far = contensou_boundary(1e8);
  EXPECT_NEAR(far.force, 1.0, 1e-16);
  EXPECT_NEAR(far.moment, 16.0 / (15.0 * pi) * 1e-8, 1e-22);
  EXPECT_EQ(contensou_boundary(std::numeric_limits<double>::infinity()).force, 1.0);
}

TEST(Contensou, BoundaryIsSmoothWhereItsFormulaeMeet) {
  for (const double joint : {1.0, 2.0}) {
    const ContensouPoint below = contensou_boundary(joint), above = contensou_boundary(std::nextafter(joint, 3.0));
    EXPECT_NEAR(below.force, above.force, 1e-14);
    EXPECT_NEAR(below.moment, above.moment, 1e-14);
    EXPECT_NEAR(below.force_rate, above.force_rate, 1e-6);  // its own derivative has a root singularity at 1
  }
}

// The outward normal at u is (u / ratio, 1) in the scaled variables: the tangent is orthogonal to it.
TEST(Contensou, NormalBelongsToTheVelocity) {
  for (const double u : {0.1, 0.5, 0.9, 1.1, 1.5, 1.9, 2.1, 5.0, 50.0}) {
    const double step = 1e-6 * u;
    const ContensouPoint up = contensou_boundary(u + step), down = contensou_boundary(u - step), at = contensou_boundary(u);
    const double force_rate = (up.force - down.force) / (2 * step), moment_rate = (up.moment - down.moment) / (2 * step);
    EXPECT_NEAR(at.force_rate, force_rate, 1e-8 * std::max(1.0, std::abs(force_rate)));
    EXPECT_NEAR(force_rate * u / kMeanDrillingRadiusRatio + moment_rate, 0.0, 1e-8);
  }
}

/// Friction force and moment of a rotating disc of radius 1 under the Hertz pressure 3/(2 pi) sqrt(1 - r^2), mu lambda_N = 1, whose
/// centre of rotation lies at distance u from its own: integrated in polar coordinates about the centre of rotation, in which the
/// direction of the velocity is the angle alone.
struct DiscForces {
  double force, moment;
};
DiscForces integrate_over_the_disc(double u) {
  const int n = 400;
  DiscForces sum{0.0, 0.0};
  const auto add = [&](double phi, double rho, double weight) {
    // Point of the disc: centre of rotation (0, u) plus rho (cos, sin); velocity direction e_phi = (-sin, cos).
    const double x = rho * std::cos(phi), y = u + rho * std::sin(phi);
    const double pressure = 1.5 / pi * std::sqrt(std::max(0.0, 1.0 - x * x - y * y));
    sum.force += weight * rho * pressure * -std::sin(phi);
    sum.moment += weight * rho * pressure * (x * std::cos(phi) + y * std::sin(phi));
  };
  // Gauss-Legendre would do; midpoints of an angle substituted for the radius are spectrally accurate here, too.
  const auto along_ray = [&](double phi, double from, double to, double weight) {
    for (int k = 0; k < n; ++k) {  // rho = middle - half cos(s): removes the root at both ends
      const double s = pi * (k + 0.5) / n, half = 0.5 * (to - from);
      add(phi, 0.5 * (from + to) - half * std::cos(s), weight * half * std::sin(s) * pi / n);
    }
  };
  for (int k = 0; k < n; ++k) {
    if (u < 1.0) {
      const double phi = 2 * pi * (k + 0.5) / n, b = u * std::sin(phi);
      along_ray(phi, 0.0, -b + std::sqrt(b * b - u * u + 1.0), 2 * pi / n);
    } else {
      const double widest = std::asin(1.0 / u), s = pi * (k + 0.5) / n;
      const double phi = -pi / 2 - widest * std::cos(s), b = u * std::sin(phi),
                   root = std::sqrt(std::max(0.0, b * b - u * u + 1.0));
      along_ray(phi, -b - root, -b + root, widest * std::sin(s) * pi / n);
    }
  }
  return sum;
}

TEST(Contensou, IsTheIntegralOfCoulombFrictionOverTheDisc) {
  for (const double u : {0.0, 0.2, 0.7, 0.95, 1.05, 1.4, 2.5, 8.0}) {
    const DiscForces disc = integrate_over_the_disc(u);
    const ContensouPoint b = contensou_boundary(u);
    EXPECT_NEAR(disc.force, b.force, 1e-8) << "u = " << u;
    EXPECT_NEAR(disc.moment / kMeanDrillingRadiusRatio, b.moment, 1e-8) << "u = " << u;
  }
}

class EveryDrillingSet : public testing::TestWithParam<DrillingSet> {};
INSTANTIATE_TEST_SUITE_P(Sets, EveryDrillingSet,
                         testing::Values(DrillingSet::kExact, DrillingSet::kEllipsoid, DrillingSet::kCylinder));

// The projection theorem, at all magnitudes and for thick and thin sets.
TEST_P(EveryDrillingSet, ProxFulfilsTheVariationalInequality) {
  test::Random random(91);
  for (int trial = 0; trial < 3000; ++trial) {
    const double size = random.magnitude(-8, 8), Rbar = random.magnitude(-4, 1), radius = size * random.uniform(0.1, 2.0);
    const Vector3d unit(size, size, size * std::max(Rbar, trial % 3 == 0 ? 1.0 : Rbar));
    const Vector3d x = Vector3d(random.vector(3, 3.0)).cwiseProduct(unit);
    const Vector3d p = prox_drilling(GetParam(), x, radius, Rbar);
    EXPECT_TRUE(in_drilling_set(GetParam(), p * (1 - 1e-9), radius, Rbar)) << x.transpose();
    EXPECT_LE((prox_drilling(GetParam(), p * (1 - 1e-12), radius, Rbar) - p * (1 - 1e-12)).norm(), 1e-10 * size);
    for (int other = 0; other < 5; ++other) {
      const Vector3d s = prox_drilling(GetParam(), Vector3d(random.vector(3, 3.0)).cwiseProduct(unit), radius, Rbar);
      EXPECT_LE((x - p).dot(s - p), 1e-11 * size * size * (1 + Rbar))
          << "x = " << x.transpose() << ", Rbar " << Rbar << ", radius " << radius;
    }
  }
}

TEST_P(EveryDrillingSet, VanishesWithTheNormalForce) {
  EXPECT_EQ(prox_drilling(GetParam(), {1, 2, 3}, 0.0, 0.5), Vector3d(0, 0, 0));
  EXPECT_EQ(prox_drilling(GetParam(), {0, 0, 0}, 0.0, 0.5), Vector3d(0, 0, 0));
}

TEST(DrillingSets, LieInsideEachOther) {  // cylinder contains ellipsoid contains exact set, touching at the axes
  test::Random random(92);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector3d x = random.vector(3, 1.2);
    const auto in = [&](DrillingSet set, double radius) { return in_drilling_set(set, x, radius, 1.0); };
    EXPECT_TRUE(!in(DrillingSet::kExact, 1.0) || in(DrillingSet::kEllipsoid, 1.0 + 1e-12)) << x.transpose();
    EXPECT_TRUE(!in(DrillingSet::kEllipsoid, 1.0) || in(DrillingSet::kCylinder, 1.0 + 1e-12)) << x.transpose();
  }
}

}  // namespace tippe::sets_contensou_test
