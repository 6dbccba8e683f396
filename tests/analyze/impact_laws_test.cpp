// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/impact_laws.h"

#include "support/complementarity.h"
#include "support/full_pivot.h"
#include "tippe/modes/modes.h"
#include "tippe/solve/quadratic_program.h"

namespace tippe::analyze_impact_laws_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ContactRows row(const std::string& name, const VectorXd& normal, double rate = 0.0) {
  ContactRows contact;
  contact.name = name;
  contact.normal = normal;
  contact.rate = rate;
  return contact;
}

void expect_near(const VectorXd& a, const VectorXd& b, double tolerance = 1e-12) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_LE((a - b).norm(), tolerance * (1.0 + b.norm())) << a.transpose() << "\nexpected\n" << b.transpose();
}

bool mentions(const std::vector<std::string>& texts, const std::string& word) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(word) != std::string::npos; });
}

/// Brogliato A, Example 3: a rod (x, y, theta) whose tip hits a vertical wall, guided along alpha x + beta y = const.
ImpactProblem guided_rod(double alpha, double beta, double e) {
  const double m = 2.0, I = 0.3, arm = 0.7;  // arm = l sin(theta)
  ImpactProblem problem;
  problem.M = Vector3d(m, m, I).asDiagonal();
  problem.velocity = Vector3d(-beta, alpha, 0.4);
  problem.unilateral = {row("wall", Vector3d(1.0, 0.0, arm))};
  problem.bilateral = {row("guide", Vector3d(alpha, beta, 0.0))};
  problem.restitution = MatrixXd::Constant(1, 1, e);
  return problem;
}

// Proposition 16: a joint orthogonal to the contact in the kinetic metric feels nothing of the impact.
TEST(ImpactLaws, AnOrthogonalJointTakesNoImpulse) {
  const ImpactReport report = judge_impact(guided_rod(0.0, 1.5, 0.5));
  const double v = -1.5 + 0.7 * 0.4, p = -1.5 * v / (1.0 / 2.0 + 0.49 / 0.3);
  EXPECT_NEAR(report.kinematic.impulses[0], p, 1e-13);
  EXPECT_NEAR(report.kinematic.bilateral_impulses[0], 0.0, 1e-15);
  expect_near(report.kinematic.velocity_after, Vector3d(-1.5 + p / 2.0, 0.0, 0.4 + 0.7 * p / 0.3));
  EXPECT_TRUE(report.kinematic.admissible.yes());
  EXPECT_TRUE(report.warnings.empty());
  ASSERT_TRUE(report.newton);
  expect_near(report.newton->velocity_after, report.kinematic.velocity_after);
}

// Example 3 with the sign corrected: p_b = -alpha / (alpha^2 + beta^2) p_u.
TEST(ImpactLaws, AnInclinedJointTakesPartOfTheImpulse) {
  const double alpha = 0.6, beta = 1.1, squared = alpha * alpha + beta * beta;
  const ImpactReport report = judge_impact(guided_rod(alpha, beta, 0.25));
  const double v = -beta + 0.7 * 0.4, A_c = beta * beta / squared / 2.0 + 0.49 / 0.3;
  const double p = -1.25 * v / A_c, p_b = -alpha / squared * p;
  EXPECT_NEAR(report.kinematic.impulses[0], p, 1e-13);
  EXPECT_NEAR(report.kinematic.bilateral_impulses[0], p_b, 1e-13);
  expect_near(report.kinematic.velocity_after,
              Vector3d(-beta + (p + alpha * p_b) / 2.0, alpha + beta * p_b / 2.0, 0.4 + 0.7 * p / 0.3));
  EXPECT_NEAR(report.kinematic.energy_change, 0.5 * p * 0.75 * v, 1e-13);
  EXPECT_NEAR(report.newton->bilateral_impulses[0], p_b, 1e-13);
}

// Brogliato A, Proposition 19 does not hold at a kinetic angle above 90 degrees: least squares (80) gives 0.6022, Moreau 1, and Newton's
// law would have to pull.
TEST(ImpactLaws, TheLawsAndLeastSquaresDisagreeAtWideAngles) {
  MatrixXd A(2, 2);
  A << 1.0, 0.9, 0.9, 1.0;
  const MatrixXd N = test::cholesky_factor(A);  // N'N = A
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(2, 2);
  problem.velocity = test::inverse_by_pivots(N.transpose()) * Vector2d(-1.0, -0.1);
  problem.unilateral = {row("left", N.col(0)), row("right", N.col(1))};
  problem.restitution = MatrixXd::Zero(2, 2);
  const ImpactReport report = judge_impact(problem);
  expect_near(report.kinematic.impulses, Vector2d(0.91, -0.8) / 0.19, 1e-13);
  EXPECT_TRUE(report.kinematic.admissible.no());
  EXPECT_TRUE(mentions(report.kinematic.reasons, "'right' would have to pull"));
  EXPECT_FALSE(mentions(report.kinematic.reasons, "'left'"));
  EXPECT_TRUE(mentions(report.warnings, "154.2 degrees"));  // 180 - acos(0.9)
  ASSERT_TRUE(report.newton);
  expect_near(report.newton->impulses, Vector2d(1.0, 0.0));
  const ProgramSolution squares =
      solve_quadratic_program({A * A, A * Vector2d(-1.0, -0.1), {}, {}, -MatrixXd::Identity(2, 2), Vector2d::Zero()});
  expect_near(squares.x, Vector2d(1.09 / 1.81, 0.0));
}

TEST(ImpactLaws, TwoBallsExchangeMomentum) {
  const double m1 = 2.0, m2 = 5.0, e = 0.3, v1 = 3.0, v2 = -1.0;
  ImpactProblem problem;
  problem.M = Vector2d(m1, m2).asDiagonal();
  problem.velocity = Vector2d(v1, v2);
  problem.unilateral = {row("balls", Vector2d(-1.0, 1.0))};
  problem.restitution = MatrixXd::Constant(1, 1, e);
  const ImpactReport report = judge_impact(problem);
  const double mean = (m1 * v1 + m2 * v2) / (m1 + m2), p = (1 + e) * (v1 - v2) * m1 * m2 / (m1 + m2);
  expect_near(report.kinematic.velocity_after,
              Vector2d(mean - e * m2 * (v1 - v2) / (m1 + m2), mean + e * m1 * (v1 - v2) / (m1 + m2)));
  EXPECT_NEAR(report.kinematic.impulses[0], p, 1e-13);
  EXPECT_NEAR(report.newton->impulses[0], p, 1e-13);
}

/// Three equal balls in a row, the first arrives with velocity 1.
ImpactProblem cradle(const MatrixXd& E) {
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(3, 3);
  problem.velocity = Vector3d(1.0, 0.0, 0.0);
  problem.unilateral = {row("first", Vector3d(-1.0, 1.0, 0.0)), row("second", Vector3d(0.0, -1.0, 1.0))};
  problem.restitution = E;
  return problem;
}

TEST(ImpactLaws, TheCradleDependsOnTheRestitutionMatrix) {
  const ImpactReport elastic = judge_impact(cradle(MatrixXd::Identity(2, 2)));
  expect_near(elastic.kinematic.velocity_after, Vector3d(-1.0, 2.0, 2.0) / 3.0);
  expect_near(elastic.newton->velocity_after, Vector3d(-1.0, 2.0, 2.0) / 3.0);
  EXPECT_NEAR(elastic.kinematic.energy_change, 0.0, 1e-15);
  const ImpactReport plastic = judge_impact(cradle(MatrixXd::Zero(2, 2)));
  expect_near(plastic.kinematic.velocity_after, Vector3d::Constant(1.0 / 3.0));
  // Only a matrix with an entry off the diagonal sends the last ball away alone.
  MatrixXd E = MatrixXd::Zero(2, 2);
  E(1, 0) = 1.0;
  const ImpactReport travelling = judge_impact(cradle(E));
  expect_near(travelling.kinematic.velocity_after, Vector3d(0.0, 0.0, 1.0));
  expect_near(travelling.kinematic.impulses, Vector2d(1.0, 1.0));
  EXPECT_TRUE(travelling.kinematic.admissible.yes());
  EXPECT_FALSE(travelling.newton);
  EXPECT_TRUE(travelling.by_matrix);
  EXPECT_TRUE(mentions(travelling.warnings, "only the kinematic law"));
}

TEST(ImpactLaws, ARestitutionAboveOneGainsEnergy) {
  const ImpactReport report = judge_impact(cradle(2.0 * MatrixXd::Identity(2, 2)));
  EXPECT_TRUE(report.kinematic.admissible.no());
  EXPECT_TRUE(mentions(report.kinematic.reasons, "Energetic"));
  EXPECT_NEAR(report.kinematic.energy_change, 1.0, 1e-13);  // p = (2, 1), v+ + v- = (1, 0)
  EXPECT_FALSE(report.newton);
}

// Orthogonal contacts do not feel each other: each rebounds with its own restitution. By hand: p = (1 + e_i) |v_i| for unit mass.
TEST(ImpactLaws, NewtonTakesARestitutionForEachContact) {
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(2, 2);
  problem.velocity = Vector2d(-1.0, -2.0);
  problem.unilateral = {row("wall", Vector2d(1, 0)), row("floor", Vector2d(0, 1))};
  problem.restitution = Vector2d(0.5, 1.0).asDiagonal();
  const ImpactReport report = judge_impact(problem);
  ASSERT_TRUE(report.newton);
  expect_near(report.newton->impulses, Vector2d(1.5, 4.0));
  expect_near(report.newton->velocity_after, Vector2d(0.5, 2.0));
  EXPECT_NEAR(report.newton->energy_change, 0.5 * (0.25 - 1.0), 1e-14);
  EXPECT_FALSE(report.newton->energy_rises);
  problem.restitution(0, 1) = 0.1;
  EXPECT_FALSE(judge_impact(problem).newton);
}

// A = [1 -1/2; -1/2 1], v- = (-1, 0.1), e = (1, 0): p = (2.6, 1.2) solves A p = (2, -0.1), and dT = p'(v+ + v-)/2 = 0.06 > 0.
TEST(ImpactLaws, DifferentRestitutionsMayRaiseTheEnergy) {
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(2, 2);
  const double half_root_3 = std::sqrt(0.75);
  problem.unilateral = {row("a", Vector2d(1, 0)), row("b", Vector2d(-0.5, half_root_3))};
  problem.velocity = Vector2d(-1.0, -0.4 / half_root_3);
  problem.restitution = Vector2d(1.0, 0.0).asDiagonal();
  const ImpactReport report = judge_impact(problem);
  ASSERT_TRUE(report.newton);
  expect_near(report.newton->impulses, Vector2d(2.6, 1.2));
  EXPECT_NEAR(report.newton->energy_change, 0.06, 1e-14);
  EXPECT_TRUE(report.newton->energy_rises);
  EXPECT_TRUE(mentions(report.warnings, "rises by 0.06 J"));
}

// Six directions within 60 degrees of each other: 15 wide pairs are one warning, not 15.
TEST(ImpactLaws, ManyWideAnglesAreOneWarning) {
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(6, 6);
  problem.velocity = VectorXd::Zero(6);
  for (int i = 0; i < 6; ++i) {
    const VectorXd normal = VectorXd::Ones(6) + 2.0 * VectorXd::Unit(6, i);
    problem.unilateral.push_back(row("c" + std::to_string(i), normal));
  }
  problem.velocity[0] = -1.0;
  problem.restitution = MatrixXd::Zero(6, 6);
  const ImpactReport report = judge_impact(problem);
  EXPECT_TRUE(report.kinematic.admissible.no());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("and 12 more"), std::string::npos) << report.warnings[0];
}

// The same floor touched twice: impulses share the load, and different restitutions contradict each other.
TEST(ImpactLaws, CoincidentContactsShareTheirImpulse) {
  ImpactProblem problem;
  problem.M = MatrixXd::Constant(1, 1, 2.0);
  problem.velocity = VectorXd::Constant(1, -1.0);
  problem.unilateral = {row("a", VectorXd::Ones(1)), row("b", VectorXd::Ones(1))};
  problem.restitution = 0.5 * MatrixXd::Identity(2, 2);
  const ImpactReport same = judge_impact(problem);
  EXPECT_TRUE(same.kinematic.exists);
  EXPECT_FALSE(same.kinematic.unique);
  expect_near(same.kinematic.impulses, Vector2d(1.5, 1.5));
  expect_near(same.newton->impulses, Vector2d(1.5, 1.5));
  EXPECT_TRUE(same.kinematic.admissible.yes());
  problem.restitution(1, 1) = 0.0;
  const ImpactReport different = judge_impact(problem);
  EXPECT_FALSE(different.kinematic.exists);
  EXPECT_TRUE(different.kinematic.admissible.no());
  EXPECT_TRUE(mentions(different.kinematic.reasons, "'a'") && mentions(different.kinematic.reasons, "'b'"));
}

// Seen from a wall that moves with speed 1 the ball arrives with 1 and leaves with e.
TEST(ImpactLaws, AMovingWallThrowsTheBall) {
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(1, 1);
  problem.velocity = VectorXd::Zero(1);
  problem.unilateral = {row("racket", VectorXd::Ones(1), -1.0)};
  problem.restitution = MatrixXd::Constant(1, 1, 0.5);
  const ImpactReport report = judge_impact(problem);
  EXPECT_NEAR(report.gap_velocity[0], -1.0, 1e-15);
  EXPECT_NEAR(report.kinematic.velocity_after[0], 1.5, 1e-14);
  EXPECT_NEAR(report.newton->velocity_after[0], 1.5, 1e-14);
}

TEST(ImpactLaws, VelocitiesThatBreakAJointAreProjected) {
  ImpactProblem problem = guided_rod(0.0, 1.0, 0.0);
  problem.velocity = Vector3d(-1.0, 0.5, 0.0);
  const ImpactReport report = judge_impact(problem);
  expect_near(report.velocity_before, Vector3d(-1.0, 0.0, 0.0));
  EXPECT_NEAR(report.projected, 0.5 / std::sqrt(1.25), 1e-14);
  EXPECT_TRUE(mentions(report.warnings, "projected"));
}

// Along an inclined joint the projection changes the velocity of the gap, of which the impact returns a part: the modes of the impact say the same.
TEST(ImpactLaws, ModesProjectVelocitiesThatBreakAJointToo) {
  ImpactProblem problem = guided_rod(0.6, 1.1, 0.5);
  problem.velocity += Vector3d(0.2, 0.3, 0.0);
  const ImpactReport report = judge_impact(problem);
  ASSERT_TRUE(report.newton);
  EXPECT_GT(report.projected, 0.05);
  const ModeList list = list_impact_modes(problem);
  ASSERT_EQ(list.modes.size(), 1u);
  expect_near(list.modes[0].motion, report.newton->velocity_after);
}

// x and y without mass in y: a rod that ties y to x gives it x's mass; alone, y has no velocity after the impact.
TEST(ImpactLaws, JointsMayHoldWhatHasNoMass) {
  ImpactProblem problem;
  problem.M = Vector2d(2.0, 0.0).asDiagonal();
  problem.velocity = Vector2d(-1.0, -1.0);
  problem.unilateral = {row("floor", Vector2d(0.0, 1.0))};
  problem.bilateral = {row("rod", Vector2d(1.0, -1.0)), row("again", Vector2d(-2.0, 2.0))};
  problem.restitution = MatrixXd::Constant(1, 1, 0.5);
  const ImpactReport held = judge_impact(problem);
  expect_near(held.kinematic.velocity_after, Vector2d(0.5, 0.5));
  EXPECT_NEAR(held.kinematic.impulses[0], 3.0, 1e-12);
  expect_near(held.kinematic.bilateral_impulses, Vector2d(1.5, -0.75));  // p1 - 2 p2 = 3; each takes half
  problem.bilateral.clear();
  const ImpactReport free = judge_impact(problem);
  expect_near(free.massless_direction.cwiseAbs(), Vector2d(0.0, 1.0));
  EXPECT_TRUE(mentions(free.warnings, "no mass"));
}

ImpactProblem free_collision(const MatrixXd& M, const MatrixXd& N, const VectorXd& velocity, double e) {
  ImpactProblem problem;
  problem.M = M;
  problem.velocity = velocity;
  for (int i = 0; i < N.cols(); ++i) problem.unilateral.push_back(row(fmt::format("h{}", i), N.col(i)));
  problem.restitution = e * MatrixXd::Identity(N.cols(), N.cols());
  return problem;
}

// A body wedged between opposite walls stops, so -M v = N p: the sum of the two opposite impulses is free, the third has one value.
TEST(ImpactLaws, OppositeWallsDoNotHideAPullingContact) {
  MatrixXd M(2, 2), N(2, 3);
  M << 4.0, -1.0, -1.0, 4.0;
  N << 2.0, -1.0, -2.0, -2.0, -2.0, 2.0;
  const ImpactReport first = judge_impact(free_collision(M, N, Vector2d(-1.0, 0.0), 0.0));
  expect_near(first.kinematic.impulses, Vector3d(1.5, -1.0, 0.0));  // 2 s - p2 = 4, -2 s - 2 p2 = -1
  expect_near(first.kinematic.velocity_after, Vector2d::Zero());
  EXPECT_NEAR(first.kinematic.energy_change, -2.0, 1e-13);
  EXPECT_TRUE(first.kinematic.admissible.no());
  ASSERT_EQ(first.kinematic.reasons.size(), 1U);
  EXPECT_TRUE(mentions(first.kinematic.reasons, "Kinetic: contact 'h1' would have to pull"));
  M << 3.0, 1.0, 1.0, 4.0;
  N << 1.0, 0.0, -1.0, -2.0, 2.0, 2.0;
  const ImpactReport second = judge_impact(free_collision(M, N, Vector2d(0.0, 2.0), 0.0));
  expect_near(second.kinematic.impulses, Vector3d(0.0, -6.0, 2.0));
  EXPECT_NEAR(second.kinematic.energy_change, -8.0, 1e-12);
  EXPECT_TRUE(second.kinematic.admissible.no());
  EXPECT_FALSE(mentions(second.kinematic.reasons, "Energetic"));
}

// Two contacts on one wall, both opening with 6: nothing happens.
TEST(ImpactLaws, OpeningContactsTakeNoImpulse) {
  MatrixXd M(2, 2), N(2, 2);
  M << 8.0, -4.0, -4.0, 7.0;
  N << 2.0, 2.0, -1.0, -1.0;
  const ImpactReport report = judge_impact(free_collision(M, N, Vector2d(2.0, -2.0), 0.0));
  ASSERT_TRUE(report.newton);
  EXPECT_EQ(report.newton->impulses, VectorXd::Zero(2));
  EXPECT_EQ(report.newton->velocity_after, report.velocity_before);
  EXPECT_EQ(report.newton->energy_change, 0.0);
}

// Joints that hold a coordinate stop it before the impact; a contact with the same coordinate has nothing left to do.
TEST(ImpactLaws, AContactThatJointsBlockTakesNoImpulse) {
  ImpactProblem problem =
      free_collision(MatrixXd::Constant(1, 1, 2.0), MatrixXd::Ones(1, 1), VectorXd::Constant(1, -2.0), 0.0);
  problem.bilateral = {row("clamp", VectorXd::Constant(1, 1.0)), row("again", VectorXd::Constant(1, -2.0))};
  const ImpactReport report = judge_impact(problem);
  EXPECT_TRUE(report.kinematic.exists);
  EXPECT_TRUE(report.kinematic.admissible.yes());
  EXPECT_EQ(report.kinematic.impulses[0], 0.0);
  ASSERT_TRUE(report.newton);
  EXPECT_EQ(report.newton->impulses[0], 0.0);
  EXPECT_NEAR(report.newton->velocity_after[0], 0.0, 1e-15);
  // A wall that moves against what the joint holds cannot be satisfied by any velocity.
  problem.unilateral[0].rate = -1.0;
  const ImpactReport squeezed = judge_impact(problem);
  EXPECT_FALSE(squeezed.kinematic.exists);
  EXPECT_FALSE(squeezed.newton);
  EXPECT_TRUE(mentions(squeezed.warnings, "'h0'"));
}

// A coordinate that moves with 1e-17 next to one with 1 is at rest: it breaks no joint, and no contact with it opens or closes.
TEST(ImpactLaws, RoundOffNextToOtherVelocitiesIsRest) {
  ImpactProblem problem = free_collision(2.0 * MatrixXd::Identity(3, 3), MatrixXd::Identity(3, 3).rightCols(2),
                                         Vector3d(1.0, 2e-17, 3e-17), 0.5);
  problem.bilateral = {row("guide", Vector3d(0.0, 0.0, 2.0))};
  for (const double sign : {1.0, -1.0}) {
    problem.velocity.tail(2) *= sign;
    const ImpactReport report = judge_impact(problem);
    EXPECT_EQ(report.projected, 0.0);
    EXPECT_TRUE(report.warnings.empty());
    EXPECT_TRUE(report.kinematic.exists && report.kinematic.admissible.yes());
    EXPECT_EQ(report.kinematic.impulses[1], 0.0);
    ASSERT_TRUE(report.newton);
    EXPECT_EQ(report.newton->impulses[1], 0.0);
    expect_near(report.newton->velocity_after, Vector3d(1.0, 0.0, 0.0));
  }
}

// Unit masses x and y with their own walls and restitutions: each rebounds on its own. Where a rebound of one contact pushes another
// that opens, different restitutions can raise the energy.
TEST(ImpactLaws, EveryContactMayHaveItsOwnRestitution) {
  ImpactProblem problem = free_collision(MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2), Vector2d(-1.0, -2.0), 0.0);
  problem.restitution = Vector2d(0.25, 1.0).asDiagonal();
  const ImpactReport separate = judge_impact(problem);
  ASSERT_TRUE(separate.newton);
  expect_near(separate.newton->velocity_after, Vector2d(0.25, 2.0));
  expect_near(separate.newton->impulses, Vector2d(1.25, 4.0));
  EXPECT_NEAR(separate.newton->energy_change, 0.5 * (0.0625 - 1.0), 1e-13);
  EXPECT_TRUE(separate.warnings.empty());
  // Directions 5 : -4 against each other. 0 <= p, A p + (2 v1, v2) = 0 with A = [1 -0.8; -0.8 1].
  MatrixXd N(2, 2);
  N << 1.0, -0.8, 0.0, 0.6;
  const VectorXd before = test::inverse_by_pivots(N.transpose()) * Vector2d(-1.0, 0.5);
  problem = free_collision(MatrixXd::Identity(2, 2), N, before, 0.0);
  problem.restitution = Vector2d(1.0, 0.0).asDiagonal();
  const ImpactReport rising = judge_impact(problem);
  ASSERT_TRUE(rising.newton);
  expect_near(rising.newton->impulses, Vector2d(1.6, 1.1) / 0.36);
  EXPECT_NEAR(rising.newton->energy_change, 0.5 * 1.1 / 0.36 * 0.5, 1e-12);  // v+ + v- = (0, 0.5)
  EXPECT_TRUE(mentions(rising.warnings, "energy rises"));
}

struct HardCollision {
  ImpactProblem problem;
  MatrixXd N, A_c;  // gaps, Delassus matrix
  VectorXd v;       // of the gaps before
  MatrixXd Z;       // motions that the joints leave
};

/// Whole numbers, with contacts that repeat, oppose, add up or are blocked by joints, and redundant joints.
HardCollision hard_collision(test::Random& random) {
  const auto whole = [&random](int rows, int columns) {
    MatrixXd X(rows, columns);
    for (double& entry : X.reshaped()) entry = random.below(5) - 2;
    return X;
  };
  const int n = 1 + random.below(5), m = 1 + random.below(5), p = random.below(n + 1);
  HardCollision hard;
  const MatrixXd root = whole(n, n), G = whole(n, p);
  hard.problem.M = root * root.transpose() + (1 + random.below(3)) * MatrixXd::Identity(n, n);
  hard.N = whole(n, m);
  for (int i = 0; i < m; ++i) {
    const int kind = random.below(6);
    if (kind == 0 && i > 0) hard.N.col(i) = hard.N.col(i - 1);
    if (kind == 1 && i > 0) hard.N.col(i) = -hard.N.col(i - 1);
    if (kind == 2 && i > 1) hard.N.col(i) = hard.N.col(i - 1) + 2.0 * hard.N.col(i - 2);
    if (kind == 3 && p > 0) hard.N.col(i) = G * whole(p, 1);
    if (hard.N.col(i).isZero()) hard.N(0, i) = 1.0;
    hard.problem.unilateral.push_back(row(fmt::format("h{}", i), hard.N.col(i)));
  }
  for (int j = 0; j < p; ++j) hard.problem.bilateral.push_back(row(fmt::format("g{}", j), G.col(j)));
  if (p > 0 && random.below(2) == 0) hard.problem.bilateral.push_back(row("again", -2.0 * G.col(0)));
  // The kernel of G' up to multiples, zero columns included.
  hard.Z = p > 0 ? test::kernel(G.transpose()) : MatrixXd::Identity(n, n);
  hard.problem.velocity = hard.Z * whole(static_cast<int>(hard.Z.cols()), 1);
  MatrixXd mobility = MatrixXd::Zero(n, n);
  if (!hard.Z.isZero())
    mobility = hard.Z * test::inverse_by_pivots(hard.Z.transpose() * hard.problem.M * hard.Z) * hard.Z.transpose();
  hard.A_c = hard.N.transpose() * mobility * hard.N;
  hard.A_c = (hard.A_c.array().abs() > 1e-12).select(hard.A_c, 0.0);  // else round-off makes bases
  hard.v = hard.N.transpose() * hard.problem.velocity;
  return hard;
}

/// Impulses reproduce the change of velocity, which the joints allow, and the energy is that of the velocities.
template <class Law>
void expect_momentum_and_energy(const HardCollision& hard, const Law& law) {
  const MatrixXd& M = hard.problem.M;
  const VectorXd &before = hard.problem.velocity, &after = law.velocity_after;
  VectorXd impulse = hard.N * law.impulses;
  double size = 1.0 + law.impulses.cwiseAbs().sum();
  for (size_t j = 0; j < hard.problem.bilateral.size(); ++j) {
    const VectorXd& normal = hard.problem.bilateral[j].normal;
    impulse += law.bilateral_impulses[static_cast<Eigen::Index>(j)] * normal;
    EXPECT_NEAR(normal.dot(after), 0.0, 1e-11 * size);
  }
  EXPECT_LE((M * (after - before) - impulse).norm(), 1e-10 * size);
  EXPECT_NEAR(law.energy_change, 0.5 * after.dot(M * after) - 0.5 * before.dot(M * before), 1e-9 * size * size);
  EXPECT_LE(law.residual, 1e-12);
}

TEST(ImpactLaws, NewtonSolvesDependentContacts) {
  test::Random random(902);
  int unsolvable = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(fmt::format("trial {}", trial));
    HardCollision hard = hard_collision(random);
    const auto m = hard.N.cols();
    const bool one = trial % 3 != 0;  // restitution
    VectorXd e = VectorXd::Constant(m, 0.5 * random.below(3));
    for (double& each : e) each = one ? e[0] : 0.5 * random.below(3);
    hard.problem.restitution = e.asDiagonal();
    const auto all = test::all_basic_solutions({hard.A_c, hard.v + e.cwiseProduct(hard.v)});
    const ImpactReport report = judge_impact(hard.problem);
    ASSERT_TRUE(!one || !all.empty());
    ASSERT_EQ(report.newton.has_value(), !all.empty());
    if (all.empty()) {
      ++unsolvable;
      EXPECT_TRUE(mentions(report.warnings, "no solution"));
      continue;
    }
    const ImpactOfLaw& newton = *report.newton;
    expect_momentum_and_energy(hard, newton);
    expect_near(hard.A_c * newton.impulses, hard.A_c * all.front(), 1e-10);
    const VectorXd left = hard.N.transpose() * newton.velocity_after + e.cwiseProduct(hard.v);
    for (Eigen::Index i = 0; i < m; ++i) {
      EXPECT_GE(newton.impulses[i], 0.0);
      EXPECT_GE(left[i], -1e-11);
      EXPECT_LE(std::min(newton.impulses[i], left[i]), 1e-11);
    }
    if (one) {
      EXPECT_LE(newton.energy_change, 1e-12);
    }
  }
  EXPECT_GT(unsolvable, 5);
}

// Impulses >= 0 with A_c p = b exist if and only if independent columns alone give some: all subsets are tried.
TEST(ImpactLaws, TheKinematicLawFindsPushingImpulsesWhereThereAreSome) {
  test::Random random(903);
  int yes = 0, no = 0, absent = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(fmt::format("trial {}", trial));
    HardCollision hard = hard_collision(random);
    const auto m = hard.N.cols();
    const double e = 0.5 * random.below(2);
    hard.problem.restitution = e * MatrixXd::Identity(m, m);
    if (trial % 4 == 0) hard.problem.restitution(0, 0) = 1.0;
    const VectorXd after = -hard.problem.restitution * hard.v, b = after - hard.v;
    bool exists = false, pushes = false;
    for (int bits = 0; bits < (1 << m); ++bits) {
      std::vector<int> set;
      for (int i = 0; i < m; ++i) {
        if (bits >> i & 1) set.push_back(i);
      }
      VectorXd p = VectorXd::Zero(m);
      if (!set.empty()) {
        const MatrixXd basis = hard.A_c(set, set);
        if (test::reciprocal_condition(basis) < 1e-13) continue;
        p(set) = test::solve(basis, b(set));
      }
      if ((hard.A_c * p - b).norm() > 1e-9) continue;
      exists = true;
      pushes = pushes || p.minCoeff() >= -1e-10;
    }
    const ImpactReport report = judge_impact(hard.problem);
    ASSERT_EQ(report.kinematic.exists, exists);
    if (!exists) {
      ++absent;
      EXPECT_TRUE(report.kinematic.admissible.no());
      continue;
    }
    expect_momentum_and_energy(hard, report.kinematic);
    expect_near(hard.N.transpose() * report.kinematic.velocity_after, after, 1e-10);
    const bool separates = after.minCoeff() >= -1e-10, loses = report.kinematic.energy_change <= 1e-10;
    const bool admissible = pushes && separates && loses;
    EXPECT_TRUE(admissible ? report.kinematic.admissible.yes() : report.kinematic.admissible.no())
        << *report.kinematic.admissible.margin;
    if (pushes) {
      EXPECT_GE(report.kinematic.impulses.minCoeff(), -1e-11);
    }
    EXPECT_EQ(mentions(report.kinematic.reasons, "Kinetic"), !pushes);
    EXPECT_EQ(mentions(report.kinematic.reasons, "Kinematic"), !separates);
    EXPECT_EQ(mentions(report.kinematic.reasons, "Energetic"), !loses);
    ++(admissible ? yes : no);
  }
  EXPECT_GT(yes, 100);
  EXPECT_GT(no, 100);
  EXPECT_GT(absent, 20);
}

// Random collisions against the enumerated LCP in reduced coordinates, and the energy of Newton's law with one restitution.
TEST(ImpactLaws, NewtonAgreesWithEnumeration) {
  test::Random random(901);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + random.below(4), m = 1 + random.below(4), p = random.below(n - 1);
    const bool redundant = trial % 3 == 0;
    ImpactProblem problem;
    problem.M = test::random_semidefinite(random, n, n, 0.0) + 0.1 * MatrixXd::Identity(n, n);
    MatrixXd G = test::random_matrix(random, n, p);
    for (int j = 0; j < p; ++j) problem.bilateral.push_back(row(fmt::format("g{}", j), G.col(j)));
    if (redundant && p > 0) problem.bilateral.push_back(row("again", G.rowwise().sum()));
    MatrixXd N = test::random_matrix(random, n, m);
    if (redundant && m > 2) N.col(2) = N.col(0) + N.col(1);
    for (int i = 0; i < m; ++i) problem.unilateral.push_back(row(fmt::format("h{}", i), N.col(i)));
    const double e = random.uniform(0.0, 1.0);
    problem.restitution = e * MatrixXd::Identity(m, m);
    const MatrixXd Z = p > 0 ? test::kernel(G.transpose()) : MatrixXd::Identity(n, n);
    problem.velocity = Z * random.vector(static_cast<int>(Z.cols()));
    const MatrixXd mobility = Z * test::inverse_by_pivots(Z.transpose() * problem.M * Z) * Z.transpose();
    const VectorXd v = N.transpose() * problem.velocity;
    const auto all = test::all_basic_solutions({N.transpose() * mobility * N, (1.0 + e) * v});
    ASSERT_FALSE(all.empty()) << "trial " << trial;
    const VectorXd change = mobility * N * all.front();

    const ImpactReport report = judge_impact(problem);
    ASSERT_TRUE(report.newton) << "trial " << trial;
    expect_near(report.newton->velocity_after, problem.velocity + change, 1e-9);
    EXPECT_GE(report.newton->impulses.minCoeff(), -1e-12);
    EXPECT_NEAR(report.newton->energy_change, -0.5 * (1 - e) / (1 + e) * change.dot(problem.M * change), 1e-10);
    if (report.kinematic.exists) {
      expect_near(N.transpose() * report.kinematic.velocity_after, -e * v, 1e-9);
      const double kinetic = 0.5 * report.kinematic.velocity_after.dot(problem.M * report.kinematic.velocity_after) -
                             0.5 * problem.velocity.dot(problem.M * problem.velocity);
      EXPECT_NEAR(report.kinematic.energy_change, kinetic, 1e-9 * (1.0 + std::abs(kinetic)));
      const VectorXd impulse =
          problem.M * (report.kinematic.velocity_after - problem.velocity) - N * report.kinematic.impulses;
      EXPECT_LE((Z.transpose() * impulse).norm(), 1e-9 * (1.0 + report.kinematic.impulses.norm()));
    }
  }
}

// A bat at -1 m/s hits 2 kg at rest, e = 0.5: v+ = 1.5 m/s, p = 3 N s. Relative to the bat 1 J becomes 0.25 J; the
// kinetic energy rises by 2.25 J, which
// is that and the work p * 1 m/s of the bat.
TEST(ImpactLaws, TheWorkOfMovingSurfacesIsApart) {
  ImpactProblem problem;
  problem.M = MatrixXd::Constant(1, 1, 2.0);
  problem.velocity = VectorXd::Zero(1);
  problem.unilateral = {row("bat", VectorXd::Ones(1))};
  problem.unilateral[0].rate = -1.0;
  problem.restitution = MatrixXd::Constant(1, 1, 0.5);
  const ImpactReport report = judge_impact(problem);
  for (const ImpactLawWords& words : kImpactLaws) {
    const auto& outcome = report.by(words.law);
    if (!outcome) continue;
    EXPECT_NEAR(outcome->energy_change, -0.75, 1e-14) << words.name;
    EXPECT_NEAR(outcome->surface_work, 3.0, 1e-14) << words.name;
    const double v = outcome->velocity_after[0];
    EXPECT_NEAR(outcome->energy_change + outcome->surface_work, v * v, 1e-13) << words.name;
  }
  ASSERT_TRUE(report.newton);
  EXPECT_NEAR(report.kinematic.energy_change, -0.75, 1e-14);
  EXPECT_NEAR(report.kinematic.surface_work, 3.0, 1e-14);
}

// A block falls onto a belt with 2 m/s to the right and sticks to it: p = (4, 4) N s on 2 kg; the belt does 8 J, and
// with the 8 J that are lost in
// the contact the kinetic energy, 4 J before and 4 J after, stays what it was.
TEST(ImpactLaws, ABeltDoesWorkThroughFriction) {
  ImpactProblem problem;
  problem.M = 2.0 * MatrixXd::Identity(2, 2);
  problem.velocity = Vector2d(0.0, -2.0);
  ContactRows belt = row("belt", Vector2d(0, 1));
  belt.tangents = Vector2d(1, 0);
  belt.tangent_drift = VectorXd::Zero(1);
  belt.mu = 1.5;
  belt.slip = VectorXd::Constant(1, -2.0);
  problem.unilateral = {belt};
  problem.restitution = MatrixXd::Zero(1, 1);
  const ImpactReport report = judge_impact(problem);
  ASSERT_TRUE(report.newton);
  expect_near(report.newton->velocity_after, Vector2d(2.0, 0.0));
  EXPECT_NEAR(report.newton->energy_change, -8.0, 1e-12);
  EXPECT_NEAR(report.newton->surface_work, 8.0, 1e-12);
}

}  // namespace tippe::analyze_impact_laws_test
