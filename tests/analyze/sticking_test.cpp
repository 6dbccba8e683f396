// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sticking.h"

#include <cmath>
#include <limits>

#include "support/grasps.h"
#include "support/sticking_checks.h"

namespace tippe::analyze_sticking_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::expect_consistent;
using test::planar_finger;
using test::planar_object;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kGravity = 9.81;

Sticking judge(const AccelerationProblem& problem) {
  const Sticking sticking = judge_sticking(problem);
  expect_consistent(problem, sticking);
  return sticking;
}

void set_friction(AccelerationProblem& problem, double mu) {
  for (ContactRows& contact : problem.unilateral) contact.mu = mu;
}

/// A box of width 2 and height 2 h on two corners, seen along an incline of angle alpha.
AccelerationProblem box_on_incline(double alpha, double h, double mu) {
  AccelerationProblem box = planar_object({kGravity * std::sin(alpha), kGravity * std::cos(alpha), 0});
  box.unilateral = {planar_finger({-1, -h}, {0, 1}, mu), planar_finger({1, -h}, {0, 1}, mu)};
  test::name_contacts(box);
  return box;
}

TEST(Sticking, BoxOnAnInclineNeedsTheTangentOfItsAngle) {
  for (const double alpha : {0.0, 0.1, 0.5, 0.7}) {
    const Sticking sticking = judge(box_on_incline(alpha, 0.5, 0.6));
    EXPECT_NEAR(sticking.mu_min, std::tan(alpha), 1e-10);
    EXPECT_NEAR(sticking.mu_factor, std::tan(alpha) / 0.6, 1e-10);
    EXPECT_EQ(sticking.feasible.answer, std::tan(alpha) < 0.6 ? Answer::kYes : Answer::kNo);
    EXPECT_FALSE(sticking.tipping);
    if (!sticking.feasible.yes()) continue;
    // The normal forces are determined, the friction is shared within the cones.
    const double load = kGravity * std::sin(alpha), left = 0.5 * kGravity * std::cos(alpha) + 0.25 * load;
    const double right = kGravity * std::cos(alpha) - left;
    EXPECT_NEAR(sticking.lower[0], left, 1e-11);
    EXPECT_NEAR(sticking.upper[0], left, 1e-11);
    // Friction on the box is along the tangent (-1, 0).
    EXPECT_NEAR(sticking.lower[1], std::max(-0.6 * left, -load - 0.6 * right), 1e-9);
    EXPECT_NEAR(sticking.upper[1], std::min(0.6 * left, -load + 0.6 * right), 1e-9);
    EXPECT_TRUE(sticking.exact_bounds);
  }
}

TEST(Sticking, OnTheEdgeItIsUndecided) {
  const Sticking sticking = judge(box_on_incline(std::atan(0.5), 0.5, 0.5));
  EXPECT_EQ(sticking.feasible.answer, Answer::kUndecided);
  EXPECT_NEAR(sticking.mu_min, 0.5, 1e-10);
  // Both contacts are at their limits: friction is determined there.
  ASSERT_EQ(sticking.lower.size(), 4);
  EXPECT_LE((sticking.upper - sticking.lower).cwiseAbs().maxCoeff(), 1e-7);
}

// The ladder of length 1 at angle theta to the floor. mu the same at both ends: mu_min = (1 - sin theta) / cos theta. Smooth wall:
// 1 / (2 tan theta), and with a climber of weight P at a part s of its length (W/2 + P s) / ((W + P) tan theta).
AccelerationProblem ladder(double theta, double mu_floor, double mu_wall, double climber = 0.0, double s = 0.0) {
  const Vector2d half = 0.5 * Vector2d(std::cos(theta), std::sin(theta));
  AccelerationProblem problem = planar_object({0, 1.0 + climber, climber * (2.0 * s - 1.0) * half[0]});
  problem.unilateral = {planar_finger(-half, {0, 1}, mu_floor), planar_finger(half, {-1, 0}, mu_wall)};
  test::name_contacts(problem);
  return problem;
}

TEST(Sticking, LadderAgainstAWall) {
  for (const double theta : {0.3, 0.8, 1.2}) {
    EXPECT_NEAR(judge(ladder(theta, 1.0, 1.0)).mu_min, (1.0 - std::sin(theta)) / std::cos(theta), 1e-10) << theta;
    EXPECT_NEAR(judge(ladder(theta, 0.5, 0.0)).mu_min, 0.5 / std::tan(theta), 1e-10) << theta;
  }
}

TEST(Sticking, CriticalHeightOfAClimber) {
  const double theta = 1.1, mu = 0.4, P = 3.0;
  const double critical = (mu * (1.0 + P) * std::tan(theta) - 0.5) / P;  // 0.882
  for (const double s : {0.2, 0.5, critical - 1e-6, critical + 1e-6, 1.0}) {
    const Sticking sticking = judge(ladder(theta, mu, 0.0, P, s));
    EXPECT_NEAR(sticking.mu_min, (0.5 + P * s) / ((1.0 + P) * std::tan(theta)), 1e-10);
    EXPECT_EQ(sticking.feasible.answer, s < critical ? Answer::kYes : Answer::kNo) << s;
  }
}

/// Brogliato B, Figure 1: block of width L and height l on its corners A1, A2, with F on the left side of its equations.
AccelerationProblem rocking_block(const Vector3d& F, double mu) {
  const double L = 3.0, l = 2.0;
  AccelerationProblem block{MatrixXd(Vector3d(2.0, 2.0, 1.5).asDiagonal()), F, {}, {}, {}};
  for (const double side : {1.0, -1.0}) {
    ContactRows contact;
    contact.normal = Vector3d(0, 1, side * L / 2);
    contact.tangents = Vector3d(1, 0, l / 2);
    contact.tangent_drift = VectorXd::Zero(1);
    contact.mu = mu;
    block.unilateral.push_back(contact);
  }
  test::name_contacts(block);
  return block;
}

// Brogliato B, Examples 1 and 4: the tangents are dependent, only the sum of the friction is determined.
TEST(Sticking, RockingBlock) {
  const Sticking sticking = judge(rocking_block({3.0, 10.0, 0.0}, 0.4));
  EXPECT_TRUE(sticking.feasible.yes());
  EXPECT_NEAR(sticking.mu_min, 0.3, 1e-10);
  EXPECT_NEAR(sticking.forces[0], 5.0 - 1.0, 1e-11);  // L/2 (f1 - f2) + l/2 * 3 = 0
  EXPECT_NEAR(sticking.forces[2], 5.0 + 1.0, 1e-11);
  EXPECT_NEAR(sticking.forces[1] + sticking.forces[3], 3.0, 1e-11);
}

// The friction of least norm, 1.5 at both corners, breaks Coulomb's law at the corner with little load (0.4 * 2.5); another share does
// not. (Brogliato B, Proposition 5 is only sufficient.)
TEST(Sticking, FrictionOfLeastNormIsNotTheQuestion) {
  const Sticking sticking = judge(rocking_block({3.0, 10.0, -2.25 + 3.0 - 3.0 + 4.5 - 4.5}, 0.4));
  EXPECT_TRUE(sticking.feasible.yes());
  const double left = sticking.forces[0];
  EXPECT_LT(0.4 * left, 1.5);
  EXPECT_NEAR(sticking.lower[1], std::max(-0.4 * left, 3.0 - 0.4 * (10.0 - left)), 1e-9);
  EXPECT_NEAR(sticking.upper[1], 0.4 * left, 1e-9);
}

// A block pushed so high that it turns about A2: the other corner opens and carries nothing. Moment about A2:
// alpha = -(L/2 F_y - l/2 F_x) / (I + m (l^2 + L^2) / 4).
TEST(Sticking, TurningBlockSticksWithOneCorner) {
  const Vector3d F(18.0, 10.0, 0.0);
  const double alpha = -(1.5 * F[1] - 1.0 * F[0]) / (1.5 + 2.0 * 13.0 / 4.0);
  const double normal = 2.0 * 1.5 * alpha + F[1], friction = -2.0 * 1.0 * alpha + F[0];
  const Sticking sticking = judge(rocking_block(F, 2.0));
  EXPECT_NEAR(sticking.mu_min, friction / normal, 1e-10);
  ASSERT_TRUE(sticking.feasible.yes());
  EXPECT_EQ(sticking.forces[0], 0.0);
  EXPECT_EQ(sticking.forces[1], 0.0);
  EXPECT_NEAR(sticking.forces[2], normal, 1e-11);
  EXPECT_NEAR(sticking.forces[3], friction, 1e-11);
  EXPECT_EQ(sticking.unloadable, std::vector<int>{0});
}

/// Brogliato B, Example 6: an object between two fingers, all masses 1; the fingers move along x only, or along x and y.
AccelerationProblem two_fingers(const Vector2d& F1, const Vector2d& F2, bool vertical, double mu) {
  const int n = vertical ? 6 : 4, x1 = 2, x2 = vertical ? 4 : 3;
  AccelerationProblem problem{MatrixXd::Identity(n, n), VectorXd::Zero(n), {}, {}, {}};
  problem.F[1] = kGravity;
  problem.F[x1] = F1[0];
  problem.F[x2] = F2[0];
  ContactRows first, second, rail;
  first.normal = VectorXd::Unit(n, 0) - VectorXd::Unit(n, x1);
  second.normal = VectorXd::Unit(n, x2) - VectorXd::Unit(n, 0);
  first.tangents = VectorXd::Unit(n, 1);
  second.tangents = VectorXd::Unit(n, 1);
  if (vertical) {
    problem.F[3] = F1[1];
    problem.F[5] = F2[1];
    first.tangents -= VectorXd::Unit(n, 3);
    second.tangents -= VectorXd::Unit(n, 5);
  }
  for (ContactRows* finger : {&first, &second}) {
    finger->tangent_drift = VectorXd::Zero(1);
    finger->mu = mu;
  }
  rail.normal = VectorXd::Unit(n, 0);
  problem.unilateral = {first, second};
  problem.bilateral = {rail};
  test::name_contacts(problem);
  return problem;
}

// Normal forces -F1 and F2, -(F1 + F2) at the rail by balance of the object; sticking if mu (F2 - F1) >= g.
TEST(Sticking, TwoFingerTaskWithFingersAtConstantHeight) {
  for (const double mu : {0.7, 0.8}) {
    const Sticking sticking = judge(two_fingers({-5, 0}, {8, 0}, false, mu));
    EXPECT_NEAR(sticking.mu_min, kGravity / 13.0, 1e-10);  // 0.7546
    EXPECT_EQ(sticking.feasible.answer, mu > 0.76 ? Answer::kYes : Answer::kNo);
    if (!sticking.feasible.yes()) continue;
    EXPECT_NEAR(sticking.forces[0], 5.0, 1e-11);
    EXPECT_NEAR(sticking.forces[2], 8.0, 1e-11);
    EXPECT_NEAR(sticking.lower[1], kGravity - 8.0 * mu, 1e-9);
    EXPECT_NEAR(sticking.upper[1], 5.0 * mu, 1e-9);
  }
}

// Moving fingers: friction (g - 2 F1y + F2y) / 3 and (g + F1y - 2 F2y) / 3, corrected for unequal loads.
TEST(Sticking, TwoFingerTaskWithMovingFingers) {
  const Vector2d F1(-5, 1), F2(8, -2);
  const double t1 = (kGravity - 2 * F1[1] + F2[1]) / 3, t2 = (kGravity + F1[1] - 2 * F2[1]) / 3;
  const Sticking sticking = judge(two_fingers(F1, F2, true, 0.8));
  EXPECT_NEAR(sticking.mu_min, std::max(t1 / 5.0, t2 / 8.0), 1e-10);
  ASSERT_TRUE(sticking.feasible.yes());
  EXPECT_NEAR(sticking.forces[0], 5.0, 1e-11);
  EXPECT_NEAR(sticking.forces[1], t1, 1e-11);
  EXPECT_NEAR(sticking.forces[2], 8.0, 1e-11);
  EXPECT_NEAR(sticking.forces[3], t2, 1e-11);
  EXPECT_LE((sticking.upper - sticking.lower).maxCoeff(), 1e-11);
}

// Fingers that pull away: both open, nothing holds the object, and the equalities of the tangents cannot be kept by any force.
TEST(Sticking, FingersThatLetGoHoldNothing) {
  const Sticking sticking = judge(two_fingers({5, 0}, {-8, 0}, false, 0.8));
  EXPECT_TRUE(sticking.feasible.no());
  EXPECT_TRUE(sticking.tipping);
  EXPECT_EQ(sticking.mu_min, kInfinity);
}

// Brogliato B, Proposition 11 says that some friction always suffices. A particle that touches a plane without load does not stick
// under a force along it.
TEST(Sticking, AContactWithoutLoadHoldsNothing) {
  AccelerationProblem particle{MatrixXd::Identity(2, 2), Vector2d(1, 0), {}, {}, {}};
  ContactRows contact;
  contact.normal = Vector2d(0, 1);
  contact.tangents = Vector2d(1, 0);
  contact.tangent_drift = VectorXd::Zero(1);
  contact.mu = 100.0;
  particle.unilateral = {contact};
  test::name_contacts(particle);
  const Sticking sticking = judge(particle);
  EXPECT_TRUE(sticking.feasible.no());
  EXPECT_EQ(sticking.mu_min, kInfinity);
  EXPECT_FALSE(sticking.tipping);
  particle.unilateral[0].mu.reset();
  EXPECT_EQ(judge(particle).mu_min, kInfinity);
}

TEST(Sticking, UnknownFrictionHasALeastValueButNoVerdict) {
  AccelerationProblem box = box_on_incline(0.5, 0.5, 0.0);
  for (ContactRows& contact : box.unilateral) contact.mu.reset();
  const Sticking sticking = judge(box);
  EXPECT_FALSE(sticking.mu_known);
  EXPECT_EQ(sticking.feasible.answer, Answer::kUndecided);
  EXPECT_NEAR(sticking.mu_min, std::tan(0.5), 1e-10);
  EXPECT_EQ(sticking.mu_factor, kInfinity);
  set_friction(box, 0.0);
  EXPECT_TRUE(judge(box).feasible.no());
  EXPECT_NEAR(judge(box).mu_min, std::tan(0.5), 1e-10);
}

/// A bead on one or two guides along x, pushed by N across and by T along them.
AccelerationProblem bead(double T, double N, int guides, double mu) {
  AccelerationProblem problem{MatrixXd::Identity(2, 2), Vector2d(T, N), {}, {}, {}};
  ContactRows guide;
  guide.normal = Vector2d(0, 1);
  guide.tangents = Vector2d(1, 0);
  guide.tangent_drift = VectorXd::Zero(1);
  guide.mu = mu;
  problem.bilateral.assign(guides, guide);
  test::name_contacts(problem);
  return problem;
}

TEST(Sticking, AGuideHoldsByPushAndByPull) {
  for (const double N : {2.0, -2.0}) {
    EXPECT_TRUE(judge(bead(0.5, N, 1, 0.3)).feasible.yes());
    EXPECT_TRUE(judge(bead(0.7, N, 1, 0.3)).feasible.no());
    EXPECT_NEAR(judge(bead(-0.5, N, 1, 0.3)).mu_min, 0.25, 1e-10);
  }
}

// Two guides may press against each other with any force, so any friction holds any load: the infimum 0 is not attained.
TEST(Sticking, TwoGuidesJam) {
  const Sticking sticking = judge(bead(5.0, 1.0, 2, 0.01));
  EXPECT_TRUE(sticking.feasible.yes());
  EXPECT_TRUE(sticking.self_stress);
  EXPECT_EQ(sticking.mu_min, 0.0);
  EXPECT_FALSE(sticking.mu_min_attained);
  EXPECT_EQ(sticking.upper[0], kInfinity);
  EXPECT_EQ(sticking.lower[0], -kInfinity);
}

/// Two bodies in one problem: a box on an incline of angle alpha, and a body between two fingers tilted upwards by beta that is pulled
/// upwards. The fingers hold it only by squeezing, which friction of more than tan beta allows, then with forces of any size.
AccelerationProblem box_and_squeezed_body(double alpha, double beta, double mu) {
  const AccelerationProblem box = box_on_incline(alpha, 0.5, mu);
  AccelerationProblem both{MatrixXd::Identity(6, 6), VectorXd::Zero(6), {}, {}, {}};
  both.F.head(3) = box.F;
  both.F[4] = -1.0;
  const auto add = [&](const ContactRows& contact, int first) {
    ContactRows row = contact;
    row.normal = VectorXd::Zero(6);
    row.normal.segment(first, 3) = contact.normal;
    row.tangents = MatrixXd::Zero(6, 1);
    row.tangents.block(first, 0, 3, 1) = contact.tangents;
    both.unilateral.push_back(row);
  };
  for (const ContactRows& contact : box.unilateral) add(contact, 0);
  for (const double side : {-1.0, 1.0}) {
    add(planar_finger({side, 0}, {-side * std::cos(beta), std::sin(beta)}, mu), 3);
  }
  test::name_contacts(both);
  return both;
}

TEST(Sticking, SelfStressOfSomeContactsLeavesTheOthersAlone) {
  for (const double alpha : {0.2, 0.4}) {
    for (const double beta : {0.1, 0.3}) {
      const double expected = std::tan(std::max(alpha, beta));
      const Sticking enough = judge(box_and_squeezed_body(alpha, beta, expected + 0.01));
      EXPECT_NEAR(enough.mu_min, expected, 1e-9) << alpha << ' ' << beta;
      EXPECT_LE(enough.mu_min_gap, 1e-9);
      EXPECT_TRUE(alpha > beta || !enough.mu_min_attained) << alpha << ' ' << beta;
      EXPECT_TRUE(enough.feasible.yes());
      EXPECT_TRUE(enough.self_stress);
      EXPECT_EQ(enough.upper[4], kInfinity);
      EXPECT_LT(enough.upper[0], kGravity);
      EXPECT_TRUE(judge(box_and_squeezed_body(alpha, beta, expected - 0.01)).feasible.no());
    }
  }
}

// A contact that slides brings its friction -mu N along; the one that sticks has to hold the spring between the two masses.
TEST(Sticking, ASlidingContactTakesPart) {
  AccelerationProblem problem{MatrixXd::Identity(4, 4), VectorXd(4), {}, {}, {}};
  problem.F << -3.0, kGravity, 3.0, kGravity;  // a force 3 on the first along x, -3 on the second
  for (int i = 0; i < 2; ++i) {
    ContactRows contact;
    contact.normal = VectorXd::Unit(4, 2 * i + 1);
    contact.tangents = VectorXd::Unit(4, 2 * i);
    contact.tangent_drift = VectorXd::Zero(1);
    contact.mu = 0.5;
    problem.unilateral.push_back(contact);
  }
  problem.unilateral[0].slip = VectorXd::Constant(1, 1.5);
  test::name_contacts(problem);
  const Sticking sticking = judge(problem);
  EXPECT_TRUE(sticking.feasible.yes());
  EXPECT_NEAR(sticking.mu_min, 3.0 / kGravity, 1e-10);
  EXPECT_NEAR(sticking.forces[1], -0.5 * kGravity, 1e-9);
  EXPECT_NEAR(sticking.forces[3], 3.0, 1e-9);
}

// Without friction all contacts "stick": nothing is asked of them.
TEST(Sticking, FrictionlessContacts) {
  AccelerationProblem box = box_on_incline(0.2, 0.5, 0.0);
  for (ContactRows& contact : box.unilateral) {
    contact.tangents.resize(3, 0);
    contact.tangent_drift.resize(0);
  }
  const Sticking sticking = judge(box);
  EXPECT_TRUE(sticking.feasible.yes());
  EXPECT_EQ(sticking.mu_min, 0.0);
  EXPECT_TRUE(sticking.mu_min_attained);
}

}  // namespace tippe::analyze_sticking_test
