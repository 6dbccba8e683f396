// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/law_definitions.h"

#include <cmath>
#include <numbers>

namespace tippe::verify_law_definitions_test {

using verify::LawMisfit;
using verify::Real;
using verify::Vector;

Vector vector(std::initializer_list<Real> values) {
  Vector x(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const Real value : values) x[i++] = value;
  return x;
}

LawMisfit misfit(const ForceLaw& law, const Vector& Lambda, const Vector& xi, Real dt = 0.0L) {
  const Vector off = Vector::Constant(Lambda.size(), 1e-9L);
  return verify::misfit_of({law, Lambda, xi, off, off, dt});
}

bool obeys(const LawMisfit& m) {
  return std::max({m.pull, m.closing, m.complementarity, m.friction_set, m.friction_direction}) <= 1.0L;
}

ForceLaw contact(int rows, double mu1 = 0.0, double mu2 = 0.0) {
  ForceLaw law;
  law.rows = rows;
  law.mu1 = mu1;
  law.mu2 = mu2;
  return law;
}

TEST(VerifyLaws, AContactPushesOrOpens) {
  const ForceLaw law = contact(1);
  EXPECT_TRUE(obeys(misfit(law, vector({2}), vector({0}))));
  EXPECT_TRUE(obeys(misfit(law, vector({0}), vector({3}))));
  EXPECT_GT(misfit(law, vector({-2}), vector({0})).pull, 1.0L);
  EXPECT_GT(misfit(law, vector({0}), vector({-3})).closing, 1.0L);
  EXPECT_GT(misfit(law, vector({2}), vector({3})).complementarity, 1.0L);
}

TEST(VerifyLaws, FrictionOpposesTheSlip) {
  const ForceLaw plane = contact(2, 0.5);
  EXPECT_TRUE(obeys(misfit(plane, vector({2, -1}), vector({0, 3}))));
  EXPECT_TRUE(obeys(misfit(plane, vector({2, 0.7L}), vector({0, 0}))));
  EXPECT_GT(misfit(plane, vector({2, 1}), vector({0, 3})).friction_direction, 1.0L);
  EXPECT_GT(misfit(plane, vector({2, -0.9L}), vector({0, 3})).friction_direction, 1.0L);
  EXPECT_GT(misfit(plane, vector({2, 1.1L}), vector({0, 0})).friction_set, 1.0L);
  const ForceLaw smooth = contact(2, 0.0);
  EXPECT_GT(misfit(smooth, vector({2, 0.1L}), vector({0, 0})).friction_set, 1.0L);
}

// Over an ellipse the force is -Lambda_N (mu1^2 g1, mu2^2 g2)/|(mu1 g1, mu2 g2)|.
TEST(VerifyLaws, FrictionOverAnEllipseIsNotOppositeToTheSlip) {
  const ForceLaw law = contact(3, 0.5, 0.2);
  const Real g1 = 0.3L, g2 = -0.8L, n = 4.0L, size = std::hypot(0.5L * g1, 0.2L * g2);
  const Vector right = vector({n, -n * 0.25L * g1 / size, -n * 0.04L * g2 / size});
  EXPECT_TRUE(obeys(misfit(law, right, vector({0, g1, g2}))));
  EXPECT_GT(misfit(law, vector({n, -0.5L * n * 0.35L, 0.2L * n * 0.93L}), vector({0, g1, g2})).friction_direction, 1.0L);
}

TEST(VerifyLaws, APadTakesUpToItsLimit) {
  ForceLaw law;
  law.kind = ForceLaw::Kind::kDryFriction;
  law.limits = {3.0, 3.0};
  EXPECT_TRUE(obeys(misfit(law, vector({-0.3L}), vector({2}), 0.1L)));
  EXPECT_TRUE(obeys(misfit(law, vector({0.1L}), vector({0}), 0.1L)));
  EXPECT_GT(misfit(law, vector({0.3L}), vector({2}), 0.1L).friction_direction, 1.0L);
  EXPECT_GT(misfit(law, vector({-0.4L}), vector({2}), 0.1L).friction_set, 1.0L);
}

// Coulomb-Contensou, Moeller (3.117)-(3.120): pure sliding mu, pure spinning mu Rbar, and at u = 1, |slip| = R |spin|,
// b_T = 9 pi/32, b_tau = 3 Rbar/8.
TEST(VerifyLaws, DrillingFrictionIsThatOfADisc) {
  ForceLaw law = contact(4, 0.4, 0.4);
  law.drilling = ForceLaw::Drilling{0.02, DrillingSet::kExact};
  const Real R = 16.0L * 0.02L / (3.0L * std::numbers::pi_v<Real>);
  EXPECT_NEAR(static_cast<double>(verify::support_of(law, vector({3, 4, 0}))), 2.0, 1e-12);
  EXPECT_NEAR(static_cast<double>(verify::support_of(law, vector({0, 0, 5}))), 0.4 * 0.02 * 5,
              1e-4 * 0.04);  // of the quadrature
  const Real b_T = 9.0L * std::numbers::pi_v<Real> / 32.0L, b_tau = 3.0L * 0.02L / 8.0L;
  const Real spin = 7.0L, slip = R * spin;
  EXPECT_NEAR(static_cast<double>(verify::support_of(law, vector({slip, 0, spin}))),
              static_cast<double>(0.4L * (b_T * slip + b_tau * spin)), 1e-4 * static_cast<double>(slip));
  const Vector force = vector({2, -2 * 0.4L * b_T, 0, -2 * 0.4L * b_tau});
  EXPECT_TRUE(obeys(misfit(law, force, vector({0, slip, 0, spin}))));
  EXPECT_GT(misfit(law, vector({2, -0.8L, 0, -0.8L * 0.02L}), vector({0, slip, 0, spin})).friction_set, 1.0L);
  EXPECT_GT(misfit(law, vector({2, 0.8L * b_T, 0, -0.8L * b_tau}), vector({0, slip, 0, spin})).friction_direction, 1.0L);
}

}  // namespace tippe::verify_law_definitions_test
