// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/solvability.h"

#include <gtest/gtest.h>

#include "support/instant_problems.h"
#include "support/motion_enumeration.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe::analyze_solvability_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Ground = Solvability::Ground;
using test::problem_of;
using test::row;

Solvability judge(const AccelerationProblem& problem) {
  return judge_solvability(problem, stack(problem));
}

// A ball between two parallel walls, both closed. Walls at rest: it is wedged, z = (1, 1) / 2. Walls that accelerate apart by 1 m/s^2 each
// set it free, walls that accelerate towards each other contradict each other by 1/2 + 1/2.
TEST(Solvability, BallBetweenTwoWalls) {
  const auto between = [](double drift) {
    return problem_of(MatrixXd::Identity(2, 2), Vector2d(0, 9.81),
                      {row("left", Vector2d(1, 0), drift), row("right", Vector2d(-1, 0), drift)});
  };
  const Solvability wedged = judge(between(0.0)), loose = judge(between(1.0)), crushed = judge(between(-1.0));
  EXPECT_TRUE(wedged.verdict.yes());
  EXPECT_EQ(wedged.ground, Ground::kWedged);
  EXPECT_LE((wedged.certificate - Vector2d(0.5, 0.5)).norm(), 1e-14);
  EXPECT_TRUE(loose.verdict.yes());
  EXPECT_EQ(loose.ground, Ground::kBounded);
  EXPECT_NEAR(loose.certificate_value, 1.0, 1e-14);
  EXPECT_TRUE(crushed.verdict.no());
  EXPECT_EQ(crushed.ground, Ground::kContradiction);
  EXPECT_NEAR(crushed.certificate_value, -1.0, 1e-14);
}

TEST(Solvability, OneFloorIsSolvableForEveryDrift) {
  const Solvability floor = judge(problem_of(MatrixXd::Identity(3, 3), Vector3d(0, 9.81, 0),
                                             {row("a", Vector3d(0, 1, 1), -3.0), row("b", Vector3d(0, 2, -1), 5.0)}));
  EXPECT_TRUE(floor.verdict.yes());
  EXPECT_EQ(floor.ground, Ground::kEveryDrift);
  EXPECT_FALSE(floor.verdict.margin.has_value());
  EXPECT_GE(floor.separating_direction.dot(Vector3d(0, 1, 1)), 1.0 - 1e-12);
  EXPECT_GE(floor.separating_direction.dot(Vector3d(0, 2, -1)), 1.0 - 1e-12);
}

TEST(Solvability, JointsThatContradictEachOther) {
  AccelerationProblem problem = problem_of(MatrixXd::Identity(2, 2), Vector2d::Zero(), {},
                                           {row("one", Vector2d(1, 2), 1.0), row("twice", Vector2d(2, 4), 2.0)});
  EXPECT_TRUE(judge(problem).verdict.yes());
  problem.bilateral[1].drift = 3.0;
  const Solvability broken = judge(problem);
  EXPECT_TRUE(broken.verdict.no());
  EXPECT_EQ(broken.ground, Ground::kEqualities);
}

// A massless plate over a floor: a load towards the floor is carried by the contact, one away from it by nothing.
TEST(Solvability, MasslessPlate) {
  AccelerationProblem problem = problem_of(Vector2d(1, 0).asDiagonal(), Vector2d(0, 5), {row("floor", Vector2d(0, 1))});
  EXPECT_TRUE(judge(problem).verdict.yes());
  problem.F[1] = -5.0;
  const Solvability loaded = judge(problem);
  EXPECT_TRUE(loaded.verdict.no());
  EXPECT_EQ(loaded.ground, Ground::kMasslessLoaded);
  EXPECT_LE((loaded.massless_direction - Vector2d(0, 1)).norm(), 1e-14);
}

// Sticking tangents are equalities: a contact that sticks on two surfaces with different drifts cannot.
TEST(Solvability, TangentsEnterLikeJoints) {
  ContactRows stuck = row("A", Vector2d(0, 1), Vector2d(1, 0), 0.5), other = row("B", Vector2d(0, 1), Vector2d(1, 0), 0.5);
  const Solvability both = judge(problem_of(MatrixXd::Identity(2, 2), Vector2d(0, 9.81), {stuck, other}));
  EXPECT_TRUE(both.verdict.yes());
  EXPECT_EQ(both.kind, InstantKind::kSticking);
  other.tangent_drift[0] = 1.0;
  EXPECT_EQ(judge(problem_of(MatrixXd::Identity(2, 2), Vector2d(0, 9.81), {stuck, other})).ground, Ground::kEqualities);
}

// Against all choices of closed contacts.
TEST(Solvability, AgreesWithEnumeration) {
  test::Random random(91);
  int count[2] = {0, 0};
  for (int trial = 0; trial < 500; ++trial) {
    const test::RandomInstant instant = test::random_instant(random);
    const auto solutions = test::enumerate_motions(instant.reduced);
    const Solvability judged = judge(instant.problem);
    ASSERT_NE(judged.verdict.answer, Answer::kUndecided) << "trial " << trial;
    EXPECT_EQ(judged.verdict.yes(), !solutions.empty()) << "trial " << trial;
    ++count[judged.verdict.yes() ? 0 : 1];
    if (judged.certificate.size() > 0) {
      EXPECT_NEAR(judged.certificate.sum(), 1.0, 1e-12);
      EXPECT_GE(judged.certificate.minCoeff(), 0.0);
    }
  }
  EXPECT_GT(count[0], 100);
  EXPECT_GT(count[1], 20);
}

// Drifts of 1e-30 beside accelerations of 10 m/s^2 are round-off, not curvature: equal tangents, equal joints and opposite walls do
// not contradict each other by them. Drifts of 1e-3 do.
TEST(Solvability, RoundOffOfDriftsIsNoContradiction) {
  for (const double drift : {0.0, 1e-30, 1e-18, 1e-3}) {
    const Vector2d load(0.0, 10.0);
    const MatrixXd M = MatrixXd::Identity(2, 2);
    std::vector<ContactRows> feet = {row("a", Vector2d(0, 1), MatrixXd(Vector2d(1, 0)), 0.5),
                                     row("b", Vector2d(0, 1), MatrixXd(Vector2d(1, 0)), 0.5)};
    feet[0].tangent_drift[0] = drift;
    const bool agrees = drift < 1e-3;
    const Solvability tangents = judge(problem_of(M, load, feet));
    EXPECT_EQ(tangents.verdict.yes(), agrees) << drift;
    EXPECT_EQ(tangents.culprits.empty(), agrees) << drift;
    const Solvability joints = judge(problem_of(M, load, {}, {row("r", Vector2d(1, 0), drift), row("s", Vector2d(2, 0))}));
    EXPECT_EQ(joints.verdict.yes(), agrees) << drift;
    const Solvability walls =
        judge(problem_of(M, load, {row("left", Vector2d(1, 0), -drift), row("right", Vector2d(-1, 0))}));
    EXPECT_EQ(walls.verdict.yes(), agrees) << drift;
    if (!agrees) {
      EXPECT_EQ(tangents.culprits, (std::vector<std::string>{"a.t", "b.t"}));
    }
  }
}

// Two walls with the normals n and -3 n, and a rail that accelerates: gamma_N = 0 and y = 0, so the optimum of (C) is exactly zero.
TEST(Solvability, WallsBesideAMovingRailAreWedged) {
  const Solvability result = judge(problem_of(MatrixXd::Identity(2, 2), Vector2d(0.3, -0.2),
                                              {row("n", Vector2d(0.1, 0.1)), row("-3n", Vector2d(-0.3, -0.3))},
                                              {row("rail", Vector2d(0.6, 0.8), 0.1)}));
  EXPECT_TRUE(result.verdict.yes());
  EXPECT_EQ(result.ground, Ground::kWedged);
}

}  // namespace tippe::analyze_solvability_test
