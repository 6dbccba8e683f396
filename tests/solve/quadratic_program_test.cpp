// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/quadratic_program.h"

#include "support/full_pivot.h"
#include "support/programs.h"
#include "tippe/core/error.h"

namespace tippe::solve_quadratic_program_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ProgramSolution solve(const QuadraticProgram& program) {
  const ProgramSolution solution = solve_quadratic_program(program);
  test::expect_proved(program, solution);
  return solution;
}

// The point of x + y <= 1, x <= 0.2 nearest to (1, 1): x = 0.2, y = 0.8, multipliers 0.2 and 0.6.
TEST(QuadraticProgram, NearestPointByHand) {
  QuadraticProgram program;
  program.Q = MatrixXd::Identity(2, 2);
  program.p = Vector2d(-1, -1);
  program.A_in = (MatrixXd(2, 2) << 1, 1, 1, 0).finished();
  program.b_in = Vector2d(1, 0.2);
  const ProgramSolution solution = solve(program);
  EXPECT_LE((solution.x - Vector2d(0.2, 0.8)).norm(), 1e-14);
  EXPECT_LE((solution.y_in - Vector2d(0.2, 0.6)).norm(), 1e-14);
  EXPECT_EQ(solution.active, (std::vector<int>{0, 1}));
}

TEST(QuadraticProgram, ManufacturedProgramsOfEveryRank) {
  test::Random random(141);
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 1 + random.below(8), n_eq = random.below(n + 1), n_in = random.below(16), rank = random.below(n + 1);
    double optimum = 0.0;
    const QuadraticProgram program = test::manufacture_program(random, n, n_eq, n_in, rank, optimum);
    const ProgramSolution solution = solve(program);
    ASSERT_TRUE(solution.optimal()) << "trial " << trial << " rank " << rank << " of " << n << ", " << n_eq << " and "
                                    << n_in;
    EXPECT_NEAR(solution.objective, optimum, 1e-9) << "trial " << trial;
  }
}

// Positive definite: every set of active rows gives one candidate, the best feasible one with positive multipliers is the optimum.
TEST(QuadraticProgram, AgreesWithAllActiveSets) {
  test::Random random(142);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 1 + random.below(4), m = 1 + random.below(6);
    QuadraticProgram program;
    program.Q = test::random_semidefinite(random, n, n, 0.0) + 0.1 * MatrixXd::Identity(n, n);
    program.p = random.vector(n, 3.0);
    program.A_in = test::random_matrix(random, m, n);
    program.b_in = random.vector(m).cwiseAbs();
    VectorXd best;
    for (int bits = 0; bits < (1 << m) && best.size() == 0; ++bits) {
      std::vector<int> set;
      for (int i = 0; i < m; ++i) {
        if (bits >> i & 1) set.push_back(i);
      }
      const auto k = static_cast<Eigen::Index>(set.size());
      if (k > n) continue;
      MatrixXd K = MatrixXd::Zero(n + k, n + k);
      K.topLeftCorner(n, n) = program.Q;
      K.topRightCorner(n, k) = program.A_in(set, Eigen::all).transpose();
      K.bottomLeftCorner(k, n) = program.A_in(set, Eigen::all);
      VectorXd right(n + k);
      right << -program.p, program.b_in(set);
      const VectorXd x = test::solve_by_pivots(K, right);
      if (k > 0 && x.tail(k).minCoeff() < 0.0) continue;
      if ((program.A_in * x.head(n) - program.b_in).maxCoeff() <= 1e-12) best = x.head(n);
    }
    ASSERT_GT(best.size(), 0);
    EXPECT_LE((solve(program).x - best).norm(), 1e-10 * (1.0 + best.norm())) << "trial " << trial;
  }
}

TEST(QuadraticProgram, InfeasibleAndUnboundedAreProved) {
  QuadraticProgram program;
  program.Q = MatrixXd::Zero(2, 2);
  program.Q(0, 0) = 1.0;  // flat in y
  program.p = Vector2d(0, -1);
  program.A_in = (MatrixXd(1, 2) << 1, 1).finished();
  program.b_in = VectorXd::Constant(1, 1.0);
  // y grows without bound only if x falls, which costs: optimum at x + y = 1, x = -1, y = 2.
  EXPECT_LE((solve(program).x - Vector2d(-1, 2)).norm(), 1e-13);
  program.A_in << 1, 0;
  EXPECT_EQ(solve(program).status, ProgramStatus::kUnbounded);
  program.A_eq = (MatrixXd(1, 2) << 1, 0).finished();
  program.b_eq = VectorXd::Constant(1, 2.0);
  EXPECT_EQ(solve(program).status, ProgramStatus::kInfeasible);  // although the objective is unbounded too
}

// Distance to a cone with more edges than dimensions, in the form of its dual: min |x - c|, x = F s, s >= 0.
TEST(QuadraticProgram, DistanceToACone) {
  MatrixXd F(3, 5);  // the edges of a pyramid around e3, one of them twice
  F << 1, -1, 0, 0, 1, 0, 0, 1, -1, 0, 1, 1, 1, 1, 1;
  const Vector3d c(3, 0, 1);
  const QuadraticProgram program{F.transpose() * F,         -F.transpose() * c, {}, {},
                                 -MatrixXd::Identity(5, 5), VectorXd::Zero(5)};
  const ProgramSolution solution = solve(program);
  EXPECT_LE((F * solution.x - Vector3d(2, 0, 2)).norm(), 1e-12);  // on the edge (1, 0, 1)
}

TEST(QuadraticProgram, UnitsAndOrderDoNotMatter) {
  test::Random random(143);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 2 + random.below(5), n_in = 2 * n;
    double optimum = 0.0;
    const QuadraticProgram q = test::manufacture_program(random, n, 1, n_in, random.below(n + 1), optimum);
    VectorXd unit(n), row(n_in);
    for (double& x : unit) x = random.magnitude(-4, 4);
    for (double& x : row) x = random.magnitude(-6, 6);
    Eigen::PermutationMatrix<Eigen::Dynamic> P(n_in);
    for (int i = 0; i < n_in; ++i) P.indices()[i] = (i + 3) % n_in;
    MatrixXd Q = 1e6 * MatrixXd(unit.asDiagonal() * q.Q * unit.asDiagonal());
    const ProgramSolution solution = solve_quadratic_program(
        {Q, 1e6 * unit.cwiseProduct(q.p), q.A_eq * unit.asDiagonal(), q.b_eq,
         P * (row.asDiagonal() * q.A_in * unit.asDiagonal()).eval(), P * row.cwiseProduct(q.b_in).eval()});
    ASSERT_TRUE(solution.optimal()) << "trial " << trial << ' ' << name_of(solution.status) << ' ' << solution.kkt_residual;
    EXPECT_NEAR(solution.objective / 1e6, optimum, 1e-8) << "trial " << trial;
  }
}

TEST(QuadraticProgram, EdgesOfTheInput) {
  EXPECT_TRUE(solve({MatrixXd(0, 0), VectorXd(0), {}, {}, {}, {}}).optimal());
  EXPECT_NEAR(solve({MatrixXd::Constant(1, 1, 2.0), VectorXd::Constant(1, -3.0), {}, {}, {}, {}}).x[0], 1.5, 1e-15);
  QuadraticProgram bad{-MatrixXd::Identity(2, 2), Vector2d(0, 0), {}, {}, {}, {}};
  EXPECT_THROW((void)solve_quadratic_program(bad), InputError);
  bad.Q << 1, 1, 0, 1;
  EXPECT_THROW((void)solve_quadratic_program(bad), InputError);
  bad.Q = MatrixXd::Constant(2, 2, std::nan(""));
  EXPECT_EQ(solve_quadratic_program(bad).status, ProgramStatus::kNotFinite);
}

}  // namespace tippe::solve_quadratic_program_test
