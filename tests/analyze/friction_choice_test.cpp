// SPDX-License-Identifier: Apache-2.0
// What could be changed to make contacts stick: single coefficients of friction, forces of actuators.
#include <gtest/gtest.h>

#include <cmath>

#include "support/grasps.h"
#include "support/instant_problems.h"
#include "tippe/analyze/analysis.h"
#include "tippe/core/error.h"
#include "tippe/exchange/instant_file.h"
#include "tippe/report/analysis_findings.h"

namespace tippe::analyze_friction_choice_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Analysis judge(const AccelerationProblem& problem, std::vector<Actuator> actuators = {}) {
  Instant instant;
  instant.acceleration = problem;
  instant.actuators = std::move(actuators);
  return analyze(instant);
}

/// A ladder of length 1 and weight 1 at angle theta, on a floor and against a wall.
AccelerationProblem ladder(double theta, double mu_floor, double mu_wall) {
  const Vector2d half = 0.5 * Vector2d(std::cos(theta), std::sin(theta));
  AccelerationProblem problem = test::planar_object({0, 1, 0});
  problem.unilateral = {test::planar_finger(-half, {0, 1}, mu_floor), test::planar_finger(half, {-1, 0}, mu_wall)};
  problem.unilateral[0].name = "floor";
  problem.unilateral[1].name = "wall";
  return problem;
}

// By the moments about the foot, N_w (sin + mu_w cos) = cos/2, and the floor needs N_w/(1 - mu_w N_w). A wall without
// limit
// needs no friction of the floor.
TEST(TradeOffs, OfALadder) {
  for (const double theta : {0.7, 1.0, 1.3}) {
    const double c = std::cos(theta), s = std::sin(theta);
    for (const double mu_wall : {0.0, 0.2, 0.7}) {
      const double wall_force = 0.5 * c / (s + mu_wall * c), floor = wall_force / (1.0 - mu_wall * wall_force);
      const Analysis analysis = judge(ladder(theta, 0.5, mu_wall));
      ASSERT_EQ(analysis.sticking->trade_offs.size(), 2u);
      EXPECT_EQ(analysis.sticking->trade_offs[0].contact, "floor");
      EXPECT_NEAR(analysis.sticking->trade_offs[0].others_given, floor, 1e-9) << theta << " " << mu_wall;
      EXPECT_NEAR(analysis.sticking->trade_offs[0].others_unlimited, 0.0, 1e-6);
      EXPECT_NEAR(analysis.sticking->trade_offs[1].others_unlimited, 0.0, 1e-9);
      // The same curve from the other side.
      const Analysis back = judge(ladder(theta, floor, 0.1));
      EXPECT_NEAR(back.sticking->trade_offs[1].others_given, mu_wall, 1e-9) << theta << " " << mu_wall;
    }
  }
}

// A block between two plates pressed with 10 N, weight 8 N: mu_1 + mu_2 >= 0.8. In space the same.
TEST(TradeOffs, OfTwoPlates) {
  for (const int space : {0, 1}) {
    const int n = 2 + space;
    const auto plate = [&](double sign, double mu) {
      MatrixXd tangents = MatrixXd::Zero(n, 1 + space);
      for (int t = 0; t <= space; ++t) tangents(1 + t, t) = 1.0;
      return test::row(sign > 0.0 ? "left" : "right", sign * VectorXd::Unit(n, 0), tangents, mu);
    };
    // The second plate is a body of its own, pressed against the block.
    AccelerationProblem problem;
    problem.M = MatrixXd::Identity(n + 1, n + 1);
    problem.F = VectorXd::Zero(n + 1);
    problem.F[1] = 8.0;
    problem.F[n] = 10.0;
    problem.unilateral = {plate(1.0, 0.5), plate(-1.0, 0.1)};
    for (ContactRows& contact : problem.unilateral) {
      contact.normal.conservativeResizeLike(VectorXd::Zero(n + 1));
      contact.tangents.conservativeResizeLike(MatrixXd::Zero(n + 1, 1 + space));
    }
    problem.unilateral[1].normal[n] = 1.0;
    const Analysis analysis = judge(problem);
    EXPECT_TRUE(analysis.sticking->feasible.no());
    ASSERT_EQ(analysis.sticking->trade_offs.size(), 2u);
    EXPECT_NEAR(analysis.sticking->trade_offs[0].others_given, 0.7, 1e-9);
    EXPECT_NEAR(analysis.sticking->trade_offs[1].others_given, 0.3, 1e-9);
    EXPECT_NEAR(analysis.sticking->trade_offs[0].others_unlimited, 0.0, 1e-9);
    ASSERT_EQ(analysis.sticking->fronts.size(), 1u);
    EXPECT_EQ(analysis.sticking->fronts[0].contacts[1], "right");
    ASSERT_EQ(analysis.sticking->fronts[0].points.size(), 7u);
    for (const Vector2d& point : analysis.sticking->fronts[0].points) EXPECT_NEAR(point.sum(), 0.8, 1e-9) << space;
  }
}

// The curve of a ladder: what the floor needs for each coefficient of the wall, by the moments about the foot.
TEST(Fronts, OfALadder) {
  for (const double theta : {0.7, 1.0}) {
    const double c = std::cos(theta), s = std::sin(theta);
    const Analysis analysis = judge(ladder(theta, 0.5, 0.2));
    ASSERT_EQ(analysis.sticking->fronts.size(), 1u);
    EXPECT_EQ(analysis.sticking->fronts[0].contacts[0], "floor");
    double last = -1.0;
    for (const Vector2d& point : analysis.sticking->fronts[0].points) {
      const double wall_force = 0.5 * c / (s + point[1] * c);
      EXPECT_NEAR(point[0], wall_force / (1.0 - point[1] * wall_force), 1e-9) << theta << " " << point.transpose();
      EXPECT_TRUE(last < 0.0 || point[0] < last) << "more of the wall, less of the floor";
      last = point[0];
    }
    EXPECT_EQ(analysis.sticking->fronts[0].points.size(), 7u);
  }
}

// Two blocks beside each other, each pushed by half its weight: neither needs the other.
TEST(Fronts, OfContactsThatDoNotFeelEachOther) {
  const AccelerationProblem problem =
      test::problem_of(MatrixXd::Identity(4, 4), Eigen::Vector4d(-5, 10, -2, 10),
                       {test::row("one", Eigen::Vector4d(0, 1, 0, 0), Eigen::Vector4d(1, 0, 0, 0), 0.1),
                        test::row("two", Eigen::Vector4d(0, 0, 0, 1), Eigen::Vector4d(0, 0, 1, 0), 0.9)});
  const Analysis analysis = judge(problem);
  ASSERT_EQ(analysis.sticking->fronts.size(), 1u);
  ASSERT_EQ(analysis.sticking->fronts[0].points.size(), 1u);
  EXPECT_LE((analysis.sticking->fronts[0].points[0] - Vector2d(0.5, 0.2)).norm(), 1e-9);
}

/// Brogliato B, Example 6: a mass between two fingers with prismatic joints, F = (0, g, F1, F2).
AccelerationProblem two_fingers(double g, double F1, double F2, double mu1, double mu2) {
  return test::problem_of(MatrixXd::Identity(4, 4), Eigen::Vector4d(0, g, F1, F2),
                          {test::row("one", Eigen::Vector4d(1, 0, -1, 0), Eigen::Vector4d(0, 1, 0, 0), mu1),
                           test::row("two", Eigen::Vector4d(-1, 0, 0, 1), Eigen::Vector4d(0, 1, 0, 0), mu2)},
                          {test::row("x", Eigen::Vector4d(1, 0, 0, 0))});
}

// Step 6 of the algorithm: -mu1 F1 + mu2 F2 >= g. What is missing, g + mu1 F1 - mu2 F2, comes from both fingers in the
// ratio of their friction.
TEST(Actuation, OfTwoFingers) {
  const double g = 9.81, mu1 = 0.5, mu2 = 0.8;
  const std::vector<Actuator> fingers = {{"first", Eigen::Vector4d(0, 0, 1, 0)}, {"second", Eigen::Vector4d(0, 0, 0, -1)}};
  for (const double press : {1.0, 5.0, 7.0}) {
    const Analysis analysis = judge(two_fingers(g, -press, press, mu1, mu2), fingers);
    ASSERT_TRUE(analysis.actuation);
    EXPECT_EQ(analysis.actuation->possible, Answer::kYes);
    const double missing = g - (mu1 + mu2) * press;
    EXPECT_TRUE(analysis.sticking->feasible.no());
    const Vector2d expected = missing / (mu1 * mu1 + mu2 * mu2) * Vector2d(mu1, mu2);
    EXPECT_LE((analysis.actuation->forces - expected).norm(), 1e-7 * g)
        << press << " " << analysis.actuation->forces.transpose();
  }
  const Analysis holds = judge(two_fingers(g, -10, 10, mu1, mu2), fingers);
  EXPECT_TRUE(holds.actuation->forces.isZero(0.0));
  // With these forces everything sticks, with a little less not.
  const VectorXd u = judge(two_fingers(g, -5, 5, mu1, mu2), fingers).actuation->forces;
  EXPECT_TRUE(judge(two_fingers(g, -5 - 1.001 * u[0], 5 + 1.001 * u[1], mu1, mu2)).sticking->feasible.yes());
  EXPECT_TRUE(judge(two_fingers(g, -5 - 0.999 * u[0], 5 + 0.999 * u[1], mu1, mu2)).sticking->feasible.no());
}

// Without actuators a force along each coordinate, measured by the kinetic energy: the block of 2 kg that opens with 3
// m/s^2 is held by 6 N.
TEST(Actuation, KeepsAContactClosed) {
  const AccelerationProblem problem = test::problem_of(2.0 * MatrixXd::Identity(2, 2), Vector2d(0, -6),
                                                       {test::row("floor", Vector2d(0, 1), Vector2d(1, 0), 0.5)});
  const Analysis analysis = judge(problem);
  EXPECT_TRUE(analysis.sticking->persistent.no());
  EXPECT_EQ(analysis.actuation->possible, Answer::kYes);
  EXPECT_LE((analysis.actuation->forces - Vector2d(0, -6)).norm(), 1e-7);
  Instant instant;
  instant.acceleration = problem;
  std::string text;
  for (const Finding& finding : describe_findings(instant, analysis)) text += finding.text;
  EXPECT_NE(text.find("The least additional forces that keep all contacts closed and sticking are (q2 -6)"),
            std::string::npos)
      << text;
  // An actuator along x alone cannot.
  EXPECT_EQ(judge(problem, {{"push", Vector2d(1, 0)}}).actuation->possible, Answer::kNo);
}

// A block of weight 20 N on a floor with mu = 0.3, pushed with 20 N, beside a pad of 3 N: 20 - 6 - 3 = 11 N are missing.
// Forces along both coordinates share that as 1 to mu.
TEST(Actuation, KeepsDryFrictionAtRestToo) {
  Instant instant;
  instant.acceleration = test::problem_of(2.0 * MatrixXd::Identity(2, 2), Vector2d(-20, 20),
                                          {test::row("floor", Vector2d(0, 1), Vector2d(1, 0), 0.3)});
  instant.dry = {{.name = "pad", .direction = Vector2d(1, 0), .limit = 3.0}};
  const Analysis both = analyze(instant);
  ASSERT_TRUE(both.actuation);
  EXPECT_EQ(both.actuation->possible, Answer::kYes);
  EXPECT_LE((both.actuation->forces - 11.0 / 1.09 * Vector2d(-1, -0.3)).norm(), 1e-6) << both.actuation->forces.transpose();
  ASSERT_EQ(both.actuation->contact_forces.size(), 3);
  EXPECT_NEAR(both.actuation->contact_forces[2], -3.0, 1e-6) << "the pad holds what it can";
  instant.actuators = {{"arm", Vector2d(1, 0)}};
  EXPECT_NEAR(analyze(instant).actuation->forces[0], -11.0, 1e-6);
  // A pad alone.
  instant.acceleration->unilateral.clear();
  instant.acceleration->F = Vector2d(-5, 0);
  const Analysis alone = analyze(instant);
  ASSERT_TRUE(alone.actuation);
  EXPECT_NEAR(alone.actuation->forces[0], -2.0, 1e-6);
  std::string text;
  for (const Finding& finding : describe_findings(instant, alone)) text += finding.text;
  EXPECT_NE(text.find("least additional forces that keep the dry frictions at rest are (arm -2)"), std::string::npos)
      << text;
  instant.acceleration->F = Vector2d(-2, 0);
  EXPECT_TRUE(analyze(instant).actuation->forces.isZero(0.0)) << "none are needed";
}

TEST(Actuation, ActuatorsAreReadFromFiles) {
  const Instant instant = read_instant(R"({"M": [[1, 0], [0, 1]], "F": [0, 9.81],
    "unilateral": [{"normal": [0, 1], "tangents": [1, 0], "mu": 0.5}],
    "actuator": [{"name": "arm", "direction": [1, 2]}, {"direction": [0, 1]}]})",
                                       "a.json");
  ASSERT_EQ(instant.actuators.size(), 2u);
  EXPECT_EQ(instant.actuators[0].name, "arm");
  EXPECT_EQ(instant.actuators[1].name, "U2");
  EXPECT_EQ(instant.actuators[0].direction, Vector2d(1, 2));
  for (const char* bad :
       {R"({"direction": [0, 0]})", R"({"name": "arm"})", R"({"direction": [1]})", R"({"force": [1, 2]})"}) {
    const std::string text = std::string(R"({"M": [[1, 0], [0, 1]], "F": [0, 9.81], "actuator": [)") + bad + "]}";
    EXPECT_THROW((void)read_instant(text, "a.json"), InputError) << bad;
  }
}

}  // namespace tippe::analyze_friction_choice_test
