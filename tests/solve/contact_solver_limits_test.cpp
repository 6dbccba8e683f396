// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/problems.h"
#include "tippe/problem/delassus_builder.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::solve_contact_solver_limits_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Two coupled contacts in space, pressed and pushed.
InclusionProblem two_contacts(double G_unit, double c_unit) {
  MatrixXd G = MatrixXd::Identity(6, 6);
  G(0, 3) = G(3, 0) = 0.3;
  G(1, 0) = G(0, 1) = 0.1;
  VectorXd c(6);
  c << -1.0, 0.2, 0.9, -0.5, 0.1, 0.0;
  return test::make_problem(G_unit * G, c_unit * c, {CoulombContact{0.5, 0.5}, CoulombContact{0.3, 0.3}}, {3, 3});
}

// Squares of such numbers vanish or overflow; the answer is that of ordinary units, and no impulse at all is none.
TEST(ContactSolverLimits, TinyAndHugeUnits) {
  ContactSolver solver;
  Solution ordinary;
  ASSERT_EQ(solver.solve(two_contacts(1.0, 1.0), {.tolerance = 1e-12}, ordinary), SolveStatus::kConverged);
  ResidualWork work;
  const double nothing_done = evaluate_residual(two_contacts(1.0, 1.0), VectorXd::Zero(6), work).relative;
  for (const auto& [G_unit, c_unit] : std::vector<std::pair<double, double>>{
           {1.0, 1e-170}, {1.0, 1e-290}, {1.0, 1e170}, {1e-200, 1.0}, {1e200, 1.0}, {1e155, 1e155}, {1e-170, 1e-170}}) {
    const InclusionProblem problem = two_contacts(G_unit, c_unit);
    EXPECT_NEAR(evaluate_residual(problem, VectorXd::Zero(6), work).relative, nothing_done, 1e-12)
        << G_unit << " " << c_unit;
    Solution solution;
    EXPECT_EQ(solver.solve(problem, {.tolerance = 1e-12}, solution), SolveStatus::kConverged) << G_unit << " " << c_unit;
    const VectorXd scaled = solution.Lambda * (G_unit / c_unit);
    EXPECT_LE((scaled - ordinary.Lambda).norm(), 1e-10 * ordinary.Lambda.norm()) << G_unit << " " << c_unit;
  }
}

// A contact that opens carries nothing, and one that closes without friction only a normal impulse, also where nothing slips.
TEST(ContactSolverLimits, NoFriction) {
  for (const double slip : {0.0, 1.0}) {
    for (const double closing : {-1.0, 1.0}) {
      for (const int size : {2, 3}) {
        VectorXd c = VectorXd::Zero(size), expected = VectorXd::Zero(size);
        c[0] = closing;
        c[1] = slip;
        expected[0] = std::max(0.0, -closing);
        const InclusionProblem problem =
            test::make_problem(MatrixXd::Identity(size, size), c, {CoulombContact{0.0, 0.0}}, {size});
        ContactSolver solver;
        Solution solution;
        EXPECT_EQ(solver.solve(problem, {.tolerance = 1e-12}, solution), SolveStatus::kConverged);
        EXPECT_LE((solution.Lambda - expected).norm(), 1e-12)
            << "c = " << c.transpose() << ", impulses " << solution.Lambda.transpose();
      }
    }
  }
}

TEST(ContactSolverLimits, FrictionWithoutLimit) {
  for (const double mu : {1e10, 1e160, 1e300}) {
    const InclusionProblem problem =
        test::make_problem(MatrixXd::Identity(3, 3), Eigen::Vector3d(-1.0, 3.0, 4.0), {CoulombContact{mu, mu}}, {3});
    ContactSolver solver;
    Solution solution;
    EXPECT_EQ(solver.solve(problem, {.tolerance = 1e-12}, solution), SolveStatus::kConverged) << mu;
    EXPECT_LE((solution.Lambda - Eigen::Vector3d(1.0, -3.0, -4.0)).norm(), 1e-10) << mu;  // it sticks
  }
}

// The stored 0.1 + 0.2 - 0.3 is not zero, and in double precision not even what it is: extended precision adds the three numbers without
// loss, and only the result is rounded.
TEST(ContactSolverLimits, ClaimsRestOnExtendedPrecision) {
  MatrixXd G(3, 3);
  G << 0.1, 0.2, -0.3, 0.2, 1.0, 0.0, -0.3, 0.0, 1.0;
  const InclusionProblem problem =
      test::make_problem(G, Eigen::Vector3d(0.0, 1.0, 0.0), {HalfLine{}, HalfLine{}, HalfLine{}}, {1, 1, 1});
  ResidualWork plain, exact;
  const VectorXd Lambda = VectorXd::Ones(3);
  (void)evaluate_residual(problem, Lambda, plain);
  (void)certify_residual(problem, Lambda, exact);
  // 64 bits hold the sum of the three exactly.
  const long double sum = static_cast<long double>(0.1) + static_cast<long double>(0.2) - static_cast<long double>(0.3);
  EXPECT_EQ(exact.xi[0], static_cast<double>(sum));
  EXPECT_NE(plain.xi[0], exact.xi[0]);
}

// The work must not grow with the square of the contacts of one body: 5,000 contacts of one body have 25 million pairs.
TEST(ContactSolverLimits, OneBodyWithManyContacts) {
  constexpr int kContacts = 5000;
  DelassusBuilder builder;
  InclusionProblem problem;
  for (int i = 0; i < kContacts; ++i) {  // normal along z, tangents along x and y, the body of mass 1 falls
    for (const int axis : {2, 0, 1}) {
      problem.G.Y.push(axis, 1.0);
      problem.G.Y.finish_column();
    }
    problem.laws.push_back(CoulombContact{0.5, 0.5});
  }
  builder.build(std::vector<int>(kContacts, 3), 3, problem.G);
  EXPECT_TRUE(problem.G.factored);
  EXPECT_EQ(problem.G.blocks.entry.size(), static_cast<size_t>(kContacts));
  builder.find_parts(problem.part);
  EXPECT_EQ(*std::max_element(problem.part.begin(), problem.part.end()), 0);
  problem.c.setZero(3 * kContacts);
  for (int i = 0; i < kContacts; ++i) problem.c[3 * i] = -1.0;
  ContactSolver solver;
  Solution solution;
  EXPECT_EQ(solver.solve(problem, {}, solution), SolveStatus::kConverged);
  double sum = 0.0;
  for (int i = 0; i < kContacts; ++i) sum += solution.Lambda[3 * i];
  EXPECT_NEAR(sum, 1.0, 1e-6);  // only the sum is determined
}

TEST(ContactSolverLimits, MisuseIsRefusedWithAReason) {
  const auto reason = [](InclusionProblem problem) {
    ContactSolver solver;
    Solution solution;
    try {
      solver.solve(problem, {}, solution);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  InclusionProblem problem = two_contacts(1.0, 1.0);
  EXPECT_EQ(reason(problem), "accepted");
  problem.laws.pop_back();
  EXPECT_EQ(reason(problem), "there are 1 laws for 2 blocks of G");
  problem = two_contacts(1.0, 1.0);
  problem.c = VectorXd::Zero(5);
  EXPECT_EQ(reason(problem), "c has 5 rows, G has 6");
  problem = two_contacts(1.0, 1.0);
  problem.laws[1] = HalfLine{};
  EXPECT_EQ(reason(problem), "block 1 has 3 rows, its law takes 1");
  problem.laws[1] = CoulombContact{-0.3, -0.3};
  EXPECT_EQ(reason(problem), "block 1 has mu = -0.3, it must not be negative");
  EXPECT_THROW((void)delassus_from_dense(MatrixXd::Identity(6, 6), {3, 2}), std::invalid_argument);
  ContactSolver solver;
  Solution solution;
  EXPECT_THROW(solver.solve(two_contacts(1.0, 1.0), {.tolerance = -1.0}, solution), std::invalid_argument);
}

// A method that does not know the laws does nothing and says so by having no stage.
TEST(ContactSolverLimits, MethodsThatDoNotApplyHaveNoStage) {
  ContactSolver solver;
  Solution solution;
  EXPECT_NE(solver.solve(two_contacts(1.0, 1.0), {.method = ContactMethod::kLemke}, solution), SolveStatus::kConverged);
  EXPECT_TRUE(solver.stages().empty());
  EXPECT_EQ(solver.islands(), 1);
}

}  // namespace tippe::solve_contact_solver_limits_test
