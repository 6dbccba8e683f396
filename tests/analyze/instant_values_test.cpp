// SPDX-License-Identifier: Apache-2.0
// What constraints make of masses, forces split by their cause, Gauss' values and the response of forces to the load.
#include <gtest/gtest.h>

#include <numbers>

#include "support/full_pivot.h"
#include "support/instant_problems.h"
#include "tippe/analyze/analysis.h"

namespace tippe::analyze_instant_values_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::inverse_by_pivots;

Analysis judge(const AccelerationProblem& problem, std::vector<DryFrictionRow> dry = {}) {
  Instant instant;
  instant.acceleration = problem;
  instant.dry = std::move(dry);
  return analyze(instant);
}

MatrixXd random_mass(test::Random& random, int n) {
  const MatrixXd root = test::random_matrix(random, n, n);
  return root * root.transpose() + 0.3 * MatrixXd::Identity(n, n);
}

// Brogliato A (16)-(18) and Remark 8, Brogliato B (37), by explicit inverses.
TEST(InstantValues, OfTheMassUnderConstraints) {
  test::Random random(51);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = test::random_integer(random, 4, 6);
    const MatrixXd M = random_mass(random, n), N = test::random_matrix(random, n, 2), H = test::random_matrix(random, n, 1),
                   G = test::random_matrix(random, n, 1), Minv = inverse_by_pivots(M);
    const DelassusReport report = *report_delassus(test::problem_of(
        M, random.vector(n), {test::row("a", N.col(0), H, 0.5), test::row("b", N.col(1))}, {test::row("joint", G.col(0))}));
    const auto held = [&](const MatrixXd& C) -> MatrixXd {
      return Minv - Minv * C * inverse_by_pivots(C.transpose() * Minv * C) * C.transpose() * Minv;
    };
    MatrixXd all(n, 2);
    all << G, H;
    const auto expect_near = [](const MatrixXd& found, const MatrixXd& expected) {
      ASSERT_EQ(found.rows(), expected.rows());
      EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-10 * (1.0 + expected.cwiseAbs().maxCoeff()));
    };
    expect_near(report.inverse_mass, held(G));
    expect_near(report.sticking, N.transpose() * held(all) * N);
    expect_near(report.distortion, M - G * inverse_by_pivots(G.transpose() * Minv * G) * G.transpose());
    EXPECT_TRUE(report.sticking_definite.yes());
    for (int i = 0; i < 2; ++i) {
      const double left = N.col(i).dot(held(G) * N.col(i)) / N.col(i).dot(Minv * N.col(i));
      EXPECT_NEAR(std::pow(std::cos(report.distortion_angle[i] * std::numbers::pi / 180.0), 2), left, 1e-10);
    }
  }
}

// Kalaba-Udwadia, second example, (42): a particle with x' - t y' = alpha(t).
TEST(InstantValues, TheControlForceHasTwoParts) {
  const double m = 2.0, t = 0.7, X = 3.0, Y = -1.5, right = 0.9;  // right = y' + alpha'
  const Analysis analysis = judge(
      test::problem_of(m * MatrixXd::Identity(2, 2), Vector2d(-X, -Y), {}, {test::row("path", Vector2d(1, -t), -right)}));
  const GeneralizedInverse& inverse = *analysis.generalized_inverse;
  const double s = 1.0 + t * t;
  EXPECT_LE((inverse.force_by_load + Vector2d(X - t * Y, -t * X + t * t * Y) / s).norm(), 1e-14);
  EXPECT_LE((inverse.force_by_rows - m * right / s * Vector2d(1, -t)).norm(), 1e-14);
  EXPECT_LE((inverse.force_by_load + inverse.force_by_rows - inverse.constraint_force).norm(), 1e-14);
}

// 3 kg on three points: lambda'A lambda / 2 = (29.43 N)^2 / (2 * 3 kg).
TEST(InstantValues, GaussOfABlockAtRest) {
  std::vector<ContactRows> feet;
  for (const char* name : {"a", "b", "c"}) feet.push_back(test::row(name, VectorXd::Ones(1)));
  const GaussValues values =
      *judge(test::problem_of(MatrixXd::Constant(1, 1, 3.0), VectorXd::Constant(1, 29.43), feet)).gauss;
  const double half = 29.43 * 29.43 / 6.0;
  EXPECT_NEAR(*values.gaussian, 2.0 * half, 1e-11);
  EXPECT_NEAR(values.dual, half, 1e-11);
  EXPECT_NEAR(values.primal, -half, 1e-11);
  EXPECT_NEAR(values.distance, half, 1e-11);
  EXPECT_FALSE(values.gap_distance);
  EXPECT_LE(values.gap, 1e-14);
}

// All values are one number; no other motion with N'a >= 0 has a smaller Gaussian.
TEST(InstantValues, GaussValuesAgreeAndAreLeast) {
  test::Random random(52);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = test::random_integer(random, 3, 5);
    const MatrixXd M = random_mass(random, n), Minv = inverse_by_pivots(M);
    const VectorXd F = random.vector(n, 5.0);
    std::vector<ContactRows> contacts;
    for (int i = 0; i < 2; ++i)
      contacts.push_back(test::row("c" + std::to_string(i), random.vector(n), random.uniform(-1, 1)));
    const AccelerationProblem problem = test::problem_of(M, F, contacts, {test::row("j", random.vector(n), 0.3)});
    const Analysis analysis = judge(problem);
    ASSERT_TRUE(analysis.gauss);
    const GaussValues& values = *analysis.gauss;
    const double size = 1.0 + values.dual;
    EXPECT_NEAR(values.primal, -values.dual, 1e-10 * size);
    EXPECT_NEAR(values.distance, values.dual, 1e-10 * size);
    ASSERT_TRUE(values.gap_distance);
    EXPECT_NEAR(*values.gap_distance, values.dual, 1e-9 * size);
    const VectorXd w = M * analysis.motion->acceleration + F;
    EXPECT_NEAR(*values.gaussian, w.dot(Minv * w), 1e-9 * (1.0 + w.dot(Minv * w)));
  }
}

// A beam of length 1 on its ends: a load at s changes the supports by 1 - s and s.
TEST(InstantValues, ABeamPassesItsLoadOn) {
  const Analysis analysis =
      judge(test::problem_of(MatrixXd::Identity(2, 2), Vector2d(10, 0),
                             {test::row("left", Vector2d(1, -0.5)), test::row("right", Vector2d(1, 0.5))}));
  ASSERT_TRUE(analysis.response);
  EXPECT_TRUE(analysis.response->strict);
  const double s = 0.3;  // a force of 1 upward at s: (1, s - 1/2)
  const VectorXd change = analysis.response->forces * Vector2d(1, s - 0.5);
  EXPECT_NEAR(change[0], -(1.0 - s), 1e-14);
  EXPECT_NEAR(change[1], -s, 1e-14);
  EXPECT_LE(analysis.response->acceleration.cwiseAbs().maxCoeff(), 1e-14);
}

// Brogliato B (21)-(23): lambda = -G^-1 C'M^-1 Q + ... for bilateral contacts that stick, with Q on the right side.
TEST(InstantValues, TheResponseIsThatOfTheDelassusMatrix) {
  test::Random random(53);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = test::random_integer(random, 4, 6);
    const MatrixXd M = random_mass(random, n), Minv = inverse_by_pivots(M), C = test::random_matrix(random, n, 3);
    const Analysis analysis = judge(test::problem_of(
        M, random.vector(n, 5.0), {}, {test::row("a", C.col(0), MatrixXd(C.col(1)), 5.0), test::row("b", C.col(2))}));
    ASSERT_TRUE(analysis.response);
    const MatrixXd expected = -inverse_by_pivots(C.transpose() * Minv * C) * C.transpose() * Minv;
    EXPECT_LE((analysis.response->forces - expected).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + expected.cwiseAbs().maxCoeff()));
    const MatrixXd motion = Minv * (MatrixXd::Identity(n, n) + C * expected);
    EXPECT_LE((analysis.response->acceleration - motion).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + motion.cwiseAbs().maxCoeff()));
  }
}

// A small change of the load gives what the map says, with contacts that open, slide or stick, dry friction, and
// singular M.
TEST(InstantValues, TheResponseIsTheDifferenceOfTwoProblems) {
  test::Random random(54);
  constexpr double kStep = 1e-5;
  int compared = 0, open = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const int n = test::random_integer(random, 3, 5);
    AccelerationProblem problem;
    problem.M = random_mass(random, n);
    problem.F = random.vector(n, 5.0);
    for (int i = 0; i < 2; ++i) {
      const VectorXd slip = random.below(2) == 0 ? VectorXd() : VectorXd::Ones(1);
      problem.unilateral.push_back(test::row("c" + std::to_string(i), random.vector(n), random.vector(n), 0.2, slip));
    }
    std::vector<DryFrictionRow> dry;
    if (trial % 3 == 0) dry.push_back({"pad", random.vector(n), 0.0, random.uniform(0.1, 3.0), 0.0});
    if (trial % 4 == 0) {  // one coordinate more, without mass, tied to the first
      problem.M.conservativeResizeLike(MatrixXd::Zero(n + 1, n + 1));
      problem.F.conservativeResizeLike(VectorXd::Zero(n + 1));
      problem.F[n] = 1.0;
      for (ContactRows& contact : problem.unilateral) {
        contact.normal.conservativeResizeLike(VectorXd::Constant(n + 1, 0.5));
        contact.tangents.conservativeResizeLike(MatrixXd::Zero(n + 1, 1));
      }
      for (DryFrictionRow& row : dry) row.direction.conservativeResizeLike(VectorXd::Zero(n + 1));
      VectorXd tie = VectorXd::Unit(n + 1, n);
      tie[0] = -2.0;
      problem.bilateral.push_back(test::row("tie", tie));
    }
    const Analysis before = judge(problem, dry);
    if (!before.response || !before.response->strict || !before.forces->unique.yes()) continue;
    open += before.lift_off && !before.lift_off->opening.empty() ? 1 : 0;
    for (int k = 0; k < problem.n(); ++k) {
      AccelerationProblem changed = problem;
      changed.F[k] -= kStep;  // an external force is on the right side
      const Analysis after = judge(changed, dry);
      if (!after.motion || after.lift_off->opening != before.lift_off->opening || after.yielding != before.yielding)
        continue;
      const VectorXd forces = (after.forces->representative - before.forces->representative) / kStep;
      const VectorXd motion = (after.motion->acceleration - before.motion->acceleration) / kStep;
      EXPECT_LE((forces - before.response->forces.col(k)).cwiseAbs().maxCoeff(), 1e-6 * (1.0 + forces.norm())) << trial;
      EXPECT_LE((motion - before.response->acceleration.col(k)).cwiseAbs().maxCoeff(), 1e-6 * (1.0 + motion.norm()))
          << trial;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(open, 10);
}

// Three feet: no force alone follows the load. Two feet and friction: normal forces do, the friction of each does not.
TEST(InstantValues, WhatIsNotDeterminedHasNoResponse) {
  const auto foot = [](const char* name, double place) {
    return test::row(name, Vector3d(0, 1, place), Vector3d(1, 0, 0), 0.5);
  };
  const Analysis two = judge(test::problem_of(MatrixXd::Identity(3, 3), Vector3d(1, 10, 0), {foot("a", -1), foot("b", 1)}));
  EXPECT_EQ(two.response->determined, (std::vector<bool>{true, false, true, false}));
  EXPECT_NEAR(two.response->forces(0, 1), -0.5, 1e-14);
  EXPECT_TRUE(std::isnan(two.response->forces(1, 0)));
  const Analysis three =
      judge(test::problem_of(MatrixXd::Identity(3, 3), Vector3d(1, 10, 0), {foot("a", -1), foot("b", 0), foot("c", 1)}));
  EXPECT_EQ(three.response->determined, std::vector<bool>(6, false));
}

}  // namespace tippe::analyze_instant_values_test
