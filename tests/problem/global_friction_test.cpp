// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/global_friction.h"

#include "support/linear_algebra.h"
#include "support/random.h"
#include "support/same_problem.h"
#include "tippe/core/error.h"

namespace tippe::problem_global_friction_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Two contacts with three rows on seven coordinates, M given.
GlobalFrictionProblem make(const MatrixXd& M, test::Random& random) {
  GlobalFrictionProblem problem;
  MatrixXd H = MatrixXd::Zero(M.rows(), 6);
  for (int k = 0; k < 6; ++k) {
    H.col(k) = random.vector(static_cast<int>(M.rows()));
    H(k, k) = 0.0;  // not every entry is there
  }
  problem.M = M.sparseView();
  problem.H = H.sparseView();
  problem.f = random.vector(static_cast<int>(M.rows()));
  problem.w = random.vector(6);
  problem.mu = Eigen::Vector2d(0.3, 0.8);
  return problem;
}

MatrixXd random_matrix(int n, test::Random& random) {
  MatrixXd A(n, n);
  for (int k = 0; k < n; ++k) A.col(k) = random.vector(n);
  return A;
}

/// Against the dense inverse.
void expect_condensed(const GlobalFrictionProblem& problem) {
  const InclusionProblem condensed = condense(problem);
  const MatrixXd inverse = test::inverse(problem.M), H = problem.H;
  const MatrixXd G = H.transpose() * inverse * H;
  const VectorXd c = H.transpose() * inverse * problem.f + problem.w;
  EXPECT_LE((test::dense(condensed.G) - G).norm(), 1e-11 * G.norm());
  EXPECT_LE((condensed.c - c).norm(), 1e-11 * c.norm());
  ASSERT_EQ(condensed.laws.size(), 2u);
  EXPECT_EQ(std::get<CoulombContact>(condensed.laws[1]).mu1, 0.8);

  const VectorXd r = VectorXd::LinSpaced(6, -1.0, 2.0), v = recover_velocities(problem, r);
  EXPECT_LE((problem.M * v - problem.H * r - problem.f).norm(), 1e-11 * problem.f.norm());
  EXPECT_LE((H.transpose() * v + problem.w - (G * r + c)).norm(), 1e-10 * c.norm());
}

TEST(GlobalFriction, CondensesASymmetricPositiveDefiniteMatrix) {
  test::Random random(1);
  const MatrixXd A = random_matrix(7, random);
  expect_condensed(make(A * A.transpose() + MatrixXd::Identity(7, 7), random));
}

TEST(GlobalFriction, CondensesMatricesThatAreNotSymmetricOrNotDefinite) {
  test::Random random(2);
  const MatrixXd A = random_matrix(7, random), symmetric = A * A.transpose() + MatrixXd::Identity(7, 7);
  MatrixXd slightly = symmetric;
  slightly(5, 2) += 1e-9;  // the triangles differ: which one counts must not be guessed
  expect_condensed(make(slightly, random));
  expect_condensed(make(A + 4.0 * MatrixXd::Identity(7, 7), random));
  expect_condensed(make(A + A.transpose(), random));  // indefinite
  MatrixXd cyclic = MatrixXd::Zero(7, 7);             // nothing on the diagonal, over twelve decades
  for (int k = 0; k < 7; ++k) cyclic(k, (k + 1) % 7) = std::pow(10.0, 2 * k - 6);
  expect_condensed(make(cyclic, random));
}

TEST(GlobalFriction, RefusesASingularMatrix) {
  test::Random random(3);
  MatrixXd zero_column = MatrixXd::Identity(7, 7);
  zero_column(3, 3) = 0.0;
  EXPECT_THROW((void)condense(make(zero_column, random)), InputError);
  const MatrixXd A = random_matrix(7, random);
  MatrixXd dependent = A;
  dependent.row(6) = A.row(0) + A.row(1);
  EXPECT_THROW((void)condense(make(dependent, random)), InputError);
  MatrixXd structural = MatrixXd::Zero(7, 7);  // two rows share their only column
  structural.diagonal().setOnes();
  structural(5, 5) = 0.0;
  structural(5, 6) = 1.0;
  structural(0, 5) = 1.0;
  EXPECT_THROW((void)condense(make(structural, random)), InputError);
  EXPECT_THROW((void)condense(make(MatrixXd::Zero(7, 7), random)), InputError);
}

TEST(GlobalFriction, HoldsNoContactsAndNoCoordinates) {
  GlobalFrictionProblem empty;
  EXPECT_EQ(condense(empty).rows(), 0);
}

}  // namespace tippe::problem_global_friction_test
