// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/planar_pivoting.h"

#include "support/problems.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::solve_planar_pivoting_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Planar contacts, half lines and intervals with a G of given rank, loaded at random.
InclusionProblem planar_problem(int laws, int rank, test::Random& random) {
  std::vector<LawSet> sets;
  std::vector<int> sizes;
  for (int i = 0; i < laws; ++i) {
    const int kind = random.below(4);
    if (kind == 0) {
      sets.emplace_back(HalfLine{});
    } else if (kind == 1) {
      sets.emplace_back(Interval{-0.3, 0.2});
    } else {
      sets.emplace_back(CoulombContact{0.3, 0.3});
    }
    sizes.push_back(kind >= 2 ? 2 : 1);
  }
  int n = 0;
  for (const int size : sizes) n += size;
  MatrixXd Y(rank, n);
  for (int k = 0; k < n; ++k) Y.col(k) = random.vector(rank);
  // A velocity of the bodies: c lies in the range of G, as in mechanics.
  const VectorXd c = Y.transpose() * random.vector(rank);
  return test::make_problem(Y.transpose() * Y, c, sets, sizes);
}

// Many more contacts than degrees of freedom. A solution is judged by the residual alone.
TEST(PlanarPivoting, SolvesRedundantContacts) {
  test::Random random(91);
  int solved = 0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    const InclusionProblem problem = planar_problem(1 + random.below(20), 3 + random.below(6), random);
    ContactSolver solver;
    Solution solution;
    solver.solve(problem, {.method = ContactMethod::kLemke, .tolerance = 1e-10}, solution);
    solved += solution.converged();
    ResidualWork work;
    EXPECT_EQ(certify_residual(problem, solution.Lambda, work).relative, solution.residual);
  }
  EXPECT_GE(solved, kTrials * 95 / 100);
}

// Built backwards from Lambda = (4, 2, 1) and closed contacts: c = -G Lambda.
TEST(PlanarPivoting, FindsTheImpulsesOfAStack) {
  MatrixXd G(3, 3);
  G << 1, -1, 0, -1, 2, -1, 0, -1, 2;
  const InclusionProblem problem =
      test::make_problem(G, Eigen::Vector3d(-2, 1, 0), {HalfLine{}, HalfLine{}, HalfLine{}}, {1, 1, 1});
  NormalForm form;
  form.assign(problem);
  ASSERT_TRUE(PlanarPivoting::applies(form));
  PlanarPivoting pivoting;
  KeptVector r, Lambda;
  ASSERT_TRUE(pivoting.solve(form, 0, r));
  EXPECT_GT(pivoting.pivots(), 0);
  form.unscale(r, Lambda);
  EXPECT_LE((Lambda - Eigen::Vector3d(4, 2, 1)).norm(), 1e-13);
}

TEST(PlanarPivoting, LeavesSpatialProblemsToOthers) {
  NormalForm form;
  form.assign(test::make_problem(MatrixXd::Identity(3, 3), VectorXd::Ones(3), {CoulombContact{0.3, 0.3}}, {3}));
  EXPECT_FALSE(PlanarPivoting::applies(form));
}

// Squares of such numbers are nearly zero, their inverses infinite.
TEST(ContactSolver, SolvesProblemsWithTinyNumbers) {
  const double c = 7e-158;
  const InclusionProblem problem =
      test::make_problem(MatrixXd::Constant(1, 1, 5.0), VectorXd::Constant(1, c), {Interval{-1.0, 1.0}}, {1});
  ContactSolver solver;
  Solution solution;
  EXPECT_EQ(solver.solve(problem, {.tolerance = 1e-10}, solution), SolveStatus::kConverged);
  EXPECT_NEAR(solution.Lambda[0] / (-c / 5.0), 1.0, 1e-10);
}

// Three independent rows, xi = Lambda + c: a bilateral row has Lambda = -c; one with -Lambda >= -1, so Lambda <= 1, stops at 1; one
// with Lambda in [-2, 3] stops at -2.
TEST(PlanarPivoting, KnowsRowsWithAnyEnds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const InclusionProblem problem =
      test::make_problem(MatrixXd::Identity(3, 3), Eigen::Vector3d(5.0, -4.0, 7.0),
                         {Interval{-kInfinity, kInfinity}, Interval{-1.0, kInfinity}, Interval{-3.0, 2.0}}, {1, 1, 1});
  NormalForm form;
  form.assign(problem);
  ASSERT_TRUE(PlanarPivoting::applies(form));
  PlanarPivoting pivoting;
  KeptVector r, Lambda;
  ASSERT_TRUE(pivoting.solve(form, 0, r));
  form.unscale(r, Lambda);
  EXPECT_LE((Lambda - Eigen::Vector3d(-5.0, 1.0, -2.0)).norm(), 1e-14);
}

}  // namespace tippe::solve_planar_pivoting_test
