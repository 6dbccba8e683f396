// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/constrained_mass.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/linear_algebra.h"
#include "support/random.h"

namespace tippe::core_constrained_mass_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::random_matrix;

/// n x p of the given rank.
MatrixXd random_directions(test::Random& random, int n, int p, int rank) {
  return random_matrix(random, n, rank) * random_matrix(random, rank, p);
}

MatrixXd random_mass(test::Random& random, int n, int rank) {
  const MatrixXd A = random_matrix(random, n, rank);
  return A * A.transpose() + (rank == n ? 0.1 : 0.0) * MatrixXd::Identity(n, n);
}

MatrixXd pseudo_inverse(const MatrixXd& A) {
  const SingularValues svd = decompose_singular(A);
  VectorXd inverse = svd.values;
  for (double& s : inverse) s = s > 1e-10 * svd.values[0] ? 1.0 / s : 0.0;
  return svd.V.leftCols(inverse.size()) * inverse.asDiagonal() * svd.U.transpose();
}

/// A mass matrix and directions in the form that ConstrainedMass takes.
struct Filled {
  std::vector<LowerEntry> pattern;
  std::vector<double> values;
  SparseColumns W;

  Filled(const MatrixXd& M, const MatrixXd& directions) {
    for (int i = 0; i < M.rows(); ++i) {
      for (int j = 0; j <= i; ++j) {
        pattern.push_back({i, j});
        values.push_back(M(i, j));
      }
    }
    for (int k = 0; k < directions.cols(); ++k) {
      for (int i = 0; i < directions.rows(); ++i) W.push(i, directions(i, k));
      W.finish_column();
    }
  }
  [[nodiscard]] ConstrainedMass factorized() const {
    ConstrainedMass mass(pattern.empty() ? 0 : pattern.back().row + 1, pattern, W);
    EXPECT_TRUE(mass.factorize(values, W));
    return mass;
  }
};

/// The acceleration by the least change that satisfies the constraints, and M_c^-1 h for the rest.
VectorXd acceleration(ConstrainedMass& mass, const VectorXd& h, const VectorXd& g) {
  VectorXd a = h, change, misfit;
  mass.solve_in_place(a);
  mass.smallest_change(g, change, misfit);
  return a + change;
}

TEST(ConstrainedMass, GivesKalabaUdwadia30ForDirectionsOfEveryRank) {
  test::Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.below(7), p = 1 + random.below(7), rank = 1 + random.below(std::min(n, p));
    const MatrixXd M = random_mass(random, n, n), W = random_directions(random, n, p, rank), D = W.transpose();
    const VectorXd h = random_matrix(random, n, 1), g = D * random_matrix(random, n, 1);
    ConstrainedMass mass = Filled(M, W).factorized();
    EXPECT_EQ(mass.rank().rank, rank);

    // Kalaba-Udwadia (30): a = D+ g + (I - D+D) [(I - D+D) M (I - D+D)]+ (I - D+D)(h - M D+ g), through pseudo-inverses of D.
    const MatrixXd P = MatrixXd::Identity(n, n) - pseudo_inverse(D) * D, reduced = P * M * P;
    VectorXd expected = pseudo_inverse(D) * g;
    if (rank < n) expected += P * pseudo_inverse(reduced) * P * (h - M * expected);
    EXPECT_LT((acceleration(mass, h, g) - expected).norm(), 1e-8 * (1.0 + expected.norm())) << n << p << rank;
  }
}

TEST(ConstrainedMass, MinimizesGaussFunctionAmongFeasibleAccelerations) {
  test::Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 2 + random.below(6), p = 1 + random.below(n - 1), rank = 1 + random.below(p);
    const MatrixXd M = random_mass(random, n, n), W = random_directions(random, n, p, rank);
    const VectorXd h = random_matrix(random, n, 1), g = W.transpose() * random_matrix(random, n, 1);
    ConstrainedMass mass = Filled(M, W).factorized();
    const VectorXd a = acceleration(mass, h, g);
    ASSERT_LT((W.transpose() * a - g).norm(), 1e-10 * (1.0 + g.norm()));
    const auto gauss = [&](const VectorXd& x) { return (M * x - h).dot(test::solve(M, M * x - h)); };
    const MatrixXd null_space = decide_rank(W.transpose(), 1e-10).null_space;
    for (int k = 0; k < 20; ++k) {
      const VectorXd other = a + null_space * random_matrix(random, static_cast<int>(null_space.cols()), 1);
      EXPECT_GE(gauss(other), gauss(a) - 1e-10 * (1.0 + gauss(a)));
    }
  }
}

TEST(ConstrainedMass, SemidefiniteMassGivesTheKktSystem) {
  // Brogliato B, Proposition 1: unique where ker M and ker W' meet only in 0; the reference is a dense KKT system.
  test::Random random(3);
  int singular = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + random.below(6), mass_rank = 1 + random.below(n), p = n - mass_rank + random.below(mass_rank + 1);
    if (p == 0) continue;
    const MatrixXd M = random_mass(random, n, mass_rank), W = random_matrix(random, n, p);
    const VectorXd h = random_matrix(random, n, 1), g = random_matrix(random, p, 1);
    MatrixXd kkt = MatrixXd::Zero(n + p, n + p);
    kkt << M, -W, W.transpose(), MatrixXd::Zero(p, p);
    if (test::reciprocal_condition(kkt) < 1e-4) continue;
    VectorXd right(n + p);
    right << h, g;
    const VectorXd expected = test::solve(kkt, right);
    const Filled filled(M, W);
    ConstrainedMass mass = filled.factorized();
    singular += mass.mass_is_singular() ? 1 : 0;
    const VectorXd a = acceleration(mass, h, g);
    EXPECT_LT((a - expected.head(n)).norm(), 1e-8 * (1.0 + expected.norm()));
    VectorXd force, lambda;
    mass.multiply(a, force);
    mass.multipliers(force - h, lambda);
    EXPECT_LT((lambda - expected.tail(p)).norm(), 1e-7 * (1.0 + expected.norm()));
  }
  EXPECT_GT(singular, 30);
}

TEST(ConstrainedMass, SemidefiniteMassWithRedundantRowsGivesTheSameMotion) {
  // Repeating rows, in other units and combinations, changes neither the motion nor the force on the velocities.
  test::Random random(7);
  int singular = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 2 + random.below(6), mass_rank = 1 + random.below(n - 1), p = n - mass_rank + random.below(mass_rank);
    const MatrixXd M = random_mass(random, n, mass_rank), W = random_matrix(random, n, p);
    MatrixXd combinations = MatrixXd::Zero(p, p + 2);
    combinations << MatrixXd::Identity(p, p), 100.0 * random_matrix(random, p, 2);
    const VectorXd h = random_matrix(random, n, 1), g = random_matrix(random, p, 1);
    MatrixXd kkt = MatrixXd::Zero(n + p, n + p);
    kkt << M, -W, W.transpose(), MatrixXd::Zero(p, p);
    if (test::reciprocal_condition(kkt) < 1e-3) continue;
    ConstrainedMass plain = Filled(M, W).factorized(), repeated = Filled(M, W * combinations).factorized();
    EXPECT_EQ(repeated.rank().rank, p);
    singular += repeated.mass_is_singular() ? 1 : 0;
    const VectorXd a = acceleration(plain, h, g), b = acceleration(repeated, h, combinations.transpose() * g);
    EXPECT_LT((a - b).norm(), 1e-8 * (1.0 + a.norm()));
    VectorXd force, lambda;
    repeated.multiply(b, force);
    repeated.multipliers(force - h, lambda);
    EXPECT_LT((W * combinations * lambda - (M * a - h)).norm(), 1e-7 * (1.0 + (M * a - h).norm()));
  }
  EXPECT_GT(singular, 20);
}

TEST(ConstrainedMass, RemembersNothingOfEarlierMasses) {
  // A run that is resumed after a position with singular mass repeats to the bit.
  MatrixXd W(2, 1), singular = MatrixXd::Zero(2, 2), regular = MatrixXd::Identity(2, 2);
  W << 1.0, 3.0;
  singular(0, 0) = 1.0;
  regular(0, 1) = regular(1, 0) = 0.3;
  const Filled filled(regular, W);
  ConstrainedMass used(2, filled.pattern, filled.W);
  ASSERT_TRUE(used.factorize(Filled(singular, W).values, filled.W));
  ASSERT_TRUE(used.mass_is_singular());
  ASSERT_TRUE(used.factorize(filled.values, filled.W));
  EXPECT_FALSE(used.mass_is_singular());
  ConstrainedMass fresh = filled.factorized();
  VectorXd a = Eigen::Vector2d(0.7, -1.1), b = a;
  used.solve_in_place(a);
  fresh.solve_in_place(b);
  EXPECT_EQ(a, b);
}

// Without constraints a mass that stays is factored once: each solution is that of the mass given last, also after one that fails.
TEST(ConstrainedMass, KnowsWhetherItsMassIsStillTheSame) {
  test::Random random(17);
  const int n = 4;
  const MatrixXd masses[] = {random_mass(random, n, n), random_mass(random, n, n), MatrixXd::Zero(n, n)};
  const MatrixXd none(n, 0);
  ConstrainedMass mass = Filled(masses[0], none).factorized();
  for (const int k : {0, 1, 1, 0, 2, 0, 2, 2, 1}) {
    const Filled filled(masses[k], none);
    ASSERT_EQ(mass.factorize(filled.values, filled.W), k != 2) << k;
    if (k == 2) continue;
    const VectorXd h = random_matrix(random, n, 1);
    VectorXd a = h;
    mass.solve_in_place(a);
    EXPECT_LE((masses[k] * a - h).norm(), 1e-12 * h.norm()) << k;
  }
}

TEST(ConstrainedMass, ASingularMassDoesNotDependOnTheUnitsOfRows) {
  // x and z with mass, y between them without; w is held by a row of its own in a unit of 1e12.
  MatrixXd M = MatrixXd::Zero(4, 4), W = MatrixXd::Zero(4, 2);
  M.diagonal() << 2.0, 0.0, 5.0, 1.0;
  W.col(0) << -0.5, 1.0, -0.5, 0.0;
  W(3, 1) = 1e12;
  ConstrainedMass mass = Filled(M, W).factorized();
  VectorXd a = Eigen::Vector4d(1.0, -8.0, 3.0, 7.0);
  mass.solve_in_place(a);
  EXPECT_NEAR(a[0], (1.0 - 4.0) / 2.0, 1e-13);
  EXPECT_NEAR(a[2], (3.0 - 4.0) / 5.0, 1e-13);
  EXPECT_NEAR(a[3], 0.0, 1e-13);
}

TEST(ConstrainedMass, TellsTheMasslessDirectionThatNothingHolds) {
  // Masses 1, 0, 2; the constraint holds the third coordinate only.
  MatrixXd M = MatrixXd::Zero(3, 3), W = MatrixXd::Zero(3, 1);
  M(0, 0) = 1.0;
  M(2, 2) = 2.0;
  W(2, 0) = 1.0;
  const Filled filled(M, W);
  ConstrainedMass mass(3, filled.pattern, filled.W);
  ASSERT_FALSE(mass.factorize(filled.values, filled.W));
  const VectorXd z = mass.massless_direction();
  EXPECT_NEAR(std::abs(z[1]), 1.0, 1e-12);
  EXPECT_NEAR(z[0], 0.0, 1e-12);
  EXPECT_NEAR(z[2], 0.0, 1e-12);
}

TEST(ConstrainedMass, MultipliersAreOfLeastNormAndRedundantRowsAreNamed) {
  test::Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 3 + random.below(5), p = 2 + random.below(6), rank = 1 + random.below(std::min(n, p));
    const MatrixXd M = random_mass(random, n, n), W = random_directions(random, n, p, rank);
    ConstrainedMass mass = Filled(M, W).factorized();
    const VectorXd impulse = W * random_matrix(random, p, 1);
    VectorXd lambda;
    mass.multipliers(impulse, lambda);
    EXPECT_LT((lambda - pseudo_inverse(W) * impulse).norm(), 1e-8 * (1.0 + lambda.norm()));
  }
  MatrixXd W(3, 4);  // the last repeats the first, in another unit
  W << 1, 0, 0, 1000, 0, 1, 0, 0, 1, 1, 1, 1000;
  ConstrainedMass mass = Filled(MatrixXd::Identity(3, 3), W).factorized();
  EXPECT_EQ(mass.rank().rank, 3);
  EXPECT_EQ(mass.redundant_rows(), (std::vector<int>{0, 3}));
  EXPECT_LT(mass.rank().largest_dropped, 1e-14);
  EXPECT_GT(mass.rank().smallest_kept, 0.1);
}

TEST(ConstrainedMass, RankIsIndependentOfUnits) {
  // Rows in millimetres and kilonewtons, masses of different size: singular values of unit columns do not change.
  const Eigen::Vector3d masses(1e-6, 1.0, 1e6);
  MatrixXd W(3, 2);
  W << 1e-9, 2e-9, 1e3, 2e3, 1e6, 2e6 * (1.0 + 1e-8);
  ConstrainedMass mass = Filled(masses.asDiagonal(), W).factorized();
  EXPECT_EQ(mass.rank().rank, 2);  // 1e-8 of a direction is far above the cut-off 1.4e-10
  W(2, 1) = 2e6 * (1.0 + 1e-13);
  ConstrainedMass dependent = Filled(masses.asDiagonal(), W).factorized();
  EXPECT_EQ(dependent.rank().rank, 1);
}

TEST(ConstrainedMass, KineticColumnsGiveTheConstrainedDelassusMatrix) {
  // A_c = H'(M^-1 - M^-1 B (B'M^-1B)+ B'M^-1) H, Brogliato A (16)-(19), for redundant B too.
  test::Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 3 + random.below(5), p = 1 + random.below(5), rank = 1 + random.below(std::min(n - 1, p)), m = 3;
    const MatrixXd M = random_mass(random, n, n), B = random_directions(random, n, p, rank), H = random_matrix(random, n, m);
    const MatrixXd inverse = test::inverse(M);
    const MatrixXd expected =
        H.transpose() * (inverse - inverse * B * pseudo_inverse(B.transpose() * inverse * B) * B.transpose() * inverse) * H;
    ConstrainedMass mass = Filled(M, B).factorized();
    SparseColumns Y;
    std::vector<int> rows(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) rows[static_cast<size_t>(i)] = i;
    for (int k = 0; k < m; ++k) mass.append_kinetic_column(rows, {H.col(k).data(), static_cast<size_t>(n)}, Y);
    MatrixXd dense = MatrixXd::Zero(n, m);
    for (int k = 0; k < m; ++k) Y.add_to(k, 1.0, dense.col(k).data());
    EXPECT_LT((dense.transpose() * dense - expected).norm(), 1e-9 * (1.0 + expected.norm()));
  }
}

TEST(ConstrainedMass, ManyRowsGiveTheSameAsFew) {
  // A chain of 200 masses, each tied to the next, and every tenth tie given twice: the sparse way against dense algebra.
  constexpr int n = 200;
  test::Random random(6);
  std::vector<LowerEntry> pattern;
  std::vector<double> masses;
  SparseColumns W;
  for (int i = 0; i < n; ++i) {
    pattern.push_back({i, i});
    masses.push_back(random.uniform(0.5, 2.0));
  }
  for (int i = 0; i + 1 < n; i += 2) {  // every second tie, so that motion is left
    for (int copy = 0; copy <= (i % 10 == 0 ? 1 : 0); ++copy) {
      W.push(i, 1.0 + copy);
      W.push(i + 1, -1.0 - copy);
      W.finish_column();
    }
  }
  MatrixXd dense = MatrixXd::Zero(n, W.columns()), M = MatrixXd::Zero(n, n);
  for (int k = 0; k < W.columns(); ++k) W.add_to(k, 1.0, dense.col(k).data());
  for (int i = 0; i < n; ++i) M(i, i) = masses[static_cast<size_t>(i)];
  ConstrainedMass mass(n, pattern, W);
  ASSERT_TRUE(mass.factorize(masses, W));
  EXPECT_EQ(mass.rank().rank, 100);
  EXPECT_EQ(mass.rank().rows, 120);
  EXPECT_EQ(mass.redundant_rows().size(), 40u);
  const VectorXd h = random_matrix(random, n, 1), g = dense.transpose() * random_matrix(random, n, 1);
  const VectorXd a = acceleration(mass, h, g);
  EXPECT_LT((dense.transpose() * a - g).norm(), 1e-12);
  VectorXd force, lambda;
  mass.multiply(a, force);
  force -= h;
  mass.multipliers(force, lambda);
  EXPECT_LT((lambda - pseudo_inverse(dense) * force).norm(), 1e-9);
  // Gauss: the force is M^1/2 (D M^-1/2)+ (g - D M^-1 h), here with a diagonal M.
  const VectorXd light = M.diagonal().cwiseInverse(), root = light.cwiseSqrt(), free = light.cwiseProduct(h);
  const MatrixXd metric = root.asDiagonal() * dense;
  const VectorXd expected = free + root.cwiseProduct(pseudo_inverse(metric.transpose()) * (g - dense.transpose() * free));
  EXPECT_LT((a - expected).norm(), 1e-10);
}

}  // namespace tippe::core_constrained_mass_test
