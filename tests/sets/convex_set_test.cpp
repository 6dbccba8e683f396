// SPDX-License-Identifier: Apache-2.0
#include "tippe/sets/convex_set.h"

#include "support/random.h"

namespace tippe::sets_convex_set_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct NamedSet {
  std::string name;
  ConvexSet set;
};
void PrintTo(const NamedSet& set, std::ostream* stream) {
  *stream << set.name;
}

std::vector<NamedSet> all_sets() {
  const auto infinity = std::numeric_limits<double>::infinity();
  return {{"half line", HalfLine{}},
          {"interval", Interval{-0.3, 0.7}},
          {"point", Interval{0.2, 0.2}},
          {"ray", Interval{-infinity, 0.4}},
          {"box", Box{Vector3d(-1, 0, -infinity), Vector3d(0.5, 0, 2)}},
          {"disc", Ball{0.6, 2}},
          {"ball", Ball{0.6, 3}},
          {"centre", Ball{0.0, 3}},
          {"ellipse", Ellipsoid{Vector2d(0.9, 0.2)}},
          {"ellipsoid", Ellipsoid{Vector3d(0.6, 0.6, 0.24)}},
          {"needle", Ellipsoid{Vector3d(1.0, 1e-9, 1e-3)}},
          {"segment", Ellipsoid{Vector2d(0.5, 0.0)}},
          {"plane cone", FrictionCone{0.3, 2}},
          {"cone", FrictionCone{0.8, 3}},
          {"cone mu = 0", FrictionCone{0.0, 3}},
          {"dual cone", DualFrictionCone{0.8, 3}},
          {"dual cone mu = 0", DualFrictionCone{0.0, 3}},
          {"product", ProductSet{{HalfLine{}, Ball{0.5, 2}, Interval{-1, 1}}}}};
}

class EverySet : public testing::TestWithParam<NamedSet> {};

INSTANTIATE_TEST_SUITE_P(Sets, EverySet, testing::ValuesIn(all_sets()), [](const auto& instance) {
  std::string name = instance.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

/// A point anywhere: near, far, tiny, on an axis.
VectorXd random_point(int n, test::Random& random) {
  VectorXd x = random.vector(n) * random.magnitude(-6, 4);
  if (random.below(5) == 0) x[random.below(n)] = 0.0;
  return x;
}

TEST_P(EverySet, ProxLiesInTheSetAndIsIdempotent) {
  const auto& [name, set] = GetParam();
  test::Random random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const VectorXd x = random_point(dimension(set), random);
    const VectorXd p = prox(set, x);
    EXPECT_LE((prox(set, p) - p).norm(), 1e-14 * (1.0 + p.norm())) << "x = " << x.transpose();
    EXPECT_TRUE(contains(set, p, 1e-14 * (1.0 + p.norm())));
  }
}

// p = prox(x)  <=>  (x - p) . (s - p) <= 0 for all s in C: the projection theorem, which determines p.
TEST_P(EverySet, ProxFulfilsTheVariationalInequality) {
  const auto& [name, set] = GetParam();
  test::Random random(12);
  for (int trial = 0; trial < 500; ++trial) {
    const VectorXd x = random_point(dimension(set), random);
    const VectorXd p = prox(set, x);
    for (int other = 0; other < 20; ++other) {
      const VectorXd s = prox(set, random_point(dimension(set), random));
      const double round_off = 1e-14 * (1.0 + x.norm()) * (1.0 + (s - p).norm());
      EXPECT_LE((x - p).dot(s - p), round_off) << "x = " << x.transpose() << ", p = " << p.transpose();
    }
  }
}

TEST_P(EverySet, ProxIsNonExpansive) {
  const auto& [name, set] = GetParam();
  test::Random random(13);
  for (int trial = 0; trial < 2000; ++trial) {
    const VectorXd x = random_point(dimension(set), random), y = random_point(dimension(set), random);
    EXPECT_LE((prox(set, x) - prox(set, y)).norm(), (x - y).norm() * (1.0 + 1e-12) + 1e-14);
  }
}

// Moeller (2.12): y in N_C(p)  <=>  p = prox(p + r y) for every r > 0; here y = x - p, p = prox(x).
TEST_P(EverySet, NormalConeIsAFixedPointForEveryFactor) {
  const auto& [name, set] = GetParam();
  test::Random random(14);
  for (int trial = 0; trial < 500; ++trial) {
    const VectorXd x = random.vector(dimension(set), 3.0);
    const VectorXd p = prox(set, x), y = x - p;
    for (double r : {1e-3, 0.5, 7.0, 1e3}) EXPECT_LE((prox(set, p + r * y) - p).norm(), 1e-12 * (1.0 + r * y.norm()));
  }
}

/// A scaling that keeps cones cones.
VectorXd admissible_scale(const ConvexSet& set, test::Random& random) {
  VectorXd scale(dimension(set));
  for (double& entry : scale) entry = random.magnitude(-1, 1);
  if (std::holds_alternative<FrictionCone>(set) || std::holds_alternative<DualFrictionCone>(set))
    scale.tail(scale.size() - 1).setConstant(scale[1]);
  return scale;
}

// Moeller (2.26): y in N_C(x)  <=>  A'y in N_{A^-1 C}(A^-1 x).
TEST_P(EverySet, NormalConesFollowALinearTransformation) {
  const auto& [name, set] = GetParam();
  test::Random random(15);
  for (int trial = 0; trial < 300; ++trial) {
    const VectorXd A = admissible_scale(set, random);
    const ConvexSet image = inverse_image(set, A);
    const VectorXd z = random.vector(dimension(set), 3.0);
    const VectorXd x = prox(set, z), y = z - x;
    const VectorXd x_hat = x.cwiseQuotient(A), y_hat = A.cwiseProduct(y);
    EXPECT_LE((prox(image, x_hat + y_hat) - x_hat).norm(), 1e-12 * (1.0 + x_hat.norm() + y_hat.norm()))
        << "A = " << A.transpose() << ", z = " << z.transpose();
  }
}

// Moeller (2.24): prox_C^R(x) = A prox_{A^-1 C}^{A'RA}(A^-1 x). With R = A^-2 the right side is Euclidean,
// the left side is found by brute force on the boundary of a disc.
TEST(LinearTransformation, WeightedProxIsAProxOnTheTransformedSet) {
  test::Random random(16);
  for (int trial = 0; trial < 20; ++trial) {
    const Vector2d A(random.magnitude(-0.5, 0.5), random.magnitude(-0.5, 0.5));
    const Vector2d x = random.vector(2).normalized() * random.uniform(1.1, 3.0);
    const auto weighted_distance = [&](double angle) {
      return (x - Vector2d(std::cos(angle), std::sin(angle))).cwiseQuotient(A).squaredNorm();
    };
    double best = 0.0, width = 3.2;
    for (int refinement = 0; refinement < 14;
         ++refinement) {  // the weighted distance on the circle can have two minima: scan wide first
      double best_value = weighted_distance(best), centre = best;
      for (int k = -200; k <= 200; ++k) {
        const double angle = centre + width * k / 200.0;
        if (weighted_distance(angle) < best_value) best_value = weighted_distance(angle), best = angle;
      }
      width /= 20.0;
    }
    const Vector2d expected(std::cos(best), std::sin(best));
    const ConvexSet image = inverse_image(Ball{1.0, 2}, A);
    const Vector2d found = A.cwiseProduct(Vector2d(prox(image, x.cwiseQuotient(A))));
    EXPECT_LE((found - expected).norm(), 1e-7);
  }
}

TEST(LinearTransformation, RefusesToBendACone) {
  EXPECT_THROW((void)inverse_image(FrictionCone{0.5, 3}, Vector3d(1, 1, 2)), std::invalid_argument);
}

TEST(FrictionCone, KnowsItsThreeRegions) {
  const ConvexSet cone = FrictionCone{0.5, 3};
  EXPECT_EQ(prox(cone, Vector3d(2, 0.6, 0.8)), Vector3d(2, 0.6, 0.8));  // inside (on the boundary: |t| = mu n)
  EXPECT_EQ(prox(cone, Vector3d(-1, 1.2, 1.6)), Vector3d(0, 0, 0));     // in the polar cone: mu |t| = -n
  const VectorXd p = prox(cone, Vector3d(0, 3, 4));                     // onto the mantle: s = mu |t| / (1 + mu^2)
  EXPECT_LE((p - Vector3d(2.0, 0.6, 0.8)).norm(), 1e-15);
}

// Without friction the cone is the half line n >= 0: a normal part that pulls is projected to zero also where there is no tangential part.
TEST(FrictionCone, WithoutFrictionIsTheHalfLine) {
  for (const double tangential : {0.0, 1e-100, 1.0}) {
    EXPECT_EQ(prox(FrictionCone{0.0, 2}, Vector2d(-1, tangential)), Vector2d(0, 0)) << tangential;
    EXPECT_EQ(prox(FrictionCone{0.0, 2}, Vector2d(1, tangential)), Vector2d(1, 0)) << tangential;
    EXPECT_EQ(prox(FrictionCone{0.0, 3}, Vector3d(-1, tangential, 0)), Vector3d(0, 0, 0)) << tangential;
  }
}

TEST(FrictionCone, ConeAndDualAreMoreauPartners) {  // x = prox_K(x) - prox_K*(-x), the parts orthogonal
  test::Random random(17);
  for (double mu : {0.0, 0.2, 1.0, 5.0}) {
    for (int trial = 0; trial < 500; ++trial) {
      const VectorXd x = random.vector(3, 2.0);
      const VectorXd in_cone = prox(FrictionCone{mu, 3}, x), in_dual = prox(DualFrictionCone{mu, 3}, -x);
      EXPECT_LE((in_cone - in_dual - x).norm(), 1e-14);
      EXPECT_LE(std::abs(in_cone.dot(in_dual)), 1e-14);
      EXPECT_LE(mu * in_dual.tail(2).norm(), in_dual[0] + 1e-14);
    }
  }
}

TEST(Membership, HasATolerance) {
  EXPECT_TRUE(contains(Interval{0, 1}, VectorXd::Constant(1, 1.0)));
  EXPECT_FALSE(contains(Interval{0, 1}, VectorXd::Constant(1, 1.001)));
  EXPECT_TRUE(contains(Interval{0, 1}, VectorXd::Constant(1, 1.001), 0.01));
}

}  // namespace tippe::sets_convex_set_test
