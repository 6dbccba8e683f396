// SPDX-License-Identifier: Apache-2.0
// A mass under constraints: HeldMass for instants and ConstrainedMass for steps are one thing.
#include "tippe/core/held_mass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/linear_algebra.h"
#include "support/random.h"
#include "tippe/core/constrained_mass.h"

namespace tippe::core_held_mass_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::random_matrix;

/// M_c^-1 h of both; nothing if they say that a direction has no mass.
struct Held {
  bool definite = false;
  int rank = 0;
  VectorXd motion;
};

Held by_instant(const MatrixXd& M, const MatrixXd& W, const VectorXd& h) {
  const HeldMass mass(M, W);
  if (!mass.definite()) return {};
  return {true, mass.rank(), mass.motion(mass.kinetic_held(h))};
}

Held by_steps(const MatrixXd& M, const MatrixXd& W, const VectorXd& h) {
  std::vector<LowerEntry> pattern;
  std::vector<double> values;
  for (int i = 0; i < M.rows(); ++i) {
    for (int j = 0; j <= i; ++j) {
      pattern.push_back({i, j});
      values.push_back(M(i, j));
    }
  }
  SparseColumns columns;
  for (int k = 0; k < W.cols(); ++k) {
    for (int i = 0; i < W.rows(); ++i) columns.push(i, W(i, k));
    columns.finish_column();
  }
  ConstrainedMass mass(static_cast<int>(M.rows()), pattern, columns);
  if (!mass.factorize(values, columns)) return {};
  VectorXd motion = h;
  mass.solve_in_place(motion);
  return {true, mass.rank().rank, motion};
}

// M a = h + W lambda, W'a = 0 with a KKT matrix is the reference; masses of every rank, rows that repeat in other units and
// combinations, coordinates in units of their own.
TEST(HeldMass, SingularRedundantAndBadlyScaledGiveTheMotionOfTheKktSystem) {
  test::Random random(11);
  int singular = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + random.below(5), mass_rank = 1 + random.below(n), p = n - mass_rank + random.below(mass_rank);
    const MatrixXd root = random_matrix(random, n, mass_rank), M = root * root.transpose(), W = random_matrix(random, n, p);
    const VectorXd h = random_matrix(random, n, 1);
    MatrixXd kkt = MatrixXd::Zero(n + p, n + p);
    kkt << M, -W, W.transpose(), MatrixXd::Zero(p, p);
    if (p == 0 || test::reciprocal_condition(kkt) < 1e-3) continue;
    singular += mass_rank < n ? 1 : 0;
    VectorXd right = VectorXd::Zero(n + p);
    right.head(n) = h;
    const VectorXd expected = test::solve(kkt, right).head(n);

    MatrixXd combinations = MatrixXd::Zero(p, p + 2);
    combinations << MatrixXd::Identity(p, p), random_matrix(random, p, 2);
    VectorXd rows(p + 2), units(n);
    for (double& unit : rows) unit = std::pow(10.0, random.uniform(-6.0, 6.0));
    for (double& unit : units) unit = std::pow(10.0, random.uniform(-4.0, 4.0));
    const MatrixXd scaled_M = units.asDiagonal() * M * units.asDiagonal();
    const MatrixXd scaled_W = units.asDiagonal() * W * combinations * rows.asDiagonal();
    for (const Held& held :
         {by_instant(scaled_M, scaled_W, units.cwiseProduct(h)), by_steps(scaled_M, scaled_W, units.cwiseProduct(h))}) {
      ASSERT_TRUE(held.definite) << trial;
      EXPECT_EQ(held.rank, p) << trial;
      EXPECT_LE((units.cwiseProduct(held.motion) - expected).norm(), 1e-8 * (1.0 + expected.norm())) << trial;
    }
  }
  EXPECT_GT(singular, 100);
}

// A tonne elsewhere; a milligram that a rod without mass ties to a coordinate without mass: 1e-6 a2 = h2 - h3, a3 = -a2.
TEST(HeldMass, AHeavyBodyElsewhereDoesNotDrownALightOne) {
  const MatrixXd M = Vector3d(1e6, 1e-6, 0.0).asDiagonal(), W = Vector3d(0.0, 1.0, 1.0);
  const VectorXd h = Vector3d(3e6, 2e-6, 1e-6);
  for (const Held& held : {by_instant(M, W, h), by_steps(M, W, h)}) {
    ASSERT_TRUE(held.definite);
    EXPECT_NEAR(held.motion[0], 3.0, 1e-13);
    EXPECT_NEAR(held.motion[1], 1.0, 1e-13);
    EXPECT_NEAR(held.motion[2], -1.0, 1e-13);
  }
}

// Two coordinates without mass, held by their sum in metres and their difference in units of 10^7 m: nothing can move.
TEST(HeldMass, RowsOfOtherUnitsHoldWhatHasNoMass) {
  MatrixXd W(2, 2);
  W << 1.0, 1e-7, 1.0, -1e-7;
  for (const Held& held :
       {by_instant(MatrixXd::Zero(2, 2), W, Vector2d(1.0, 2.0)), by_steps(MatrixXd::Zero(2, 2), W, Vector2d(1.0, 2.0))}) {
    ASSERT_TRUE(held.definite);
    EXPECT_EQ(held.rank, 2);
    EXPECT_LE(held.motion.norm(), 1e-12);
  }
}

// A column that the rows hold but for 1e-12 of it is held, in steps as at instants; one that they hold but for 1e-8 is not.
TEST(HeldMass, WhatTheRowsHoldButForRoundOffIsHeld) {
  const MatrixXd M = MatrixXd::Identity(2, 2), W = Vector2d(1.0, 0.0);
  for (const auto& [left, is_held] : {std::pair{1e-12, true}, std::pair{1e-8, false}}) {
    const VectorXd direction = Vector2d(1.0, left);
    EXPECT_EQ(HeldMass(M, W).kinetic_held(direction).norm() == 0.0, is_held) << left;
    const std::vector<LowerEntry> pattern{{0, 0}, {1, 1}};
    const std::vector<double> values{1.0, 1.0};
    SparseColumns columns, Y;
    columns.push(0, 1.0);
    columns.finish_column();
    ConstrainedMass mass(2, pattern, columns);
    ASSERT_TRUE(mass.factorize(values, columns));
    const std::vector<int> rows{0, 1};
    mass.append_kinetic_column(rows, {direction.data(), 2}, Y);
    EXPECT_EQ(Y.start[1] == Y.start[0], is_held) << left;
  }
}

}  // namespace tippe::core_held_mass_test
