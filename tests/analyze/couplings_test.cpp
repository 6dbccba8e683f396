// SPDX-License-Identifier: Apache-2.0
// The Delassus matrix, kinetic angles and the published criteria on them.
#include <gtest/gtest.h>

#include <numbers>

#include "support/instant_problems.h"
#include "support/linear_algebra.h"
#include "tippe/analyze/criteria.h"
#include "tippe/analyze/delassus_report.h"
#include "tippe/analyze/kinetic_angles.h"

namespace tippe::analyze_couplings_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Brogliato A, Example 1: a block that cannot turn on three points has A = ones/m.
TEST(Delassus, OfABlockOnThreePointsHasRankOne) {
  const double m = 3.0;
  std::vector<ContactRows> feet;
  for (const char* name : {"A1", "A2", "A3"}) feet.push_back(test::row(name, Vector2d(1.0, 0.0)));
  const auto report =
      report_delassus(test::problem_of(m * MatrixXd::Identity(2, 2), Vector2d(m * 9.81, 0.0), std::move(feet)));
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->matrix.isApprox(MatrixXd::Constant(3, 3, 1.0 / m), 1e-14));
  EXPECT_EQ(report->rank, 1);
  EXPECT_EQ(report->definite.answer, Answer::kNo);
  EXPECT_NEAR(report->eigenvalues[2], 3.0 / m, 1e-14);
  EXPECT_EQ(report->null_space.cols(), 2);
  EXPECT_LT((report->matrix * report->null_space).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(report->free_acceleration[1], -9.81, 1e-14);
}

/// Brogliato A, Section 4.3: a rod with one tip at a wall and guided at the height of the tip.
AccelerationProblem rod_and_wall(double m, double l, double theta) {
  Matrix3d M = Matrix3d::Zero();
  M.diagonal() << m, m, m * l * l / 3.0;
  return test::problem_of(M, Vector3d(0.0, 9.81 * m, 0.0), {test::row("wall", Vector3d(1.0, 0.0, l * std::sin(theta)))},
                          {test::row("guide", Vector3d(0.0, 1.0, -l * std::cos(theta)))});
}

// Brogliato A (39) and the line after it.
TEST(Delassus, OfTheGuidedRodIsTheClosedForm) {
  for (const double theta : {0.1, 0.7, 1.2, 2.5}) {
    const double m = 1.7, l = 0.4, c = std::cos(theta), s = std::sin(theta);
    const auto report = report_delassus(rod_and_wall(m, l, theta));
    ASSERT_TRUE(report);
    EXPECT_NEAR(report->constrained(0, 0), 1.0 / m + 3.0 * s * s / (m * (1.0 + 3.0 * c * c)), 1e-13) << theta;
    EXPECT_EQ(report->definite.answer, Answer::kYes);
    EXPECT_EQ(report->joint_rank, 1);
  }
}

// M_c^-1 = M^-1 - M^-1 G (G'M^-1 G)^-1 G'M^-1 (Brogliato A (17)) by another route, redundant joints added.
TEST(Delassus, IsTheSchurComplementAndIgnoresRedundantJoints) {
  test::Random random(71);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = test::random_integer(random, 2, 7), p = test::random_integer(random, 0, n - 1),
              m = test::random_integer(random, 1, 5);
    const MatrixXd R = test::random_matrix(random, n, n);
    const MatrixXd M = R * R.transpose() + 0.3 * MatrixXd::Identity(n, n);
    const MatrixXd N = test::random_matrix(random, n, m), G = test::random_matrix(random, n, p);
    const VectorXd F = random.vector(n), drift = random.vector(p);
    const MatrixXd Minv = test::inverse(M);
    MatrixXd Mc = Minv;
    VectorXd a = -Minv * F;
    if (p > 0) {
      const MatrixXd S = test::inverse(G.transpose() * Minv * G);
      Mc -= Minv * G * S * G.transpose() * Minv;
      a = -Mc * F - Minv * G * S * drift;
    }
    std::vector<ContactRows> contacts, joints;
    for (int i = 0; i < m; ++i) contacts.push_back(test::row("c" + std::to_string(i), N.col(i), random.uniform(-1.0, 1.0)));
    for (int j = 0; j < p; ++j) joints.push_back(test::row("j" + std::to_string(j), G.col(j), drift[j]));
    if (p > 1) joints.push_back(test::row("again", 2.0 * G.col(0) - G.col(1), 2.0 * drift[0] - drift[1]));
    const AccelerationProblem problem = test::problem_of(M, F, contacts, joints);
    const auto report = report_delassus(problem);
    ASSERT_TRUE(report);
    const MatrixXd expected = N.transpose() * Mc * N;
    EXPECT_LT((report->constrained - expected).cwiseAbs().maxCoeff(), 1e-10 * (1.0 + expected.cwiseAbs().maxCoeff()));
    EXPECT_EQ(report->rank, std::min(m, n - p));
    EXPECT_EQ(report->joint_rank, p);
    for (int i = 0; i < m; ++i)
      EXPECT_NEAR(report->jointed_acceleration[i], N.col(i).dot(a) + contacts[i].drift, 1e-9 * (1.0 + a.norm()));
    EXPECT_LT((expected * report->null_space).cwiseAbs().sum(), 1e-8);
  }
}

// What the joints alone determine carries an undetermined force: the contact's gradient is that of a joint.
TEST(Delassus, NamesContactsThatTheJointsBlock) {
  const auto report =
      report_delassus(test::problem_of(MatrixXd::Identity(3, 3), Vector3d::Zero(),
                                       {test::row("free", Vector3d(1, 0, 0)), test::row("blocked", Vector3d(0, 2, 0))},
                                       {test::row("rail", Vector3d(0, 1, 0))}));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->blocked, std::vector<int>{1});
  EXPECT_EQ(report->definite.answer, Answer::kNo);
}

// A massless coordinate tied to a heavy one: y = 2 x with M = diag(m, 0). A push n along y acts on x with lever 2: A_c = 4/m.
TEST(Delassus, WithoutMassIsThatOfTheJointedSystem) {
  MatrixXd M = MatrixXd::Zero(2, 2);
  M(0, 0) = 5.0;
  AccelerationProblem problem = test::problem_of(M, Vector2d(10.0, 0.0), {test::row("stop", Vector2d(0.0, 1.0))},
                                                 {test::row("gear", Vector2d(-2.0, 1.0))});
  const auto report = report_delassus(problem);
  ASSERT_TRUE(report);
  EXPECT_NEAR(report->constrained(0, 0), 0.8, 1e-13);
  EXPECT_NEAR(report->jointed_acceleration[0], -4.0, 1e-13);
  EXPECT_EQ(report->matrix.size(), 0);
  problem.bilateral.clear();
  EXPECT_FALSE(report_delassus(problem));
}

// Brogliato A (9): cos(pi - theta) is the cosine between the gradients in the metric of M^-1.
TEST(KineticAngles, AreSupplementsOfTheAnglesBetweenGradients) {
  const double phi = 0.3;
  MatrixXd M = MatrixXd::Zero(2, 2);
  M.diagonal() << 4.0, 9.0;
  // In kinetic units, M^-1/2 n, the directions are (1, 0), (cos phi, sin phi) and (-1, 0).
  const AccelerationProblem problem = test::problem_of(
      M, Vector2d::Zero(),
      {test::row("a", Vector2d(2.0, 0.0)), test::row("b", Vector2d(2.0 * std::cos(phi), 3.0 * std::sin(phi)))},
      {test::row("c", Vector2d(-2.0, 0.0))});
  const KineticAngles angles = measure_kinetic_angles(problem);
  EXPECT_NEAR(angles.unilateral(0, 0), 180.0, 1e-12);
  EXPECT_NEAR(angles.unilateral(0, 1), 180.0 - phi * 180.0 / std::numbers::pi, 1e-12);
  EXPECT_NEAR(angles.unilateral_bilateral(0, 0), 0.0, 1e-12);
  EXPECT_TRUE(std::isnan(angles.unilateral_constrained(0, 1)));  // the joint takes all of a
  EXPECT_NEAR(angles.unilateral_constrained(1, 1), 180.0, 1e-12);
}

// acos would lose half of the digits of this angle.
TEST(KineticAngles, KeepTheirDigitsWhenTheyAreSmall) {
  const double tiny = 1e-9;
  const KineticAngles angles = measure_kinetic_angles(
      test::problem_of(MatrixXd::Identity(2, 2), Vector2d::Zero(),
                       {test::row("a", Vector2d(1.0, 0.0)), test::row("b", Vector2d(-std::cos(tiny), std::sin(tiny)))}));
  EXPECT_NEAR(angles.unilateral(0, 1) * std::numbers::pi / 180.0 / tiny, 1.0, 1e-6);
}

const Criterion& find(const std::vector<Criterion>& criteria, const std::string& name) {
  for (const Criterion& criterion : criteria) {
    if (criterion.name == name) return criterion;
  }
  throw std::out_of_range(name);
}

// The published criteria never contradict the definiteness of A_c: exact ones equal it, necessary ones follow, sufficient ones imply.
TEST(Criteria, AgreeWithDefiniteness) {
  test::Random random(72);
  int applied = 0, definite = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = test::random_integer(random, 2, 6), m = test::random_integer(random, 1, 3),
              p = test::random_integer(random, 1, 3);
    // Mutually orthogonal contacts and mutually orthogonal joints in every second trial, where there is room for them.
    MatrixXd N = test::random_matrix(random, n, m), G = test::random_matrix(random, n, p);
    if (trial % 2 == 0 && m <= n && p <= n) {
      for (MatrixXd* A : {&N, &G}) {
        for (int j = 0; j < A->cols(); ++j) {
          for (int pass = 0; pass < 2; ++pass) {
            for (int k = 0; k < j; ++k) A->col(j) -= A->col(k) * A->col(k).dot(A->col(j));
          }
          A->col(j).normalize();
        }
      }
    }
    if (trial % 5 == 0) G.col(0) = N.col(0);
    std::vector<ContactRows> contacts, joints;
    for (int i = 0; i < m; ++i) contacts.push_back(test::row("c" + std::to_string(i), N.col(i)));
    for (int j = 0; j < p; ++j) joints.push_back(test::row("j" + std::to_string(j), G.col(j)));
    const AccelerationProblem problem = test::problem_of(MatrixXd::Identity(n, n), VectorXd::Zero(n), contacts, joints);
    const auto report = report_delassus(problem);
    ASSERT_TRUE(report);
    const bool yes = report->definite.yes();
    definite += yes ? 1 : 0;
    for (const Criterion& criterion : evaluate_criteria(problem)) {
      if (!criterion.applies) continue;
      applied += criterion.name == "Theorem 1" ? 1 : 0;
      const std::string where = criterion.name + " in trial " + std::to_string(trial);
      if (criterion.kind != Criterion::Kind::kSufficient && yes) {
        EXPECT_EQ(criterion.holds, Answer::kYes) << where;
      }
      if (criterion.kind != Criterion::Kind::kNecessary && criterion.holds == Answer::kYes) {
        EXPECT_TRUE(yes) << where;
      }
    }
  }
  EXPECT_GT(applied, 20);
  EXPECT_GT(definite, 50);
  EXPECT_LT(definite, 350);
}

// Brogliato A, Proposition 7 with both exceptions (the printed one names 0 only): A_c = a (1 - cos^2 theta).
TEST(Criteria, Proposition7ExcludesEqualAndOppositeDirections) {
  for (const double sign : {1.0, -1.0}) {
    const auto criteria =
        evaluate_criteria(test::problem_of(MatrixXd::Identity(2, 2), Vector2d::Zero(), {test::row("a", Vector2d(1.0, 2.0))},
                                           {test::row("b", sign * Vector2d(1.0, 2.0))}));
    EXPECT_TRUE(find(criteria, "Proposition 7").applies);
    EXPECT_EQ(find(criteria, "Proposition 7").holds, Answer::kNo) << sign;
  }
}

}  // namespace tippe::analyze_couplings_test
