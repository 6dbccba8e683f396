// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/mlcp.h"

#include "support/complementarity.h"
#include "support/linear_algebra.h"
#include "tippe/core/error.h"
#include "tippe/solve/lcp.h"

namespace tippe::solve_mlcp_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ComplementaritySolution solve(const MlcpProblem& problem, MlcpMethod method = MlcpMethod::kPortfolio) {
  ComplementaritySolution solution;
  solve_mlcp(problem, {.method = method}, solution);
  const auto nu = problem.a.size(), nv = problem.b.size();
  EXPECT_DOUBLE_EQ(solution.residual, evaluate_residual(problem, solution.x.head(nu), solution.x.tail(nv)).relative);
  EXPECT_EQ(solution.converged(), solution.residual <= 1e-8);
  EXPECT_EQ(solution.status == ComplementarityStatus::kNoSolution, solution.certificate.has_value());
  return solution;
}

MlcpProblem from_blocks(const MatrixXd& K, const VectorXd& k, int nu) {
  const auto nv = k.size() - nu;
  return {K.topLeftCorner(nu, nu),
          K.bottomRightCorner(nv, nv),
          K.topRightCorner(nu, nv),
          K.bottomLeftCorner(nv, nu),
          k.head(nu),
          k.tail(nv)};
}

/// k such that x = (u, v) is a solution, with v and w zero or positive at random.
VectorXd manufacture(const MatrixXd& K, int nu, test::Random& random, VectorXd& x) {
  const int n = static_cast<int>(K.rows());
  x = random.vector(n);
  VectorXd y = VectorXd::Zero(n);
  for (int i = nu; i < n; ++i) {
    const double value = random.uniform(0.1, 1.0);
    (random.below(2) == 0 ? x : y)[i] = value;
    if (y[i] > 0.0) x[i] = 0.0;
    if (y[i] == 0.0) x[i] = value;
  }
  return y - K * x;
}

// An invertible A: eliminating u by hand gives the LCP of the Schur complement.
TEST(Mlcp, AgreesWithTheEliminatedLcp) {
  test::Random random(121);
  for (int trial = 0; trial < 100; ++trial) {
    const int nu = random.below(5), nv = random.below(6), n = nu + nv;
    const MlcpProblem problem =
        from_blocks(test::random_semidefinite(random, n, n, 1.0) + 0.1 * MatrixXd::Identity(n, n), random.vector(n), nu);
    const MatrixXd A_inverse = test::inverse(problem.A);
    const LcpProblem lcp{problem.B - problem.D * A_inverse * problem.C, problem.b - problem.D * A_inverse * problem.a};
    const auto v = test::all_basic_solutions(lcp);
    ASSERT_EQ(v.size(), 1u);
    for (const MlcpMethodInfo& info : mlcp_methods()) {
      const ComplementaritySolution solution = solve(problem, info.method);
      ASSERT_TRUE(solution.converged()) << info.name << " trial " << trial << ' ' << solution.residual;
      EXPECT_LE((solution.x.tail(nv) - v[0]).norm(), 1e-6 * (1.0 + v[0].norm())) << info.name << " trial " << trial;
    }
  }
}

// A is singular, often zero: the free variables have to be brought in through the pairs.
TEST(Mlcp, SingularFreeBlockOfASemidefiniteProblem) {
  test::Random random(122);
  for (int trial = 0; trial < 200; ++trial) {
    const int nu = 1 + random.below(5), nv = 1 + random.below(6), n = nu + nv;
    MatrixXd K = test::random_semidefinite(random, n, random.below(n), 1.0);
    if (trial % 3 == 0)
      K.topLeftCorner(nu, nu).setZero(), K.topRightCorner(nu, nv) = -K.bottomLeftCorner(nv, nu).transpose();
    if (trial % 3 == 1) K.row(0).setZero(), K.col(0).setZero();  // an undetermined u
    VectorXd x;
    const VectorXd k = manufacture(K, nu, random, x);
    for (const MlcpMethod method : {MlcpMethod::kPortfolio, MlcpMethod::kLemke}) {
      const ComplementaritySolution solution = solve(from_blocks(K, k, nu), method);
      EXPECT_TRUE(solution.converged()) << "trial " << trial << ' ' << solution.residual << ' ' << solution.note;
      EXPECT_LE(solution.residual, 1e-11) << "trial " << trial;
    }
  }
}

// C has an entry where D has none: u cannot be exchanged with any pair. v - 1 = 0 and w = v - 1.
TEST(Mlcp, FreeVariableThatEntersNoPair) {
  MatrixXd K = MatrixXd::Zero(2, 2);
  K << 0, 1, 0, 1;
  const ComplementaritySolution solution = solve(from_blocks(K, Eigen::Vector2d(-1, -1), 1));
  EXPECT_TRUE(solution.converged());
  EXPECT_NEAR(solution.x[1], 1.0, 1e-12);
  EXPECT_EQ(solve(from_blocks(K, Eigen::Vector2d(1, -1), 1)).status, ComplementarityStatus::kNoSolution);  // v = -1
}

TEST(Mlcp, GeneralManufacturedProblemsAreSolved) {
  test::Random random(123);
  for (int trial = 0; trial < 150; ++trial) {
    const int nu = random.below(4), nv = 1 + random.below(6);
    const MatrixXd K = test::random_matrix(random, nu + nv, nu + nv);
    VectorXd x;
    const VectorXd k = manufacture(K, nu, random, x);
    for (const MlcpMethod method : {MlcpMethod::kPortfolio, MlcpMethod::kEnumeration})
      EXPECT_TRUE(solve(from_blocks(K, k, nu), method).converged()) << "trial " << trial;
  }
}

// Two equations that contradict each other, u1 + u2 = 0 and u1 + u2 = 1: y = (1, -1) up to sign and size.
TEST(Mlcp, ContradictionsComeWithAFarkasVector) {
  const MatrixXd K = MatrixXd::Constant(2, 2, 1.0);
  const MlcpProblem equations = from_blocks(K, Eigen::Vector2d(0, -1), 2);
  const ComplementaritySolution none = solve(equations);
  ASSERT_EQ(none.status, ComplementarityStatus::kNoSolution);
  EXPECT_LE((K.transpose() * none.certificate->y).norm(), 1e-14);
  EXPECT_LT(none.certificate->y.dot(Eigen::Vector2d(0, -1)), 0.0);
  EXPECT_GE(evaluate_farkas(equations, none.certificate->y), 1e9);
  test::Random random(124);
  for (int trial = 0; trial < 60; ++trial) {  // y'K = 0 in the free columns, <= 0 in the others, y'k = -1
    const int nu = random.below(4), nv = 1 + random.below(5), n = nu + nv;
    VectorXd y = random.vector(n);
    y.tail(nv) = y.tail(nv).cwiseAbs();
    y[n - 1] = 1.0;
    MatrixXd K_none = test::random_matrix(random, n, n);
    for (int j = 0; j < n; ++j) K_none(n - 1, j) -= y.dot(K_none.col(j)) + (j < nu ? 0.0 : random.uniform(0.0, 1.0));
    VectorXd k = random.vector(n);
    k[n - 1] -= y.dot(k) + 1.0;
    const ComplementaritySolution solution = solve(from_blocks(K_none, k, nu));
    EXPECT_EQ(solution.status, ComplementarityStatus::kNoSolution) << "trial " << trial;
  }
}

TEST(Mlcp, EdgesOfTheInput) {
  for (const MlcpMethodInfo& info : mlcp_methods()) {
    EXPECT_TRUE(solve(from_blocks(MatrixXd(0, 0), VectorXd(0), 0), info.method).converged()) << info.name;
    // Equations alone, pairs alone, an equation 0 = 0.
    EXPECT_NEAR(solve(from_blocks(MatrixXd::Constant(1, 1, 4.0), VectorXd::Constant(1, -2.0), 1), info.method).x[0], 0.5,
                1e-12);
    EXPECT_NEAR(solve(from_blocks(MatrixXd::Constant(1, 1, 4.0), VectorXd::Constant(1, -2.0), 0), info.method).x[0], 0.5,
                1e-8);
    EXPECT_TRUE(solve(from_blocks(MatrixXd::Zero(2, 2), Eigen::Vector2d(0, 1), 1), info.method).converged()) << info.name;
    MlcpProblem bad = from_blocks(MatrixXd::Identity(2, 2), Eigen::Vector2d(0, 0), 1);
    bad.C(0, 0) = std::nan("");
    ComplementaritySolution solution;
    EXPECT_EQ(solve_mlcp(bad, {info.method}, solution), ComplementarityStatus::kNotFinite);
    bad.C.resize(2, 2);
    EXPECT_THROW(solve_mlcp(bad, {info.method}, solution), InputError);
  }
}

}  // namespace tippe::solve_mlcp_test
