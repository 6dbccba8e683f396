// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/cone_program.h"

#include <cmath>

#include "support/complementarity.h"
#include "support/programs.h"
#include "support/random.h"

namespace tippe::solve_cone_program_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::random_matrix;

struct Data {
  MatrixXd A;
  VectorXd b, c;
  ConeProduct cones;
  int free = 0;
};

double largest(const VectorXd& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

/// Checks what a solution claims against the program, from the definitions.
ConeSolution solve(const Data& data, double size = 10.0) {
  const ConeSolution solution = ConeProgram(data.A, data.b, data.cones, data.free).minimize(data.c);
  const double tolerance = 1e-9 * size;
  const auto n = data.cones.size();
  const auto depth = [&](const VectorXd& x) { return data.cones.depth(x.tail(n)); };
  if (solution.status == ConeStatus::kOptimal) {
    EXPECT_LE(largest(data.A * solution.x - data.b), tolerance);
    EXPECT_GE(depth(solution.x), -tolerance);
    EXPECT_LE(largest(data.A.transpose() * solution.y + solution.s - data.c), tolerance);
    EXPECT_LE(largest(solution.s.head(data.free)), 0.0);
    EXPECT_GE(depth(solution.s), -tolerance);
    EXPECT_NEAR(data.c.dot(solution.x), data.b.dot(solution.y), tolerance);
  } else if (solution.status == ConeStatus::kInfeasible) {
    EXPECT_NEAR(data.b.dot(solution.y), 1.0, 1e-9);
    EXPECT_LE(largest(data.A.transpose() * solution.y + solution.s), tolerance * (1.0 + largest(solution.y)));
    EXPECT_LE(largest(solution.s.head(data.free)), 0.0);
    EXPECT_GE(depth(solution.s), -tolerance * (1.0 + largest(solution.s)));
  } else if (solution.status == ConeStatus::kUnbounded) {
    EXPECT_NEAR(data.c.dot(solution.x), -1.0, 1e-9);
    EXPECT_LE(largest(data.A * solution.x), tolerance * (1.0 + largest(solution.x)));
    EXPECT_GE(depth(solution.x), -tolerance * (1.0 + largest(solution.x)));
  }
  return solution;
}

/// A point of K: inside, on the boundary or at the tip of each cone; and a partner in K with x's = 0.
void complementary_pair(test::Random& random, const ConeProduct& cones, VectorXd& x, VectorXd& s) {
  x = VectorXd::Zero(cones.size());
  s = x;
  for (int i = 0; i < cones.nonnegative; ++i) (random.below(2) == 0 ? x : s)[i] = random.uniform(0.1, 1.0);
  int first = cones.nonnegative;
  for (const int n : cones.second_order) {
    const VectorXd tail = random.vector(n - 1);
    const int kind = random.below(3);
    if (kind < 2) {
      VectorXd& inside = kind == 0 ? x : s;
      inside.segment(first + 1, n - 1) = tail;
      inside[first] = tail.norm() + random.uniform(0.1, 1.0);
    } else {
      const double size = random.uniform(0.1, 2.0);
      x.segment(first + 1, n - 1) = tail;
      x[first] = tail.norm();
      s.segment(first + 1, n - 1) = -size * tail;
      s[first] = size * tail.norm();
    }
    first += n;
  }
}

ConeProduct random_cones(test::Random& random) {
  ConeProduct cones{.nonnegative = random.below(5), .second_order = {}};
  const int count = 1 + random.below(6);
  for (int i = 0; i < count; ++i) cones.second_order.push_back(random.below(4) > 0 ? 3 : 2 + random.below(4));
  return cones;
}

// The smallest x_0 of a cone cut by a plane a'x_1 = b: b / |a|.
TEST(ConeProgram, DistanceOfALineFromTheOrigin) {
  Data data{MatrixXd(1, 3), VectorXd::Constant(1, 2.0), Vector3d(1, 0, 0), {0, {3}}};
  data.A << 0, 3, 4;
  const ConeSolution solution = solve(data);
  ASSERT_TRUE(solution.optimal());
  EXPECT_NEAR(solution.objective, 0.4, 1e-11);
  EXPECT_LE((solution.x - Vector3d(0.4, 0.24, 0.32)).norm(), 1e-9);
}

// The largest value of a'x on a circle of radius r is r |a|.
TEST(ConeProgram, SupportOfADisk) {
  test::Random random(401);
  for (int trial = 0; trial < 100; ++trial) {
    const VectorXd a = random.vector(2);
    const double r = random.magnitude(-3, 3);
    const ConeSolution solution = solve(
        {MatrixXd(Vector3d(1, 0, 0).transpose()), VectorXd::Constant(1, r), Vector3d(0, a[0], a[1]), {0, {3}}}, r + 10);
    ASSERT_TRUE(solution.optimal());
    EXPECT_NEAR(solution.objective, -r * a.norm(), 1e-10 * r);
  }
}

// Fermat's point: the sum of distances from the corners of an equilateral triangle of side 1 is least at its middle, sqrt(3).
TEST(ConeProgram, FermatPoint) {
  Data data{MatrixXd::Zero(6, 11), VectorXd(6), VectorXd::Zero(11), {0, {3, 3, 3}}, 2};
  const double corners[3][2] = {{0, 0}, {1, 0}, {0.5, std::sqrt(0.75)}};
  for (int i = 0; i < 3; ++i) {  // x - tail_i = corner_i
    for (int k = 0; k < 2; ++k) {
      data.A(2 * i + k, k) = 1.0;
      data.A(2 * i + k, 2 + 3 * i + 1 + k) = -1.0;
      data.b[2 * i + k] = corners[i][k];
    }
    data.c[2 + 3 * i] = 1.0;
  }
  const ConeSolution solution = solve(data);
  ASSERT_TRUE(solution.optimal());
  EXPECT_NEAR(solution.objective, std::sqrt(3.0), 1e-11);
  EXPECT_LE((solution.x.head(2) - Vector2d(0.5, std::sqrt(3.0) / 6.0)).norm(), 1e-8);
}

// Built backwards from a complementary pair; rows twice and free columns that depend on each other change nothing.
TEST(ConeProgram, ManufacturedPrograms) {
  test::Random random(402);
  int longest = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Data data{.A = {}, .b = {}, .c = {}, .cones = random_cones(random), .free = random.below(3)};
    const int n = data.cones.size(), m = data.free + random.below(n);
    VectorXd x, s;
    complementary_pair(random, data.cones, x, s);
    data.A = random_matrix(random, m, data.free + n);
    if (data.free == 2) data.A.col(1) = -2.0 * data.A.col(0);
    if (m > 2) data.A.row(m - 1) = data.A.row(0) + 2.0 * data.A.row(1);
    VectorXd all(data.free + n), slack = VectorXd::Zero(data.free + n);
    all << random.vector(data.free), x;
    slack.tail(n) = s;
    data.b = data.A * all;
    data.c = data.A.transpose() * random.vector(m) + slack;
    const ConeSolution solution = solve(data);
    ASSERT_TRUE(solution.optimal()) << "trial " << trial << ' ' << name_of(solution.status) << " violation "
                                    << solution.violation << " gap " << solution.gap << " iterations "
                                    << solution.iterations;
    EXPECT_NEAR(solution.objective, data.c.dot(all), 1e-9 * (1.0 + std::abs(data.c.dot(all)))) << "trial " << trial;
    longest = std::max(longest, solution.iterations);
  }
  EXPECT_LE(longest, 60);
}

TEST(ConeProgram, InfeasibleAndUnboundedAreProved) {
  test::Random random(403);
  for (int trial = 0; trial < 300; ++trial) {
    Data data{.A = {}, .b = {}, .c = {}, .cones = random_cones(random), .free = random.below(3)};
    const int n = data.cones.size(), m = data.free + 1 + random.below(n);
    data.A = random_matrix(random, m, data.free + n);
    VectorXd inside = data.cones.unit() + 0.3 * random.vector(n) / std::sqrt(n);
    if (trial % 2 == 0) {  // A'y = (0, -inside), b'y > 0
      const VectorXd y = random.vector(m).array() + 1.5;
      VectorXd image = VectorXd::Zero(data.free + n);
      image.tail(n) = -inside;
      data.A += y * (image - data.A.transpose() * y).transpose() / y.squaredNorm();
      data.b = random.vector(m);
      data.b += y * (random.uniform(0.1, 1.0) - data.b.dot(y)) / y.squaredNorm();
      data.c = random.vector(data.free + n);
      EXPECT_EQ(solve(data).status, ConeStatus::kInfeasible) << "trial " << trial;
    } else {  // A d = 0, c'd < 0, and a feasible point
      VectorXd d(data.free + n), point(data.free + n);
      d << random.vector(data.free), inside;
      point << random.vector(data.free), data.cones.unit();
      data.A -= data.A * d * d.transpose() / d.squaredNorm();
      data.b = data.A * point;
      data.c = random.vector(data.free + n);
      data.c -= d * (random.uniform(0.1, 1.0) + data.c.dot(d)) / d.squaredNorm();
      EXPECT_EQ(solve(data).status, ConeStatus::kUnbounded) << "trial " << trial;
    }
  }
}

// Polygons inside and outside of the circles: two linear programs whose optima enclose that of the cones.
TEST(ConeProgram, LiesBetweenPolygons) {
  test::Random random(404);
  constexpr int kCorners = 24;
  const double pi = std::acos(-1.0);
  for (int trial = 0; trial < 20; ++trial) {
    const int cones = 1 + random.below(3), m = 2;
    Data data{random_matrix(random, m, 3 * cones), {}, random.vector(3 * cones), {0, std::vector<int>(cones, 3)}};
    data.b = data.A * data.cones.unit();
    data.c += 2.0 * data.cones.unit();  // bounded: c is in K
    const ConeSolution solution = solve(data);
    ASSERT_TRUE(solution.optimal());
    double optimum[2];
    for (const bool outer : {false, true}) {
      MatrixXd edges = MatrixXd::Zero(3 * cones, kCorners * cones);
      for (int i = 0; i < cones; ++i) {
        for (int k = 0; k < kCorners; ++k) {
          const double angle = 2.0 * pi * k / kCorners, r = outer ? 1.0 / std::cos(pi / kCorners) : 1.0;
          edges.col(kCorners * i + k).segment(3 * i, 3) = Vector3d(1.0, r * std::cos(angle), r * std::sin(angle));
        }
      }
      const auto count = edges.cols();
      optimum[outer] = test::solve_by_lemke({edges.transpose() * data.c, data.A * edges, data.b,
                                             -MatrixXd::Identity(count, count), VectorXd::Zero(count)})
                           .objective;
    }
    EXPECT_LE(solution.objective, optimum[0] + 1e-9) << "trial " << trial;
    EXPECT_GE(solution.objective, optimum[1] - 1e-9) << "trial " << trial;
  }
}

// Rows, free variables and whole cones in other units: the same optimum.
TEST(ConeProgram, UnitsDoNotMatter) {
  test::Random random(405);
  for (int trial = 0; trial < 100; ++trial) {
    const int cones = 1 + random.below(5), n = 3 * cones, m = 1 + random.below(3);
    Data data{random_matrix(random, m, n), {}, {}, {0, std::vector<int>(cones, 3)}};
    VectorXd x, s;
    complementary_pair(random, data.cones, x, s);
    data.b = data.A * x;
    data.c = data.A.transpose() * random.vector(m) + s;
    const double optimum = data.c.dot(x);
    for (int i = 0; i < m; ++i) {
      const double unit = random.magnitude(-5, 5);
      data.A.row(i) *= unit;
      data.b[i] *= unit;
    }
    for (int i = 0; i < cones; ++i) {
      const double unit = random.magnitude(-5, 5);
      data.A.middleCols(3 * i, 3) *= unit;
      data.c.segment(3 * i, 3) *= unit;
    }
    data.b *= 1e4;
    const ConeSolution solution = ConeProgram(data.A, data.b, data.cones).minimize(data.c);
    ASSERT_TRUE(solution.optimal()) << "trial " << trial;
    EXPECT_NEAR(solution.objective / 1e4, optimum, 1e-8 * (1.0 + std::abs(optimum))) << "trial " << trial;
  }
}

// x_0 >= |x_1|, x_0 - x_1 = 0, third entry 1: every point has x_2 = 0, so there is none, but points come arbitrarily close. No
// certificate exists, and none may be claimed.
TEST(ConeProgram, WeakInfeasibilityIsLeftUndecided) {
  Data data{MatrixXd::Zero(2, 3), Vector2d(0, 1), VectorXd::Zero(3), {0, {3}}};
  data.A << 1, -1, 0, 0, 0, 1;
  EXPECT_EQ(solve(data).status, ConeStatus::kUndecided);
}

TEST(ConeProgram, EdgesOfTheInput) {
  EXPECT_TRUE(solve({MatrixXd(0, 0), VectorXd(0), VectorXd(0), {}}).optimal());
  EXPECT_TRUE(solve({MatrixXd(0, 3), VectorXd(0), Vector3d(1, 0, 0), {0, {3}}}).optimal());
  EXPECT_EQ(solve({MatrixXd(0, 3), VectorXd(0), Vector3d(0, 1, 0), {0, {3}}}).status, ConeStatus::kUnbounded);
  EXPECT_EQ(solve({MatrixXd::Zero(1, 1), VectorXd::Ones(1), VectorXd::Ones(1), {1, {}}}).status, ConeStatus::kInfeasible);
  EXPECT_EQ(solve({MatrixXd::Zero(1, 1), VectorXd::Zero(1), VectorXd::Ones(1), {}, 1}).status, ConeStatus::kUnbounded);
  EXPECT_TRUE(solve({MatrixXd::Identity(2, 2), Vector2d(1, 2), Vector2d(3, 4), {}, 2}).optimal());
}

}  // namespace tippe::solve_cone_program_test
