// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/detail/local_cone.h"

#include "support/contact_problems.h"
#include "support/linear_algebra.h"
#include "tippe/solve/enumerate.h"

namespace tippe::solve_local_cone_test {

using Eigen::VectorXd;

template <int D>
using Full = Eigen::Matrix<double, D + 1, D + 1, Eigen::RowMajor>;

/// Diagonal about 1, as the normal form gives it. `rank` < D + 1: singular.
template <int D>
Full<D> draw_matrix(test::Random& random, int rank, double asymmetry) {
  Eigen::MatrixXd Y(rank, D + 1), B(D + 1, D + 1);
  for (int k = 0; k <= D; ++k) Y.col(k) = random.vector(rank);
  for (int k = 0; k <= D; ++k) B.col(k) = random.vector(D + 1, asymmetry);
  Eigen::MatrixXd W = Y.transpose() * Y;
  W /= std::max(W.trace() / (D + 1), 1e-3);
  return W + B - B.transpose();
}

template <int D>
VectorXd solve(LocalCone<D>& cone, const VectorXd& q, VectorXd r) {
  typename LocalCone<D>::Vector b = q.tail<D>() - cone.w_TN * q[0];
  cone.solve(q[0], b, r.data());
  return r;
}

/// How far r is from the law, with u = W r + q: signs, cone, and slip against the impulse.
template <int D>
double violation(const Full<D>& W, const VectorXd& q, double mu, const VectorXd& r) {
  const VectorXd u = W * r + q;
  const double r_T = r.tail<D>().norm(), u_T = u.tail<D>().norm();
  double worst = std::max({0.0, -r[0], -u[0], std::abs(r[0] * u[0]), r_T - mu * r[0]});
  // Power of friction: -mu r_N |u_T| where it slides, 0 where it sticks.
  return std::max(worst, std::abs(r.tail<D>().dot(u.tail<D>()) + mu * r[0] * u_T));
}

template <int D>
void obeys_the_law(unsigned seed) {
  test::Random random(seed);
  int open = 0, stick = 0, slide = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double mu = random.uniform(0.0, 1.0) * (trial % 3 == 0 ? 2.0 : 0.5) + 1e-3;
    const Full<D> W = draw_matrix<D>(random, D + 1 + random.below(3), trial % 2 == 0 ? 0.0 : 1e-3);
    VectorXd q = random.vector(D + 1);
    if (trial % 4 == 0) q.tail<D>() *= 0.1;
    LocalCone<D> cone;
    cone.prepare(W.data(), mu);
    VectorXd r = VectorXd::Zero(D + 1);
    // The root is polished by the next solution: a sweep leaves the last digits to its successor.
    for (int sweep = 0; sweep < 3; ++sweep) r = solve(cone, q - cone.shift * r, r);
    EXPECT_LE(violation<D>(W, q, mu, r), 1e-11 * (1.0 + r.squaredNorm())) << "trial " << trial;
    if (r[0] == 0.0) {
      ++open;
      EXPECT_GE(q[0], 0.0);
    } else {
      ++(r.tail<D>().norm() < (1.0 - 1e-9) * mu * r[0] ? stick : slide);
    }
  }
  EXPECT_GT(open, 100);
  EXPECT_GT(stick, 100);
  EXPECT_GT(slide, 100);
}

TEST(LocalCone, ObeysTheLawWithOneTangent) {
  obeys_the_law<1>(1);
}
TEST(LocalCone, ObeysTheLawWithTwoTangents) {
  obeys_the_law<2>(2);
}
TEST(LocalCone, ObeysTheLawWithThreeTangents) {
  obeys_the_law<3>(3);
}

// By hand: W = 1, mu = 0.5, q = (-2, 0, 3): r_N = 2, the tangents want -3 and get -1.
TEST(LocalCone, ByHand) {
  const Full<2> W = Full<2>::Identity();
  LocalCone<2> cone;
  cone.prepare(W.data(), 0.5);
  EXPECT_FALSE(cone.several);
  EXPECT_TRUE(solve(cone, Eigen::Vector3d(-2, 0, 3), VectorXd::Zero(3)).isApprox(Eigen::Vector3d(2, 0, -1), 1e-12));
  EXPECT_TRUE(solve(cone, Eigen::Vector3d(-2, 0.6, -0.7), VectorXd::Zero(3)).isApprox(Eigen::Vector3d(2, -0.6, 0.7), 1e-12));
  EXPECT_EQ(solve(cone, Eigen::Vector3d(0, 5, 5), Eigen::Vector3d(1, 0, 0)), VectorXd::Zero(3));
}

// Where the solution is unique it does not depend on where the iteration comes from.
TEST(LocalCone, ForgetsTheLastSolutionWhereThereIsOne) {
  test::Random random(4);
  int compared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double mu = random.uniform(0.01, 1.0);
    const Full<2> W = draw_matrix<2>(random, 5, 0.0);
    const VectorXd q = random.vector(3);
    LocalCone<2> cold, warm;
    cold.prepare(W.data(), mu);
    warm.prepare(W.data(), mu);
    if (cold.several || cold.shift > 0.0) continue;
    VectorXd r = VectorXd::Zero(3), other = r;
    for (int k = 0; k < 4; ++k) other = solve(warm, random.vector(3), other);
    for (int k = 0; k < 3; ++k) {
      r = solve(cold, q, r);
      other = solve(warm, q, other);
    }
    EXPECT_LE((r - other).norm(), 1e-9 * (1.0 + r.norm())) << "trial " << trial;
    ++compared;
  }
  EXPECT_GT(compared, 1000);
}

// The oracle knows all solutions: one where `several` says so, and the one found is among them.
TEST(LocalCone, AgreesWithTheEnumeration) {
  test::Random random(5);
  int unique = 0, several = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const double mu = random.uniform(0.05, 3.0);
    const Full<2> W = draw_matrix<2>(random, 4, 0.0);
    const VectorXd q = random.vector(3);
    LocalCone<2> cone;
    cone.prepare(W.data(), mu);
    if (cone.shift > 0.0) continue;
    VectorXd r = VectorXd::Zero(3);
    for (int k = 0; k < 3; ++k) r = solve(cone, q, r);
    const auto all = enumerate_solutions(test::make_problem(W, q, {CoulombContact{mu, mu}}, {3}), {});
    std::vector<VectorXd> distinct;
    for (const auto& solution : all) {
      const auto same = [&](const VectorXd& x) { return (x - solution.Lambda).norm() < 1e-6 * (1 + x.norm()); };
      if (std::none_of(distinct.begin(), distinct.end(), same)) distinct.push_back(solution.Lambda);
    }
    const auto found = [&](const VectorXd& x) { return (x - r).norm() < 1e-6 * (1 + x.norm()); };
    EXPECT_TRUE(std::any_of(distinct.begin(), distinct.end(), found)) << "trial " << trial;
    if (!cone.several) {
      EXPECT_EQ(distinct.size(), 1u) << "trial " << trial;
      ++unique;
    }
    if (distinct.size() > 1) ++several;
  }
  EXPECT_GT(unique, 100);
  EXPECT_GT(several, 5);
}

// Painleve's example of the enumeration test has three solutions: open, sliding, sticking. An iteration stays with its own.
TEST(LocalCone, StaysOnItsBranch) {
  Full<1> W;
  W << 1.0, 0.9, 0.9, 1.0;
  const Eigen::Vector2d q(0.5, 3.0);
  LocalCone<1> cone;
  cone.prepare(W.data(), 2.0);
  ASSERT_TRUE(cone.several);
  EXPECT_EQ(solve(cone, q, Eigen::Vector2d(0, 0)), VectorXd::Zero(2));
  const VectorXd stick = -test::solve(W, q);  // (11.58, -13.42)
  ASSERT_LE(std::abs(stick[1]), 2.0 * stick[0]);
  EXPECT_TRUE(solve(cone, q, stick).isApprox(stick, 1e-12));
}

// A contact that acts on nothing along some directions: the shift keeps everything finite, and fixed points are solutions.
TEST(LocalCone, SurvivesSingularMatrices) {
  test::Random random(6);
  for (int trial = 0; trial < 300; ++trial) {
    const int rank = random.below(3);
    Full<2> W = draw_matrix<2>(random, rank, 0.0);
    const VectorXd known = Eigen::Vector3d(1.0, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1));
    const VectorXd q = -W * known;  // sticking
    LocalCone<2> cone;
    cone.prepare(W.data(), 0.5);
    EXPECT_GT(cone.shift, 0.0);
    VectorXd r = VectorXd::Zero(3);
    for (int k = 0; k < 50; ++k) r = solve(cone, q - cone.shift * r, r);
    ASSERT_TRUE(r.allFinite());
    EXPECT_LE(violation<2>(W, q, 0.5, r), 1e-6 * (1.0 + r.squaredNorm())) << "trial " << trial << " rank " << rank;
    EXPECT_LE((solve(cone, q - cone.shift * known, known) - known).norm(), 1e-4);
  }
}

TEST(LocalCone, HugeAndTinyFriction) {
  test::Random random(7);
  // The residual holds mu |u_T|, and u_T is exact to round-off only.
  for (const double mu : {1e-12, 1e-6, 1e3, 1e6}) {
    for (int trial = 0; trial < 100; ++trial) {
      const Full<2> W = draw_matrix<2>(random, 5, 0.0);
      const VectorXd q = random.vector(3);
      LocalCone<2> cone;
      cone.prepare(W.data(), mu);
      VectorXd r = VectorXd::Zero(3);
      for (int k = 0; k < 3; ++k) r = solve(cone, q - cone.shift * r, r);
      const auto problem = test::make_problem(W, q, {CoulombContact{mu, mu}}, {3});
      EXPECT_LE(test::eta(problem, r), 1e-11 + 1e-14 * mu) << "mu " << mu << " trial " << trial;
    }
  }
}

}  // namespace tippe::solve_local_cone_test
