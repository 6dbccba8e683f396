// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/force_set.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/full_pivot.h"
#include "support/motion_enumeration.h"
#include "support/programs.h"
#include "tippe/analyze/solvability.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe::analyze_force_set_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::problem_of;
using test::row;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ForceSet find(const AccelerationProblem& problem) {
  const StackedProblem stacked = stack(problem);
  return find_forces(problem, stacked, find_motion(problem, stacked));
}

double largest(const VectorXd& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

// Brogliato A: a block of 3 kg that can only move up and down, on three points. Any split of its weight will do.
TEST(ForceSet, BlockOnThreePoints) {
  const VectorXd up = VectorXd::Ones(1);
  const ForceSet forces = find(problem_of(3.0 * MatrixXd::Identity(1, 1), VectorXd::Constant(1, 29.43),
                                          {row("A1", up), row("A2", up), row("A3", up)}));
  EXPECT_TRUE(forces.unique.no());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(forces.lower[i], 0.0, 1e-12);
    EXPECT_NEAR(forces.upper[i], 29.43, 1e-12);
    EXPECT_NEAR(forces.representative[i], 9.81, 1e-12);
  }
  ASSERT_EQ(forces.groups, (std::vector<std::vector<int>>{{0, 1, 2}}));
  ASSERT_TRUE(forces.group_sums[0].has_value());
  EXPECT_NEAR(*forces.group_sums[0], 29.43, 1e-12);
  ASSERT_EQ(forces.free_directions.cols(), 2);
  for (int k = 0; k < 2; ++k) {  // from one point to another
    EXPECT_EQ((forces.free_directions.col(k).array().abs() > 1e-12).count(), 2);
    EXPECT_NEAR(forces.free_directions.col(k).sum(), 0.0, 1e-12);
  }
}

// Two blocks, one on two points, one on a single point: two groups do not mix, the single one is determined.
TEST(ForceSet, DeterminedForcesStayOutsideOfGroups) {
  const ForceSet forces = find(problem_of(Vector2d(1, 2).asDiagonal(), Vector2d(9.81, 19.62),
                                          {row("a", Vector2d(1, 0)), row("b", Vector2d(0, 1)), row("c", Vector2d(1, 0))}));
  ASSERT_EQ(forces.groups, (std::vector<std::vector<int>>{{0, 2}}));
  EXPECT_NEAR(forces.lower[1], 19.62, 1e-12);
  EXPECT_NEAR(forces.upper[1], 19.62, 1e-12);
  EXPECT_NEAR(*forces.group_sums[0], 9.81, 1e-12);
}

// A ball wedged between two parallel walls: both may press on it with any equal force.
TEST(ForceSet, WedgedBall) {
  const ForceSet forces = find(
      problem_of(MatrixXd::Identity(2, 2), Vector2d(3, 9.81), {row("left", Vector2d(1, 0)), row("right", Vector2d(-1, 0))}));
  EXPECT_TRUE(forces.unique.no());
  EXPECT_NEAR(forces.lower[0], 3.0, 1e-12);
  EXPECT_NEAR(forces.lower[1], 0.0, 1e-12);
  EXPECT_EQ(forces.upper[0], kInfinity);
  EXPECT_EQ(forces.upper[1], kInfinity);
  ASSERT_EQ(forces.free_directions.cols(), 1);
  EXPECT_LE((forces.free_directions.col(0) - Vector2d(1, 1)).norm(), 1e-12);
  EXPECT_FALSE(forces.group_sums[0].has_value());
  EXPECT_NEAR(forces.representative[0], 3.0, 1e-12);
}

// A square table of weight W, legs at (+-1, +-1) m, its centre of mass in the middle: only the load of both diagonals, W/2 each, is
// determined, so each leg carries 0 to W/2.
TEST(ForceSet, TableWithFourLegs) {
  const double W = 100.0;
  std::vector<ContactRows> legs;
  for (const auto& [x, y] : {std::pair{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}})
    legs.push_back(row("leg" + std::to_string(legs.size() + 1), Vector3d(1, y, -x)));  // z, turns about x and y
  const ForceSet forces = find(problem_of(Vector3d(10.0, 2.0, 3.0).asDiagonal(), Vector3d(W, 0, 0), legs));
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(forces.lower[i], 0.0, 1e-12);
    EXPECT_NEAR(forces.upper[i], W / 2, 1e-12);
    EXPECT_NEAR(forces.representative[i], W / 4, 1e-12);
  }
  ASSERT_EQ(forces.free_directions.cols(), 1);
  EXPECT_LE((forces.free_directions.col(0).cwiseAbs() - VectorXd::Ones(4)).norm(), 1e-12);
  EXPECT_NEAR(*forces.group_sums[0], W, 1e-11);
}

// Load exactly over the outer of three supports in a row: the others carry nothing, although they are closed and dependent.
TEST(ForceSet, SupportsThatCannotCarry) {
  const ForceSet forces = find(problem_of(MatrixXd::Identity(2, 2), Vector2d(10, 10),
                                          {row("a", Vector2d(1, -1)), row("b", Vector2d(1, 0)), row("c", Vector2d(1, 1))}));
  EXPECT_TRUE(forces.unique.yes());
  EXPECT_EQ(forces.implicitly_zero, (std::vector<int>{0, 1}));
  EXPECT_LE((forces.representative - Vector3d(0, 0, 10)).norm(), 1e-12);
  EXPECT_LE((forces.upper - Vector3d(0, 0, 10)).norm(), 1e-12);
  EXPECT_TRUE(forces.groups.empty());
}

// Sliding: the friction of two feet that slide to the right follows their normal forces, with mu 0.5 and 0.2.
TEST(ForceSet, SlidingFrictionFollowsItsNormalForce) {
  const VectorXd slip = VectorXd::Ones(1);
  const AccelerationProblem problem =
      problem_of(MatrixXd::Identity(2, 2), Vector2d(0, 10),
                 {row("a", Vector2d(0, 1), Vector2d(1, 0), 0.5, slip), row("b", Vector2d(0, 1), Vector2d(1, 0), 0.5, slip)});
  const StackedProblem stacked = stack(problem);
  Motion motion;  // both feet together: 10 N up, 5 N back
  motion.acceleration = Vector2d(-5, 0);
  motion.multipliers = Vector2d(4, 6);
  const ForceSet forces = find_forces(problem, stacked, motion);
  EXPECT_LE((forces.lower - Eigen::Vector4d(0, -5, 0, -5)).norm(), 1e-12);
  EXPECT_LE((forces.upper - Eigen::Vector4d(10, 0, 10, 0)).norm(), 1e-12);
  EXPECT_EQ(forces.groups, (std::vector<std::vector<int>>{{0, 1, 2, 3}}));
  EXPECT_LE((forces.representative - Eigen::Vector4d(5, -2.5, 5, -2.5)).norm(), 1e-12);
}

/// Circuits: unbounded growth of contact i is possible if some z >= 0 with N z = 0 has z_i > 0. By the definition, over all subsets.
bool can_grow(const MatrixXd& N, const std::vector<int>& closed, int i) {
  const int m = static_cast<int>(closed.size());
  for (int bits = 1; bits < (1 << m); ++bits) {
    std::vector<int> set;
    for (int k = 0; k < m; ++k) {
      if (bits >> k & 1) set.push_back(closed[static_cast<size_t>(k)]);
    }
    if (std::find(set.begin(), set.end(), i) == set.end()) continue;
    const MatrixXd columns = N(Eigen::all, set);
    if (test::dimension_of_kernel(columns, 1e-10) != 1) continue;
    const VectorXd z = test::kernel(columns, 1e-10).col(0);
    if (z.cwiseAbs().minCoeff() < 1e-9 * largest(z)) continue;
    if (z.minCoeff() > 0.0 || z.maxCoeff() < 0.0) return true;
  }
  return false;
}

// Bounds of contact forces from all vertices and circuits, those of joints by Lemke's method.
TEST(ForceSet, AgreesWithEnumeration) {
  test::Random random(93);
  int undetermined = 0, unbounded = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const test::RandomInstant instant = test::random_instant(random);
    const auto vertices = test::enumerate_motions(instant.reduced);
    if (vertices.empty()) continue;
    const StackedProblem stacked = stack(instant.problem), reduced = stack(instant.reduced);
    const ForceSet forces = find(instant.problem);
    const int m = static_cast<int>(instant.reduced.unilateral.size());
    const VectorXd gaps = reduced.normals.transpose() * vertices.front().acceleration + reduced.normal_drift;
    std::vector<int> closed;
    for (int i = 0; i < m; ++i) {
      if (gaps[i] < 1e-9) closed.push_back(i);
    }
    double size = 1.0;
    for (const auto& vertex : vertices) size = std::max(size, largest(vertex.forces));
    for (int i = 0; i < m; ++i) {
      double lower = kInfinity, upper = -kInfinity;
      for (const auto& vertex : vertices) {
        lower = std::min(lower, vertex.forces[i]);
        upper = std::max(upper, vertex.forces[i]);
      }
      EXPECT_NEAR(forces.lower[i], lower, 1e-9 * size) << "trial " << trial;
      if (can_grow(reduced.normals, closed, i)) {
        ++unbounded;
        EXPECT_EQ(forces.upper[i], kInfinity) << "trial " << trial;
      } else {
        EXPECT_NEAR(forces.upper[i], upper, 1e-9 * size) << "trial " << trial;
      }
      EXPECT_GE(forces.representative[i], forces.lower[i] - 1e-10 * size) << "trial " << trial;
      EXPECT_LE(forces.representative[i], forces.upper[i] + 1e-10 * size) << "trial " << trial;
    }
    bool point = true;
    for (Index r = 0; r < forces.lower.size(); ++r) point = point && forces.upper[r] - forces.lower[r] <= 1e-9 * size;
    ASSERT_NE(forces.unique.answer, Answer::kUndecided) << "trial " << trial;
    EXPECT_EQ(forces.unique.yes(), point) << "trial " << trial;
    EXPECT_LE(forces.residual, 1e-11) << "trial " << trial;
    if (!point) ++undetermined;
    // Directions change the forces, not their effect.
    EXPECT_LE(forces.free_directions.size() > 0
                  ? (force_directions(instant.problem) * forces.free_directions).cwiseAbs().maxCoeff()
                  : 0.0,
              1e-10)
        << "trial " << trial;
    // Joints: one of them, chosen by the trial.
    const auto p = stacked.equalities.cols();
    if (p == 0) continue;
    const VectorXd w = instant.problem.M * (instant.embedding * vertices.front().acceleration) + instant.problem.F;
    LinearProgram program{VectorXd::Unit(m + p, m + trial % p), stacked.columns(), w, -MatrixXd::Identity(m, m + p),
                          VectorXd::Zero(m)};
    program.A_eq.conservativeResize(program.A_eq.rows() + m - static_cast<Index>(closed.size()), Eigen::NoChange);
    program.b_eq.conservativeResize(program.A_eq.rows());
    Index next = w.size();
    for (int i = 0; i < m; ++i) {
      if (std::find(closed.begin(), closed.end(), i) != closed.end()) continue;
      program.A_eq.row(next) = VectorXd::Unit(m + p, i).transpose();
      program.b_eq[next++] = 0.0;
    }
    const ProgramSolution least = test::solve_by_lemke(program);
    const double expected = least.status == ProgramStatus::kUnbounded ? -kInfinity : least.objective;
    ASSERT_TRUE(least.optimal() || least.status == ProgramStatus::kUnbounded) << "trial " << trial;
    if (std::isinf(expected)) {
      EXPECT_EQ(forces.lower[m + trial % p], expected) << "trial " << trial;
    } else {
      EXPECT_NEAR(forces.lower[m + trial % p], expected, 1e-9 * (size + std::abs(expected))) << "trial " << trial;
    }
  }
  EXPECT_GT(undetermined, 50);
  EXPECT_GT(unbounded, 20);
}

/// A body in the plane on `count` points of a floor, or a tower of bodies with four points between each two.
AccelerationProblem body_on_points(int count) {
  std::vector<ContactRows> contacts;
  for (int i = 0; i < count; ++i)
    contacts.push_back(row("c" + std::to_string(i), Vector3d(0, 1, -1.0 + 2.0 * i / (count - 1))));
  return problem_of(Vector3d(1, 1, 0.3).asDiagonal(), Vector3d(0, 9.81, 0), contacts);
}

AccelerationProblem tower(int bodies) {
  const int n = 3 * bodies;
  std::vector<ContactRows> contacts;
  for (int b = 0; b < bodies; ++b) {
    for (int i = 0; i < 4; ++i) {
      const double x = -1.0 + 2.0 * i / 3.0;
      VectorXd normal = VectorXd::Zero(n);
      normal.segment(3 * b, 3) = Vector3d(0, 1, x);
      if (b > 0) normal.segment(3 * b - 3, 3) = -Vector3d(0, 1, x);
      contacts.push_back(row("c" + std::to_string(contacts.size()), normal));
    }
  }
  VectorXd F = VectorXd::Zero(n), mass(n);
  for (int b = 0; b < bodies; ++b) {
    F[3 * b + 1] = 9.81;
    mass.segment(3 * b, 3) = Vector3d(1, 1, 0.3);
  }
  return problem_of(mass.asDiagonal(), F, contacts);
}

// 200 contacts without friction: every layer of a tower carries what stands on it, whoever of its four points does; an outer one at most
// half of it and an inner one, at x of 1/3 m against 1 m, at most three quarters.
TEST(ForceSet, TwoHundredContacts) {
  for (const bool stacked_bodies : {false, true}) {
    const AccelerationProblem problem = stacked_bodies ? tower(50) : body_on_points(200);
    const StackedProblem stacked = stack(problem);
    EXPECT_TRUE(judge_solvability(problem, stacked).verdict.yes());
    const Motion motion = find_motion(problem, stacked);
    EXPECT_LE(largest(motion.acceleration), 1e-10);
    const ForceSet forces = find_forces(problem, stacked, motion);
    EXPECT_TRUE(forces.unique.no());
    ASSERT_EQ(forces.groups.size(), stacked_bodies ? 50u : 1u);
    for (int i = 0; i < 200; ++i) {
      const double load = stacked_bodies ? 9.81 * (50 - i / 4) : 9.81;
      const double x = stacked_bodies ? std::abs(-1.0 + 2.0 * (i % 4) / 3.0) : std::abs(-1.0 + 2.0 * i / 199.0);
      EXPECT_NEAR(forces.lower[i], 0.0, 1e-9 * load);
      EXPECT_NEAR(forces.upper[i], load / (1.0 + x), 1e-9 * load);  // with the farthest point on the other side
    }
  }
}

}  // namespace tippe::analyze_force_set_test
