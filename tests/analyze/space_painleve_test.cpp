// SPDX-License-Identifier: Apache-2.0
// Contacts in space that begin to slide: all directions of one, against a scan of the circle.
#include <gtest/gtest.h>

#include <numbers>

#include "support/instant_problems.h"
#include "support/linear_algebra.h"
#include "tippe/analyze/painleve.h"

namespace tippe::analyze_space_painleve_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// The motions of one contact with the Delassus matrix G of (normal, tangents) and accelerations c without its force:
/// xi = G f + c. By hand: open if c_0 > 0,
/// sticking if f = -G^-1 c is in the cone, sliding along u with f = lambda (1, -mu u) if xi_0 = 0 and xi_T = s u, s >
/// 0. The directions are
/// the changes of sign of cross(u, xi_T) (d xi_0 / d lambda) on a fine grid, found by bisection.
int count_motions(const Matrix3d& G, const Vector3d& c, double mu) {
  int count = c[0] > 0.0 ? 1 : 0;
  const Vector3d f = -test::inverse(G) * c;
  count += f[0] >= 0.0 && f.tail(2).norm() <= mu * f[0] ? 1 : 0;
  struct Slide {
    double misalignment, force, along;
  };
  const auto slide = [&](double angle) {
    const Vector2d u(std::cos(angle), std::sin(angle));
    Vector3d direction;
    direction << 1.0, -mu * u;
    const double slope = G.row(0).dot(direction), force = -c[0] / slope;
    const Vector2d slip = (G * direction * force + c).tail(2);
    return Slide{(slip[1] * u[0] - slip[0] * u[1]) * slope, force, slip.dot(u)};
  };
  constexpr int kSteps = 20000;
  constexpr double kStep = 2.0 * std::numbers::pi / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    double low = (i + 0.123) * kStep, high = low + kStep;
    if (slide(low).misalignment * slide(high).misalignment > 0.0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (slide(low).misalignment * slide(middle).misalignment <= 0.0 ? high : low) = middle;
    }
    const Slide found = slide(low);
    count += found.force > 0.0 && found.along > 0.0 ? 1 : 0;
  }
  return count;
}

AccelerationProblem body_on_one_foot(const MatrixXd& M, const VectorXd& F, const MatrixXd& D, double mu) {
  return test::problem_of(M, F, {test::row("foot", D.col(0), MatrixXd(D.rightCols(2)), mu)});
}

// All cases of 400 bodies, many beyond the critical friction, agree with the scan. One contact at rest always has a
// motion, and often more than one.
TEST(SpacePainleve, OneContactIsExhaustive) {
  test::Random random(77);
  std::array<int, 6> seen{};
  for (int trial = 0; trial < 400; ++trial) {
    const int n = test::random_integer(random, 3, 6);
    const MatrixXd root = test::random_matrix(random, n, n) + 0.3 * MatrixXd::Identity(n, n);
    const MatrixXd M = root * root.transpose(), D = test::random_matrix(random, n, 3);
    const VectorXd F = random.vector(n, 5.0);
    const double mu = random.uniform(0.1, 3.0);
    const MatrixXd inverse = test::inverse(M);
    const Matrix3d G = D.transpose() * inverse * D;
    const Vector3d c = -D.transpose() * inverse * F;
    const Painleve found = classify_painleve(body_on_one_foot(M, F, D, mu));
    EXPECT_TRUE(found.exhaustive);
    const int expected = count_motions(G, c, mu);
    EXPECT_EQ(static_cast<int>(found.solutions.size()), expected) << trial;
    ASSERT_TRUE(found.classification) << found.reason;
    EXPECT_EQ(*found.classification, expected == 0   ? Painleve::Class::kInconsistent
                                     : expected == 1 ? Painleve::Class::kUnique
                                                     : Painleve::Class::kIndeterminate)
        << trial;
    ++seen[static_cast<size_t>(std::min(expected, 5))];
  }
  EXPECT_GT(seen[1], 200);
  EXPECT_GT(seen[2] + seen[3], 5);
}

// A point on a floor, pulled: it slides along the pull, and that is proved to be the only motion.
TEST(SpacePainleve, APulledPointHasOneMotion) {
  const Painleve found =
      classify_painleve(body_on_one_foot(2.0 * MatrixXd::Identity(3, 3), Vector3d(20, -6, -8), Matrix3d::Identity(), 0.3));
  EXPECT_EQ(found.classification, Painleve::Class::kUnique);
  EXPECT_TRUE(found.exhaustive);
  ASSERT_EQ(found.solutions.size(), 1u);
  EXPECT_LE((found.solutions[0].acceleration - Vector3d(0, 1.2, 1.6)).norm(), 1e-13);
}

// Beside contacts whose mode is tried: each of two contacts may turn while the other is open or sticks; only both at
// once are searched.
TEST(SpacePainleve, TwoContactsThatTurnAtOnceAreSearched) {
  MatrixXd D = MatrixXd::Identity(6, 6);
  AccelerationProblem problem = test::problem_of(MatrixXd::Identity(6, 6), VectorXd::Constant(6, 1.0),
                                                 {test::row("a", D.col(0), MatrixXd(D.middleCols(1, 2)), 0.5),
                                                  test::row("b", D.col(3), MatrixXd(D.middleCols(4, 2)), 0.5)});
  EXPECT_FALSE(classify_painleve(problem).exhaustive);
  problem.unilateral[1].slip = Vector2d(0, 1);
  EXPECT_TRUE(classify_painleve(problem).exhaustive);
}

}  // namespace tippe::analyze_space_painleve_test
