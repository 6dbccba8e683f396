// SPDX-License-Identifier: Apache-2.0
// Dry friction with a limit in all questions of an analysis: closed forms, and the contact modes, which know it in another way.
#include "tippe/analyze/dry_friction.h"

#include <cmath>

#include "support/instant_problems.h"
#include "support/motion_enumeration.h"
#include "tippe/analyze/analysis.h"
#include "tippe/core/error.h"
#include "tippe/modes/modes.h"

namespace tippe::analyze_dry_friction_test {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

VectorXd one(double x) {
  return VectorXd::Constant(1, x);
}

DryFrictionRow pad(const std::string& name, const VectorXd& direction, double limit, double slip = 0.0) {
  return {name, direction, 0.0, limit, slip};
}

Instant instant_with(AccelerationProblem problem, std::vector<DryFrictionRow> dry) {
  Instant instant;
  instant.acceleration = std::move(problem);
  instant.dry = std::move(dry);
  return instant;
}

/// A mass on a line that a force pushes.
AccelerationProblem pushed(double mass, double push, std::vector<ContactRows> contacts = {}) {
  return test::problem_of(MatrixXd::Constant(1, 1, mass), one(-push), std::move(contacts));
}

// 2 kg at x = 0.4 on a spring of 50 N/m: 20 N against a limit of 1.5 N.
TEST(DryFriction, SlidesWhereItsLimitDoesNotHold) {
  const Analysis analysis = analyze(instant_with(pushed(2.0, -20.0), {pad("pad", one(1.0), 1.5)}));
  ASSERT_TRUE(analysis.motion && analysis.forces && analysis.sticking);
  EXPECT_TRUE(analysis.solvability->verdict.yes());
  EXPECT_TRUE(analysis.motion->unique.yes());
  ASSERT_EQ(analysis.motion->acceleration.size(), 1);
  EXPECT_NEAR(analysis.motion->acceleration[0], -9.25, 1e-14);
  EXPECT_TRUE(analysis.forces->unique.yes());
  for (const VectorXd& force : {analysis.forces->representative, analysis.forces->lower, analysis.forces->upper})
    EXPECT_EQ(force, one(1.5));
  EXPECT_EQ(analysis.yielding, std::vector<int>{0});
  EXPECT_TRUE(analysis.sticking->feasible.no());
  EXPECT_NEAR(analysis.sticking->mu_factor, 20.0 / 1.5, 1e-9);
  ASSERT_EQ(analysis.sticking->blocking_direction.size(), 1);
  EXPECT_EQ(analysis.sticking->blocking_direction[0], -1.0);
  EXPECT_FALSE(analysis.limits_kept);
}

// 5 N against a limit of 3 N, whatever the limit of a friction is that acts along no direction.
TEST(DryFriction, WhatActsAlongNoDirectionChangesNothing) {
  for (const double limit : {10.0, 1e9, 1e12, 1e15}) {
    SCOPED_TRACE(limit);
    const Analysis analysis =
        analyze(instant_with(pushed(2.0, -5.0), {pad("pad", one(1.0), 3.0), pad("nothing", one(0.0), limit)}));
    ASSERT_TRUE(analysis.motion && analysis.forces && analysis.sticking);
    EXPECT_TRUE(analysis.motion->unique.yes());
    EXPECT_NEAR(analysis.motion->acceleration[0], -1.0, 1e-12);
    EXPECT_TRUE(analysis.sticking->feasible.no());
    EXPECT_NEAR(analysis.sticking->mu_factor, 5.0 / 3.0, 1e-9);
    EXPECT_NEAR(analysis.forces->representative[0], 3.0, 1e-12);
    EXPECT_EQ(analysis.forces->lower[1], -limit);
    EXPECT_EQ(analysis.forces->upper[1], limit);
  }
}

TEST(DryFriction, HoldsWithinItsLimit) {
  for (const double limit : {8.0, 1e3, 1e6, 1e12}) {
    const Analysis analysis = analyze(instant_with(pushed(2.0, 7.0), {pad("pad", one(1.0), limit)}));
    EXPECT_TRUE(analysis.motion->unique.yes()) << limit;
    EXPECT_NEAR(analysis.motion->acceleration[0], 0.0, 1e-13) << limit;
    EXPECT_TRUE(analysis.forces->unique.yes()) << limit;
    EXPECT_NEAR(analysis.forces->representative[0], -7.0, 1e-11) << limit;
    EXPECT_TRUE(analysis.yielding.empty());
    EXPECT_TRUE(analysis.sticking->feasible.yes()) << limit;
    EXPECT_NEAR(analysis.sticking->lower[0], -7.0, 1e-11) << limit;
    EXPECT_NEAR(analysis.sticking->mu_factor, 7.0 / limit, 1e-9 * 7.0 / limit) << limit;
  }
}

TEST(DryFriction, IsOnTheBoundaryAtExactlyItsLimit) {
  const Analysis analysis = analyze(instant_with(pushed(2.0, 7.0), {pad("pad", one(1.0), 7.0)}));
  EXPECT_TRUE(analysis.motion->unique.yes());
  EXPECT_NEAR(analysis.motion->acceleration[0], 0.0, 1e-15);
  EXPECT_TRUE(analysis.forces->unique.yes());
  EXPECT_NEAR(analysis.forces->representative[0], -7.0, 1e-14);
  EXPECT_EQ(analysis.sticking->feasible.answer, Answer::kUndecided);
  EXPECT_NEAR(analysis.sticking->mu_factor, 1.0, 1e-10);
}

TEST(DryFriction, WithoutALimitIsNone) {
  const Analysis analysis = analyze(instant_with(pushed(2.0, 7.0), {pad("pad", one(1.0), 0.0)}));
  EXPECT_NEAR(analysis.motion->acceleration[0], 3.5, 1e-15);
  EXPECT_EQ(analysis.forces->representative, one(0.0));
  EXPECT_FALSE(analysis.sticking);
}

TEST(DryFriction, ThatSlidesIsAGivenForce) {
  const Analysis analysis = analyze(instant_with(pushed(2.0, 7.0), {pad("pad", one(1.0), 3.0, -0.1)}));
  EXPECT_NEAR(analysis.motion->acceleration[0], 5.0, 1e-15);
  EXPECT_TRUE(analysis.forces->unique.yes());
  EXPECT_EQ(analysis.forces->representative, one(3.0));
  EXPECT_FALSE(analysis.sticking);
}

// A support that accelerates by -3 m/s^2: the mass goes with it up to a limit of 6 N.
TEST(DryFriction, CarriesWhatRestsOnAnAcceleratedSupport) {
  for (const double limit : {4.0, 9.0}) {
    const Analysis analysis = analyze(instant_with(pushed(2.0, 0.0), {{"belt", one(1.0), 3.0, limit, 0.0}}));
    EXPECT_NEAR(analysis.motion->acceleration[0], -std::min(3.0, limit / 2.0), 1e-14);
    EXPECT_NEAR(analysis.forces->representative[0], -std::min(6.0, limit), 1e-13);
    EXPECT_EQ(analysis.sticking->feasible.answer, limit < 6.0 ? Answer::kNo : Answer::kYes);
    EXPECT_NEAR(analysis.sticking->mu_factor, 6.0 / limit, 1e-9);
  }
}

// 10 N onto a wall beside a pad of 4 N: the wall takes what the pad leaves, and nothing is wedged.
TEST(DryFriction, SharesALoadWithAContactWithinItsLimit) {
  const std::vector<ContactRows> wall{test::row("wall", one(1.0))};
  for (const double limit : {4.0, 25.0, 1e6}) {
    const Analysis analysis = analyze(instant_with(pushed(2.0, -10.0, wall), {pad("pad", one(1.0), limit)}));
    EXPECT_EQ(analysis.solvability->ground, Solvability::Ground::kEveryDrift) << limit;
    EXPECT_EQ(analysis.solvability->separating_direction.size(), 1);
    EXPECT_NEAR(analysis.motion->acceleration[0], 0.0, 1e-9) << limit;
    const ForceSet& forces = *analysis.forces;
    EXPECT_TRUE(forces.unique.no()) << limit;
    EXPECT_EQ(forces.bounds, ForceSet::Bounds::kExact);
    ASSERT_EQ(forces.lower.size(), 2);
    const double tolerance = 1e-12 * (limit + 10.0);
    EXPECT_NEAR(forces.lower[0], std::max(0.0, 10.0 - limit), tolerance) << limit;
    EXPECT_NEAR(forces.upper[0], 10.0 + limit, tolerance) << limit;
    EXPECT_NEAR(forces.lower[1], -limit, tolerance) << limit;
    EXPECT_NEAR(forces.upper[1], std::min(limit, 10.0), tolerance) << limit;
    ASSERT_EQ(forces.groups.size(), 1U);
    EXPECT_EQ(forces.groups[0], (std::vector<int>{0, 1}));
    EXPECT_NEAR(forces.group_sums[0].value(), 10.0, 1e-12 * limit);
    EXPECT_NEAR(forces.free_directions.col(0).sum(), 0.0, 1e-13);
    // Least squares, within the limit.
    EXPECT_NEAR(forces.representative[0], 10.0 - std::min(5.0, limit), 1e-9) << limit;
    EXPECT_TRUE(analysis.sticking->feasible.yes());
    EXPECT_EQ(analysis.sticking->mu_factor, 0.0);
    EXPECT_TRUE(analysis.closure->form.no());
    EXPECT_TRUE(analysis.closure->force.no());
  }
}

// Ground, pad B, m2, pad A, m1 and a pull at m1. Both hold up to the smaller limit. Beyond it A slides alone if it is the weaker one; if B is, it
// slides and A with it once more than its limit is needed to take m2 along.
TEST(DryFriction, InSeriesTheWeakerOneSlides) {
  const double m1 = 1.0, m2 = 2.0;
  const Vector2d a_row(1.0, -1.0), b_row(0.0, 1.0);
  struct Case {
    double a, b, pull, x1, x2;
    std::vector<int> yielding;
  };
  for (const Case& c :
       {Case{8, 5, 4, 0, 0, {}}, Case{2, 5, 3, 1, 0, {0}}, Case{8, 5, 8, 1, 1, {1}}, Case{8, 5, 10, 2, 1.5, {0, 1}}}) {
    const Analysis analysis =
        analyze(instant_with(test::problem_of(Vector2d(m1, m2).asDiagonal(), Vector2d(-c.pull, 0.0), {}),
                             {pad("A", a_row, c.a), pad("B", b_row, c.b)}));
    EXPECT_NEAR(analysis.motion->acceleration[0], c.x1, 1e-13) << c.pull;
    EXPECT_NEAR(analysis.motion->acceleration[1], c.x2, 1e-13) << c.pull;
    EXPECT_EQ(analysis.yielding, c.yielding) << c.pull;
    EXPECT_TRUE(analysis.forces->unique.yes());
    EXPECT_NEAR(analysis.forces->representative[0], m1 * c.x1 - c.pull, 1e-12) << c.pull;
    EXPECT_NEAR(analysis.forces->representative[1], m1 * c.x1 + m2 * c.x2 - c.pull, 1e-12) << c.pull;
    EXPECT_NEAR(analysis.sticking->mu_factor, c.pull / std::min(c.a, c.b), 1e-9);
    EXPECT_EQ(analysis.sticking->feasible.yes(), c.yielding.empty());
  }
}

// Limits of 1 and 2 N side by side: each takes what the other leaves; at 3 N both are at their limits.
TEST(DryFriction, InParallelTheyShareTheLoad) {
  for (const double push : {0.5, 2.5, 3.0, 4.0}) {
    const Analysis analysis = analyze(instant_with(pushed(2.0, -push), {pad("A", one(1.0), 1.0), pad("B", one(1.0), 2.0)}));
    EXPECT_NEAR(analysis.motion->acceleration[0], push > 3.0 ? -0.5 * (push - 3.0) : 0.0, 1e-14) << push;
    const ForceSet& forces = *analysis.forces;
    EXPECT_EQ(forces.unique.yes(), push >= 3.0) << push;
    EXPECT_NEAR(forces.lower[0], std::clamp(push - 2.0, -1.0, 1.0), 1e-13) << push;
    EXPECT_NEAR(forces.upper[0], 1.0, 1e-13) << push;
    EXPECT_NEAR(forces.lower[1], std::min(push - 1.0, 2.0), 1e-13) << push;
    EXPECT_NEAR(forces.upper[1], std::min(push + 1.0, 2.0), 1e-13) << push;
    EXPECT_NEAR(analysis.sticking->mu_factor, push / 3.0, 1e-10) << push;
  }
}

/// A block of 1 kg with the weight of 10 N on a floor with friction 0.5, and a push along it.
AccelerationProblem block(double push) {
  return test::problem_of(Matrix2d::Identity(), Vector2d(-push, 10.0),
                          {test::row("floor", Vector2d(0, 1), Vector2d(1, 0), 0.5)});
}

// The floor takes at most 5 N, the pad 4 N: together 9 N.
TEST(DryFriction, AndContactFrictionHoldTogether) {
  for (const double push : {7.0, 9.5}) {
    const Analysis analysis = analyze(instant_with(block(push), {pad("pad", Vector2d(1, 0), 4.0)}));
    const Sticking& sticking = *analysis.sticking;
    EXPECT_EQ(sticking.feasible.answer, push < 9.0 ? Answer::kYes : Answer::kNo);
    EXPECT_NEAR(sticking.mu_factor, push / 9.0, 1e-9);
    EXPECT_NEAR(sticking.mu_min, 0.5 * push / 9.0, 1e-9);
    ASSERT_TRUE(analysis.limits_kept && analysis.painleve);
    EXPECT_EQ(analysis.limits_kept->answer, sticking.feasible.answer);
    ASSERT_EQ(analysis.painleve->solutions.size(), 1U);
    const Painleve::Solution& motion = analysis.painleve->solutions[0];
    EXPECT_NEAR(motion.acceleration[0], std::max(0.0, push - 9.0), 1e-12);
    ASSERT_EQ(motion.contacts.size(), 2U);
    ASSERT_EQ(motion.forces.size(), 3);
    if (push < 9.0) {  // n, t1, pad
      EXPECT_NEAR(sticking.lower[0], 10.0, 1e-9);
      EXPECT_NEAR(sticking.lower[1], -5.0, 1e-8);
      EXPECT_NEAR(sticking.upper[1], -3.0, 1e-8);
      EXPECT_NEAR(sticking.lower[2], -4.0, 1e-8);
      EXPECT_NEAR(sticking.upper[2], -2.0, 1e-8);
      EXPECT_EQ(motion.contacts[0], ContactMode::kStick);
    } else {
      EXPECT_EQ(motion.contacts[1], ContactMode::kSlideForward);
      EXPECT_NEAR(motion.forces[1], -5.0, 1e-12);
      EXPECT_NEAR(motion.forces[2], -4.0, 1e-12);
    }
  }
}

// The pad on another mass has to slide, the contact can stick: the motion that leaves out its limit is the true one.
TEST(DryFriction, MaySlideWhereAContactSticks) {
  AccelerationProblem problem =
      test::problem_of(Eigen::Matrix3d::Identity(), Eigen::Vector3d(-3.0, 10.0, -7.0),
                       {test::row("floor", Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(1, 0, 0), 0.5)});
  const auto judge = [&] { return analyze(instant_with(problem, {pad("pad", Eigen::Vector3d(0, 0, 1), 4.0)})); };
  const Analysis holds = judge();
  EXPECT_TRUE(holds.sticking->feasible.no());
  EXPECT_TRUE(holds.limits_kept->yes());
  EXPECT_NEAR((holds.motion->acceleration - Eigen::Vector3d(0, 0, 3)).norm(), 0.0, 1e-13);
  problem.F[0] = -6.0;
  EXPECT_TRUE(judge().limits_kept->no());
}

// Units do not matter: coordinates, forces and masses in any, and limits with them.
TEST(DryFriction, DoesNotDependOnUnits) {
  for (const double length : {1e-3, 1.0, 1e4}) {
    for (const double force : {1e-6, 1.0, 1e5}) {
      for (const double rows : {1e-3, 1.0, 1e3}) {  // of the velocities of the pads
        const Vector2d along = rows / length * Vector2d(1.0, -1.0), ground = rows / length * Vector2d(0.0, 1.0);
        const double f = force * length / rows;
        const Analysis analysis =
            analyze(instant_with(test::problem_of(force * Vector2d(1.0, 2.0).asDiagonal().toDenseMatrix(),
                                                  force * Vector2d(-10.0, 0.0), {test::row("wall", ground)}),
                                 {pad("A", along, 8.0 * f), pad("B", ground, 5.0 * f)}));
        EXPECT_NEAR(analysis.motion->acceleration[0], 2.0, 1e-11) << length << " " << force << " " << rows;
        EXPECT_NEAR(analysis.motion->acceleration[1], 1.5, 1e-11) << length << " " << force << " " << rows;
        EXPECT_NEAR(analysis.forces->representative[1] / f, -8.0, 1e-11);
        EXPECT_NEAR(analysis.forces->representative[2] / f, -5.0, 1e-11);
        EXPECT_NEAR(analysis.sticking->mu_factor, 2.0, 1e-8);
      }
    }
  }
}

// What has no mass moves if friction does not hold its load.
TEST(DryFriction, HoldsWhatHasNoMassUpToItsLimit) {
  for (const double limit : {3.0, 6.0}) {
    const AccelerationProblem problem = test::problem_of(Vector2d(1.0, 0.0).asDiagonal(), Vector2d(0.0, -5.0), {});
    const Analysis analysis = analyze(instant_with(problem, {pad("pad", Vector2d(0, 1), limit)}));
    EXPECT_EQ(analysis.solvability->verdict.answer, limit < 5.0 ? Answer::kNo : Answer::kYes) << limit;
    if (limit < 5.0) {
      EXPECT_EQ(analysis.solvability->ground, Solvability::Ground::kMasslessLoaded);
      EXPECT_NEAR((analysis.solvability->massless_direction - Vector2d(0, 1)).norm(), 0.0, 1e-12);
      continue;
    }
    ASSERT_TRUE(analysis.motion);
    EXPECT_TRUE(analysis.motion->unique.yes());
    EXPECT_NEAR(analysis.motion->acceleration.norm(), 0.0, 1e-10);
    EXPECT_NEAR(analysis.forces->representative[0], -5.0, 1e-10);
  }
}

// A rod that slides in Painleve's way, beside a mass with a pad: neither feels the other.
TEST(DryFriction, AtRestLeavesSlidingContactsAsTheyAre) {
  const auto contact = test::row("tip", Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(1, 0, 0), 0.3, one(1.0));
  const AccelerationProblem problem =
      test::problem_of(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0.0, 10.0, -7.0), {contact});
  const Analysis analysis = analyze(instant_with(problem, {pad("pad", Eigen::Vector3d(0, 0, 1), 4.0)}));
  EXPECT_EQ(analysis.solvability->kind, InstantKind::kSliding);
  ASSERT_TRUE(analysis.motion);
  EXPECT_TRUE(analysis.motion->unique.yes());
  EXPECT_NEAR((analysis.motion->acceleration - Eigen::Vector3d(-3, 0, 3)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((analysis.forces->representative - Eigen::Vector3d(10, -3, -4)).norm(), 0.0, 1e-12);
  EXPECT_EQ(analysis.motion->multipliers.size(), 1);
  EXPECT_EQ(analysis.yielding, std::vector<int>{0});
}

// The modes try sticking and sliding of every dry friction: another route to the same motion and the same bounds of forces.
TEST(DryFriction, AgreesWithTheModes) {
  test::Random random(5);
  int yielding = 0, shared = 0, judged = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const AccelerationProblem problem = test::random_instant(random).problem;
    std::vector<DryFrictionRow> dry;
    const int count = test::random_integer(random, 1, 3);
    for (int k = 0; k < count; ++k) {
      VectorXd direction(problem.n());
      for (double& entry : direction) entry = test::random_integer(random, -2, 2);
      const double load = problem.F.norm() + 1.0;
      dry.push_back({"pad" + std::to_string(k), direction, 0.0, load * test::random_integer(random, 0, 4) / 4.0, 0.0});
      if (k > 0 && test::random_integer(random, 0, 2) == 0) dry.back().direction = dry.front().direction;
    }
    const ModeList list = list_motion_modes(problem, dry);
    if (list.unique() != true || !list.modes[0].forces_unique) shared += 1;
    const Analysis analysis = analyze(instant_with(problem, dry));
    if (list.unique() != true) continue;
    ++judged;
    const ConsistentMode& mode = list.modes[0];
    const double size = 1.0 + mode.motion.norm() + 1e-3 * mode.forces.norm();
    ASSERT_TRUE(analysis.motion && analysis.forces) << trial;
    EXPECT_LE((analysis.motion->acceleration - mode.motion).norm(), 1e-7 * size) << trial;
    yielding += analysis.yielding.empty() ? 0 : 1;
    ASSERT_EQ(analysis.forces->lower.size(), mode.lower.size()) << trial;
    for (Index i = 0; i < mode.lower.size(); ++i) {
      for (const auto& [a, b] :
           {std::pair(analysis.forces->lower[i], mode.lower[i]), std::pair(analysis.forces->upper[i], mode.upper[i])}) {
        if (std::isinf(a) || std::isinf(b))
          EXPECT_EQ(a, b) << trial << " " << i;
        else
          EXPECT_NEAR(a, b, 1e-6 * (size + std::abs(b))) << trial << " " << i;
      }
    }
  }
  EXPECT_GT(yielding, 50);
  EXPECT_GT(shared, 50);
  EXPECT_GT(judged, 200);
}

TEST(DryFriction, RefusesWhatIsNone) {
  const auto fails = [](const DryFrictionRow& row) {
    EXPECT_THROW((void)analyze(instant_with(pushed(1.0, 1.0, {test::row("wall", one(1.0))}), {row})), InputError)
        << row.name;
  };
  fails(pad("negative", one(1.0), -1.0));
  fails(pad("wall", one(1.0), 1.0));
  fails(pad("", one(1.0), 1.0));
  fails(pad("long", Vector2d(1, 1), 1.0));
  fails(pad("nan", one(std::nan("")), 1.0));
}

}  // namespace tippe::analyze_dry_friction_test
