// SPDX-License-Identifier: Apache-2.0
// Gaps and velocities of contacts between bodies against plain geometry in numbers and its finite differences along rigid motions.
#include "tippe/collide/contact_geometry.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/touching_bodies.h"

namespace tippe::collide_contact_geometry_test {

using Eigen::Vector3d;
using test::Random;
using test::random_motion;
using test::random_vector;
using test::RigidMotion;
using test::TouchingBodies;

constexpr double kStep = 1e-5;      // s  of central differences
constexpr double kAccuracy = 1e-8;  // their error, kStep^2 times third derivatives (|Omega|^3 < 150) and round-off/kStep
const std::vector<BodyKind> kSpatialKinds = {BodyKind::kNewtonEuler, BodyKind::kScalable, BodyKind::kAffine,
                                             BodyKind::kPoint};

Vector3d velocity(const std::function<Vector3d(double)>& place) {
  return (place(kStep) - place(-kStep)) / (2.0 * kStep);
}
double rate(const std::function<double(double)>& value) {
  return (value(kStep) - value(-kStep)) / (2.0 * kStep);
}

/// What plain geometry knows of one contact.
struct Expected {
  double gap, gap_rate;
  Vector3d n, v;  // normal, relative velocity of the material points
  double spin;
};

/// Slips are known up to a turn of the two tangents.
void expect_same(const Expected& expected, double gap, const std::vector<double>& gamma, BodyKind kind) {
  EXPECT_NEAR(gap, expected.gap, 1e-14);
  EXPECT_NEAR(gamma[0], expected.gap_rate, kAccuracy);
  if (kind == BodyKind::kPlanar) {
    ASSERT_EQ(gamma.size(), 2u);
    EXPECT_NEAR(gamma[1], Vector3d(expected.n[1], -expected.n[0], 0.0).dot(expected.v), kAccuracy);
    return;
  }
  ASSERT_GE(gamma.size(), 3u);
  const Vector3d v_T = expected.v - expected.n.dot(expected.v) * expected.n;
  EXPECT_NEAR(std::hypot(gamma[1], gamma[2]), v_T.norm(), kAccuracy);
  if (gamma.size() == 4) {
    EXPECT_NEAR(gamma[3], expected.spin, 1e-13);
  }
}

Expected sphere_on_plane_by_geometry(const RigidMotion& body, const SphereShape& sphere, const Plane& plane) {
  const auto gap = [&](const RigidMotion& at) {
    return plane.normal.dot(at.place(sphere.center)) - plane.offset - sphere.radius;
  };
  const Vector3d deepest = body.place(sphere.center) - sphere.radius * plane.normal;
  return {gap(body), rate([&](double h) { return gap(body.after(h)); }), plane.normal,
          velocity([&](double h) -> Vector3d { return body.carry(deepest, h); }), plane.normal.dot(body.Omega)};
}

Expected sphere_on_sphere_by_geometry(const RigidMotion& a, const SphereShape& first, const RigidMotion& b,
                                      const SphereShape& second) {
  const auto gap = [&](const RigidMotion& at_a, const RigidMotion& at_b) {
    return (at_a.place(first.center) - at_b.place(second.center)).norm() - first.radius - second.radius;
  };
  const Vector3d c1 = a.place(first.center), c2 = b.place(second.center), n = (c1 - c2).normalized();
  const Vector3d middle = c2 + (second.radius + 0.5 * gap(a, b)) * n;
  return {gap(a, b), rate([&](double h) { return gap(a.after(h), b.after(h)); }), n,
          velocity([&](double h) -> Vector3d { return a.carry(middle, h) - b.carry(middle, h); }), n.dot(a.Omega - b.Omega)};
}

SphereShape random_sphere(Random& random, BodyKind kind) {
  SphereShape sphere{random_vector(random, kind), random.uniform(0.1, 0.5)};
  if (kind == BodyKind::kPoint) sphere.center.setZero();
  return sphere;
}

TEST(ContactGeometry, SphereOnPlaneIsThatOfPlainGeometry) {
  std::vector<BodyKind> kinds = kSpatialKinds;
  kinds.push_back(BodyKind::kPlanar);
  for (const BodyKind kind : kinds) {
    Random random(11);
    for (int repeat = 0; repeat < 20; ++repeat) {
      TouchingBodies bodies({kind});
      const SphereShape sphere = random_sphere(random, kind);
      const Plane plane{random_vector(random, kind).normalized(), random.uniform(-1, 1)};
      const Space space = kind == BodyKind::kPlanar ? Space::kPlanar : Space::kSpatial;
      bodies.build({{"contact", sphere_on_plane(bodies.partners[0].frame, sphere, plane, space)}});
      const RigidMotion motion = random_motion(random, kind);
      bodies.set({motion});
      expect_same(sphere_on_plane_by_geometry(motion, sphere, plane), bodies.gap(0), bodies.velocities(0), kind);
    }
  }
}

TEST(ContactGeometry, SphereOnSphereIsThatOfPlainGeometry) {
  std::vector<std::pair<BodyKind, BodyKind>> pairs = {{BodyKind::kPlanar, BodyKind::kPlanar}};
  for (const BodyKind first : kSpatialKinds) {
    for (const BodyKind second : kSpatialKinds) pairs.emplace_back(first, second);
  }
  for (const auto& [first_kind, second_kind] : pairs) {
    Random random(12);
    for (int repeat = 0; repeat < 10; ++repeat) {
      TouchingBodies bodies({first_kind, second_kind});
      const SphereShape first = random_sphere(random, first_kind), second = random_sphere(random, second_kind);
      const Space space = first_kind == BodyKind::kPlanar ? Space::kPlanar : Space::kSpatial;
      bodies.build(
          {{"contact", sphere_on_sphere(bodies.partners[0].frame, first, bodies.partners[1].frame, second, space)}});
      const RigidMotion a = random_motion(random, first_kind), b = random_motion(random, second_kind);
      bodies.set({a, b});
      expect_same(sphere_on_sphere_by_geometry(a, first, b, second), bodies.gap(0), bodies.velocities(0), first_kind);
    }
  }
}

// A common rigid motion changes no distance and slides and spins nothing; so forces on both have no resultant and no moment.
TEST(ContactGeometry, ACommonRigidMotionHasNoRelativeVelocity) {
  Random random(13);
  for (const BodyKind kind : {BodyKind::kNewtonEuler, BodyKind::kScalable, BodyKind::kAffine, BodyKind::kPlanar}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      TouchingBodies bodies({kind, kind});
      const Space space = kind == BodyKind::kPlanar ? Space::kPlanar : Space::kSpatial;
      bodies.build({{"contact", sphere_on_sphere(bodies.partners[0].frame, random_sphere(random, kind),
                                                 bodies.partners[1].frame, random_sphere(random, kind), space)}});
      RigidMotion a = random_motion(random, kind), b = random_motion(random, kind);
      b.Omega = a.Omega;
      b.v = a.v + a.Omega.cross(b.r - a.r);
      bodies.set({a, b});
      for (const double gamma : bodies.velocities(0)) EXPECT_NEAR(gamma, 0.0, 1e-13);
    }
  }
}

// (n, t1, t2) is a right-handed orthonormal frame wherever n points, also along the axes and where the choice of axis switches.
TEST(ContactGeometry, TangentsMakeARightHandedFrameEverywhere) {
  Random random(14);
  std::vector<Vector3d> normals = {Vector3d::UnitX(),
                                   Vector3d::UnitY(),
                                   Vector3d::UnitZ(),
                                   -Vector3d::UnitX(),
                                   -Vector3d::UnitY(),
                                   -Vector3d::UnitZ(),
                                   {std::sqrt(0.4), std::sqrt(0.6), 0.0},
                                   {std::sqrt(0.4), 0.0, -std::sqrt(0.6)}};
  for (int repeat = 0; repeat < 200; ++repeat) normals.push_back(random.vector(3).normalized());
  for (const Vector3d& normal : normals) {
    ExprGraph graph;
    const auto tangents = tangents_of(constant(graph, normal));
    Eigen::Matrix3d frame;
    frame.col(0) = normal;
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 3; ++i)
        frame(i, k + 1) = tangents[static_cast<size_t>(k)][static_cast<size_t>(i)].constant_value();
    }
    EXPECT_LE((frame.transpose() * frame - Eigen::Matrix3d::Identity()).norm(), 1e-14) << normal.transpose();
    EXPECT_NEAR(frame.determinant(), 1.0, 1e-14);
  }
}

// Moeller (6.54), (6.59)-(6.61), (6.65), written out in matrices for n = z, t1 = x, t2 = y.
TEST(ContactGeometry, TippeTopHasTheDirectionsOfMoeller) {
  Random random(15);
  const double c = 0.003, r = 0.015;
  TouchingBodies bodies({BodyKind::kNewtonEuler});
  bodies.build({{"contact", sphere_on_plane(bodies.partners[0].frame, {Vector3d(0, 0, c), r}, Plane{}, Space::kSpatial)}});
  const auto tilde = [](const Vector3d& x) {
    return (Eigen::Matrix3d() << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0).finished();
  };
  for (int repeat = 0; repeat < 10; ++repeat) {
    const RigidMotion motion = random_motion(random, BodyKind::kNewtonEuler);
    bodies.set({motion});
    const double a0 = motion.A.w();
    const Vector3d a = motion.A.vec(), n = Vector3d::UnitZ();
    const Eigen::Matrix3d P = n * n.transpose() + tilde(n) * tilde(n);
    EXPECT_NEAR(bodies.gap(0), motion.r[2] + c * (a0 * a0 + a.dot(P * a)) - r, 1e-15);  // (6.59)

    Eigen::Matrix<double, 7, 6> F = Eigen::Matrix<double, 7, 6>::Zero();  // (6.54)
    F.topLeftCorner<3, 3>().setIdentity();
    F.block<1, 3>(3, 3) = -0.5 * a.transpose();
    F.block<3, 3>(4, 3) = 0.5 * (a0 * Eigen::Matrix3d::Identity() + tilde(a));
    Eigen::Matrix<double, 7, 1> gradient;  // (6.60)
    gradient << n, 2 * c * a0, 2 * c * P.transpose() * a;
    const Eigen::Matrix3d R =
        a * a.transpose() + 2 * a0 * tilde(a) + a0 * a0 * Eigen::Matrix3d::Identity() + tilde(a) * tilde(a);
    const Vector3d r_CS = c * R * n - r * n;  // (6.58)
    Eigen::Matrix<double, 6, 4> W;
    W.col(0) = F.transpose() * gradient;                                             // (6.61)
    W.col(1) << Vector3d::UnitX(), R.transpose() * tilde(r_CS) * Vector3d::UnitX();  // (6.65)
    W.col(2) << Vector3d::UnitY(), R.transpose() * tilde(r_CS) * Vector3d::UnitY();
    W.col(3) << Vector3d::Zero(), R.transpose() * n;
    std::vector<double> chi;
    EXPECT_LE((bodies.directions(0, chi) - W).cwiseAbs().maxCoeff(), 1e-15);
    for (const double rest : chi) EXPECT_EQ(rest, 0.0);
  }
}

}  // namespace tippe::collide_contact_geometry_test
