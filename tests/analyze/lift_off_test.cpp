// SPDX-License-Identifier: Apache-2.0
// Which contacts a motion opens, and whether all of them persist, Brogliato B (61).
#include "tippe/analyze/lift_off.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "support/motion_enumeration.h"
#include "tippe/analyze/analysis.h"
#include "tippe/report/analysis_json.h"
#include "tippe/report/analysis_page.h"
#include "tippe/report/analysis_text.h"

namespace tippe::analyze_lift_off_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Instant instant_of(AccelerationProblem problem, std::vector<DryFrictionRow> dry = {}) {
  Instant instant;
  instant.acceleration = std::move(problem);
  instant.dry = std::move(dry);
  return instant;
}

/// Two feet with friction, loaded beside the right one: turning opens the left one.
AccelerationProblem loaded_beside_its_foot() {
  const Vector3d tangent(1.0, 0.0, 0.1);
  return test::problem_of(
      Vector3d(2.0, 2.0, 0.2).asDiagonal(), Vector3d(1.0, 10.0, 9.0),
      {test::row("a", Vector3d(0.0, 1.0, -0.5), tangent, 0.6), test::row("b", Vector3d(0.0, 1.0, 0.5), tangent, 0.6)});
}

// With b closed and both tangents at rest only phi is free: (0.1, 0.5, 1) of (x, y, phi) = (-0.1, -0.5, 1) phi, so that
// 0.72 phi'' = 0.1 + 5 - 9, and the gap of a grows with y'' - phi''/2 = -phi'' = 3.9/0.72.
TEST(LiftOff, AContactOpensBesideOneThatSticks) {
  const Instant instant = instant_of(loaded_beside_its_foot());
  const Analysis analysis = analyze(instant);
  ASSERT_TRUE(analysis.lift_off);
  EXPECT_NEAR(analysis.lift_off->gap_acceleration[0], 3.9 / 0.72, 1e-13);
  EXPECT_EQ(analysis.lift_off->gap_acceleration[1], 0.0);
  EXPECT_EQ(analysis.lift_off->opening, std::vector<int>{0});
  EXPECT_TRUE(analysis.lift_off->may_open.empty());
  EXPECT_TRUE(analysis.lift_off->persistent.no());
  EXPECT_TRUE(analysis.sticking->feasible.yes());
  EXPECT_TRUE(analysis.sticking->persistent.no());
  ASSERT_EQ(analysis.painleve->solutions.size(), 1u);
  EXPECT_NEAR(analysis.painleve->solutions[0].gap_acceleration[0], 3.9 / 0.72, 1e-13);

  const AnalysisSource source{"p.toml", {}};
  const std::string text = analysis_text(instant, analysis, source), page = analysis_page(instant, analysis, source);
  for (const char* part : {"Lift-off: a opens", "a opens with 5.41667 m/s^2", "Sticking: yes, where closed",
                           "at rest and stay closed can stay so", "a opens, see Lift-off"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_NE(page.find("Gap accelerations"), std::string::npos);
  EXPECT_NE(page.find("<td>5.41667</td>"), std::string::npos);
  const auto json = nlohmann::json::parse(analysis_json(instant, analysis, source));
  EXPECT_NEAR(json["lift_off"]["gap_acceleration"]["a"].get<double>(), 3.9 / 0.72, 1e-13);
  EXPECT_EQ(json["lift_off"]["opening"], nlohmann::json{"a"});
  EXPECT_EQ(json["lift_off"]["persistent"]["verdict"], "no");
  EXPECT_EQ(json["sticking"]["persistent"]["verdict"], "no");
}

TEST(LiftOff, AllContactsPersistUnderALoadBetweenThem) {
  AccelerationProblem problem = loaded_beside_its_foot();
  problem.F[2] = 1.0;
  const Analysis analysis = analyze(instant_of(problem));
  EXPECT_TRUE(analysis.lift_off->persistent.yes());
  EXPECT_TRUE(analysis.lift_off->opening.empty());
  EXPECT_TRUE(analysis.sticking->persistent.yes());
  // Friction that does not suffice keeps them closed, but not at rest.
  for (ContactRows& contact : problem.unilateral) contact.mu = 0.05;
  const Analysis slipping = analyze(instant_of(problem));
  EXPECT_TRUE(slipping.lift_off->persistent.yes());
  EXPECT_TRUE(slipping.sticking->persistent.no());
}

// A coordinate without mass that nothing loads opens as it likes: one of its motions keeps the contact closed.
TEST(LiftOff, AMasslessContactMayOpen) {
  const AccelerationProblem problem =
      test::problem_of(Vector2d(1, 0).asDiagonal(), Vector2d(1, 0), {test::row("plate", Vector2d(0, 1))});
  const Analysis analysis = analyze(instant_of(problem));
  ASSERT_TRUE(analysis.lift_off);
  EXPECT_TRUE(analysis.lift_off->persistent.yes());
  EXPECT_EQ(analysis.lift_off->lower[0], 0.0);
  EXPECT_EQ(analysis.lift_off->upper[0], kInfinity);
  EXPECT_EQ(analysis.lift_off->may_open.size() + analysis.lift_off->opening.size(), 1u);
}

// Without mass in y and z: the gaps y'' + z'' and y'' - z'' - 1 are both zero at y'' = 1/2, z'' = -1/2. With the gap
// z'' as a third one that cannot be.
TEST(LiftOff, OfSeveralMasslessMotionsOneMayKeepAllClosed) {
  AccelerationProblem problem =
      test::problem_of(Vector3d(1, 0, 0).asDiagonal(), Vector3d(1, 0, 0),
                       {test::row("a", Vector3d(0, 1, 1)), test::row("b", Vector3d(0, 1, -1), -1.0)});
  EXPECT_TRUE(analyze(instant_of(problem)).lift_off->persistent.yes());
  problem.unilateral.push_back(test::row("c", Vector3d(0, 0, 1)));
  EXPECT_TRUE(analyze(instant_of(problem)).lift_off->persistent.no());
}

// Dry friction that yields lets the body go: 10 N on 2 kg against 4 N away from the wall.
TEST(LiftOff, KnowsTheLimitOfDryFriction) {
  const auto pulled = [](double limit) {
    return analyze(instant_of(test::problem_of(MatrixXd::Constant(1, 1, 2.0), VectorXd::Constant(1, -10.0),
                                               {test::row("wall", VectorXd::Ones(1))}),
                              {{"pad", VectorXd::Ones(1), 0.0, limit, 0.0}}));
  };
  const Analysis yields = pulled(4.0), holds = pulled(12.0);
  EXPECT_NEAR(yields.lift_off->gap_acceleration[0], 3.0, 1e-12);
  EXPECT_TRUE(yields.lift_off->persistent.no());
  EXPECT_TRUE(holds.lift_off->persistent.yes());
}

// Gap accelerations and the contacts that open in all of 300 problems, many of them degenerate, as a full enumeration
// in long double has them.
TEST(LiftOff, IsThatOfTheEnumeratedMotion) {
  test::Random random(91);
  int opening = 0, persistent = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const test::RandomInstant random_instant = test::random_instant(random);
    const AccelerationProblem& problem = random_instant.problem;
    const std::vector<test::EnumeratedMotion> motions = test::enumerate_motions(random_instant.reduced);
    if (motions.empty() || problem.unilateral.empty()) continue;
    const Analysis analysis = analyze(instant_of(problem));
    if (!analysis.lift_off) continue;
    const LiftOff& lift = *analysis.lift_off;
    bool any = false;
    for (size_t i = 0; i < problem.unilateral.size(); ++i) {
      const ContactRows& contact = random_instant.reduced.unilateral[i];
      const double gap = contact.normal.dot(motions[0].acceleration) + contact.drift;
      EXPECT_NEAR(lift.gap_acceleration[static_cast<Eigen::Index>(i)], gap, 1e-9 * (1.0 + motions[0].acceleration.norm()));
      const bool opens = gap > 1e-8;
      const bool listed = std::find(lift.opening.begin(), lift.opening.end(), static_cast<int>(i)) != lift.opening.end();
      EXPECT_EQ(opens, listed) << trial << " " << i << " " << gap;
      any = any || opens;
    }
    EXPECT_EQ(lift.persistent.answer, any ? Answer::kNo : Answer::kYes) << trial;
    opening += any ? 1 : 0;
    persistent += any ? 0 : 1;
  }
  EXPECT_GT(opening, 50);
  EXPECT_GT(persistent, 20);
}

// Neither units nor sizes matter.
TEST(LiftOff, IsFreeOfUnits) {
  for (const double size : {1e-12, 1e12}) {
    AccelerationProblem problem = loaded_beside_its_foot();
    problem.M *= size;
    problem.F *= size;
    EXPECT_NEAR(analyze(instant_of(problem)).lift_off->gap_acceleration[0], 3.9 / 0.72, 1e-11);
    AccelerationProblem still = loaded_beside_its_foot();
    still.F *= size;
    const LiftOff lift = *analyze(instant_of(still)).lift_off;
    EXPECT_NEAR(lift.gap_acceleration[0] / size, 3.9 / 0.72, 1e-11);
    EXPECT_EQ(lift.opening, std::vector<int>{0});
  }
  AccelerationProblem unloaded = loaded_beside_its_foot();
  unloaded.F.setZero();
  EXPECT_TRUE(analyze(instant_of(unloaded)).lift_off->persistent.yes());
}

}  // namespace tippe::analyze_lift_off_test
