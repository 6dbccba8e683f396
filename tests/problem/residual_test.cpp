// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/residual.h"

#include "support/problems.h"

namespace tippe::problem_residual_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

double residual(const InclusionProblem& problem, const VectorXd& Lambda) {
  ResidualWork work;
  return evaluate_residual(problem, Lambda, work).relative;
}

TEST(Residual, VanishesAtSolutionsOfEveryKindAndOnlyThere) {
  test::Random random(41);
  for (int trial = 0; trial < 300; ++trial) {
    const auto [problem, Lambda] = test::manufacture(1 + random.below(8), 0.5, random, trial % 2 == 0);
    EXPECT_LE(residual(problem, Lambda), 1e-14);
    const VectorXd disturbed = Lambda + 1e-3 * random.vector(static_cast<int>(Lambda.size()));
    EXPECT_GE(residual(problem, disturbed), 1e-6);
  }
}

// One sliding contact by hand: G = I, mu = 0.5, Lambda = (1, 0, 0), xi = (0, 1, 0) + (1, 0, 0) with c = (0,
// 1, 0). rho = 1, xi^ = (1 + 0.5, 1, 0), Lambda - rho xi^ = (-0.5, -1, 0): mu |t| = 0.5 = -n, so the
// projection is 0 and e = (1, 0, 0).
TEST(Residual, IsTheNeutralOneByHand) {
  const InclusionProblem problem =
      test::make_problem(MatrixXd::Identity(3, 3), Vector3d(0, 1, 0), {CoulombContact{0.5, 0.5}}, {3});
  EXPECT_DOUBLE_EQ(residual(problem, Vector3d(1, 0, 0)), 1.0);
  // Half of it: Lambda - rho xi^ = (0.5, 0, 0) - (1, 1, 0) = (-0.5, -1, 0) again; e = (0.5, 0, 0).
  EXPECT_DOUBLE_EQ(residual(problem, Vector3d(0.5, 0, 0)), 0.5);
}

// G = I, c = (1, 0), mu = 0: the contact opens. Lambda = (-1, 0) makes xi vanish, but it pulls: e = Lambda - P(Lambda) = (-1, 0).
TEST(Residual, SeesAContactThatPullsWithoutFriction) {
  for (const double mu : {0.0, 0.3}) {
    const InclusionProblem planar =
        test::make_problem(MatrixXd::Identity(2, 2), Vector2d(1, 0), {CoulombContact{mu, mu}}, {2});
    EXPECT_DOUBLE_EQ(residual(planar, Vector2d(-1, 0)), 1.0) << mu;
    EXPECT_EQ(residual(planar, Vector2d(0, 0)), 0.0) << mu;
    const InclusionProblem spatial =
        test::make_problem(MatrixXd::Identity(3, 3), Vector3d(1, 0, 0), {CoulombContact{mu, mu}}, {3});
    EXPECT_DOUBLE_EQ(residual(spatial, Vector3d(-1, 0, 0)), 1.0) << mu;
  }
}

// G = I, c = (-1, 1): without an impulse the contact closes with 1, whatever mu; relative to |c| = sqrt(2). It would stick.
TEST(Residual, SeesAClosingContactWithMuchFriction) {
  for (const double mu : {1.1e3, 1e9, 1e150, 1e300}) {
    const InclusionProblem planar =
        test::make_problem(MatrixXd::Identity(2, 2), Vector2d(-1, 1), {CoulombContact{mu, mu}}, {2});
    EXPECT_DOUBLE_EQ(residual(planar, Vector2d(0, 0)), std::sqrt(0.5)) << mu;
    EXPECT_EQ(residual(planar, Vector2d(1, -1)), 0.0) << mu;
    const InclusionProblem spatial =
        test::make_problem(MatrixXd::Identity(3, 3), Vector3d(-1, 1, 0), {CoulombContact{mu, mu}}, {3});
    EXPECT_DOUBLE_EQ(residual(spatial, Vector3d(0, 0, 0)), std::sqrt(0.5)) << mu;
    EXPECT_EQ(residual(spatial, Vector3d(1, -1, 0)), 0.0) << mu;
  }
}

TEST(Residual, UnilateralBlockByHand) {  // G = 4, c = -2: Lambda = 0.5. At Lambda = 0: e = -rho 2 = -0.5,
                                         // relative to rho |c| = 0.5
  const InclusionProblem problem =
      test::make_problem(MatrixXd::Constant(1, 1, 4.0), VectorXd::Constant(1, -2.0), {HalfLine{}}, {1});
  EXPECT_DOUBLE_EQ(residual(problem, VectorXd::Zero(1)), 1.0);
  EXPECT_DOUBLE_EQ(residual(problem, VectorXd::Constant(1, 0.5)), 0.0);
  EXPECT_DOUBLE_EQ(residual(problem, VectorXd::Constant(1, 0.25)), 0.5);
}

TEST(Residual, IsTheSameWhetherPreparedOnceOrForEachIterate) {
  test::Random random(47);
  ResidualWork prepared, work;
  for (int trial = 0; trial < 50; ++trial) {
    auto [problem, Lambda] = test::manufacture(1 + random.below(8), 0.5, random, trial % 2 == 0);
    prepare_residual(problem, prepared);
    for (int iterate = 0; iterate < 4; ++iterate) {
      const VectorXd x = Lambda + std::pow(0.1, iterate) * random.vector(static_cast<int>(Lambda.size()));
      const Residual once = evaluate_prepared_residual(problem, x, prepared), each = evaluate_residual(problem, x, work);
      EXPECT_EQ(once.relative, each.relative);
      EXPECT_EQ(once.worst, each.worst);
      EXPECT_EQ(once.worst_block, each.worst_block);
    }
  }
}

TEST(Residual, DoesNotChangeWithUnits) {
  test::Random random(42);
  for (int trial = 0; trial < 50; ++trial) {
    auto [problem, Lambda] = test::manufacture(5, 0.5, random, trial % 2 == 0);
    Lambda += 0.1 * random.vector(static_cast<int>(Lambda.size()));
    const double before = residual(problem, Lambda);
    const double impulse = 1e6, velocity = 1e-3;
    for (double& value : problem.G.blocks.value) value *= velocity / impulse;
    problem.c *= velocity;
    for (LawSet& law : problem.laws) {
      if (auto* interval = std::get_if<Interval>(&law)) interval->lower *= impulse, interval->upper *= impulse;
    }
    EXPECT_NEAR(residual(problem, impulse * Lambda), before, 1e-12 * before);
  }
}

TEST(Residual, DoesNotChangeWithTheOrderOfContacts) {
  const MatrixXd G = Vector3d(1, 2, 3).asDiagonal();
  const InclusionProblem one = test::make_problem(G, Vector3d(-1, 1, -2), {HalfLine{}, HalfLine{}, HalfLine{}}, {1, 1, 1});
  const MatrixXd G_reversed = Vector3d(3, 2, 1).asDiagonal();
  const InclusionProblem other =
      test::make_problem(G_reversed, Vector3d(-2, 1, -1), {HalfLine{}, HalfLine{}, HalfLine{}}, {1, 1, 1});
  EXPECT_DOUBLE_EQ(residual(one, Vector3d(0.1, 0.2, 0.3)), residual(other, Vector3d(0.3, 0.2, 0.1)));
}

TEST(Residual, IsInfiniteForNonFiniteImpulses) {
  const InclusionProblem problem =
      test::make_problem(MatrixXd::Identity(1, 1), VectorXd::Constant(1, -1.0), {HalfLine{}}, {1});
  EXPECT_EQ(residual(problem, VectorXd::Constant(1, std::nan(""))), std::numeric_limits<double>::infinity());
}

// Equations, a half line and a contact that nothing can satisfy: impulses may grow beyond all bounds, the residual stays what it is.
TEST(Residual, IsNotAbsorbedByLargeImpulses) {
  const double infinity = std::numeric_limits<double>::infinity();
  const InclusionProblem equations = test::make_problem(MatrixXd::Ones(2, 2), Vector2d(1, -1),
                                                        std::vector<LawSet>(2, Interval{-infinity, infinity}), {1, 1});
  const InclusionProblem massless = test::make_problem(MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1.0), {HalfLine{}}, {1});
  MatrixXd G = MatrixXd::Zero(3, 3);
  G(1, 1) = G(2, 2) = 1.0;
  const InclusionProblem contact = test::make_problem(G, Vector3d(-1, 0, 0), {CoulombContact{0.5, 0.5}}, {3});
  for (const double size : {1.0, 1e8, 1e16, 1e20, 1e100}) {
    EXPECT_DOUBLE_EQ(residual(equations, Vector2d(size, -size)), 1.0) << size;
    EXPECT_DOUBLE_EQ(residual(massless, VectorXd::Constant(1, size)), 1.0) << size;
    EXPECT_DOUBLE_EQ(residual(contact, Vector3d(size, 0, 0)), 1.0) << size;
    // On the edge of the cone, sliding: xi = (-1, size, 0) is far from the law.
    EXPECT_GE(residual(contact, Vector3d(2 * size, size, 0)), 0.9) << size;
  }
}

TEST(Residual, NamesTheWorstBlock) {
  const MatrixXd G = MatrixXd::Identity(3, 3);
  const InclusionProblem problem =
      test::make_problem(G, Vector3d(-1, -1, -1), {HalfLine{}, HalfLine{}, HalfLine{}}, {1, 1, 1});
  ResidualWork work;
  EXPECT_EQ(evaluate_residual(problem, Vector3d(1, 0.2, 0.9), work).worst_block, 1);
}

// A light contact beside an unrelated heavy one: judged together the heavy one would hide it.
TEST(Residual, IndependentPartsAreJudgedByTheirOwnScale) {
  const MatrixXd G = Vector2d(1e-6, 1e6).asDiagonal();
  InclusionProblem problem = test::make_problem(G, Vector2d(-1, -1), {HalfLine{}, HalfLine{}}, {1, 1});
  const Vector2d heavy_only(1e6, 0.0);
  EXPECT_LE(residual(problem, heavy_only), 1e-11);
  problem.part = {0, 1};
  EXPECT_DOUBLE_EQ(residual(problem, heavy_only), 1.0);
  ResidualWork work;
  EXPECT_EQ(evaluate_residual(problem, heavy_only, work).worst_block, 1);
}

TEST(Residual, SurvivesAZeroDiagonalAndZeroData) {
  const InclusionProblem massless = test::make_problem(MatrixXd::Zero(1, 1), VectorXd::Constant(1, 1.0), {HalfLine{}}, {1});
  EXPECT_DOUBLE_EQ(residual(massless, VectorXd::Zero(1)), 0.0);
  const InclusionProblem at_rest = test::make_problem(MatrixXd::Identity(1, 1), VectorXd::Zero(1), {HalfLine{}}, {1});
  EXPECT_DOUBLE_EQ(residual(at_rest, VectorXd::Zero(1)), 0.0);
  EXPECT_DOUBLE_EQ(residual(test::make_problem(MatrixXd(0, 0), VectorXd(0), {}, {}), VectorXd(0)), 0.0);
}

}  // namespace tippe::problem_residual_test
