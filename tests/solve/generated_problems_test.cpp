// SPDX-License-Identifier: Apache-2.0
// Contact problems of hard kinds (bench/generated.h), solved from a cold start.
#include "generated.h"

#include "support/contact_problems.h"
#include "tippe/core/error.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::solve_generated_problems_test {

InclusionProblem generated(const char* kind, std::uint64_t seed) {
  return bench::contact_problem(bench::make_problem(kind, seed), DelassusForm::kCheaper);
}

Solution solve(const InclusionProblem& problem, ContactMethod method = ContactMethod::kPortfolio) {
  ContactSolver solver;
  Solution solution;
  solver.solve(problem, {.method = method, .tolerance = 1e-8}, solution);
  return solution;
}

TEST(GeneratedProblems, AreSolvedFromACold) {
  for (const char* kind : bench::kProblemClasses) {
    for (std::uint64_t seed = 2001; seed < 2005; ++seed) {
      const InclusionProblem problem = generated(kind, seed);
      const Solution solution = solve(problem);
      EXPECT_TRUE(solution.converged()) << kind << " " << seed << ": " << solution.residual;
      EXPECT_LE(test::eta(problem, solution.Lambda), 1.001e-8) << kind << " " << seed;
    }
  }
  EXPECT_THROW(bench::make_problem("pile", 1), InputError);
}

// Heavy spheres on light ones, and links of a chain that jam: all other stages come to a stand between 1e-4 and 1e-7.
TEST(GeneratedProblems, TheHardestNeedConvexProblems) {
  for (const auto& [kind, seed] : {std::pair{"heap", 39}, std::pair{"wedge", 81}}) {
    const InclusionProblem problem = generated(kind, static_cast<std::uint64_t>(seed));
    const Solution convex = solve(problem, ContactMethod::kConvex);
    EXPECT_TRUE(convex.converged()) << kind << ": " << convex.residual;
    EXPECT_LE(test::eta(problem, convex.Lambda), 1.001e-8) << kind;
    for (const ContactMethod other : {ContactMethod::kGaussSeidel, ContactMethod::kInteriorPoint, ContactMethod::kNewton})
      EXPECT_GT(solve(problem, other).residual, 1e-8) << kind << ": " << name_of(other);
  }
}

}  // namespace tippe::solve_generated_problems_test
