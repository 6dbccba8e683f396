// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sliding.h"

#include "support/full_pivot.h"
#include "support/sliding_problems.h"
#include "tippe/problem/stacked_problem.h"
#include "tippe/solve/complementarity_enumeration.h"

namespace tippe::analyze_sliding_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Ground = Solvability::Ground;

void expect_solves(const AccelerationProblem& problem, const SlidingJudgement& judgement) {
  const StackedProblem stacked = stack(problem);
  const VectorXd f = stacked.to_forces * judgement.motion.multipliers, a = judgement.motion.acceleration;
  if (stacked.sliding_bilateral.empty()) {
    EXPECT_LE((problem.M * a + problem.F - force_directions(problem) * f).norm(), 1e-9 * (1.0 + f.norm()));
  }
  const VectorXd lambda = judgement.motion.multipliers.head(stacked.normals.cols());
  const VectorXd gap = stacked.normals.transpose() * a + stacked.normal_drift;
  for (Eigen::Index i = 0; i < gap.size(); ++i) EXPECT_NEAR(std::min(lambda[i], gap[i]), 0.0, 1e-8 * (1.0 + a.norm()));
}

// Below the critical coefficient of Painleve's rod the matrix is positive: exactly one motion for every load.
TEST(Sliding, TheRodBelowItsCriticalCoefficientMovesInOneWay) {
  const SlidingJudgement judgement = judge_sliding(test::painleve_rod(1.0, 0.0));
  EXPECT_EQ(judgement.solvability.kind, InstantKind::kSliding);
  EXPECT_TRUE(judgement.solvability.verdict.yes());
  EXPECT_EQ(judgement.solvability.ground, Ground::kPMatrix);
  EXPECT_TRUE(judgement.motion.unique.yes());
  EXPECT_NEAR(judgement.motion.multipliers[0], 25.0, 1e-12);
  EXPECT_LE(judgement.motion.residual, 1e-14);
}

TEST(Sliding, TheRodBeyondItHasNoMotionOrTwo) {
  const SlidingJudgement none = judge_sliding(test::painleve_rod(1.5, 0.0));
  EXPECT_TRUE(none.solvability.verdict.no());
  EXPECT_EQ(none.solvability.ground, Ground::kEnumeration);
  const SlidingJudgement two = judge_sliding(test::painleve_rod(1.5, 4.0));
  EXPECT_TRUE(two.solvability.verdict.yes());
  EXPECT_TRUE(two.motion.unique.no());
  ASSERT_EQ(two.accelerations.size(), 2u);
  EXPECT_EQ(two.motion.free_directions.cols(), 0);  // they lie apart
  EXPECT_NEAR(two.motion.lower[1], -10.0, 1e-12);   // free fall
  const double B = -10.0 + 16.0 * 2.0 / std::sqrt(5.0);
  EXPECT_NEAR(two.motion.upper[1], -10.0 + B / 0.2, 1e-10);
}

// Three feet in a row: the matrix is singular, the motion is not in doubt: it brakes with mu g.
TEST(Sliding, ABlockOnThreeFeetBrakes) {
  const SlidingJudgement judgement = judge_sliding(test::sliding_block({-1.0, 0.2, 1.0}, 0.5, 0.3));
  EXPECT_TRUE(judgement.solvability.verdict.yes());
  EXPECT_TRUE(judgement.motion.unique.yes());
  EXPECT_LE((judgement.motion.acceleration - Vector3d(-3.0, 0.0, 0.0)).norm(), 1e-12);
  EXPECT_EQ(judgement.p_matrix, false);
  // N1 + N2 + N3 = 10 and -N1 + 0.2 N2 + N3 = 0.5 * 3 (friction at the height of the feet): between N2 = 0 and N3 = 0.
  EXPECT_TRUE(judgement.forces.unique.no());
  const Eigen::MatrixXd bounds = (Eigen::MatrixXd(3, 2) << 5.0 / 12.0, 4.25, 0.0, 115.0 / 12.0, 0.0, 5.75).finished();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(judgement.forces.lower[2 * i], bounds(i, 0), 1e-9) << i;
    EXPECT_NEAR(judgement.forces.upper[2 * i], bounds(i, 1), 1e-9) << i;
    EXPECT_NEAR(judgement.forces.lower[2 * i + 1], -0.3 * bounds(i, 1), 1e-9) << i;  // friction goes with it
  }
}

// Too many contacts to try all modes, but the matrix is positive semidefinite: friction at the same height couples all feet alike.
TEST(Sliding, ManyFeetNeedNoEnumeration) {
  std::vector<double> feet;
  for (int i = 0; i < 20; ++i) feet.push_back(-1.0 + 2.0 * i / 19.0);
  const AccelerationProblem problem = test::sliding_block(feet, 0.5, 0.3);
  const SlidingJudgement judgement = judge_sliding(problem);
  ASSERT_TRUE(judgement.solvability.verdict.yes());
  EXPECT_EQ(judgement.solvability.ground, Ground::kMonotone);
  EXPECT_TRUE(judgement.motion.unique.yes());
  EXPECT_LE((judgement.motion.acceleration - Vector3d(-3.0, 0.0, 0.0)).norm(), 1e-11);
  expect_solves(problem, judgement);
}

/// Many of Painleve's rods side by side.
AccelerationProblem rods(int count, double mu, double omega) {
  const AccelerationProblem one = test::painleve_rod(mu, omega);
  AccelerationProblem all;
  all.M = MatrixXd::Zero(3 * count, 3 * count);
  all.F.resize(3 * count);
  for (int i = 0; i < count; ++i) {
    all.M.block(3 * i, 3 * i, 3, 3) = one.M;
    all.F.segment(3 * i, 3) = one.F;
    ContactRows tip = test::contact_rows(fmt::format("tip{}", i), VectorXd::Zero(3 * count), one.unilateral[0].drift);
    tip.normal.segment(3 * i, 3) = one.unilateral[0].normal;
    tip.tangents = MatrixXd::Zero(3 * count, 1);
    tip.tangents.col(0).segment(3 * i, 3) = one.unilateral[0].tangents;
    tip.tangent_drift = one.unilateral[0].tangent_drift;
    tip.mu = mu;
    tip.slip = one.unilateral[0].slip;
    all.unilateral.push_back(tip);
  }
  return all;
}

// 14 rods that each may fall or be held: a motion is found, and nothing is claimed of others.
TEST(Sliding, WhereNothingIsProvedUniquenessStaysOpen) {
  const AccelerationProblem problem = rods(14, 1.5, 4.0);
  const SlidingJudgement judgement = judge_sliding(problem);
  EXPECT_TRUE(judgement.solvability.verdict.yes());
  EXPECT_EQ(judgement.solvability.ground, Ground::kLemke);
  EXPECT_EQ(judgement.motion.unique.answer, Answer::kUndecided);
  EXPECT_FALSE(judgement.forces.unique.yes());
  expect_solves(problem, judgement);
  EXPECT_FALSE(judge_sliding(rods(14, 1.5, 0.0)).solvability.verdict.yes());
  EXPECT_EQ(judge_sliding(rods(14, 1.0, 0.0)).solvability.ground, Ground::kPMatrix);
}

TEST(Sliding, ContradictoryJointsAreTold) {
  AccelerationProblem problem = test::painleve_rod(1.0, 0.0);
  problem.bilateral = {test::contact_rows("a", Vector3d(1.0, 0.0, 0.0), 0.0),
                       test::contact_rows("b", Vector3d(2.0, 0.0, 0.0), 1.0)};
  const SlidingJudgement judgement = judge_sliding(problem);
  EXPECT_TRUE(judgement.solvability.verdict.no());
  EXPECT_EQ(judgement.solvability.ground, Ground::kEqualities);
}

// A bead that slides on a rail to the right, load W across, force H along: m a = H - mu |W|.
TEST(Sliding, ABeadOnARailHasFrictionOfEitherSign) {
  for (const double load : {3.0, -3.0}) {
    AccelerationProblem problem;
    problem.M = 2.0 * MatrixXd::Identity(2, 2);
    problem.F = Vector2d(-1.0, load);
    problem.bilateral = {test::planar_contact("rail", Vector2d(0.0, 1.0), Vector2d(1.0, 0.0), 0.5, 0.1)};
    const SlidingJudgement judgement = judge_sliding(problem);
    ASSERT_TRUE(judgement.solvability.verdict.yes());
    EXPECT_TRUE(judgement.motion.unique.yes());
    EXPECT_NEAR(judgement.motion.acceleration[0], (1.0 - 1.5) / 2.0, 1e-14);
    EXPECT_NEAR(judgement.motion.multipliers[0], load, 1e-14);
    EXPECT_TRUE(judgement.forces.unique.yes());
    EXPECT_NEAR(judgement.forces.representative[0], load, 1e-13);
    EXPECT_NEAR(judgement.forces.upper[1], -1.5, 1e-13);
  }
}

// A slider on a rod that leans by phi against a rail, as in Painleve's paradox: N (1 - mu c) = W for N > 0 and N (1 + mu c) = W for
// N < 0. With mu c > 1 and W > 0 there is no motion, with W < 0 there are two.
TEST(Sliding, ABilateralContactCanJamLikePainlevesRod) {
  const double c = 2.0, mu = 1.0;  // tangent acceleration feeds the normal one: M^-1 off the diagonal
  for (const double load : {1.0, -1.0}) {
    AccelerationProblem problem;
    MatrixXd inverse(2, 2);
    inverse << 5.0, c, c, 1.0;  // (tangent, normal)
    problem.M = test::inverse_by_pivots(inverse);
    problem.M = (0.5 * (problem.M + problem.M.transpose())).eval();
    problem.F = problem.M * Vector2d(0.0, load);  // free normal acceleration -load
    problem.bilateral = {test::planar_contact("rail", Vector2d(0.0, 1.0), Vector2d(1.0, 0.0), mu, 1.0)};
    // normal acceleration: -load + N - mu c |N| = 0
    const SlidingJudgement judgement = judge_sliding(problem);
    if (load > 0.0) {
      EXPECT_TRUE(judgement.solvability.verdict.no());
    } else {
      EXPECT_TRUE(judgement.motion.unique.no());
      ASSERT_EQ(judgement.accelerations.size(), 2u);  // N = 1 and N = -1/3
      const double plus = 2.0 * 1.0 - 5.0 * mu * 1.0, minus = -2.0 / 3.0 - 5.0 * mu / 3.0;
      EXPECT_NEAR(judgement.motion.lower[0], std::min(plus, minus), 1e-12);
      EXPECT_NEAR(judgement.motion.upper[0], std::max(plus, minus), 1e-12);
      EXPECT_TRUE(judgement.forces.unique.no());
      EXPECT_NEAR(judgement.forces.lower[0], -1.0 / 3.0, 1e-12);
      EXPECT_NEAR(judgement.forces.upper[0], 1.0, 1e-12);
    }
  }
}

/// The mixed complementarity problem of Brogliato B (43) with sliding, u = (a, nu), v = lambda.
MixedProblem mixed(const AccelerationProblem& problem) {
  const StackedProblem stacked = stack(problem);
  const auto n = static_cast<Eigen::Index>(problem.n()), m = stacked.normals.cols(), p = stacked.equalities.cols();
  MixedProblem result;
  result.K = MatrixXd::Zero(n + p + m, n + p + m);
  result.K.topLeftCorner(n, n) = problem.M;
  result.K.block(0, n, n, p) = -stacked.pulls;
  result.K.block(0, n + p, n, m) = -stacked.pushes;
  result.K.block(n, 0, p, n) = stacked.equalities.transpose();
  result.K.block(n + p, 0, m, n) = stacked.normals.transpose();
  result.k.resize(n + p + m);
  result.k << problem.F, stacked.equality_drift, stacked.normal_drift;
  result.free = static_cast<int>(n + p);
  return result;
}

/// M of any rank, contacts that slide, stick or have no friction, redundant rows among them.
AccelerationProblem random_problem(test::Random& random, int trial) {
  const int n = 2 + random.below(4), contacts = 1 + random.below(4);
  AccelerationProblem problem;
  const int rank = trial % 4 == 0 ? 1 + random.below(n) : n;
  problem.M = test::random_semidefinite(random, n, rank, 0.0);
  problem.M = (0.5 * (problem.M + problem.M.transpose())).eval();
  problem.F = random.vector(n);
  for (int i = 0; i < contacts; ++i) {
    const std::string name = fmt::format("c{}", i);
    const VectorXd normal = random.vector(n), tangent = random.vector(n);
    const double drift = random.uniform(-1, 1);
    if (i > 0 && random.below(4) == 0) {
      problem.unilateral.push_back(problem.unilateral.front());  // twice the same
      problem.unilateral.back().name = name;
    } else if (random.below(4) == 0) {
      problem.unilateral.push_back(test::contact_rows(name, normal, drift));
    } else {
      const double slip = random.below(4) == 0 ? 0.0 : random.uniform(-1, 1);
      problem.unilateral.push_back(
          test::planar_contact(name, normal, tangent, random.uniform(0, 2), slip, drift, random.uniform(-1, 1)));
    }
  }
  if (random.below(3) == 0)
    problem.bilateral.push_back(test::contact_rows("joint", random.vector(n), random.uniform(-1, 1)));
  if (!problem.bilateral.empty() && random.below(2) == 0) {
    problem.bilateral.push_back(problem.bilateral.front());
    problem.bilateral.back().name = "again";
  }
  return problem;
}

// Against a search tree of linear programs: the same verdicts, and every motion that it finds lies within ours.
TEST(Sliding, AgreesWithEnumerationByLinearPrograms) {
  test::Random random(921);
  int none = 0, several = 0, singular = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const AccelerationProblem problem = random_problem(random, trial);
    const ScaledProblem scaled = equilibrate(mixed(problem));
    ComplementarityEnumeration oracle(scaled.problem, 2000);
    std::vector<VectorXd> motions;
    for (auto found = oracle.next(); found.x.size() > 0; found = oracle.next())
      motions.push_back(scaled.original(found.x).head(problem.n()));
    const SlidingJudgement judgement = judge_sliding(problem);
    ASSERT_NE(judgement.solvability.verdict.answer, Answer::kUndecided) << "trial " << trial;
    EXPECT_EQ(judgement.solvability.verdict.yes(), !motions.empty()) << "trial " << trial;
    none += motions.empty();
    singular += trial % 4 == 0 && !motions.empty();
    if (motions.empty()) continue;
    expect_solves(problem, judgement);
    several += judgement.motion.unique.no();
    const VectorXd reach = VectorXd::Constant(problem.n(), 1e-7 * (1.0 + judgement.motion.upper.norm()));
    for (const VectorXd& a : motions) {
      if (judgement.motion.unique.no() && trial % 4 == 0) continue;  // a continuum, of which both know some points
      EXPECT_TRUE((a.array() >= (judgement.motion.lower - reach).array()).all() &&
                  (a.array() <= (judgement.motion.upper + reach).array()).all())
          << "trial " << trial << "\n"
          << a.transpose() << "\n"
          << judgement.motion.lower.transpose() << "\n"
          << judgement.motion.upper.transpose();
      if (!judgement.motion.unique.yes()) continue;
      EXPECT_LE((a - judgement.motion.acceleration).norm(), 1e-7 * (1.0 + a.norm())) << "trial " << trial;
    }
    // A P-matrix: the principal minors, one by one.
    if (judgement.p_matrix && trial % 4 != 0 && problem.bilateral.empty() && !stack(problem).sticking) {
      const StackedProblem stacked = stack(problem);
      const MatrixXd A = stacked.normals.transpose() * test::inverse_by_pivots(problem.M) * stacked.pushes;
      bool positive = true;
      for (int bits = 1; bits < (1 << A.rows()); ++bits) {
        std::vector<int> set;
        for (int i = 0; i < A.rows(); ++i) {
          if (bits >> i & 1) set.push_back(i);
        }
        positive = positive &&
                   A(set, set).determinant() > 1e-9 * std::pow(A.cwiseAbs().maxCoeff(), static_cast<double>(set.size()));
      }
      EXPECT_EQ(*judgement.p_matrix, positive) << "trial " << trial;
    }
  }
  EXPECT_GT(none, 20);
  EXPECT_GT(several, 20);
  EXPECT_GT(singular, 20);
}

}  // namespace tippe::analyze_sliding_test
