// SPDX-License-Identifier: Apache-2.0
// One hundred contacts of fifty spheres that jam in a box (a step of such a heap, mu = 0.5). Forces must grow along the null space of W
// until another contact slips, and sweeps go there by steps as small as the residual.
#include "tippe/solve/alternating_directions.h"

#include "support/contact_problems.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::solve_alternating_directions_test {

InclusionProblem jammed_spheres() {
  return std::get<InclusionProblem>(read_problem(TIPPE_SOURCE_DIR "/tests/solve/jammed_spheres.hdf5").problem);
}

TEST(AlternatingDirections, FindTheForcesOfAJam) {
  const InclusionProblem problem = jammed_spheres();
  ContactSolver solver;
  Solution solution;
  solver.solve(problem, {.method = ContactMethod::kAlternatingDirections, .tolerance = 1e-9, .max_iterations = 50000},
               solution);
  EXPECT_TRUE(solution.converged()) << solution.residual;
  EXPECT_LE(test::eta(problem, solution.Lambda), 1.001e-9);
  for (const ContactMethod other : {ContactMethod::kGaussSeidel, ContactMethod::kAnderson, ContactMethod::kNewton}) {
    Solution of_other;
    solver.solve(problem, {.method = other, .tolerance = 1e-9}, of_other);
    EXPECT_GT(of_other.residual, 1e-7) << name_of(other);
  }
}

// The stages of the portfolio come to a stand near 1e-5; its last means begin afresh.
TEST(AlternatingDirections, AreAmongTheLastMeansOfThePortfolio) {
  const InclusionProblem problem = jammed_spheres();
  ContactSolver solver;
  Solution solution;
  solver.solve(problem, {.tolerance = 1e-10, .effort = SolveEffort::kFull}, solution);
  EXPECT_FALSE(solution.converged());
  solver.solve(problem, {.tolerance = 1e-10, .effort = SolveEffort::kInsist}, solution);
  EXPECT_TRUE(solution.converged()) << solution.residual;
  EXPECT_LE(test::eta(problem, solution.Lambda), 1.001e-10);
}

// A residual that is enough ends them between two stages.
TEST(AlternatingDirections, EnoughIsEnough) {
  const InclusionProblem problem = jammed_spheres();
  ContactSolver solver;
  Solution all, some;
  solver.solve(problem, {.tolerance = 1e-10}, all);
  solver.solve(problem, {.tolerance = 1e-10, .enough = 1e-2}, some);
  EXPECT_LT(some.iterations, all.iterations / 2);
  EXPECT_LE(some.residual, 1e-2);
}

// A solution is a fixed point, whatever rho is.
TEST(AlternatingDirections, StayAtASolution) {
  const InclusionProblem problem = jammed_spheres();
  ContactSolver solver;
  Solution solution;
  solver.solve(problem, {.tolerance = 1e-11}, solution);
  ASSERT_LE(solution.residual, 1e-10);
  NormalForm form;
  form.assign(problem);
  KeptVector r;
  form.scale(solution.Lambda, r);
  for (const double rho : {0.01, 1.0}) {
    AlternatingDirections method;
    ASSERT_TRUE(AlternatingDirections::applies(form));
    ASSERT_TRUE(method.prepare(form, r, rho));
    for (int k = 0; k < 5; ++k) method.step();
    EXPECT_LE((method.iterate() - r).norm(), 1e-7 * r.norm()) << rho;
  }
}

}  // namespace tippe::solve_alternating_directions_test
