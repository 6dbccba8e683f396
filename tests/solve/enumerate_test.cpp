// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/enumerate.h"

#include "support/problems.h"
#include "tippe/solve/projected.h"

namespace tippe::solve_enumerate_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

TEST(Enumeration, FindsManufacturedSolutions) {
  test::Random random(81);
  for (int trial = 0; trial < 150; ++trial) {
    const auto [problem, Lambda] = test::manufacture(1 + random.below(3), 0.6, random, trial % 2 == 0);
    const auto solutions = enumerate_solutions(problem, {});
    const bool found = std::any_of(solutions.begin(), solutions.end(), [&](const EnumeratedSolution& solution) {
      return (solution.Lambda - Lambda).norm() < 1e-6 * (1 + Lambda.norm());
    });
    EXPECT_TRUE(found) << "trial " << trial << ", " << solutions.size() << " solutions";
    for (const EnumeratedSolution& solution : solutions) EXPECT_LE(solution.residual, 1e-10);
  }
}

// A slip so slow that its direction turns round within a hundredth of a degree of the solution.
TEST(Enumeration, FindsSlowSliding) {
  test::Random random(83);
  for (int trial = 0; trial < 60; ++trial) {
    const double mu = random.uniform(0.1, 0.5), angle = random.uniform(0.0, 6.28), slip = random.magnitude(-6, -1);
    MatrixXd B(3, 5);
    for (int k = 0; k < 5; ++k) B.col(k) = random.vector(3);
    const MatrixXd G = B * B.transpose();
    const Eigen::Vector3d Lambda(1.0, -mu * std::cos(angle), -mu * std::sin(angle));
    const Eigen::Vector3d xi(0.0, slip * std::cos(angle), slip * std::sin(angle));
    const auto all = enumerate_solutions(test::make_problem(G, xi - G * Lambda, {CoulombContact{mu, mu}}, {3}), {});
    const bool found = std::any_of(all.begin(), all.end(), [&](const EnumeratedSolution& solution) {
      return (solution.Lambda - Lambda).norm() < 1e-6;
    });
    EXPECT_TRUE(found) << "trial " << trial << ", slip " << slip;
  }
}

// The oracle of the iterations: where they converge, they found one of its solutions.
TEST(Enumeration, AgreesWithTheIterations) {
  test::Random random(82);
  ProjectedSolver iterations;
  for (int trial = 0; trial < 150; ++trial) {
    const auto [problem, Lambda] = test::manufacture(1 + random.below(3), 0.5, random, trial % 2 == 0);
    Solution solution;
    if (iterations.solve(problem, {}, solution) != SolveStatus::kConverged) continue;
    const auto all = enumerate_solutions(problem, {});
    const bool known = std::any_of(all.begin(), all.end(), [&](const EnumeratedSolution& other) {
      return (other.Lambda - solution.Lambda).norm() < 1e-6 * (1 + solution.Lambda.norm());
    });
    EXPECT_TRUE(known) << "trial " << trial;
  }
}

// Painleve's paradox at one sliding contact: G = [1, b; b, 1], mu b > 1 makes the slope of the normal velocity negative.
// Loaded towards the contact there is no sliding solution, only sticking; unloaded there are two solutions.
TEST(Enumeration, TellsSeveralSolutionsAndNone) {
  MatrixXd G(2, 2);
  G << 1.0, 0.9, 0.9, 1.0;
  const std::vector<LawSet> contact = {CoulombContact{2.0, 2.0}};
  const auto unloaded = enumerate_solutions(test::make_problem(G, Vector2d(0.5, 3.0), contact, {2}), {});
  std::vector<ContactMode> modes;
  for (const auto& solution : unloaded) modes.push_back(solution.modes[0]);
  EXPECT_EQ(modes.size(), 3u);  // open, sliding, sticking
  // A massless direction pushed closed: nothing can hold it.
  EXPECT_TRUE(
      enumerate_solutions(test::make_problem(MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1.0), {HalfLine{}}, {1}), {})
          .empty());
}

TEST(Enumeration, RefusesMoreLawsThanAsked) {
  const InclusionProblem problem = test::make_problem(MatrixXd::Identity(5, 5), VectorXd::Constant(5, -1.0),
                                                      std::vector<LawSet>(5, HalfLine{}), std::vector<int>(5, 1));
  EXPECT_TRUE(enumerate_solutions(problem, {}).empty());
  EXPECT_EQ(enumerate_solutions(problem, {.most_laws = 5}).size(), 1u);
}

}  // namespace tippe::solve_enumerate_test
