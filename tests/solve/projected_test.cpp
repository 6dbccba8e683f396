// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/projected.h"

#include "support/full_pivot.h"
#include "support/problems.h"

namespace tippe::solve_projected_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Sweep = ProjectedOptions::Sweep;

Solution solved(const InclusionProblem& problem, const ProjectedOptions& options = {}) {
  ProjectedSolver solver;
  Solution solution;
  solver.solve(problem, options, solution);
  return solution;
}

double true_residual(const InclusionProblem& problem, const VectorXd& Lambda) {
  ResidualWork work;
  return evaluate_residual(problem, Lambda, work).relative;
}

class BothSweeps : public testing::TestWithParam<ProjectedOptions> {};
INSTANTIATE_TEST_SUITE_P(Projected, BothSweeps,
                         testing::Values(ProjectedOptions{.sweep = Sweep::kGaussSeidel},
                                         ProjectedOptions{.sweep = Sweep::kJacobi, .alpha = 0.3}),
                         [](const auto& instance) { return instance.index == 0 ? "GaussSeidel" : "Jacobi"; });

TEST_P(BothSweeps, SolveManufacturedProblems) {
  test::Random random(51);
  for (int trial = 0; trial < 200; ++trial) {
    const auto [problem, Lambda] = test::manufacture(1 + random.below(10), 0.4, random, trial % 2 == 0);
    const Solution solution = solved(problem, GetParam());
    ASSERT_TRUE(solution.converged()) << "trial " << trial << ": " << solution.iterations << " iterations, residual "
                                      << solution.residual;
    EXPECT_LE(true_residual(problem, solution.Lambda), GetParam().tolerance);
    EXPECT_EQ(true_residual(problem, solution.Lambda), solution.residual);
  }
}

TEST_P(BothSweeps, FindTheSameInFactoredForm) {
  test::Random random(52);
  for (int trial = 0; trial < 50; ++trial) {
    auto [problem, Lambda] = test::manufacture(6, 0.4, random);
    const Solution explicit_solution = solved(problem, GetParam());
    // G = Y'Y with Y the Cholesky factor.
    const int n = problem.rows();
    MatrixXd G(n, n);
    KeptVector column, kinetic;
    for (int k = 0; k < n; ++k) {
      problem.G.multiply(VectorXd::Unit(n, k), column, kinetic);
      G.col(k) = column;
    }
    const MatrixXd Y = test::cholesky_factor(G);
    for (int k = 0; k < n; ++k) {
      for (int r = 0; r <= k; ++r) problem.G.Y.push(r, Y(r, k));
      problem.G.Y.finish_column();
    }
    problem.G.kinetic_rows = n;
    problem.G.factored = true;
    const Solution factored_solution = solved(problem, GetParam());
    ASSERT_TRUE(factored_solution.converged());
    EXPECT_LE((factored_solution.Lambda - explicit_solution.Lambda).norm(), 1e-8 * (1.0 + explicit_solution.Lambda.norm()));
  }
}

// Moeller (2.57): G = diag(1e4, 1), c = (1, 1) inside the set: more than 1e5 iterations without recovering, 1
// with.
TEST_P(BothSweeps, RecoveringCuresBadlyScaledBlocks) {
  const MatrixXd G = Vector3d(1, 1e4, 1).asDiagonal();
  // A tangential pair that sticks: normal impulse 10, radius 10.
  const InclusionProblem problem = test::make_problem(G, Vector3d(-10, 1, 1), {CoulombContact{1, 1}}, {3});
  ProjectedOptions options = GetParam();
  options.alpha = 1.0;
  options.max_iterations = 300000;
  options.check_every = 1;
  options.recover = false;
  options.tolerance = 1e-9;
  const Solution slow = solved(problem, options);
  options.recover = true;
  const Solution fast = solved(problem, options);
  EXPECT_TRUE(fast.converged());
  EXPECT_LE(fast.iterations, 2);
  EXPECT_GE(slow.iterations, 100000);
  EXPECT_LE((fast.Lambda - Vector3d(10, -1e-4, -1)).norm(), 1e-9);
}

TEST(Projected, TransformationOfEllipsesChangesTheWayNotTheResult) {
  test::Random random(53);
  int different_ways = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const auto [problem, Lambda] = test::manufacture(4, 0.3, random, true);
    const Solution plain = solved(problem, {.transform = false}), transformed = solved(problem, {.transform = true});
    ASSERT_TRUE(plain.converged() && transformed.converged()) << trial;
    EXPECT_LE((plain.Lambda - transformed.Lambda).norm(), 1e-7 * (1.0 + plain.Lambda.norm()));
    different_ways += plain.iterations != transformed.iterations;
  }
  EXPECT_GT(different_ways, 5);
}

// Moeller (6.45): two sleeve contacts of the woodpecker. Undamped Jacobi does not converge (scaled
// eigenvalue 2.03).
TEST(Projected, DampingMakesJacobiConvergeForCoupledContacts) {
  MatrixXd G(2, 2);
  G << 1.0, 1.0, 1.0, 1.0;  // the same direction twice: eigenvalue 2 of D^-1 G
  const InclusionProblem problem = test::make_problem(G, Vector2d(-1, -1), {HalfLine{}, HalfLine{}}, {1, 1});
  EXPECT_FALSE(solved(problem, {.sweep = Sweep::kJacobi, .max_iterations = 1000, .alpha = 1.0}).converged());
  const Solution damped = solved(problem, {.sweep = Sweep::kJacobi, .alpha = 0.5});
  EXPECT_TRUE(damped.converged());
  EXPECT_NEAR(damped.Lambda.sum(), 1.0, 1e-9);  // the split is free, the sum is not
  EXPECT_TRUE(solved(problem).converged());
}

// A diagonal step that leaves a flat ellipse would cycle; found by a random search.
TEST(Projected, RecoveringDoesNotCycleOnFlatEllipses) {
  MatrixXd G(3, 3);
  G << 1.4191, -1.3819, 0.93298, -1.3819, 11.647, -0.25579, 0.93298, -0.25579, 0.92561;
  const InclusionProblem problem =
      test::make_problem(G, Vector3d(-0.44184, 0.94675, -1.32145), {CoulombContact{0.6782, 0.0678}}, {3});
  const Solution solution = solved(problem);
  EXPECT_TRUE(solution.converged()) << solution.residual;
}

TEST(Projected, KnowsTheDegenerateCases) {
  EXPECT_TRUE(solved(test::make_problem(MatrixXd(0, 0), VectorXd(0), {}, {})).converged());
  // mu = 0 with slip rows: no friction force.
  const Solution smooth =
      solved(test::make_problem(MatrixXd::Identity(3, 3), Vector3d(-1, 2, 3), {CoulombContact{0, 0}}, {3}));
  EXPECT_TRUE(smooth.converged());
  EXPECT_LE((smooth.Lambda - Vector3d(1, 0, 0)).norm(), 1e-15);
  // A zero on the diagonal of an open contact.
  const Solution massless = solved(test::make_problem(MatrixXd::Zero(1, 1), VectorXd::Constant(1, 1.0), {HalfLine{}}, {1}));
  EXPECT_TRUE(massless.converged());
  EXPECT_EQ(massless.Lambda[0], 0.0);
  // No solution: 0 * Lambda - 1 >= 0. Must not be called converged.
  const Solution impossible = solved(
      test::make_problem(MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1.0), {HalfLine{}}, {1}), {.max_iterations = 500});
  EXPECT_FALSE(impossible.converged());
  EXPECT_GT(impossible.residual, 0.1);
}

TEST(Projected, SaysSoWhenDataAreNotFinite) {
  const Solution solution =
      solved(test::make_problem(MatrixXd::Identity(1, 1), VectorXd::Constant(1, std::nan("")), {HalfLine{}}, {1}));
  EXPECT_EQ(solution.status, SolveStatus::kNotFinite);
}

TEST(Projected, WarmStartAtTheSolutionCostsOneSweep) {
  test::Random random(54);
  const auto [problem, Lambda] = test::manufacture(6, 0.4, random);
  ProjectedSolver solver;
  Solution solution;
  solution.Lambda = Lambda;
  EXPECT_EQ(solver.solve(problem, {}, solution), SolveStatus::kConverged);
  EXPECT_EQ(solution.iterations, 1);
}

TEST(Projected, BudgetIsKeptAndTheBestIterateReturned) {
  test::Random random(55);
  const auto [problem, Lambda] = test::manufacture(10, 0.9, random);
  const Solution solution = solved(problem, {.max_iterations = 3});
  EXPECT_EQ(solution.status, SolveStatus::kMaxIterations);
  EXPECT_EQ(solution.iterations, 3);
  EXPECT_EQ(true_residual(problem, solution.Lambda), solution.residual);
  EXPECT_LE(solution.residual, true_residual(problem, VectorXd::Zero(Lambda.size())));
}

TEST(ProjectedOptions, ExplainWhatIsWrong) {
  EXPECT_EQ(ProjectedOptions{}.invalid_reason(), "");
  EXPECT_EQ((ProjectedOptions{.alpha = 3.0}).invalid_reason(), "alpha = 3 must lie in (0, 2]");
}

}  // namespace tippe::solve_projected_test
