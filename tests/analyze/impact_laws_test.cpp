// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/impact_laws.h"

#include "support/complementarity.h"
#include "tippe/solve/quadratic_program.h"

namespace tippe {
namespace {

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
  EXPECT_NEAR(report.newton.impulses[0], p, 1e-13);
  EXPECT_NEAR(report.newton.bilateral_impulses[0], 0.0, 1e-15);
  expect_near(report.newton.velocity_after, Vector3d(-1.5 + p / 2.0, 0.0, 0.4 + 0.7 * p / 0.3));
  EXPECT_TRUE(report.newton.admissible.yes());
  EXPECT_TRUE(report.warnings.empty());
  ASSERT_TRUE(report.moreau);
  EXPECT_TRUE(report.moreau->converged);
  expect_near(report.moreau->velocity_after, report.newton.velocity_after);
}

// Example 3 with the sign corrected: p_b = -alpha / (alpha^2 + beta^2) p_u.
TEST(ImpactLaws, AnInclinedJointTakesPartOfTheImpulse) {
  const double alpha = 0.6, beta = 1.1, squared = alpha * alpha + beta * beta;
  const ImpactReport report = judge_impact(guided_rod(alpha, beta, 0.25));
  const double v = -beta + 0.7 * 0.4, A_c = beta * beta / squared / 2.0 + 0.49 / 0.3;
  const double p = -1.25 * v / A_c, p_b = -alpha / squared * p;
  EXPECT_NEAR(report.newton.impulses[0], p, 1e-13);
  EXPECT_NEAR(report.newton.bilateral_impulses[0], p_b, 1e-13);
  expect_near(report.newton.velocity_after,
              Vector3d(-beta + (p + alpha * p_b) / 2.0, alpha + beta * p_b / 2.0, 0.4 + 0.7 * p / 0.3));
  EXPECT_NEAR(report.newton.energy_change, 0.5 * p * 0.75 * v, 1e-13);
  EXPECT_NEAR(report.moreau->bilateral_impulses[0], p_b, 1e-13);
}

// Brogliato A, Proposition 19 does not hold at a kinetic angle above 90 degrees: least squares (80) gives 0.6022, Moreau 1, and Newton's
// law would have to pull.
TEST(ImpactLaws, NewtonMoreauAndLeastSquaresDisagreeAtWideAngles) {
  MatrixXd A(2, 2);
  A << 1.0, 0.9, 0.9, 1.0;
  const MatrixXd N = A.llt().matrixU();  // N'N = A
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(2, 2);
  problem.velocity = N.transpose().inverse() * Vector2d(-1.0, -0.1);
  problem.unilateral = {row("left", N.col(0)), row("right", N.col(1))};
  problem.restitution = MatrixXd::Zero(2, 2);
  const ImpactReport report = judge_impact(problem);
  expect_near(report.newton.impulses, Vector2d(0.91, -0.8) / 0.19, 1e-13);
  EXPECT_TRUE(report.newton.admissible.no());
  EXPECT_TRUE(mentions(report.newton.reasons, "'right' would have to pull"));
  EXPECT_FALSE(mentions(report.newton.reasons, "'left'"));
  EXPECT_TRUE(mentions(report.warnings, "154.2 degrees"));  // 180 - acos(0.9)
  ASSERT_TRUE(report.moreau);
  expect_near(report.moreau->impulses, Vector2d(1.0, 0.0));
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
  expect_near(report.newton.velocity_after,
              Vector2d(mean - e * m2 * (v1 - v2) / (m1 + m2), mean + e * m1 * (v1 - v2) / (m1 + m2)));
  EXPECT_NEAR(report.newton.impulses[0], p, 1e-13);
  EXPECT_NEAR(report.moreau->impulses[0], p, 1e-13);
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
  expect_near(elastic.newton.velocity_after, Vector3d(-1.0, 2.0, 2.0) / 3.0);
  expect_near(elastic.moreau->velocity_after, Vector3d(-1.0, 2.0, 2.0) / 3.0);
  EXPECT_NEAR(elastic.newton.energy_change, 0.0, 1e-15);
  const ImpactReport plastic = judge_impact(cradle(MatrixXd::Zero(2, 2)));
  expect_near(plastic.newton.velocity_after, Vector3d::Constant(1.0 / 3.0));
  // Only a matrix with an entry off the diagonal sends the last ball away alone.
  MatrixXd E = MatrixXd::Zero(2, 2);
  E(1, 0) = 1.0;
  const ImpactReport travelling = judge_impact(cradle(E));
  expect_near(travelling.newton.velocity_after, Vector3d(0.0, 0.0, 1.0));
  expect_near(travelling.newton.impulses, Vector2d(1.0, 1.0));
  EXPECT_TRUE(travelling.newton.admissible.yes());
  EXPECT_FALSE(travelling.moreau);
  EXPECT_TRUE(mentions(travelling.warnings, "Moreau"));
}

TEST(ImpactLaws, ARestitutionAboveOneGainsEnergy) {
  const ImpactReport report = judge_impact(cradle(2.0 * MatrixXd::Identity(2, 2)));
  EXPECT_TRUE(report.newton.admissible.no());
  EXPECT_TRUE(mentions(report.newton.reasons, "Energetic"));
  EXPECT_NEAR(report.newton.energy_change, 1.0, 1e-13);  // p = (2, 1), v+ + v- = (1, 0)
  EXPECT_FALSE(report.moreau);
}

// Orthogonal contacts do not feel each other: each rebounds with its own restitution. By hand: p = (1 + e_i) |v_i| for unit mass.
TEST(ImpactLaws, MoreauTakesARestitutionForEachContact) {
  ImpactProblem problem;
  problem.M = MatrixXd::Identity(2, 2);
  problem.velocity = Vector2d(-1.0, -2.0);
  problem.unilateral = {row("wall", Vector2d(1, 0)), row("floor", Vector2d(0, 1))};
  problem.restitution = Vector2d(0.5, 1.0).asDiagonal();
  const ImpactReport report = judge_impact(problem);
  ASSERT_TRUE(report.moreau && report.moreau->converged);
  expect_near(report.moreau->impulses, Vector2d(1.5, 4.0));
  expect_near(report.moreau->velocity_after, Vector2d(0.5, 2.0));
  EXPECT_NEAR(report.moreau->energy_change, 0.5 * (0.25 - 1.0), 1e-14);
  EXPECT_FALSE(report.moreau->energy_rises);
  problem.restitution(0, 1) = 0.1;
  EXPECT_FALSE(judge_impact(problem).moreau);
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
  ASSERT_TRUE(report.moreau && report.moreau->converged);
  expect_near(report.moreau->impulses, Vector2d(2.6, 1.2));
  EXPECT_NEAR(report.moreau->energy_change, 0.06, 1e-14);
  EXPECT_TRUE(report.moreau->energy_rises);
  EXPECT_TRUE(mentions(report.warnings, "raise the energy by 0.06 J"));
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
  EXPECT_TRUE(report.newton.admissible.no());
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
  EXPECT_TRUE(same.newton.exists);
  EXPECT_FALSE(same.newton.unique);
  expect_near(same.newton.impulses, Vector2d(1.5, 1.5));
  expect_near(same.moreau->impulses, Vector2d(1.5, 1.5));
  EXPECT_TRUE(same.newton.admissible.yes());
  problem.restitution(1, 1) = 0.0;
  const ImpactReport different = judge_impact(problem);
  EXPECT_FALSE(different.newton.exists);
  EXPECT_TRUE(different.newton.admissible.no());
  EXPECT_TRUE(mentions(different.newton.reasons, "'a'") && mentions(different.newton.reasons, "'b'"));
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
  EXPECT_NEAR(report.newton.velocity_after[0], 1.5, 1e-14);
  EXPECT_NEAR(report.moreau->velocity_after[0], 1.5, 1e-14);
}

TEST(ImpactLaws, VelocitiesThatBreakAJointAreProjected) {
  ImpactProblem problem = guided_rod(0.0, 1.0, 0.0);
  problem.velocity = Vector3d(-1.0, 0.5, 0.0);
  const ImpactReport report = judge_impact(problem);
  expect_near(report.velocity_before, Vector3d(-1.0, 0.0, 0.0));
  EXPECT_NEAR(report.projected, 0.5 / std::sqrt(1.25), 1e-14);
  EXPECT_TRUE(mentions(report.warnings, "projected"));
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
  expect_near(held.newton.velocity_after, Vector2d(0.5, 0.5));
  EXPECT_NEAR(held.newton.impulses[0], 3.0, 1e-12);
  expect_near(held.newton.bilateral_impulses, Vector2d(1.5, -0.75));  // p1 - 2 p2 = 3; each takes half
  problem.bilateral.clear();
  const ImpactReport free = judge_impact(problem);
  expect_near(free.massless_direction.cwiseAbs(), Vector2d(0.0, 1.0));
  EXPECT_TRUE(mentions(free.warnings, "no mass"));
}

// Random collisions against the enumerated LCP in reduced coordinates, and the energy of Moreau's law.
TEST(ImpactLaws, MoreauAgreesWithEnumeration) {
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
    const MatrixXd Z = p > 0 ? MatrixXd(G.transpose().fullPivLu().kernel()) : MatrixXd::Identity(n, n);
    problem.velocity = Z * random.vector(static_cast<int>(Z.cols()));
    const MatrixXd mobility = Z * (Z.transpose() * problem.M * Z).inverse() * Z.transpose();
    const VectorXd v = N.transpose() * problem.velocity;
    const auto all = test::all_basic_solutions({N.transpose() * mobility * N, (1.0 + e) * v});
    ASSERT_FALSE(all.empty()) << "trial " << trial;
    const VectorXd change = mobility * N * all.front();

    const ImpactReport report = judge_impact(problem);
    ASSERT_TRUE(report.moreau && report.moreau->converged) << "trial " << trial;
    expect_near(report.moreau->velocity_after, problem.velocity + change, 1e-9);
    EXPECT_GE(report.moreau->impulses.minCoeff(), -1e-12);
    EXPECT_NEAR(report.moreau->energy_change, -0.5 * (1 - e) / (1 + e) * change.dot(problem.M * change), 1e-10);
    if (report.newton.exists) {
      expect_near(N.transpose() * report.newton.velocity_after, -e * v, 1e-9);
      const double kinetic = 0.5 * report.newton.velocity_after.dot(problem.M * report.newton.velocity_after) -
                             0.5 * problem.velocity.dot(problem.M * problem.velocity);
      EXPECT_NEAR(report.newton.energy_change, kinetic, 1e-9 * (1.0 + std::abs(kinetic)));
      const VectorXd impulse = problem.M * (report.newton.velocity_after - problem.velocity) - N * report.newton.impulses;
      EXPECT_LE((Z.transpose() * impulse).norm(), 1e-9 * (1.0 + report.newton.impulses.norm()));
    }
  }
}

}  // namespace
}  // namespace tippe
