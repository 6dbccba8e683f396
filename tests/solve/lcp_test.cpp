// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/lcp.h"

#include <limits>

#include "support/complementarity.h"
#include "tippe/core/error.h"

namespace tippe::solve_lcp_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

ComplementaritySolution solve(const LcpProblem& problem, LcpMethod method = LcpMethod::kPortfolio) {
  ComplementaritySolution solution;
  EXPECT_EQ(solve_lcp(problem, {.method = method}, solution), solution.status);
  // What every answer must keep, whatever the method.
  if (solution.status == ComplementarityStatus::kNotFinite) return solution;
  EXPECT_DOUBLE_EQ(solution.residual, evaluate_residual(problem, solution.x).relative);
  EXPECT_EQ(solution.converged(), solution.residual <= 1e-8);
  EXPECT_EQ(solution.status == ComplementarityStatus::kNoSolution, solution.certificate.has_value());
  return solution;
}

const std::vector<LcpMethod> kExactMethods = {LcpMethod::kPortfolio, LcpMethod::kLemke, LcpMethod::kEnumeration};

// Murty's family: M_ii = 1, M_ij = 2 above the diagonal, q_i = -(2^(n+1) - 2^i) makes pivoting rules visit 2^n bases. The solution is
// z = (0, ..., 0, 2^n).
TEST(Lcp, MurtysExponentialFamily) {
  for (int n = 1; n <= 12; ++n) {
    LcpProblem problem{MatrixXd::Identity(n, n), VectorXd(n)};
    for (int i = 0; i < n; ++i) {
      problem.M.row(i).tail(n - 1 - i).setConstant(2.0);
      problem.q[i] = -(std::pow(2.0, n + 1) - std::pow(2.0, i + 1));
    }
    VectorXd z = VectorXd::Zero(n);
    z[n - 1] = std::pow(2.0, n);
    for (const LcpMethod method :
         {LcpMethod::kPortfolio, LcpMethod::kLemke, LcpMethod::kNewton, LcpMethod::kProjectedGaussSeidel}) {
      const ComplementaritySolution solution = solve(problem, method);
      EXPECT_TRUE(solution.converged()) << n << ' ' << solution.residual;
      EXPECT_LE((solution.x - z).norm(), 1e-7 * z.norm());
    }
  }
}

// Cottle, Pang, Stone: a matrix for which the plain ratio test cycles, and a copositive-plus one with z = (0, 1, 3) by hand:
// w1 = -z2 + 2 z3 - 3 >= 0, w2 = 2 z1 - 2 z3 + 6 >= 0, w3 = -z1 + z2 - 1 >= 0 and z = (0, 1, 3) gives w = (2, 0, 0).
TEST(Lcp, TextbookExamples) {
  const LcpProblem cyclic{(MatrixXd(3, 3) << 0, -1, 2, 2, 0, -2, -1, 1, 0).finished(), Vector3d(-3, 6, -1)};
  for (const LcpMethod method : kExactMethods) {
    const ComplementaritySolution solution = solve(cyclic, method);
    ASSERT_TRUE(solution.converged());
    const VectorXd w = cyclic.M * solution.x + cyclic.q;
    EXPECT_GE(std::min(solution.x.minCoeff(), w.minCoeff()), -1e-12);
  }
  // A quadratic program in the same book: M positive definite, solution by its enumeration.
  const LcpProblem small{(MatrixXd(2, 2) << 2, 1, 1, 2).finished(), Vector2d(-5, -6)};
  for (const LcpMethod method : {LcpMethod::kPortfolio, LcpMethod::kLemke, LcpMethod::kEnumeration, LcpMethod::kNewton,
                                 LcpMethod::kProjectedGaussSeidel})
    EXPECT_LE((solve(small, method).x - Vector2d(4.0 / 3.0, 7.0 / 3.0)).norm(), 1e-7);
}

// Kostreva's example: Bard's method and Lemke's without a rule against cycling revisit the same bases. M is a P matrix, so the
// solution is unique; with q = (-1, -1, -1) all three are active by symmetry and z = 1/3.
TEST(Lcp, KostrevasCyclingExample) {
  const LcpProblem problem{(MatrixXd(3, 3) << 1, 2, 0, 0, 1, 2, 2, 0, 1).finished(), Vector3d(-1, -1, -1)};
  for (const LcpMethod method : kExactMethods)
    EXPECT_LE((solve(problem, method).x - Vector3d::Constant(1.0 / 3.0)).norm(), 1e-14);
}

TEST(Lcp, PMatricesAgreeWithAllBases) {
  test::Random random(111);
  for (int trial = 0; trial < 150; ++trial) {
    const int n = 1 + random.below(7);
    // Strictly dominant with a positive diagonal, or positive definite with a large skew part: P.
    MatrixXd M = test::random_semidefinite(random, n, n, 2.0) + 0.05 * MatrixXd::Identity(n, n);
    if (trial % 2 == 0) {
      M = test::random_matrix(random, n, n);
      for (int i = 0; i < n; ++i) M(i, i) = M.row(i).cwiseAbs().sum() + 0.1;
    }
    const LcpProblem problem{M, random.vector(n)};
    const auto all = test::all_basic_solutions(problem);
    ASSERT_EQ(all.size(), 1u);
    for (const LcpMethod method : {LcpMethod::kPortfolio, LcpMethod::kLemke, LcpMethod::kEnumeration, LcpMethod::kNewton}) {
      const ComplementaritySolution solution = solve(problem, method);
      EXPECT_TRUE(solution.converged()) << "trial " << trial << " residual " << solution.residual;
      EXPECT_LE((solution.x - all[0]).norm(), 1e-6 * (1.0 + all[0].norm())) << "trial " << trial;
    }
  }
}

// For a positive semidefinite M a solution exists exactly if the inequalities have a point, and the portfolio must say which.
TEST(Lcp, SemidefiniteProblemsAreDecided) {
  test::Random random(112);
  int solved = 0, refuted = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + random.below(8), rank = random.below(n);
    LcpProblem problem{test::random_semidefinite(random, n, rank, trial % 3 == 0 ? 1.0 : 0.0), random.vector(n)};
    if (trial % 4 == 1) problem.q = problem.M * random.vector(n);  // always feasible where M is symmetric
    if (trial % 5 == 2) {                                          // a contact twice
      problem.M.row(n - 1) = problem.M.row(0).eval();
      problem.M.col(n - 1) = problem.M.col(0).eval();
      problem.q[n - 1] = problem.q[0];
    }
    for (const LcpMethod method : {LcpMethod::kPortfolio, LcpMethod::kLemke}) {
      const ComplementaritySolution solution = solve(problem, method);
      ASSERT_NE(solution.status, ComplementarityStatus::kNotConverged) << "trial " << trial << ": " << solution.note;
      if (solution.converged()) {
        // Round-off of M z against q: some solutions are a million times larger than q.
        const double size =
            1.0 + solution.x.maxCoeff() * problem.M.cwiseAbs().maxCoeff() / (1e-300 + problem.q.cwiseAbs().maxCoeff());
        EXPECT_LE(solution.residual, 1e-14 * size) << "trial " << trial;
        ++solved;
        continue;
      }
      ++refuted;
      ASSERT_EQ(solution.certificate->kind, Certificate::Kind::kFarkas);
      const VectorXd& y = solution.certificate->y;  // checked by hand: y >= 0, M'y <= 0, q'y < 0
      EXPECT_GE(y.minCoeff(), 0.0);
      EXPECT_LE((problem.M.transpose() * y).maxCoeff(), 1e-12);
      EXPECT_LT(problem.q.dot(y), -1e-9);
      EXPECT_TRUE(test::all_basic_solutions(problem).empty());
    }
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(refuted, 100);
}

TEST(Lcp, CopositiveProblemsAreSolved) {  // nonnegative with a positive diagonal: strictly copositive, solvable for all q
  test::Random random(113);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.below(10);
    MatrixXd M = test::random_matrix(random, n, n).cwiseAbs();
    M.diagonal().array() += 0.01;
    for (const LcpMethod method : {LcpMethod::kPortfolio, LcpMethod::kLemke})
      EXPECT_LE(solve({M, random.vector(n)}, method).residual, 1e-12) << "trial " << trial;
  }
}

// Skew M and q with a feasible point: the complementarity form of a linear program that has a solution.
TEST(Lcp, SkewProblemsAreSolved) {
  test::Random random(114);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + random.below(10);
    const MatrixXd M = test::random_semidefinite(random, n, 0, 1.0);
    const VectorXd z = random.vector(n).cwiseMax(0.0), w = random.vector(n).cwiseMax(0.0);
    EXPECT_LE(solve({M, w - M * z}).residual, 1e-12) << "trial " << trial;
  }
}

// Any matrix: the portfolio finds a solution exactly where the oracle does.
TEST(Lcp, GeneralProblemsAgreeWithAllBases) {
  test::Random random(115);
  int none = 0, some = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + random.below(6);
    const LcpProblem problem{test::random_matrix(random, n, n), random.vector(n)};
    const auto all = test::all_basic_solutions(problem);
    for (const LcpMethod method : {LcpMethod::kPortfolio, LcpMethod::kEnumeration}) {
      const ComplementaritySolution solution = solve(problem, method);
      EXPECT_EQ(solution.status, all.empty() ? ComplementarityStatus::kNoSolution : ComplementarityStatus::kConverged)
          << "trial " << trial << ", " << all.size() << " solutions, residual " << solution.residual;
      if (all.empty() && method == LcpMethod::kEnumeration) {
        EXPECT_EQ(solution.certificate->kind, Certificate::Kind::kEnumeration);
        EXPECT_GT(solution.certificate->margin, 0.0);
        EXPECT_GE(solution.certificate->cases, 1);
      }
    }
    (all.empty() ? none : some)++;
  }
  EXPECT_GT(none, 20);
  EXPECT_GT(some, 100);
}

// w1 = z2 - 1 >= 0 and w2 = -z1: z2 >= 1 forces w2 = -z1 = 0, then z1 = 0 and everything holds with any z2 >= 1. With w2 = -z1 - 1
// nothing holds: y = (0, 1). M is not copositive.
TEST(Lcp, ARayProvesOnlyWhatItsVectorShows) {
  const MatrixXd M = (MatrixXd(2, 2) << 0, 1, -1, 0).finished();
  EXPECT_TRUE(solve({M, Vector2d(-1, 0)}, LcpMethod::kLemke).converged());
  const ComplementaritySolution none = solve({M, Vector2d(-1, -1)}, LcpMethod::kLemke);
  ASSERT_EQ(none.status, ComplementarityStatus::kNoSolution);
  EXPECT_GT(none.certificate->y[1], 0.0);
  // The bimatrix game of Cottle, Pang, Stone: Lemke ends on a ray although z = (1, 4, 1, 4) / 90 solves it.
  MatrixXd game = MatrixXd::Zero(4, 4);
  game.topRightCorner(2, 2) << 10, 20, 30, 15;
  game.bottomLeftCorner(2, 2) << 10, 20, 30, 15;
  const LcpProblem problem{game, Vector4d::Constant(-1)};
  const ComplementaritySolution ray = solve(problem, LcpMethod::kLemke);
  EXPECT_EQ(ray.status, ComplementarityStatus::kNotConverged);
  EXPECT_NE(ray.note.find("proves nothing"), std::string::npos);
  const ComplementaritySolution solved = solve(problem);
  EXPECT_TRUE(solved.converged());
  EXPECT_TRUE(solved.note.empty());
}

// M y = 0 for a positive y: the problem is solvable exactly if q'y >= 0. However near q is to that boundary, no false claim.
TEST(Lcp, NothingFalseIsClaimedNearTheBoundary) {
  test::Random random(118);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + random.below(6);
    const VectorXd y = random.vector(n).cwiseAbs() + VectorXd::Constant(n, 0.1);
    MatrixXd F = test::random_matrix(random, n, n);
    F -= y * (y.transpose() * F) / y.squaredNorm();
    LcpProblem problem{F * F.transpose(), F * random.vector(n)};
    const double distance = random.magnitude(-14, -2);
    problem.q += distance * y / y.squaredNorm();
    EXPECT_NE(solve(problem).status, ComplementarityStatus::kNoSolution) << "trial " << trial << ", q'y = " << distance;
    problem.q -= 2.0 * distance * y / y.squaredNorm();
    const ComplementaritySolution beyond = solve(problem);
    if (distance > 1e-6) {
      EXPECT_EQ(beyond.status, ComplementarityStatus::kNoSolution) << "trial " << trial << ' ' << distance;
    }
  }
}

TEST(Lcp, FarkasVectorsThatAreNoneAreRefused) {
  const LcpProblem problem{(MatrixXd(2, 2) << 0, 1, -1, 0).finished(), Vector2d(-1, -1)};
  EXPECT_GE(evaluate_farkas(problem, Vector2d(0, 1)), 1e300);
  EXPECT_EQ(evaluate_farkas(problem, Vector2d(0, -1)), 0.0);  // negative
  EXPECT_LE(evaluate_farkas(problem, Vector2d(1, 0)), 1.0);   // M'y = (0, 1): excludes only z2 < 1
  EXPECT_EQ(evaluate_farkas(LcpProblem{problem.M, Vector2d(1, 1)}, Vector2d(0, 1)), 0.0);  // q'y > 0
  EXPECT_EQ(evaluate_farkas(problem, Vector2d(0, 0)), 0.0);
}

TEST(Lcp, UnitsAndOrderDoNotMatter) {
  test::Random random(116);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + random.below(6);
    const LcpProblem problem{test::random_semidefinite(random, n, trial % 2 == 0 ? n : n - 1, 0.5), random.vector(n)};
    const ComplementaritySolution before = solve(problem);
    for (const double factor : {1e6, 1e-6}) {
      // Each variable and each row with a unit of its own, and all of q.
      VectorXd column(n), row(n);
      for (int i = 0; i < n; ++i) column[i] = i % 2 == 0 ? factor : 1.0, row[i] = i % 3 == 0 ? factor : 1.0;
      const LcpProblem scaled{row.asDiagonal() * problem.M * column.asDiagonal(), factor * row.cwiseProduct(problem.q)};
      const ComplementaritySolution after = solve(scaled);
      ASSERT_EQ(after.status, before.status) << "trial " << trial;
      if (!after.converged() || trial % 2 == 1) continue;
      const VectorXd back = column.cwiseProduct(after.x) / factor;
      EXPECT_LE((back - before.x).norm(), 1e-9 * (1e-3 + before.x.norm())) << "trial " << trial;
    }
    Eigen::PermutationMatrix<Eigen::Dynamic> P(n);
    for (int i = 0; i < n; ++i) P.indices()[i] = (i + 1) % n;
    const ComplementaritySolution permuted = solve({P * problem.M * P.transpose(), P * problem.q});
    ASSERT_EQ(permuted.status, before.status);
    if (permuted.converged() && trial % 2 == 0) {
      EXPECT_LE((permuted.x - P * before.x).norm(), 1e-10 * (1.0 + before.x.norm()));
    }
  }
}

TEST(Lcp, EdgesOfTheInput) {
  for (const LcpMethodInfo& info : lcp_methods()) {
    EXPECT_TRUE(solve({MatrixXd(0, 0), VectorXd(0)}, info.method).converged()) << info.name;
    EXPECT_TRUE(solve({MatrixXd::Zero(2, 2), Vector2d(1, 0)}, info.method).converged()) << info.name;
    EXPECT_TRUE(solve({MatrixXd::Identity(2, 2), Vector2d(-1, 0)}, info.method).converged()) << info.name;
    EXPECT_EQ(solve({MatrixXd::Identity(2, 2), Vector2d(std::nan(""), 0)}, info.method).status,
              ComplementarityStatus::kNotFinite);
    const MatrixXd infinite = MatrixXd::Constant(1, 1, std::numeric_limits<double>::infinity());
    EXPECT_EQ(solve({infinite, VectorXd::Zero(1)}, info.method).status, ComplementarityStatus::kNotFinite);
    ComplementaritySolution solution;
    EXPECT_THROW(solve_lcp({MatrixXd(2, 3), VectorXd(2)}, {info.method}, solution), InputError);
  }
  EXPECT_EQ(solve({MatrixXd::Zero(2, 2), Vector2d(1, -1)}).status, ComplementarityStatus::kNoSolution);
  EXPECT_EQ(solve({MatrixXd::Zero(2, 2), Vector2d(1, -1)}, LcpMethod::kEnumeration).status,
            ComplementarityStatus::kNoSolution);
  EXPECT_EQ(LcpOptions{.tolerance = 0.0}.invalid_reason(), "tolerance = 0 must be positive");
  EXPECT_EQ(LcpOptions{.max_iterations = -1}.invalid_reason(), "max_iterations = -1 must not be negative");
  EXPECT_EQ(LcpOptions{}.invalid_reason(), "");
}

TEST(Lcp, ExtremeNumbers) {
  const MatrixXd M = (MatrixXd(2, 2) << 2, 1, 1, 2).finished();
  for (const double size : {1e300, 1e-300})
    EXPECT_LE((solve({size * M, size * Vector2d(-3, -3)}).x - Vector2d(1, 1)).norm(), 1e-12) << size;
  EXPECT_FALSE(
      solve({MatrixXd::Constant(1, 1, 5e-324), VectorXd::Constant(1, -1.0)}).converged());  // z = 2e323 is no number
}

TEST(Lcp, BudgetsAreKept) {
  const int n = 8;
  test::Random random(117);
  const LcpProblem problem{test::random_semidefinite(random, n, n, 1.0), VectorXd::Constant(n, -1.0)};
  for (const LcpMethod method :
       {LcpMethod::kLemke, LcpMethod::kNewton, LcpMethod::kProjectedGaussSeidel, LcpMethod::kEnumeration}) {
    ComplementaritySolution solution;
    solve_lcp(problem, {.method = method, .max_iterations = 1}, solution);
    EXPECT_EQ(solution.status, ComplementarityStatus::kNotConverged);
    EXPECT_EQ(solution.iterations, 1);
    EXPECT_GT(solution.residual, 1e-8);
  }
}

}  // namespace tippe::solve_lcp_test
