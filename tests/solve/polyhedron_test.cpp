// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/polyhedron.h"

#include "support/programs.h"
#include "tippe/core/error.h"

namespace tippe::solve_polyhedron_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Case {
  MatrixXd A;
  VectorXd b;
  std::vector<bool> nonnegative;
};

double largest(const VectorXd& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

double worst_sign(const Case& set, const VectorXd& slack) {
  double worst = 0.0;
  for (Eigen::Index j = 0; j < slack.size(); ++j)
    worst = std::max(worst, set.nonnegative[static_cast<size_t>(j)] ? -slack[j] : std::abs(slack[j]));
  return worst;
}

/// Checks what is claimed from the definitions, in the data as given.
void expect_proved(const Case& set, const VectorXd& cost, const Extreme& extreme, double tolerance = 1e-10) {
  ASSERT_TRUE(extreme.optimal() || extreme.unbounded()) << name_of(extreme.status);
  const double size = 1.0 + largest(extreme.x);
  EXPECT_LE(largest(set.A * extreme.x - set.b), tolerance * size);
  for (Eigen::Index j = 0; j < cost.size(); ++j)
    EXPECT_TRUE(!set.nonnegative[static_cast<size_t>(j)] || extreme.x[j] >= 0.0) << extreme.x[j];
  if (extreme.optimal()) {
    EXPECT_LE(worst_sign(set, cost - set.A.transpose() * extreme.y), tolerance * (1.0 + largest(extreme.y)));
    EXPECT_NEAR(extreme.value, cost.dot(extreme.x), tolerance * size);
    EXPECT_NEAR(extreme.value, set.b.dot(extreme.y), tolerance * size * (1.0 + largest(extreme.y)));
  } else {
    EXPECT_LE(largest(set.A * extreme.ray), tolerance);
    for (Eigen::Index j = 0; j < cost.size(); ++j)
      EXPECT_TRUE(!set.nonnegative[static_cast<size_t>(j)] || extreme.ray[j] >= 0.0) << extreme.ray[j];
    EXPECT_LT(cost.dot(extreme.ray), -1e-9);
  }
}

LinearProgram as_linear_program(const Case& set, const VectorXd& cost) {
  LinearProgram program{cost, set.A, set.b, MatrixXd::Zero(0, cost.size()), VectorXd(0)};
  for (Eigen::Index j = 0; j < cost.size(); ++j) {
    if (!set.nonnegative[static_cast<size_t>(j)]) continue;
    program.A_in.conservativeResize(program.A_in.rows() + 1, cost.size());
    program.A_in.bottomRows<1>() = -VectorXd::Unit(cost.size(), j).transpose();
  }
  program.b_in = VectorXd::Zero(program.A_in.rows());
  return program;
}

/// Rows of low rank with many zeros, a vertex where more variables vanish than must; in every third case b is arbitrary.
Case random_case(test::Random& random) {
  const int n = 1 + random.below(9), m = random.below(8), rank = m > 0 ? 1 + random.below(m) : 0;
  Case set;
  const auto small_integers = [&](int rows, int columns) {
    MatrixXd A(rows, columns);
    for (double& entry : A.reshaped()) entry = random.below(3) == 0 ? 0.0 : random.below(5) - 2;
    return A;
  };
  const bool integers = random.below(2) == 0;
  set.A = integers ? MatrixXd(small_integers(m, rank) * small_integers(rank, n))
                   : MatrixXd(test::random_matrix(random, m, rank) * test::random_matrix(random, rank, n));
  VectorXd x(n);
  for (int j = 0; j < n; ++j) {
    set.nonnegative.push_back(random.below(4) != 0);
    x[j] = random.below(2) == 0 ? 0.0 : (integers ? random.below(4) : random.uniform(0, 1));
  }
  set.b = set.A * x;
  if (random.below(3) == 0) set.b += random.below(2) == 0 ? VectorXd(set.A * random.vector(n)) : random.vector(m);
  return set;
}

// Against Lemke's method on the KKT conditions, which shares no code with this one.
TEST(Polyhedron, AgreesWithLemkesMethod) {
  test::Random random(71);
  int count[3] = {0, 0, 0};
  for (int trial = 0; trial < 800; ++trial) {
    const Case set = random_case(random);
    const auto n = set.A.cols();
    Polyhedron polyhedron(set.A, set.b, set.nonnegative);
    for (int objective = 0; objective < 4; ++objective) {
      VectorXd cost = random.vector(static_cast<int>(n));
      if (objective == 1) cost = VectorXd::Unit(n, random.below(static_cast<int>(n)));
      if (objective == 2) cost = -VectorXd::Unit(n, random.below(static_cast<int>(n)));
      if (objective == 3) cost = set.A.transpose() * random.vector(static_cast<int>(set.A.rows()));
      const ProgramSolution expected = test::solve_by_lemke(as_linear_program(set, cost));
      const Extreme extreme = polyhedron.minimize(cost);
      ASSERT_EQ(extreme.status, expected.status)
          << "trial " << trial << '.' << objective << ' ' << name_of(extreme.status) << ' ' << name_of(expected.status);
      if (extreme.status == ProgramStatus::kInfeasible) {
        ++count[0];
        const VectorXd& y = polyhedron.farkas();
        EXPECT_LE(worst_sign(set, -set.A.transpose() * y), 1e-10 * largest(y)) << "trial " << trial;
        EXPECT_GT(set.b.dot(y), 1e-9 * largest(y)) << "trial " << trial;
        break;
      }
      ++count[extreme.optimal() ? 1 : 2];
      expect_proved(set, cost, extreme);
      if (extreme.optimal()) {
        EXPECT_NEAR(extreme.value, expected.objective, 1e-9 * (1.0 + std::abs(expected.objective)));
      }
    }
  }
  for (const int outcome : count) EXPECT_GT(outcome, 50);  // the sample contains all outcomes
}

TEST(Polyhedron, ThroughAKnownPointIsNeverEmpty) {
  test::Random random(72);
  for (int trial = 0; trial < 300; ++trial) {
    Case set = random_case(random);
    const auto n = set.A.cols();
    VectorXd start = random.vector(static_cast<int>(n));
    for (Eigen::Index j = 0; j < n; ++j) {
      if (set.nonnegative[static_cast<size_t>(j)]) start[j] = random.below(2) == 0 ? -1e-17 : std::abs(start[j]);
    }
    Polyhedron polyhedron = Polyhedron::through(set.A, start, set.nonnegative);
    ASSERT_TRUE(polyhedron.feasible()) << "trial " << trial;
    set.b = set.A * start;
    const VectorXd cost = random.vector(static_cast<int>(n));
    const Extreme extreme = polyhedron.minimize(cost);
    expect_proved(set, cost, extreme);
    if (extreme.optimal()) {
      EXPECT_LE(extreme.value, cost.dot(start) + 1e-12);
    }
  }
}

// The textbook example of cycling under Dantzig's rule (Beale), with slack variables: optimum -1/20.
TEST(Polyhedron, BealesCyclingExample) {
  Case set{MatrixXd(3, 7), Vector3d(0, 0, 1), std::vector<bool>(7, true)};
  set.A << 0.25, -60, -0.04, 9, 1, 0, 0, 0.5, -90, -0.02, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  VectorXd cost(7), start(7);
  cost << -0.75, 150, -0.02, 6, 0, 0, 0;
  start << 0, 0, 0, 0, 0, 0, 1;  // the vertex at which it cycles
  Polyhedron polyhedron = Polyhedron::through(set.A, start, set.nonnegative);
  const Extreme extreme = polyhedron.minimize(cost);
  expect_proved(set, cost, extreme);
  EXPECT_NEAR(extreme.value, -0.05, 1e-14);
}

// Klee and Minty's cube, from the vertex at which Dantzig's rule visits all others: optimum 5^n.
TEST(Polyhedron, KleeMintyCubes) {
  for (int n = 1; n <= 9; ++n) {
    Case set{MatrixXd::Zero(n, 2 * n), VectorXd(n), std::vector<bool>(static_cast<size_t>(2 * n), true)};
    VectorXd cost = VectorXd::Zero(2 * n), start = VectorXd::Zero(2 * n);
    for (int i = 0; i < n; ++i) {
      cost[i] = -std::pow(2.0, n - 1 - i);
      set.b[i] = start[n + i] = std::pow(5.0, i + 1);
      set.A(i, i) = set.A(i, n + i) = 1.0;
      for (int j = 0; j < i; ++j) set.A(i, j) = std::pow(2.0, i - j + 1);
    }
    const Extreme extreme = Polyhedron::through(set.A, start, set.nonnegative).minimize(cost);
    ASSERT_TRUE(extreme.optimal());
    EXPECT_NEAR(extreme.value, -std::pow(5.0, n), 1e-12 * std::pow(5.0, n));
  }
}

// Doubly stochastic matrices (Birkhoff): every vertex is a permutation, n^2 - 2n + 1 of the basic variables vanish there. One row is
// redundant. The least cost of a permutation is found by trying them all.
TEST(Polyhedron, CheapestPermutations) {
  test::Random random(73);
  const int n = 6;
  Case set{MatrixXd::Zero(2 * n, n * n), VectorXd::Ones(2 * n), std::vector<bool>(static_cast<size_t>(n * n), true)};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) set.A(i, n * i + j) = set.A(n + j, n * i + j) = 1.0;
  }
  Polyhedron polyhedron(set.A, set.b, set.nonnegative);
  EXPECT_EQ(polyhedron.rank().rank, 2 * n - 1);
  for (int trial = 0; trial < 60; ++trial) {
    VectorXd cost = random.vector(n * n);
    if (trial % 2 == 0) cost = (3.0 * cost).array().round();  // ties
    std::vector<int> permutation(n);
    for (int i = 0; i < n; ++i) permutation[static_cast<size_t>(i)] = i;
    double best = 1e9;
    do {
      double sum = 0.0;
      for (int i = 0; i < n; ++i) sum += cost[n * i + permutation[static_cast<size_t>(i)]];
      best = std::min(best, sum);
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    const Extreme extreme = polyhedron.minimize(cost);
    expect_proved(set, cost, extreme);
    EXPECT_NEAR(extreme.value, best, 1e-12);
  }
}

TEST(Polyhedron, UnitsDoNotMatter) {
  test::Random random(74);
  for (int trial = 0; trial < 200; ++trial) {
    const Case set = random_case(random);
    const auto n = set.A.cols(), m = set.A.rows();
    VectorXd unit(n), row(m);
    for (double& x : unit) x = random.magnitude(-6, 6);
    for (double& x : row) x = random.magnitude(-6, 6);
    const VectorXd cost = random.vector(static_cast<int>(n));
    const Extreme extreme = Polyhedron(set.A, set.b, set.nonnegative).minimize(cost);
    const Extreme scaled =
        Polyhedron(row.asDiagonal() * set.A * unit.asDiagonal(), 1e5 * row.cwiseProduct(set.b), set.nonnegative)
            .minimize(1e-4 * unit.cwiseProduct(cost));
    ASSERT_EQ(extreme.status, scaled.status) << "trial " << trial;
    if (extreme.optimal()) {
      EXPECT_NEAR(scaled.value, 10.0 * extreme.value, 1e-9 * (1.0 + std::abs(extreme.value)));
    }
  }
}

TEST(Polyhedron, EdgesOfTheInput) {
  Polyhedron orthant(MatrixXd(0, 2), VectorXd(0), {true, true});
  EXPECT_EQ(orthant.minimize(Vector2d(1, 0)).value, 0.0);
  EXPECT_TRUE(orthant.minimize(Vector2d(1, -1)).unbounded());
  Polyhedron line(MatrixXd::Ones(1, 2), VectorXd::Ones(1), {false, false});
  EXPECT_TRUE(line.minimize(Vector2d(1, -1)).unbounded());
  EXPECT_NEAR(line.minimize(Vector2d(2, 2)).value, 2.0, 1e-15);
  EXPECT_EQ(Polyhedron(MatrixXd(1, 0), VectorXd::Ones(1), {}).status(), ProgramStatus::kInfeasible);  // 0 = 1
  EXPECT_TRUE(Polyhedron(MatrixXd(0, 0), VectorXd(0), {}).minimize(VectorXd(0)).optimal());
  EXPECT_EQ(Polyhedron(MatrixXd::Constant(1, 1, std::nan("")), VectorXd::Ones(1), {true}).status(),
            ProgramStatus::kNotFinite);
  EXPECT_THROW(Polyhedron(MatrixXd(1, 3), VectorXd(1), {true}), InputError);
  EXPECT_THROW((void)orthant.minimize(VectorXd(3)), InputError);
}

// 200 supports under a load whose 120 equations leave the split open: both bounds of every force. Bounded since one row is positive.
TEST(Polyhedron, FourHundredObjectivesOfASplitLoadAreQuick) {
  test::Random random(75);
  const int n = 200, m = 120;
  Case set{test::random_matrix(random, m, n), VectorXd(m), std::vector<bool>(n, true)};
  set.A.row(0) = set.A.row(0).cwiseAbs().array() + 0.1;
  set.A.row(m - 1) = set.A.row(0) + set.A.row(1);
  VectorXd load(n);
  for (int j = 0; j < n; ++j) load[j] = j % 3 == 0 ? 0.0 : random.uniform(0, 1);
  set.b = set.A * load;
  Polyhedron polyhedron(set.A, set.b, set.nonnegative);
  EXPECT_EQ(polyhedron.rank().rank, m - 1);
  int pivots = 0;
  for (int k = 0; k < 2 * n; ++k) {
    const VectorXd cost = (k % 2 == 0 ? 1.0 : -1.0) * VectorXd::Unit(n, k / 2);
    const Extreme extreme = polyhedron.minimize(cost);
    expect_proved(set, cost, extreme);
    EXPECT_LE(extreme.value, cost.dot(load) + 1e-10);
    pivots += extreme.pivots;
  }
  RecordProperty("pivots", pivots);
  EXPECT_LT(pivots,
            400 * 200);  // some tens for each objective, from the basis before; a cold start needs more than its 120 rows
}

}  // namespace tippe::solve_polyhedron_test
