// SPDX-License-Identifier: Apache-2.0
#include "support/contact_problems.h"
#include "support/problem_folder.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::solve_collection_test {

// The public collection of one-step problems, if it is there. Known to be solved by nobody: RockPile_tob1. All stages try
// it once here: what they claim is judged, and insisting would be most of the time of all problems.
constexpr const char* kUnsolved = "RockPile_tob1";

struct Outcome {
  int solved = 0;
  std::string failed;
};

/// Problems with at most so many rows.
Outcome solve_all(const std::string& folder, const ContactSolverOptions& options, int most_rows = 1 << 30) {
  Outcome outcome;
  ContactSolver solver;
  for (const auto& file : test::collected_problems(folder)) {
    const std::string name = file.stem().string();
    const StoredProblem stored = read_problem(file);
    const auto& problem = std::get<InclusionProblem>(stored.problem);
    if (problem.rows() > most_rows) continue;
    Solution solution;
    ContactSolverOptions own = options;
    if (name == kUnsolved) own.effort = SolveEffort::kFull;
    solver.solve(problem, own, solution);
    const double eta = test::eta(problem, solution.Lambda);
    EXPECT_EQ(solution.converged(), solution.residual <= options.tolerance) << name;
    // Converged means so by the test's own residual too; beside the tolerance only what adding up in another order may differ by.
    EXPECT_TRUE(!solution.converged() || eta <= options.tolerance + 1e-13) << name << " eta " << eta;
    if (eta <= options.tolerance + 1e-13) {
      ++outcome.solved;
    } else {
      outcome.failed += (outcome.failed.empty() ? "" : " ") + name;
    }
  }
  return outcome;
}

TEST(Collection, FrictionInSpace) {
  if (test::collected_problems("fc3d").empty()) GTEST_SKIP() << "no collection of problems";
  const Outcome outcome = solve_all("fc3d", {.tolerance = 1e-12});
  EXPECT_GE(outcome.solved, 34);
  EXPECT_TRUE(outcome.failed.empty() || outcome.failed == kUnsolved) << outcome.failed;
}

TEST(Collection, FrictionInThePlaneAndInBodySpace) {
  if (test::collected_problems("fc2d").empty()) GTEST_SKIP() << "no collection of problems";
  for (const char* folder : {"fc2d", "gfc2d", "gfc3d"}) EXPECT_EQ(solve_all(folder, {}).failed, "") << folder;
}

TEST(Collection, NoMethodClaimsWhatItDidNotReach) {
  if (test::collected_problems("fc3d").empty()) GTEST_SKIP() << "no collection of problems";
  for (const ContactMethodInfo& info : contact_methods()) {
    if (info.method == ContactMethod::kPortfolio || info.method == ContactMethod::kEnumeration) continue;
    for (const char* folder : {"fc3d", "fc2d"})
      solve_all(folder, {.method = info.method, .tolerance = 1e-6, .max_iterations = 20}, 300);
  }
}

}  // namespace tippe::solve_collection_test
