// SPDX-License-Identifier: Apache-2.0
#include "tippe/sets/ellipsoid.h"

#include "support/random.h"

namespace tippe::sets_ellipsoid_test {

using Eigen::Vector2d;
using Eigen::Vector3d;

TEST(ProxEllipsoid, AgreesWithAPublishedPoint) {  // semi-axes of the set EF for mu lambda_N = 0.6, Rbar = 0.4
  const Vector3d p = prox_ellipsoid(Vector3d(1.0, 0.5, 0.7), Vector3d(0.6, 0.6, 0.24));
  EXPECT_NEAR(p[0], 0.493417836045, 5e-13);
  EXPECT_NEAR(p[1], 0.246708918023, 5e-13);
  EXPECT_NEAR(p[2], 0.094380971676, 5e-13);
}

// Built backwards: p on the boundary, x = p + s n with n the outward normal. In long double, so that the
// expectation is better than what is tested.
TEST(ProxEllipsoid, FindsTheFootOfEveryNormalToRoundOff) {
  test::Random random(21);
  double worst = 0.0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double size = random.magnitude(-6, 6);
    long double axes[3], foot[3], point[3], level = 0.0L;
    for (int k = 0; k < 3; ++k) {
      axes[k] = size * random.magnitude(-8, 0);  // ratios up to 1e8
      foot[k] = axes[k] * random.uniform(-1, 1);
    }
    axes[0] = static_cast<double>(axes[0]), axes[1] = static_cast<double>(axes[1]), axes[2] = static_cast<double>(axes[2]);
    for (int k = 0; k < 3; ++k) level += (foot[k] / axes[k]) * (foot[k] / axes[k]);
    for (int k = 0; k < 3; ++k) foot[k] /= sqrtl(level);
    const long double tau = static_cast<long double>(size) * size * random.magnitude(-12, 6);
    Vector3d x, a, expected;
    for (int k = 0; k < 3; ++k) {
      point[k] = foot[k] * (1.0L + tau / (axes[k] * axes[k]));
      x[k] = static_cast<double>(point[k]);
      a[k] = static_cast<double>(axes[k]);
      expected[k] = static_cast<double>(foot[k]);
    }
    const double error = (prox_ellipsoid(x, a) - expected).norm() / expected.norm();
    worst = std::max(worst, error);
    ASSERT_LE(error, 1e-14) << "x = " << x.transpose() << ", a = " << a.transpose();
  }
  RecordProperty("worst_relative_error", std::to_string(worst));
}

TEST(ProxEllipsoid, HandlesFlatAndVanishingAxes) {
  EXPECT_EQ(prox_ellipsoid(Vector2d(3, 4), Vector2d(0, 0)), Vector2d(0, 0));
  EXPECT_EQ(prox_ellipsoid(Vector2d(3, 4), Vector2d(2, 0)), Vector2d(2, 0));  // a segment
  EXPECT_EQ(prox_ellipsoid(Vector2d(-0.5, 4), Vector2d(2, 0)), Vector2d(-0.5, 0));
  const Vector3d p = prox_ellipsoid(Vector3d(3, 4, 5), Vector3d(1, 1, 0));  // a disc in a plane
  EXPECT_LE((p - Vector3d(0.6, 0.8, 0)).norm(), 1e-15);
}

TEST(ProxEllipsoid, IsTheDiscForEqualAxesAtAnyMagnitude) {
  for (double size : {1e-150, 1e-12, 1.0, 1e12, 1e150}) {
    const Vector2d p = prox_ellipsoid(Vector2d(3 * size, 4 * size), Vector2d(size, size));
    EXPECT_LE((p / size - Vector2d(0.6, 0.8)).norm(), 1e-15) << size;
  }
}

TEST(ProxEllipsoid, LeavesInnerPointsAlone) {
  const Vector2d inside(0.1, -0.05);
  EXPECT_EQ(prox_ellipsoid(inside, Vector2d(1, 0.1)), inside);
}

}  // namespace tippe::sets_ellipsoid_test
