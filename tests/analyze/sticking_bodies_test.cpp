// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "support/grasps.h"
#include "support/mixed_bodies.h"
#include "support/sticking_program.h"
#include "tippe/analyze/closure.h"
#include "tippe/analyze/least_friction.h"
#include "tippe/analyze/sticking.h"
#include "tippe/analyze/sticking_motions.h"

namespace tippe::analyze_sticking_bodies_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::StickingProgram;

constexpr double kGravity = 9.81;

/// Boxes and rods on the floor, pulled off it, pinned to each other, without rotary inertia, or sliding, in turns.
AccelerationProblem planar_bodies(test::Random& random, int trial) {
  const int count = 2 + random.below(2);
  test::MixedBodies bodies(random, count, 3);
  std::vector<int> first;
  int contacts = 0;
  for (int b = 0; b < count; ++b) {
    const double mass = random.uniform(0.5, 3.0), inertia = trial % 4 == 1 && b == 0 ? 0.0 : random.uniform(0.2, 1.0);
    const Vector3d F(random.uniform(-0.8, 0.8) * mass * kGravity, mass * kGravity, random.uniform(-0.5, 0.5));
    first.push_back(bodies.add_body(mass, inertia, F));
    const bool pulled = b == count - 1 && trial % 4 != 2;
    for (int k = 0; k < (pulled ? 1 : 2) && contacts < 4; ++k, ++contacts) {
      ContactRows contact =
          test::planar_finger({k == 0 ? -1.0 : 1.0, -random.uniform(0.1, 0.8)}, {0, 1}, random.uniform(0.1, 0.9));
      if (trial % 4 == 3 && b == 0) contact.slip = VectorXd::Constant(1, random.below(2) == 0 ? 1.0 : -1.0);
      bodies.add_contact(first.back(), contact);
      if (pulled) bodies.pull(first.back(), contact, random.uniform(1.0, 8.0));
    }
  }
  if (trial % 4 == 2) {  // a pin between the first two
    for (int k = 0; k < 2; ++k) {
      VectorXd row = VectorXd::Zero(3 * count);
      row[first[0] + k] = 1.0;
      row[first[1] + k] = -1.0;
      row[first[0] + 2] = random.uniform(-1.0, 1.0);
      row[first[1] + 2] = random.uniform(-1.0, 1.0);
      bodies.add_joint(row);
    }
  }
  return bodies.mixed();
}

/// A table on three feet pushed sideways with a part of its weight, and a ball that flies off.
AccelerationProblem spatial_bodies(test::Random& random, double push) {
  test::MixedBodies bodies(random, 2, 6);
  VectorXd F(6);
  F << 10.0 * push * random.vector(2).normalized(), 10.0, random.vector(3, 0.5);
  const int table = bodies.add_body(1.0, 0.7, F);
  for (int k = 0; k < 3; ++k)
    bodies.add_contact(table, test::spatial_finger({std::cos(2.1 * k), std::sin(2.1 * k), -0.3}, Vector3d::UnitZ(), 0.4));
  const int ball = bodies.add_body(random.uniform(0.5, 2.0), 0.4, VectorXd::Zero(6));
  const ContactRows touch = test::spatial_finger({0, 0, -0.5}, random.vector(3).normalized(), 0.4);
  bodies.add_contact(ball, touch);
  bodies.pull(ball, touch, 5.0);
  return bodies.mixed();
}

constexpr double kSolved = 1e-8, kUnsolved = 1e-6;  // sums of errors of equations with terms of order 1 to 30

// Bodies that share nothing but a problem: whether the contacts of one open is nothing to the others.
TEST(StickingOfBodies, PlaneAgainstTheDefinition) {
  test::Random random(711);
  int yes = 0, no = 0, least = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const AccelerationProblem problem = planar_bodies(random, trial);
    const Sticking sticking = judge_sticking(problem);
    const double error = StickingProgram(problem, 1.0).least_error();
    ASSERT_TRUE(error < kSolved || error > kUnsolved) << "trial " << trial << ' ' << error;
    const bool several = sticking.feasible.answer == Answer::kUndecided && trial % 4 == 3;  // motions that slide
    if (!several) {
      EXPECT_EQ(sticking.feasible.answer, error < kSolved ? Answer::kYes : Answer::kNo) << "trial " << trial << ' ' << error;
    }
    (error < kSolved ? yes : no) += 1;
    if (!(sticking.mu_factor > 1e-6 && sticking.mu_min_attained && sticking.mu_min_gap < 1e-9)) continue;
    if (std::isinf(sticking.mu_factor)) {
      EXPECT_GT(StickingProgram(problem, 1e3).least_error(), kUnsolved) << "trial " << trial;
      continue;
    }
    ++least;
    EXPECT_LT(StickingProgram(problem, sticking.mu_factor * (1.0 + 1e-6)).least_error(), kSolved) << "trial " << trial;
    EXPECT_GT(StickingProgram(problem, sticking.mu_factor * (1.0 - 1e-3)).least_error(), kUnsolved) << "trial " << trial;
  }
  EXPECT_GT(yes, 20);
  EXPECT_GT(no, 10);
  EXPECT_GT(least, 30);
}

TEST(StickingOfBodies, SpaceAgainstPolygons) {
  test::Random random(712);
  constexpr int kCorners = 8;
  int yes = 0, no = 0;
  for (int trial = 0; trial < 8; ++trial) {
    const AccelerationProblem problem = spatial_bodies(random, trial % 2 == 0 ? 0.2 : 0.7);
    const Sticking sticking = judge_sticking(problem);
    const bool inside = StickingProgram(problem, 1.0, kCorners).least_error() < kSolved;
    const bool outside = StickingProgram(problem, 1.0, kCorners, true).least_error() < kSolved;
    if (inside != outside) continue;
    EXPECT_EQ(sticking.feasible.answer, inside ? Answer::kYes : Answer::kNo) << "trial " << trial;
    (inside ? yes : no) += 1;
  }
  EXPECT_GT(yes, 2);
  EXPECT_GT(no, 2);
}

/// Each contact and constraint measured in another unit of length.
AccelerationProblem with_other_units(AccelerationProblem problem, test::Random& random) {
  for (auto* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (ContactRows& contact : *contacts) {
      const double unit = random.magnitude(-6.0, 9.0);
      contact.normal *= unit;
      contact.tangents *= unit;
      contact.drift *= unit;
      contact.tangent_drift *= unit;
    }
  }
  return problem;
}

void expect_same(const Verdict& a, const Verdict& b, double tolerance) {
  EXPECT_EQ(a.answer, b.answer);
  ASSERT_EQ(a.margin.has_value(), b.margin.has_value());
  EXPECT_NEAR(a.margin.value_or(0.0), b.margin.value_or(0.0), tolerance);
}

// The gap of a contact in millimetres or light years: no answer changes, and forces go with one over the unit.
TEST(StickingOfBodies, UnitsOfContactsDoNotMatter) {
  test::Random random(713);
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const AccelerationProblem problem = trial % 5 == 4 ? spatial_bodies(random, 0.3) : planar_bodies(random, trial);
    const AccelerationProblem other = with_other_units(problem, random);
    const Sticking sticking = judge_sticking(problem), again = judge_sticking(other);
    expect_same(sticking.feasible, again.feasible, 1e-7);
    EXPECT_EQ(std::isfinite(sticking.mu_min), std::isfinite(again.mu_min));
    if (std::isfinite(sticking.mu_min)) {
      EXPECT_NEAR(sticking.mu_min, again.mu_min, 1e-8 * (1.0 + sticking.mu_min));
    }
    EXPECT_EQ(sticking.tipping, again.tipping);
    EXPECT_EQ(sticking.unloadable, again.unloadable);
    const Closure closure = judge_closure(problem), closure_again = judge_closure(other);
    expect_same(closure.form, closure_again.form, 1e-8);
    expect_same(closure.force, closure_again.force, 1e-8);
  }
}

// Fingers that hold a disk, each pressing in its own unit, with friction that is just enough for closure, or not.
TEST(StickingOfBodies, UnitsOfFingersDoNotMatterForClosure) {
  test::Random random(714);
  for (int trial = 0; trial < 40; ++trial) {
    AccelerationProblem problem = test::planar_object();
    const double tilt = trial % 2 == 0 ? 0.9 : 1.1, mu = random.uniform(0.1, 0.9), angle = tilt * std::atan(mu);
    problem.unilateral = {test::planar_finger({-1, 0}, {std::cos(angle), std::sin(angle)}, mu),
                          test::planar_finger({1, 0}, {-1, 0}, mu)};
    test::name_contacts(problem);
    const Closure closure = judge_closure(with_other_units(problem, random));
    EXPECT_EQ(closure.force.answer, tilt < 1.0 ? Answer::kYes : Answer::kNo) << mu;
    expect_same(closure.force, judge_closure(problem).force, 1e-9);
    EXPECT_EQ(*closure.force.margin > 0.0, closure.force.yes());
  }
}

// A box pushed sideways on two corners, and a ball that is pulled off a slope along its normal: what the ball leaves behind is round-off
// that nobody has to hold. mu_min is that of the box alone, the push over its weight.
TEST(StickingOfBodies, ABallThatLeavesIsNothingToTheBox) {
  for (const double angle : {0.0, 0.3, 0.7, 1.234}) {
    const Vector2d n(std::sin(angle), std::cos(angle));
    AccelerationProblem problem{MatrixXd::Identity(5, 5), VectorXd::Zero(5), {}, {}, {}};
    problem.M.diagonal() << 3, 3, 1, 1.1, 1.1;
    problem.F << -6, 29.43, 0, -7.7 * n;
    const auto wide = [](double x, double y, double turn, const Vector2d& ball) {
      VectorXd row(5);
      row << x, y, turn, ball;
      return row;
    };
    for (const double side : {-0.8, 0.8})
      problem.unilateral.push_back(test::row("", wide(0, 1, side, {0, 0}), wide(1, 0, 0.6, {0, 0}), 0.5));
    problem.unilateral.push_back(test::row("", wide(0, 0, 0, n), wide(0, 0, 0, {n[1], -n[0]}), 0.5));
    test::name_contacts(problem);
    const Sticking sticking = judge_sticking(problem);
    EXPECT_TRUE(sticking.feasible.yes()) << angle;
    EXPECT_FALSE(sticking.tipping);
    EXPECT_NEAR(sticking.mu_min, 6.0 / 29.43, 1e-10);
    EXPECT_LE(sticking.mu_min_gap, 1e-10);
    EXPECT_EQ(sticking.unloadable, std::vector<int>{2});
    // Without the push friction is only what round-off leaves: none is needed.
    problem.F[0] = 0.0;
    EXPECT_EQ(judge_sticking(problem).mu_min, 0.0);
  }
}

/// A rod that slides with its tip on a cart that stands on the floor: Painleve's example with two motions, one with the tip in contact.
AccelerationProblem rod_on_a_cart(double mu_cart) {
  AccelerationProblem problem{MatrixXd::Zero(5, 5), VectorXd(5), {}, {}, {}};
  problem.M.diagonal() << 3, 3, 5, 2, 2;
  problem.F << 0, 29.43, 0, -70, 19.62;
  VectorXd normal(5), tangent(5);
  normal << 0, 1, -1, 0, -1;
  tangent << 1, 0, 2, -1, 0;
  ContactRows tip = test::row("tip", normal, tangent, 2.0, VectorXd::Constant(1, -1.0));
  tip.drift = 18.0;
  tip.tangent_drift[0] = 9.0;
  problem.unilateral = {tip, test::row("cart", VectorXd::Unit(5, 4), VectorXd::Unit(5, 3), mu_cart)};
  return problem;
}

// With the tip in the air the floor has to hold 70 with the weight 19.62 of the cart: mu 3.57. With the tip pressed on the cart by N and
// dragging it by 2 N, the acceleration of the gap is N/3 - 9.81 - 3N/5 + 18 = 0, N = 30.7125, and the floor holds 70 - 2 N with
// 19.62 + N: mu 0.170. One motion that sticks is enough.
TEST(StickingOfBodies, OneOfSeveralMotionsIsEnough) {
  const double N = (18.0 - kGravity) / (3.0 / 5.0 - 1.0 / 3.0);
  for (const double mu : {0.1, 1.0, 3.0, 4.0, 50.0}) {
    const Sticking sticking = judge_sticking(rod_on_a_cart(mu));
    EXPECT_EQ(sticking.feasible.yes(), mu > 0.17) << mu;
    EXPECT_NEAR(sticking.mu_min, (70.0 - 2.0 * N) / (19.62 + N), 1e-10);
  }
}

// What no program answers is not answered: loads that are no numbers, and motions that are not known.
TEST(StickingOfBodies, WhatIsNotFoundIsUndecided) {
  const AccelerationProblem box = [] {
    AccelerationProblem problem = test::planar_object({1, 10, 0});
    problem.unilateral = {test::planar_finger({-1, -0.5}, {0, 1}, 0.05), test::planar_finger({1, -0.5}, {0, 1}, 0.05)};
    test::name_contacts(problem);
    return problem;
  }();
  const std::vector<ForcePart> parts{{.kind = ForcePart::Kind::kCone, .tangents = 1, .mu = 0.5, .friction = {}}};
  const VectorXd load = VectorXd::Constant(3, std::numeric_limits<double>::quiet_NaN());
  const LoadSupport support = find_support(force_directions(box), parts, load);
  EXPECT_EQ(support.possible, Answer::kUndecided);
  EXPECT_FALSE(support.tipping);
  EXPECT_TRUE(std::isnan(find_least_friction(parts, support).factor));

  EXPECT_EQ(judge_sticking(box, {}).feasible.answer, Answer::kUndecided);
  EXPECT_TRUE(std::isnan(judge_sticking(box, {}).mu_min));
  EXPECT_TRUE(judge_sticking(box, {{}, true}).feasible.no());
  // Friction 0.1 is needed with this motion; another might need less.
  const VectorXd rest = VectorXd::Zero(3);
  EXPECT_TRUE(judge_sticking(box, {{rest}, true}).feasible.no());
  const Sticking open = judge_sticking(box, {{rest}, false});
  EXPECT_EQ(open.feasible.answer, Answer::kUndecided);
  EXPECT_EQ(open.blocking_direction.size(), 0);
  EXPECT_NEAR(open.mu_min, 0.1, 1e-10);
  EXPECT_NEAR(open.mu_min_gap, 0.1, 1e-10);
}

}  // namespace tippe::analyze_sticking_bodies_test
