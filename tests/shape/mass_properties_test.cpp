// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/mass_properties.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>

#include "tippe/core/error.h"

namespace tippe::mass_properties_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// By a grid over a cube of this half size, or its middle layer.
MassProperties by_counting(const std::function<bool(const Vector3d&)>& inside, double half, bool planar) {
  const int points = planar ? 1000 : 160;
  const double step = 2.0 * half / points, cell = planar ? step * step : step * step * step;
  MassProperties sum;
  Matrix3d second = Matrix3d::Zero();
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      for (int k = 0; k < (planar ? 1 : points); ++k) {
        const Vector3d x(-half + (i + 0.5) * step, -half + (j + 0.5) * step, planar ? 0.0 : -half + (k + 0.5) * step);
        if (!inside(x)) continue;
        sum.volume += cell;
        sum.center += cell * x;
        second += cell * x * x.transpose();
      }
    }
  }
  sum.center /= sum.volume;
  second -= sum.volume * sum.center * sum.center.transpose();
  sum.inertia = second.trace() * Matrix3d::Identity() - second;
  return sum;
}

void expect_near(const MassProperties& one, const MassProperties& other, double relative, bool planar = false) {
  EXPECT_NEAR(one.volume, other.volume, relative * other.volume);
  EXPECT_LT((one.center - other.center).norm(), relative);
  if (planar) {
    EXPECT_NEAR(one.inertia(2, 2), other.inertia(2, 2), relative * other.inertia(2, 2));
  } else {
    EXPECT_LT((one.inertia - other.inertia).norm(), relative * other.inertia.norm()) << one.inertia << "\n\n"
                                                                                     << other.inertia;
  }
}

double from_segment(const Vector3d& x, const Vector3d& from, const Vector3d& to) {
  const Vector3d way = to - from;
  const double t = std::clamp(way.dot(x - from) / way.squaredNorm(), 0.0, 1.0);
  return (x - from - t * way).norm();
}

TEST(MassProperties, AreThoseOfCountedPoints) {
  const Vector3d from(-0.4, 0.1, -0.2), to(0.3, 0.2, 0.4);
  expect_near(mass_properties(CapsuleShape{from, to, 0.35}),
              by_counting([&](const Vector3d& x) { return from_segment(x, from, to) <= 0.35; }, 1.0, false), 2e-3);
  const Vector3d axis = (to - from).normalized();
  expect_near(mass_properties(CylinderShape{from, to, 0.5}),
              by_counting(
                  [&](const Vector3d& x) {
                    return axis.dot(x - from) >= 0.0 && axis.dot(x - to) <= 0.0 && axis.cross(x - from).norm() <= 0.5;
                  },
                  1.0, false),
              2e-3);
  const Vector3d flat_from(-0.4, 0.1, 0.0), flat_to(0.3, 0.2, 0.0);
  expect_near(mass_properties(CapsuleShape{flat_from, flat_to, 0.35}, true),
              by_counting([&](const Vector3d& x) { return from_segment(x, flat_from, flat_to) <= 0.35; }, 1.0, true), 2e-3,
              true);
}

TEST(MassProperties, OfSpheresBoxesAndTetrahedraHaveTheirClosedForms) {
  const MassProperties ball = mass_properties(SphereShape{{1.0, 2.0, 3.0}, 2.0});
  EXPECT_DOUBLE_EQ(ball.volume, 32.0 * M_PI / 3.0);
  EXPECT_DOUBLE_EQ(ball.inertia(1, 1), 0.4 * ball.volume * 4.0);
  EXPECT_EQ(ball.center, Vector3d(1.0, 2.0, 3.0));
  const MassProperties box = mass_properties(BoxShape{Vector3d::Zero(), {2.0, 4.0, 6.0}});
  EXPECT_DOUBLE_EQ(box.volume, 48.0);
  EXPECT_TRUE(box.inertia.diagonal().isApprox(Vector3d(4.0 * (16.0 + 36.0), 4.0 * (4.0 + 36.0), 4.0 * (4.0 + 16.0)), 1e-14));
  // Of the corner of a cube: volume 1/6, middle (1/4, 1/4, 1/4), int x^2 = 1/60, int xy = 1/120.
  const MassProperties corner = mass_properties(HullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  EXPECT_NEAR(corner.volume, 1.0 / 6.0, 1e-15);
  EXPECT_LT((corner.center - Vector3d::Constant(0.25)).norm(), 1e-15);
  EXPECT_NEAR(corner.inertia(0, 0), 2.0 * (1.0 / 60.0 - 1.0 / 96.0), 1e-15);
  EXPECT_NEAR(corner.inertia(0, 1), -(1.0 / 120.0 - 1.0 / 96.0), 1e-15);
}

TEST(MassProperties, OfAHullFarFromTheOriginAreThoseOfItsBox) {
  const Matrix3d axes = Eigen::AngleAxisd(0.7, Vector3d(1.0, 2.0, 3.0).normalized()).toRotationMatrix();
  const BoxShape box{{100.0, -50.0, 20.0}, {0.2, 0.3, 0.4}, axes};
  HullShape hull;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d sign(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
    hull.points.push_back(box.center + axes * sign.cwiseProduct(box.size));
  }
  expect_near(mass_properties(hull), mass_properties(box), 1e-11);
}

TEST(MassProperties, OfPlanarSolids) {
  const MassProperties square = mass_properties(HullShape{{{1, 1, 0}, {3, 1, 0}, {3, 2, 0}, {1, 2, 0}}}, true);
  EXPECT_DOUBLE_EQ(square.volume, 2.0);
  EXPECT_LT((square.center - Vector3d(2.0, 1.5, 0.0)).norm(), 1e-15);
  EXPECT_NEAR(square.inertia(2, 2), 2.0 * (4.0 + 1.0) / 12.0, 1e-15);
  const MassProperties rectangle = mass_properties(BoxShape{Vector3d::Zero(), {2.0, 1.0, 0.0}}, true);
  EXPECT_NEAR(rectangle.inertia(2, 2), square.inertia(2, 2), 1e-15);
  const MassProperties disc = mass_properties(SphereShape{Vector3d::Zero(), 2.0}, true);
  EXPECT_DOUBLE_EQ(disc.volume, 4.0 * M_PI);
  EXPECT_DOUBLE_EQ(disc.inertia(2, 2), 8.0 * M_PI);
}

TEST(MassProperties, OfPartsAddUp) {
  const MassProperties halves[] = {mass_properties(BoxShape{{-0.5, 0.0, 0.0}, {1.0, 2.0, 3.0}}),
                                   mass_properties(BoxShape{{0.5, 0.0, 0.0}, {1.0, 2.0, 3.0}})};
  expect_near(sum_of(halves), mass_properties(BoxShape{Vector3d::Zero(), {2.0, 2.0, 3.0}}), 1e-14);
}

TEST(MassProperties, OfAPlaneThereAreNone) {
  EXPECT_THROW((void)mass_properties(Plane{}), ModelError);
  EXPECT_THROW((void)mass_properties(SphereShape{Vector3d::Zero(), 0.0}), ModelError);
  EXPECT_THROW((void)mass_properties(BoxShape{}), ModelError);
}

}  // namespace tippe::mass_properties_test
