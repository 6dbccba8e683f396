// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/linear_program.h"

#include "support/programs.h"
#include "tippe/core/error.h"

namespace tippe::solve_linear_program_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

ProgramSolution solve(const LinearProgram& program, double size = 10.0) {
  const ProgramSolution solution = solve_linear_program(program);
  test::expect_proved(test::as_quadratic(program), solution, size);
  return solution;
}

LinearProgram with_positive_variables(const VectorXd& p, const MatrixXd& A, const VectorXd& b) {
  const auto n = p.size(), m = b.size();
  LinearProgram program;
  program.p = p;
  program.A_in.resize(m + n, n);
  program.A_in << A, -MatrixXd::Identity(n, n);
  program.b_in.resize(m + n);
  program.b_in << b, VectorXd::Zero(n);
  return program;
}

// The textbook example of cycling in the simplex method (Beale): optimum -1/20 at (1/25, 0, 1, 0).
TEST(LinearProgram, BealesCyclingExample) {
  MatrixXd A(3, 4);
  A << 0.25, -60, -0.04, 9, 0.5, -90, -0.02, 3, 0, 0, 1, 0;
  const ProgramSolution solution = solve(with_positive_variables(Vector4d(-0.75, 150, -0.02, 6), A, Vector3d(0, 0, 1)), 100);
  ASSERT_TRUE(solution.optimal());
  EXPECT_NEAR(solution.objective, -0.05, 1e-13);
  EXPECT_LE((solution.x - Vector4d(0.04, 0, 1, 0)).norm(), 1e-12);
}

// Klee and Minty's cube: optimum 5^n.
TEST(LinearProgram, KleeMintyCubes) {
  for (int n = 1; n <= 8; ++n) {
    VectorXd p(n), b(n);
    MatrixXd A = MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i) {
      p[i] = -std::pow(2.0, n - 1 - i);
      b[i] = std::pow(5.0, i + 1);
      for (int j = 0; j < i; ++j) A(i, j) = std::pow(2.0, i - j + 1);
    }
    const ProgramSolution solution = solve(with_positive_variables(p, A, b), std::pow(5.0, n));
    EXPECT_NEAR(solution.objective, -std::pow(5.0, n), 1e-10 * std::pow(5.0, n));
  }
}

TEST(LinearProgram, ManufacturedProgramsAndTheirDuals) {
  test::Random random(131);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + random.below(8), n_eq = random.below(n), n_in = random.below(20);
    double optimum = 0.0;
    const QuadraticProgram program = test::manufacture_program(random, n, n_eq, n_in, 0, optimum);
    const ProgramSolution solution = solve({program.p, program.A_eq, program.b_eq, program.A_in, program.b_in});
    ASSERT_TRUE(solution.optimal()) << "trial " << trial;
    EXPECT_NEAR(solution.objective, optimum, 1e-9) << "trial " << trial;
    EXPECT_NEAR(solution.objective,
                test::solve_by_lemke({program.p, program.A_eq, program.b_eq, program.A_in, program.b_in}).objective, 1e-9);
    // The dual, min b'y: A'y = -p, y_in >= 0, has the opposite optimum.
    LinearProgram dual;
    dual.p.resize(n_eq + n_in);
    dual.p << program.b_eq, program.b_in;
    dual.A_eq.resize(n, n_eq + n_in);
    dual.A_eq << program.A_eq.transpose(), program.A_in.transpose();
    dual.b_eq = -program.p;
    dual.A_in = MatrixXd::Zero(n_in, n_eq + n_in);
    dual.A_in.rightCols(n_in) = -MatrixXd::Identity(n_in, n_in);
    dual.b_in = VectorXd::Zero(n_in);
    EXPECT_NEAR(solve(dual).objective, -optimum, 1e-9) << "trial " << trial;
  }
}

// Rows twice, rows of zeros, sums of rows: the same optimum.
TEST(LinearProgram, RedundantRowsChangeNothing) {
  test::Random random(132);
  for (int trial = 0; trial < 150; ++trial) {
    const int n = 2 + random.below(6), n_eq = random.below(n), n_in = 1 + random.below(10);
    double optimum = 0.0;
    const QuadraticProgram program = test::manufacture_program(random, n, n_eq, n_in, 0, optimum);
    LinearProgram redundant{program.p, MatrixXd(2 * n_eq + 1, n), VectorXd(2 * n_eq + 1), MatrixXd(2 * n_in + 2, n),
                            VectorXd(2 * n_in + 2)};
    const Eigen::RowVectorXd sum_eq = program.A_eq.colwise().sum(), sum_in = program.A_in.colwise().sum();
    redundant.A_eq << program.A_eq, 3.0 * program.A_eq, sum_eq;
    redundant.b_eq << program.b_eq, 3.0 * program.b_eq, program.b_eq.sum();
    redundant.A_in << program.A_in, program.A_in, sum_in, Eigen::RowVectorXd::Zero(n);
    redundant.b_in << program.b_in, program.b_in, program.b_in.sum(), 0.0;
    EXPECT_NEAR(solve(redundant).objective, optimum, 1e-9) << "trial " << trial;
  }
}

TEST(LinearProgram, InfeasibleAndUnboundedAreProved) {
  test::Random random(133);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.below(7), n_eq = random.below(n), n_in = 1 + random.below(10);
    double optimum = 0.0;
    const QuadraticProgram feasible = test::manufacture_program(random, n, n_eq, n_in, 0, optimum);
    LinearProgram program{feasible.p, feasible.A_eq, feasible.b_eq, feasible.A_in, feasible.b_in};
    if (trial % 2 == 0) {  // one more row that contradicts a positive combination of the others by 0.1
      const VectorXd y = random.vector(n_in).cwiseAbs(), y_eq = random.vector(n_eq);
      program.A_in.conservativeResize(n_in + 1, n);
      program.b_in.conservativeResize(n_in + 1);
      program.A_in.row(n_in) = -(feasible.A_in.transpose() * y + feasible.A_eq.transpose() * y_eq).transpose();
      program.b_in[n_in] = -(feasible.b_in.dot(y) + feasible.b_eq.dot(y_eq)) - 0.1;
      EXPECT_EQ(solve(program).status, ProgramStatus::kInfeasible) << "trial " << trial;
    } else {  // rows turned so that d leaves the set, and an objective that falls along it
      const VectorXd d = random.vector(n);
      for (int i = 0; i < n_in; ++i) {
        if (program.A_in.row(i).dot(d) > 0.0) program.A_in.row(i) *= -1.0;
      }
      for (int i = 0; i < n_eq; ++i) program.A_eq.row(i) -= program.A_eq.row(i).dot(d) / d.squaredNorm() * d.transpose();
      const VectorXd x = random.vector(n);
      program.b_eq = program.A_eq * x;
      program.b_in = program.A_in * x + random.vector(n_in).cwiseAbs();
      if (program.p.dot(d) > -0.1) program.p -= (program.p.dot(d) + 0.1) / d.squaredNorm() * d;
      EXPECT_EQ(solve(program).status, ProgramStatus::kUnbounded) << "trial " << trial;
    }
  }
}

// A beam of weight 29.43 on three supports in a row: the split of the load is not determined, its bounds are.
TEST(LinearProgram, BoundsOfUndeterminedForces) {
  LinearProgram program;
  program.A_eq.resize(2, 3);
  program.A_eq << 1, 1, 1, -1, 0, 1;
  program.b_eq = Vector2d(29.43, 0);
  program.A_in = -MatrixXd::Identity(3, 3);
  program.b_in = Vector3d::Zero();
  const double upper[] = {14.715, 29.43, 14.715};
  for (int i = 0; i < 3; ++i) {
    program.p = VectorXd::Unit(3, i);
    EXPECT_NEAR(solve(program, 30).objective, 0.0, 1e-12);
    program.p *= -1.0;
    EXPECT_NEAR(-solve(program, 30).objective, upper[i], 1e-12);
  }
}

TEST(LinearProgram, UnitsDoNotMatter) {
  test::Random random(134);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 2 + random.below(5), n_eq = random.below(n), n_in = 2 * n;
    double optimum = 0.0;
    const QuadraticProgram q = test::manufacture_program(random, n, n_eq, n_in, 0, optimum);
    VectorXd unit(n), row_in(n_in), row_eq(n_eq);
    for (double& x : unit) x = random.magnitude(-6, 6);
    for (double& x : row_in) x = random.magnitude(-6, 6);
    for (double& x : row_eq) x = random.magnitude(-6, 6);
    const ProgramSolution solution = solve_linear_program(
        {1e6 * unit.cwiseProduct(q.p), row_eq.asDiagonal() * q.A_eq * unit.asDiagonal(), row_eq.cwiseProduct(q.b_eq),
         row_in.asDiagonal() * q.A_in * unit.asDiagonal(), row_in.cwiseProduct(q.b_in)});
    ASSERT_TRUE(solution.optimal()) << "trial " << trial << ' ' << name_of(solution.status);
    EXPECT_NEAR(solution.objective / 1e6, optimum, 1e-9) << "trial " << trial;
  }
}

TEST(LinearProgram, FeasiblePoints) {
  LinearProgram square;  // 1 <= x <= 2 in both directions, and x + y = 3
  square.A_in.resize(4, 2);
  square.A_in << 1, 0, 0, 1, -1, 0, 0, -1;
  square.b_in = Vector4d(2, 2, -1, -1);
  square.A_eq = MatrixXd::Ones(1, 2);
  square.b_eq = VectorXd::Constant(1, 3.0);
  const ProgramSolution point = find_feasible_point(square);
  ASSERT_TRUE(point.optimal());
  EXPECT_LE((square.A_in * point.x - square.b_in).maxCoeff(), 1e-12);
  EXPECT_NEAR(point.x.sum(), 3.0, 1e-12);
  square.b_eq[0] = 4.5;
  const ProgramSolution none = find_feasible_point(square);
  test::expect_proved(test::as_quadratic({VectorXd::Zero(2), square.A_eq, square.b_eq, square.A_in, square.b_in}), none);
  EXPECT_EQ(none.status, ProgramStatus::kInfeasible);
}

TEST(LinearProgram, EdgesOfTheInput) {
  EXPECT_TRUE(solve({VectorXd(0), {}, {}, {}, {}}).optimal());
  EXPECT_TRUE(solve({VectorXd::Zero(2), {}, {}, {}, {}}).optimal());
  EXPECT_EQ(solve({VectorXd::Ones(2), {}, {}, {}, {}}).status, ProgramStatus::kUnbounded);
  EXPECT_EQ(solve({VectorXd(0), MatrixXd(1, 0), VectorXd::Ones(1), {}, {}}).status, ProgramStatus::kInfeasible);  // 0 = 1
  EXPECT_EQ(solve({VectorXd::Zero(1), {}, {}, MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1.0)}).status,
            ProgramStatus::kInfeasible);
  EXPECT_EQ(solve_linear_program({VectorXd::Constant(1, std::nan("")), {}, {}, {}, {}}).status, ProgramStatus::kNotFinite);
  EXPECT_THROW((void)solve_linear_program({VectorXd::Zero(2), MatrixXd(1, 3), VectorXd(1), {}, {}}), InputError);
}

}  // namespace tippe::solve_linear_program_test
