// SPDX-License-Identifier: Apache-2.0
#include "tippe_result.h"

#include "processor_time.h"

namespace tippe::bench {

TippeResult solve_by_tippe(const InclusionProblem& problem, const ContactSolverOptions& options) {
  TippeResult result;
  Solution solution;
  result.seconds = mean_processor_time([](int) {},
                                       [&](int) {
                                         solution = {};
                                         ContactSolver solver;
                                         solver.solve(problem, options, solution);
                                         result.stage = solver.stages().empty() ? "-" : solver.stages().back().name;
                                       });
  ResidualWork work;
  result.eta = evaluate_residual(problem, solution.Lambda, work).relative;
  result.converged = solution.converged();
  result.iterations = solution.iterations;
  return result;
}

TippeResult solve_by_tippe(const InclusionProblem& problem, double tolerance) {
  ContactSolverOptions options;
  options.tolerance = tolerance;
  return solve_by_tippe(problem, options);
}

}  // namespace tippe::bench
