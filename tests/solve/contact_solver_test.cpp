// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/contact_solver.h"

#include <map>

#include "support/contact_problems.h"
#include "support/linear_algebra.h"
#include "tippe/solve/enumerate.h"

namespace tippe::solve_contact_solver_test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// What is reported is what was reached: eta by the test's own code, and "converged" only where it meets the tolerance.
void expect_honest(const InclusionProblem& problem, const Solution& solution, double tolerance) {
  ResidualWork work;
  prepare_residual(problem, work);
  const double own = test::eta(problem, solution.Lambda), scale = residual_scale(work);
  double mu = 1.0;  // the residual of a cone holds mu |xi_T|
  for (const LawSet& law : problem.laws) {
    const auto* contact = std::get_if<CoulombContact>(&law);
    if (contact != nullptr && contact->mu1 <= 1e3) mu = std::max(mu, contact->mu1);
  }
  const double round_off = 1e-13 * mu * (1.0 + solution.Lambda.norm() / (scale > 0.0 ? scale : 1.0));
  EXPECT_NEAR(solution.residual, own, 1e-6 * own + round_off);
  EXPECT_EQ(solution.converged(), solution.residual <= tolerance);
}

Solution solve(const InclusionProblem& problem, const ContactSolverOptions& options = {}) {
  ContactSolver solver;
  Solution solution;
  EXPECT_EQ(solver.solve(problem, options, solution), solution.status);
  expect_honest(problem, solution, options.tolerance);
  return solution;
}

TEST(ContactSolver, SolvesManufacturedProblemsOfEveryKind) {
  test::Random random(61);
  for (const test::Kind kind : test::kAllKinds) {
    for (int trial = 0; trial < 25; ++trial) {
      const auto known = test::manufacture_laws(test::draw_laws(1 + random.below(8), {kind}, 0.5, random), -1,
                                                trial % 3 == 0 ? 1e-2 : 0.0, random);
      ASSERT_LE(test::eta(known.problem, known.Lambda), 1e-13);
      const Solution solution = solve(known.problem, {.tolerance = 1e-10});
      EXPECT_TRUE(solution.converged()) << "kind " << static_cast<int>(kind) << " trial " << trial << " eta "
                                        << solution.residual;
    }
  }
}

TEST(ContactSolver, SolvesMixedProblems) {
  test::Random random(62);
  for (int trial = 0; trial < 100; ++trial) {
    const auto known = test::manufacture_laws(test::draw_laws(1 + random.below(15), test::kAllKinds, 0.5, random), -1,
                                              trial % 3 == 0 ? 1e-2 : 0.0, random);
    const Solution solution = solve(known.problem, {.tolerance = 1e-10});
    EXPECT_TRUE(solution.converged()) << "trial " << trial << " eta " << solution.residual;
  }
}

// From no motion possible at all to full rank.
TEST(ContactSolver, SolvesEveryRank) {
  test::Random random(63);
  for (const auto& kinds : {std::vector<test::Kind>{test::Kind::kContact3d}, std::vector<test::Kind>{test::Kind::kContact2d},
                            std::vector<test::Kind>{test::Kind::kHalfLine, test::Kind::kContact3d}}) {
    for (int trial = 0; trial < 6; ++trial) {
      const test::Drawn drawn = test::draw_laws(4, kinds, 0.5, random);
      const int n = std::accumulate(drawn.sizes.begin(), drawn.sizes.end(), 0);
      for (int rank = 0; rank <= n; ++rank) {
        const auto known = test::manufacture_laws(drawn, rank, 0.0, random);
        const Solution solution = solve(known.problem);
        EXPECT_TRUE(solution.converged()) << "rank " << rank << " of " << n << " eta " << solution.residual;
      }
    }
  }
}

TEST(ContactSolver, SolvesBodiesInContact) {
  test::Random random(64);
  constexpr int kTrials = 200;
  int solved = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto problem =
        test::bodies_in_contact({.bodies = 1 + random.below(6),
                                 .contacts = 1 + random.below(10),
                                 .kinds = test::kConeKinds,
                                 .mass_decades = 2.0 * random.below(3),
                                 .form = trial % 2 == 0 ? DelassusForm::kExplicit : DelassusForm::kFactored},
                                random);
    if (solve(problem).converged()) ++solved;
  }
  EXPECT_GE(solved, kTrials - 2);  // bodies jammed from all sides are hard for everybody
}

/// The different ones among all solutions.
std::vector<VectorXd> distinct_solutions(const InclusionProblem& problem) {
  std::vector<VectorXd> distinct;
  for (const auto& solution : enumerate_solutions(problem, {})) {
    const auto same = [&](const VectorXd& x) { return (x - solution.Lambda).norm() < 1e-6 * (1 + x.norm()); };
    if (std::none_of(distinct.begin(), distinct.end(), same)) distinct.push_back(solution.Lambda);
  }
  return distinct;
}

TEST(ContactSolver, EveryMethodAgreesWithTheEnumeration) {
  test::Random random(65);
  std::map<std::string, int> converged;
  int unique = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const auto known =
        test::manufacture_laws(test::draw_laws(1 + random.below(3), test::kPlainKinds, 0.5, random), -1, 0.0, random);
    const std::vector<VectorXd> all = distinct_solutions(known.problem);
    ASSERT_FALSE(all.empty()) << "trial " << trial;
    if (all.size() == 1) ++unique;
    for (const ContactMethodInfo& info : contact_methods()) {
      const Solution solution = solve(known.problem, {.method = info.method, .tolerance = 1e-10});
      if (!solution.converged()) continue;
      ++converged[info.name];
      const auto found = [&](const VectorXd& x) { return (x - solution.Lambda).norm() < 1e-6 * (1 + x.norm()); };
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), found)) << info.name << ", trial " << trial;
    }
  }
  EXPECT_GT(unique, 100);
  for (const ContactMethodInfo& info : contact_methods()) {
    const bool sure = info.method == ContactMethod::kPortfolio || info.method == ContactMethod::kEnumeration;
    EXPECT_GE(converged[info.name], sure ? 120 : 40) << info.name;
  }
}

// Without friction the problem is convex: velocities are unique, whatever the rank.
TEST(ContactSolver, MethodsAgreeInTheVelocitiesWithoutFriction) {
  test::Random random(66);
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    auto problem = test::bodies_in_contact({.bodies = 1 + random.below(3),
                                            .contacts = 1 + random.below(8),
                                            .kinds = {test::Kind::kHalfLine, test::Kind::kBilateral}},
                                           random);
    const Solution reference = solve(problem, {.tolerance = 1e-12});
    ASSERT_TRUE(reference.converged()) << "trial " << trial << " eta " << reference.residual;
    const VectorXd xi = test::velocities(problem, reference.Lambda);
    for (const ContactMethodInfo& info : contact_methods()) {
      const Solution solution = solve(problem, {.method = info.method, .tolerance = 1e-12});
      if (!solution.converged()) continue;
      EXPECT_LE((test::velocities(problem, solution.Lambda) - xi).norm(), 1e-5 * problem.c.norm())
          << info.name << ", trial " << trial;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

// A tower of equal blocks, G = tridiag(-1, 2, -1), c = -1: all contacts carry, and Gauss-Seidel gains a factor cos^2(pi/41) in a sweep.
// The sweeps of the test, judged one by one, say how many are needed; the solver looks rarely, but makes few too many.
TEST(ContactSolver, PlainSweepsStopSoonAfterTheToleranceIsMet) {
  constexpr int kBlocks = 40;
  MatrixXd G = 2.0 * MatrixXd::Identity(kBlocks, kBlocks);
  G.diagonal(1).setConstant(-1.0);
  G.diagonal(-1).setConstant(-1.0);
  const InclusionProblem problem = test::make_problem(
      G, VectorXd::Constant(kBlocks, -1.0), std::vector<LawSet>(kBlocks, HalfLine{}), std::vector<int>(kBlocks, 1));
  VectorXd Lambda = VectorXd::Zero(kBlocks);
  int needed = 0;
  for (double tolerance = 1e-2; tolerance > 1e-9; tolerance *= 0.1) {
    while (test::eta(problem, Lambda) > tolerance) {
      for (int i = 0; i < kBlocks; ++i) Lambda[i] = std::max(0.0, Lambda[i] - (G.row(i).dot(Lambda) - 1.0) / 2.0);
      ++needed;
    }
    const Solution solution = solve(problem, {.method = ContactMethod::kGaussSeidel, .tolerance = tolerance});
    EXPECT_TRUE(solution.converged());
    EXPECT_GE(solution.iterations, needed - 1);  // round-off may decide
    EXPECT_LE(solution.iterations, needed + 2.0 * std::sqrt(needed) + 4.0) << "tolerance " << tolerance;
  }
  EXPECT_GT(needed, 1000);
}

TEST(ContactSolver, NoLaws) {
  const Solution solution = solve(test::make_problem(MatrixXd(0, 0), VectorXd(0), {}, {}));
  EXPECT_TRUE(solution.converged());
  EXPECT_EQ(solution.Lambda.size(), 0);
}

TEST(ContactSolver, NothingToDo) {
  test::Random random(67);
  const auto drawn =
      test::draw_laws(4, {test::Kind::kContact3d, test::Kind::kContact2d, test::Kind::kHalfLine}, 0.5, random);
  auto [problem, Lambda] = test::manufacture_laws(drawn, -1, 0.0, random);
  // c = 0, and c that opens every contact: no impulse at all.
  problem.c.setZero();
  EXPECT_TRUE(solve(problem).Lambda.isZero(0.0));
  for (int i = 0; i < problem.G.blocks.blocks(); ++i) problem.c[problem.G.blocks.row[i]] = random.uniform(0.0, 1.0);
  for (const ContactMethodInfo& info : contact_methods()) {
    const Solution solution = solve(problem, {.method = info.method});
    EXPECT_TRUE(solution.converged()) << info.name;
    EXPECT_TRUE(solution.Lambda.isZero(0.0)) << info.name;
  }
}

TEST(ContactSolver, NoFrictionIsAHalfLine) {
  test::Random random(68);
  for (int trial = 0; trial < 20; ++trial) {
    auto problem = test::bodies_in_contact({.bodies = 4, .contacts = 5}, random);
    for (LawSet& law : problem.laws) law = CoulombContact{0.0, 0.0};
    const Solution solution = solve(problem, {.tolerance = 1e-11});
    ASSERT_TRUE(solution.converged());
    MatrixXd G(5, 5);
    VectorXd c(5), normal(5);
    for (int i = 0; i < 5; ++i) {
      const VectorXd column = test::velocities(problem, VectorXd::Unit(15, 3 * i)) - problem.c;
      for (int j = 0; j < 5; ++j) G(j, i) = column[3 * j];
      c[i] = problem.c[3 * i];
      normal[i] = solution.Lambda[3 * i];
      EXPECT_EQ(solution.Lambda[3 * i + 1], 0.0);
      EXPECT_EQ(solution.Lambda[3 * i + 2], 0.0);
    }
    const auto lines = test::make_problem(G, c, std::vector<LawSet>(5, HalfLine{}), std::vector<int>(5, 1));
    EXPECT_LE(test::eta(lines, normal), 1e-9);
  }
}

TEST(ContactSolver, HugeFriction) {
  test::Random random(69);
  for (const double mu : {1e2, 1e4, 1e6, 1e9, 1e20, 1e150, 1e300}) {
    for (int trial = 0; trial < 4; ++trial) {
      auto [problem, Lambda] =
          test::manufacture_laws(test::draw_laws(3, {test::Kind::kContact3d}, 0.5, random), -1, 0.0, random);
      for (LawSet& law : problem.laws) law = CoulombContact{mu, mu};
      solve(problem);  // may have no solution; honest all the same
    }
    // A single contact pressed closed sticks: r = -G^-1 c.
    MatrixXd G = Vector3d(1, 2, 3).asDiagonal();
    G(0, 1) = G(1, 0) = 0.3;
    const Vector3d c(-1, 0.5, 0.5);
    const Solution solution = solve(test::make_problem(G, c, {CoulombContact{mu, mu}}, {3}));
    EXPECT_TRUE(solution.converged()) << mu;
    EXPECT_LE((solution.Lambda - test::solve(G, -c)).norm(), 1e-9) << mu;
    for (const ContactMethod method : {ContactMethod::kGaussSeidel, ContactMethod::kNewton, ContactMethod::kInteriorPoint}) {
      const Solution alone = solve(test::make_problem(G, c, {CoulombContact{mu, mu}}, {3}), {.method = method});
      EXPECT_TRUE(alone.converged()) << name_of(method) << " " << mu;
      EXPECT_LE((alone.Lambda - test::solve(G, -c)).norm(), 1e-4) << name_of(method) << " " << mu;  // 1e-8 times 1e3 and |G|
    }
  }
}

// G = diag(1, a, 1) or diag(a, 1, 1): a contact that is pressed closed sticks with r = -G^-1 c if that is in the cone. Sizes within a
// contact differ, and impulses are far from what is natural.
TEST(ContactSolver, TheInteriorPointAloneSolvesContactsWithRowsOfDifferentSize) {
  for (const double mu : {0.3, 1.0, 10.0, 1e3}) {
    for (const double a : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
      for (const Vector3d& diagonal : {Vector3d(1, a, 1), Vector3d(a, 1, 1)}) {
        const MatrixXd G = diagonal.asDiagonal();
        const Vector3d c(-10, 1, 1), sticking = -c.cwiseQuotient(diagonal);
        const Solution solution = solve(test::make_problem(G, c, {CoulombContact{mu, mu}}, {3}),
                                        {.method = ContactMethod::kInteriorPoint, .tolerance = 1e-9});
        EXPECT_TRUE(solution.converged()) << mu << ", " << diagonal.transpose() << ": residual " << solution.residual;
        EXPECT_NEAR(solution.Lambda[0], sticking[0], 1e-5 * sticking[0])
            << mu << ", " << diagonal.transpose();  // 1e-8 times mu
        if (sticking.tail(2).norm() > mu * sticking[0]) {
          EXPECT_NEAR(solution.Lambda.tail(2).norm(), mu * sticking[0], 1e-5 * mu * sticking[0]);
        }
      }
    }
  }
}

TEST(ContactSolver, ZeroDiagonal) {
  MatrixXd G = MatrixXd::Identity(6, 6);
  G.bottomRightCorner(3, 3).setZero();
  VectorXd c(6);
  c << -1, 0.2, 0, 0.5, 1, -1;  // the second contact opens
  const std::vector<LawSet> contacts(2, CoulombContact{0.5, 0.5});
  const Solution solution = solve(test::make_problem(G, c, contacts, {3, 3}));
  EXPECT_TRUE(solution.converged());
  EXPECT_NEAR(solution.Lambda[0], 1.0, 1e-7);
  EXPECT_NEAR(solution.Lambda[1], -0.2, 1e-7);
  EXPECT_TRUE(solution.Lambda.tail(3).isZero(0.0));
}

// Every contact three times: the impulses share a load in any way, the velocities are those of one.
TEST(ContactSolver, DuplicatedContacts) {
  test::Random random(70);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [problem, Lambda] =
        test::manufacture_laws(test::draw_laws(3, {test::Kind::kContact3d}, 0.4, random), -1, 0.0, random);
    MatrixXd G(9, 9);
    for (int k = 0; k < 9; ++k) G.col(k) = test::velocities(problem, VectorXd::Unit(9, k)) - problem.c;
    std::vector<LawSet> laws;
    for (int copy = 0; copy < 3; ++copy) laws.insert(laws.end(), problem.laws.begin(), problem.laws.end());
    const auto tripled =
        test::make_problem(G.replicate(3, 3), VectorXd(problem.c).replicate(3, 1), laws, std::vector<int>(9, 3));
    const Solution solution = solve(tripled, {.tolerance = 1e-10});
    EXPECT_TRUE(solution.converged()) << "trial " << trial << " eta " << solution.residual;
    // Together they solve the single problem: sums of cones with the same slip.
    VectorXd sum = VectorXd::Zero(9);
    for (int copy = 0; copy < 3; ++copy) sum += solution.Lambda.segment(9 * copy, 9);
    EXPECT_LE(test::eta(problem, sum), 1e-8) << "trial " << trial;
  }
}

// Nothing acts on a row that is pushed closed: no impulse helps. By hand: e = rho c, hence eta = |c_1| / |c| whatever the impulse.
TEST(ContactSolver, ContradictionsStayUnsolved) {
  for (const ContactMethodInfo& info : contact_methods()) {
    const auto alone = test::make_problem(MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1.0), {HalfLine{}}, {1});
    const Solution nothing = solve(alone, {.method = info.method});
    EXPECT_FALSE(nothing.converged()) << info.name;
    EXPECT_NEAR(nothing.residual, 1.0, 1e-6) << info.name;
    MatrixXd G = MatrixXd::Identity(4, 4);
    G(3, 3) = 0.0;
    const auto beside =
        test::make_problem(G, Eigen::Vector4d(-1, 0.1, 0, -1), {CoulombContact{0.5, 0.5}, HalfLine{}}, {3, 1});
    const Solution half = solve(beside, {.method = info.method});
    EXPECT_FALSE(half.converged()) << info.name;
    EXPECT_GE(half.residual, 0.7) << info.name;
  }
}

// Two walls closing in on a body that must not move: bilateral rows that contradict each other.
TEST(ContactSolver, ContradictingEquations) {
  const MatrixXd G = MatrixXd::Ones(2, 2);
  const std::vector<LawSet> laws(2, Interval{-test::kInfinity, test::kInfinity});
  for (const ContactMethodInfo& info : contact_methods())
    EXPECT_FALSE(solve(test::make_problem(G, Eigen::Vector2d(1, -1), laws, {1, 1}), {.method = info.method}).converged())
        << info.name;
  EXPECT_TRUE(solve(test::make_problem(G, Eigen::Vector2d(1, 1), laws, {1, 1})).converged());
}

TEST(ContactSolver, DataThatAreNotFinite) {
  test::Random random(71);
  ContactSolver solver;
  for (const double bad : {std::nan(""), test::kInfinity, -test::kInfinity}) {
    for (const ContactMethodInfo& info : contact_methods()) {
      for (const bool in_c : {true, false}) {
        auto problem = test::bodies_in_contact({.bodies = 2, .contacts = 4}, random);
        if (in_c) {
          problem.c[4] = bad;
        } else {
          problem.G.blocks.value[7] = bad;
        }
        Solution solution;
        EXPECT_EQ(solver.solve(problem, {.method = info.method}, solution), SolveStatus::kNotFinite)
            << info.name << ' ' << bad;
        EXPECT_EQ(solution.residual, test::kInfinity);
        EXPECT_EQ(solution.Lambda.size(), problem.rows());
      }
    }
  }
}

TEST(ContactSolver, RefusesUselessOptions) {
  EXPECT_EQ(ContactSolverOptions{}.invalid_reason(), "");
  EXPECT_NE(ContactSolverOptions{.tolerance = 0.0}.invalid_reason(), "");
  EXPECT_NE(ContactSolverOptions{.tolerance = std::nan("")}.invalid_reason(), "");
  EXPECT_NE(ContactSolverOptions{.max_iterations = -1}.invalid_reason(), "");
  EXPECT_NE(ContactSolverOptions{.threads = 3}.invalid_reason(), "");
}

}  // namespace tippe::solve_contact_solver_test
