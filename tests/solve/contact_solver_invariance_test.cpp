// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "support/contact_problems.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::solve_contact_solver_invariance_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Solution solve(const InclusionProblem& problem, const ContactSolverOptions& options = {},
               const VectorXd& start = VectorXd(0)) {
  ContactSolver solver;
  Solution solution;
  solution.Lambda = start;
  solver.solve(problem, options, solution);
  return solution;
}

MatrixXd dense(const InclusionProblem& problem) {
  const int n = problem.rows();
  MatrixXd G(n, n);
  for (int k = 0; k < n; ++k) G.col(k) = test::velocities(problem, VectorXd::Unit(n, k)) - problem.c;
  return G;
}

/// Impulses in other units by a, velocities by b.
InclusionProblem in_other_units(InclusionProblem problem, double a, double b) {
  for (double& value : problem.G.blocks.value) value *= b / a;
  problem.c *= b;
  for (LawSet& law : problem.laws) {
    if (auto* interval = std::get_if<Interval>(&law)) interval->lower *= a, interval->upper *= a;
    if (auto* contact = std::get_if<CoulombContact>(&law)) contact->extra_normal *= a;
    if (auto* drilling = std::get_if<DrillingContact>(&law)) drilling->extra_normal *= a;
    if (auto* plane = std::get_if<PlaneFriction>(&law)) plane->limit1 *= a, plane->limit2 *= a;
    if (auto* drilling = std::get_if<DrillingFriction>(&law)) drilling->limit *= a;
  }
  return problem;
}

TEST(ContactSolverInvariance, Units) {
  test::Random random(81);
  for (int trial = 0; trial < 30; ++trial) {
    const auto [problem, Lambda] =
        test::manufacture_laws(test::draw_laws(1 + random.below(8), test::kAllKinds, 0.3, random), -1, 0.0, random);
    const Solution plain = solve(problem, {.tolerance = 1e-10});
    ASSERT_TRUE(plain.converged()) << "trial " << trial;
    for (const double a : {1e-6, 1e6}) {
      for (const double b : {1e-6, 1e6}) {
        const InclusionProblem other = in_other_units(problem, a, b);
        const Solution solution = solve(other, {.tolerance = 1e-10});
        EXPECT_TRUE(solution.converged()) << "trial " << trial << " a " << a << " b " << b << " eta " << solution.residual;
        EXPECT_LE((solution.Lambda / a - plain.Lambda).norm(), 1e-6 * (plain.Lambda.norm() + 1e-3)) << "trial " << trial;
        EXPECT_LE(test::eta(problem, solution.Lambda / a), 1.1e-10);
      }
    }
  }
}

// Units that are powers of two change no digit on the way: the same bits, the same iterations.
TEST(ContactSolverInvariance, UnitsByPowersOfTwoGiveTheSameBits) {
  test::Random random(82);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [problem, Lambda] =
        test::manufacture_laws(test::draw_laws(5, test::kConeKinds, 0.5, random), -1, 0.0, random);
    const Solution plain = solve(problem);
    // b / a must be a power of four: T is a square root.
    const double a = std::ldexp(1.0, 10), b = std::ldexp(1.0, -6);
    const Solution solution = solve(in_other_units(problem, a, b));
    EXPECT_EQ(solution.iterations, plain.iterations) << "trial " << trial;
    EXPECT_EQ(VectorXd(solution.Lambda / a), VectorXd(plain.Lambda)) << "trial " << trial;
  }
}

TEST(ContactSolverInvariance, OrderOfContacts) {
  test::Random random(83);
  for (int trial = 0; trial < 40; ++trial) {
    const int blocks = 2 + random.below(8);
    const test::Drawn drawn = test::draw_laws(blocks, test::kAllKinds, 0.4, random);
    const auto known = test::manufacture_laws(drawn, -1, 0.0, random);
    std::vector<int> order(static_cast<size_t>(blocks));
    std::iota(order.begin(), order.end(), 0);
    for (int i = blocks - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    test::Drawn moved;
    std::vector<int> rows;
    for (const int i : order) {
      moved.laws.push_back(drawn.laws[i]);
      moved.sizes.push_back(drawn.sizes[i]);
      for (int row = known.problem.G.blocks.row[i]; row < known.problem.G.blocks.row[i + 1]; ++row) rows.push_back(row);
    }
    const MatrixXd G = dense(known.problem)(rows, rows);
    const auto permuted = test::make_problem(G, VectorXd(known.problem.c)(rows), moved.laws, moved.sizes);
    const Solution solution = solve(permuted, {.tolerance = 1e-9});
    EXPECT_TRUE(solution.converged()) << "trial " << trial << " eta " << solution.residual;
    VectorXd back(solution.Lambda.size());
    for (size_t k = 0; k < rows.size(); ++k) back[rows[k]] = solution.Lambda[static_cast<Eigen::Index>(k)];
    EXPECT_NEAR(test::eta(known.problem, back), solution.residual, 1e-13);
  }
}

TEST(ContactSolverInvariance, FactoredAndExplicit) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    test::BodyOptions options{.bodies = 6, .contacts = 8, .kinds = test::kAllKinds, .largest_mu = 0.3};
    test::Random random(840 + seed), again(840 + seed);
    const auto plain = test::bodies_in_contact(options, random);
    options.form = DelassusForm::kFactored;
    const auto factored = test::bodies_in_contact(options, again);
    ASSERT_TRUE(factored.G.factored && !plain.G.factored);
    const Solution one = solve(plain, {.tolerance = 1e-10}), other = solve(factored, {.tolerance = 1e-10});
    EXPECT_EQ(one.converged(), other.converged()) << "seed " << seed;
    if (!one.converged() || !other.converged()) continue;
    // Each solves the other's problem, and bodies move alike.
    EXPECT_LE(test::eta(plain, other.Lambda), 1.1e-10) << "seed " << seed;
    EXPECT_LE(test::eta(factored, one.Lambda), 1.1e-10) << "seed " << seed;
    EXPECT_LE((test::velocities(plain, one.Lambda) - test::velocities(plain, other.Lambda)).norm(), 1e-5 * plain.c.norm())
        << "seed " << seed;
  }
}

TEST(ContactSolverInvariance, TwoThreadsGiveTheSameBits) {
  for (const auto form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    for (const bool shuffled : {false, true}) {
      test::Random random(85);
      const auto problem = test::bodies_in_contact(
          {.bodies = 1100, .contacts = 2200, .largest_mu = 0.5, .form = form, .chain = true, .shuffled = shuffled}, random);
      const Solution one = solve(problem, {.threads = 1}), two = solve(problem, {.threads = 2});
      EXPECT_TRUE(one.converged()) << one.residual;
      EXPECT_LE(test::eta(problem, one.Lambda), 1e-8);
      EXPECT_EQ(one.Lambda, two.Lambda);
      EXPECT_EQ(one.iterations, two.iterations);
      EXPECT_EQ(one.residual, two.residual);
    }
  }
}

TEST(ContactSolverInvariance, ForgetsEarlierProblems) {
  test::Random random(86);
  ContactSolver used;
  for (int trial = 0; trial < 40; ++trial) {
    const auto problem =
        test::bodies_in_contact({.bodies = 1 + random.below(8),
                                 .contacts = random.below(12),
                                 .kinds = test::kAllKinds,
                                 .form = random.below(2) == 0 ? DelassusForm::kExplicit : DelassusForm::kFactored},
                                random);
    const auto method =
        contact_methods()[static_cast<size_t>(random.below(static_cast<int>(contact_methods().size())))].method;
    const ContactSolverOptions options{.method = trial % 2 == 0 ? ContactMethod::kPortfolio : method, .max_iterations = 200};
    Solution again;
    used.solve(problem, options, again);
    const Solution fresh = solve(problem, options);
    EXPECT_EQ(again.Lambda, fresh.Lambda) << "trial " << trial;
    EXPECT_EQ(again.iterations, fresh.iterations);
    EXPECT_EQ(again.residual, fresh.residual);
    EXPECT_EQ(again.status, fresh.status);
  }
}

TEST(ContactSolverInvariance, WarmStarts) {
  test::Random random(87);
  for (int trial = 0; trial < 30; ++trial) {
    const auto [problem, Lambda] =
        test::manufacture_laws(test::draw_laws(1 + random.below(8), test::kAllKinds, 0.3, random), -1, 0.0, random);
    // A solution is kept, by every method.
    for (const ContactMethodInfo& info : contact_methods()) {
      const Solution kept = solve(problem, {.method = info.method}, Lambda);
      EXPECT_TRUE(kept.converged()) << info.name;
      EXPECT_LE(kept.residual, test::eta(problem, Lambda) + 1e-15) << info.name;
      EXPECT_LE((kept.Lambda - Lambda).norm(), 1e-9 * (1.0 + Lambda.norm())) << info.name << ", trial " << trial;
    }
    // A wrong one, a useless one and one of another problem are forgiven.
    const Solution cold = solve(problem);
    const auto rows = static_cast<Eigen::Index>(problem.rows());
    for (const VectorXd& start :
         {VectorXd(100.0 * random.vector(problem.rows())), VectorXd(VectorXd::Constant(rows, std::nan(""))),
          VectorXd(VectorXd::Constant(rows, test::kInfinity)), VectorXd(VectorXd::Ones(rows + 1)),
          VectorXd(VectorXd::Constant(rows, 1e200))}) {
      const Solution solution = solve(problem, {}, start);
      EXPECT_EQ(solution.converged(), cold.converged()) << "trial " << trial << " start " << start[0];
      EXPECT_LE(test::eta(problem, solution.Lambda), 1.1e-8) << "trial " << trial << " start " << start[0];
    }
  }
}

TEST(ContactSolverInvariance, StagesAddUp) {
  test::Random random(88);
  ContactSolver solver;
  std::set<std::string> names, seen;
  for (const ContactMethodInfo& info : contact_methods()) names.insert(info.name);
  EXPECT_EQ(names.size(), contact_methods().size());
  EXPECT_EQ(contact_methods()[0].method, ContactMethod::kPortfolio);
  for (int trial = 0; trial < 60; ++trial) {
    const auto problem = test::bodies_in_contact(
        {.bodies = 1 + random.below(4), .contacts = 1 + random.below(14), .kinds = test::kConeKinds}, random);
    Solution solution;
    solver.solve(problem, {.tolerance = trial % 2 == 0 ? 1e-8 : 1e-13}, solution);
    int iterations = 0;
    for (const SolveStage& stage : solver.stages()) {
      EXPECT_TRUE(names.count(stage.name) == 1 && std::string(stage.name) != "portfolio") << stage.name;
      EXPECT_GE(stage.iterations, 0);
      EXPECT_GE(stage.seconds, 0.0);
      EXPECT_GE(stage.residual, 0.0);
      iterations += stage.iterations;
      seen.insert(stage.name);
    }
    EXPECT_EQ(iterations, solution.iterations);
  }
  EXPECT_TRUE(seen.count("gauss-seidel") == 1 && seen.count("anderson") == 1 && seen.count("newton") == 1);
}

TEST(ContactSolverInvariance, BudgetsHold) {
  test::Random random(89);
  ContactSolver solver;
  for (int trial = 0; trial < 10; ++trial) {
    // One body: one island.
    const auto problem = test::bodies_in_contact({.bodies = 1, .contacts = 6, .largest_mu = 0.5}, random);
    for (const ContactMethodInfo& info : contact_methods()) {
      if (info.method == ContactMethod::kPortfolio || info.method == ContactMethod::kEnumeration) continue;
      for (const int most : {1, 3, 10}) {
        Solution solution;
        solver.solve(problem, {.method = info.method, .tolerance = 1e-14, .max_iterations = most}, solution);
        EXPECT_LE(solution.iterations, most) << info.name;
        EXPECT_NEAR(test::eta(problem, solution.Lambda), solution.residual, 1e-6 * solution.residual + 1e-13) << info.name;
        EXPECT_EQ(solution.converged(), solution.residual <= 1e-14) << info.name;
      }
    }
  }
}

// A light body beside an unrelated heavy one, judged apart: neither may hide the other.
TEST(ContactSolverInvariance, PartsAreJudgedApart) {
  test::Random random(90);
  for (int trial = 0; trial < 20; ++trial) {
    const auto light = test::manufacture_laws(test::draw_laws(3, {test::Kind::kContact3d}, 0.4, random), -1, 0.0, random);
    const auto heavy = test::manufacture_laws(test::draw_laws(3, {test::Kind::kContact3d}, 0.4, random), -1, 0.0, random);
    MatrixXd G = MatrixXd::Zero(18, 18);
    G.topLeftCorner(9, 9) = 1e6 * dense(light.problem);
    G.bottomRightCorner(9, 9) = 1e-6 * dense(heavy.problem);
    VectorXd c(18);
    c << light.problem.c, heavy.problem.c;
    std::vector<LawSet> laws = light.problem.laws;
    laws.insert(laws.end(), heavy.problem.laws.begin(), heavy.problem.laws.end());
    auto problem = test::make_problem(G, c, laws, std::vector<int>(6, 3));
    problem.part = {0, 0, 0, 1, 1, 1};
    const Solution solution = solve(problem, {.tolerance = 1e-10});
    EXPECT_TRUE(solution.converged());
    EXPECT_LE(test::eta(light.problem, 1e6 * solution.Lambda.head(9)), 1.1e-10) << "trial " << trial;
    EXPECT_LE(test::eta(heavy.problem, 1e-6 * solution.Lambda.tail(9)), 1.1e-10) << "trial " << trial;
    // Together, the heavy one decides alone; still honest.
    problem.part.clear();
    const Solution together = solve(problem, {.tolerance = 1e-10});
    EXPECT_TRUE(together.converged());
    EXPECT_LE(test::eta(problem, together.Lambda), 1.1e-10);
  }
}

}  // namespace tippe::solve_contact_solver_invariance_test
