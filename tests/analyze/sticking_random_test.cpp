// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "support/grasps.h"
#include "support/programs.h"
#include "support/random.h"
#include "support/sticking_checks.h"

namespace tippe::analyze_sticking_random_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kPi = 3.14159265358979323846;

/// Edges of all friction cones with the given factor on mu: in space polygons of `corners` edges, inside or outside of the cones.
MatrixXd cone_edges(const AccelerationProblem& problem, double factor, int corners = 0, bool outside = false) {
  const ForceLayout layout(problem);
  std::vector<VectorXd> edges;
  for (size_t i = 0; i < problem.unilateral.size(); ++i) {
    const ContactRows& contact = problem.unilateral[i];
    const int planar = contact.tangent_count() == 1;
    for (int k = 0; k < (planar ? 2 : corners); ++k) {
      VectorXd edge = VectorXd::Zero(layout.size());
      edge[layout.unilateral[i]] = 1.0;
      const double mu = factor * *contact.mu * (outside && !planar ? 1.0 / std::cos(kPi / corners) : 1.0);
      edge[layout.unilateral[i] + 1] = planar ? (k == 0 ? mu : -mu) : mu * std::cos(2.0 * kPi * k / corners);
      if (!planar) edge[layout.unilateral[i] + 2] = mu * std::sin(2.0 * kPi * k / corners);
      edges.push_back(edge);
    }
  }
  MatrixXd all(layout.size(), static_cast<Eigen::Index>(edges.size()));
  for (size_t j = 0; j < edges.size(); ++j) all.col(static_cast<Eigen::Index>(j)) = edges[j];
  return all;
}

/// min c'f over f = edges * weights, D f = F: a static problem, by Lemke's method.
ProgramSolution least(const AccelerationProblem& problem, const MatrixXd& edges, const VectorXd& c) {
  const auto count = edges.cols();
  return test::solve_by_lemke({edges.transpose() * c, force_directions(problem) * edges, problem.F,
                               -MatrixXd::Identity(count, count), VectorXd::Zero(count)});
}

/// The largest s <= 1 with all weights >= s: its sign says whether the load can be held, to more digits than a verdict does.
double least_weight(const AccelerationProblem& problem, const MatrixXd& edges) {
  const auto count = edges.cols();
  const MatrixXd D = force_directions(problem) * edges;
  MatrixXd A_eq(D.rows(), count + 1), A_in = MatrixXd::Zero(count + 1, count + 1);
  A_eq << D, D.rowwise().sum();
  A_in.topLeftCorner(count, count) = -MatrixXd::Identity(count, count);
  A_in(count, count) = 1.0;
  return -test::solve_by_lemke({-VectorXd::Unit(count + 1, count), A_eq, problem.F, A_in, VectorXd::Unit(count + 1, count)})
              .objective;
}

double factor_by_bisection(const AccelerationProblem& problem, double lower, double upper) {
  while (upper - lower > 1e-12 * upper) {
    const double middle = 0.5 * (lower + upper);
    (least_weight(problem, cone_edges(problem, middle)) >= 0.0 ? upper : lower) = middle;
  }
  return upper;
}

/// A load that some forces inside the cones hold: the body stays at rest if the acceleration without friction limits is zero.
void load_by(AccelerationProblem& problem, const VectorXd& forces) {
  problem.F = force_directions(problem) * forces;
}

AccelerationProblem random_planar(test::Random& random, int contacts) {
  AccelerationProblem problem = test::planar_object();
  for (int i = 0; i < contacts; ++i) {
    // Fingers from below, so that they cannot be pressed against each other with little friction.
    const double angle = random.uniform(-0.7, 0.7);
    problem.unilateral.push_back(
        test::planar_finger(random.vector(2), {std::sin(angle), std::cos(angle)}, random.uniform(0.05, 0.8)));
  }
  test::name_contacts(problem);
  return problem;
}

VectorXd random_forces(test::Random& random, const AccelerationProblem& problem, double excess) {
  std::vector<double> forces;
  for (const ContactRows& contact : problem.unilateral) {
    const double normal = random.uniform(0.1, 3.0), size = excess * random.uniform(0.0, 1.0) * *contact.mu * normal;
    const VectorXd direction = random.vector(contact.tangent_count()).normalized();
    forces.push_back(normal);
    for (const double part : direction) forces.push_back(size * part);
  }
  return Eigen::Map<VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size()));
}

// Verdict, least factor and bounds in the plane, each against linear programs by Lemke's method on the edges of the cones.
TEST(StickingRandom, PlaneAgainstLinearPrograms) {
  test::Random random(511);
  int yes = 0, no = 0;
  for (int trial = 0; trial < 150; ++trial) {
    AccelerationProblem problem = random_planar(random, 1 + random.below(5));
    load_by(problem, random_forces(random, problem, 2.0));
    const Sticking sticking = judge_sticking(problem);
    test::expect_consistent(problem, sticking);
    const MatrixXd edges = cone_edges(problem, 1.0);
    const bool feasible = least(problem, edges, VectorXd::Zero(edges.rows())).optimal();
    EXPECT_EQ(sticking.feasible.answer, feasible ? Answer::kYes : Answer::kNo) << "trial " << trial;
    (feasible ? yes : no) += 1;
    if (sticking.mu_factor > 0.0) {
      const double factor = factor_by_bisection(problem, 0.0, 3.0);
      EXPECT_NEAR(sticking.mu_factor, factor, 1e-9 * (1.0 + factor)) << "trial " << trial;
    }
    if (!feasible) {
      ASSERT_EQ(sticking.blocking_direction.size(), 3) << "trial " << trial;
      EXPECT_LT(problem.F.dot(sticking.blocking_direction), 0.0);
      continue;
    }
    ASSERT_TRUE(sticking.exact_bounds) << "trial " << trial;
    for (Eigen::Index j = 0; j < edges.rows(); ++j) {
      const double lower = least(problem, edges, VectorXd::Unit(edges.rows(), j)).objective;
      const double upper = -least(problem, edges, -VectorXd::Unit(edges.rows(), j)).objective;
      if (std::isfinite(lower)) {
        EXPECT_NEAR(sticking.lower[j], lower, 1e-8 * (1.0 + std::abs(lower))) << "trial " << trial << ' ' << j;
      }
      if (std::isfinite(upper)) {
        EXPECT_NEAR(sticking.upper[j], upper, 1e-8 * (1.0 + std::abs(upper))) << "trial " << trial << ' ' << j;
      }
      EXPECT_EQ(std::isfinite(lower), std::isfinite(sticking.lower[j])) << "trial " << trial << ' ' << j;
      EXPECT_EQ(std::isfinite(upper), std::isfinite(sticking.upper[j])) << "trial " << trial << ' ' << j;
    }
  }
  EXPECT_GT(yes, 20);
  EXPECT_GT(no, 20);
}

AccelerationProblem random_spatial(test::Random& random, int contacts) {
  AccelerationProblem problem = test::spatial_object();
  for (int i = 0; i < contacts; ++i) {
    const Vector3d normal = Vector3d(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 1.0).normalized();
    problem.unilateral.push_back(test::spatial_finger(random.vector(3), normal, random.uniform(0.05, 0.8)));
  }
  test::name_contacts(problem);
  return problem;
}

/// Forces that hold the load of a body at rest, within the cones.
void expect_forces_hold(const AccelerationProblem& problem, const VectorXd& f) {
  const ForceLayout layout(problem);
  ASSERT_EQ(f.size(), layout.size());
  EXPECT_LE((force_directions(problem) * f - problem.F).norm(), 1e-11 * (1.0 + f.norm()));
  for (size_t i = 0; i < problem.unilateral.size(); ++i) {
    const int n = layout.unilateral[i];
    EXPECT_LE(f.segment(n + 1, 2).norm(), *problem.unilateral[i].mu * f[n] + 1e-12 * (1.0 + f.norm()));
  }
}

/// A motion along which the load does work and that no force within the cones opposes.
void expect_nothing_holds(const AccelerationProblem& problem, const VectorXd& d) {
  ASSERT_EQ(d.size(), problem.n());
  EXPECT_LT(problem.F.dot(d), 0.0);
  for (const ContactRows& contact : problem.unilateral)
    EXPECT_GE(contact.normal.dot(d), *contact.mu * (contact.tangents.transpose() * d).norm() - 1e-10) << contact.name;
}

// A little more friction than the least has forces inside the cones, a little less a direction that none of them opposes. The loads are
// such that the body is at rest without friction limits.
TEST(StickingRandom, LeastFrictionInSpaceIsProvedFromBothSides) {
  test::Random random(512);
  int compared = 0;
  for (int trial = 0; trial < 150; ++trial) {
    SCOPED_TRACE(trial);
    AccelerationProblem problem = random_spatial(random, 1 + random.below(6));
    load_by(problem, random_forces(random, problem, 2.0));
    const Sticking sticking = judge_sticking(problem);
    test::expect_consistent(problem, sticking);
    ASSERT_LT(sticking.mu_factor, 2.0 + 1e-9);
    EXPECT_LE(sticking.mu_min_gap, 1e-9);
    if (sticking.mu_factor < 1e-6) continue;
    AccelerationProblem more = problem, less = problem;
    for (ContactRows& contact : more.unilateral) *contact.mu *= (1.0 + 1e-6) * sticking.mu_factor;
    for (ContactRows& contact : less.unilateral) *contact.mu *= (1.0 - 1e-6) * sticking.mu_factor;
    expect_forces_hold(more, judge_sticking(more).forces);
    const Sticking judged = judge_sticking(less);
    if (judged.feasible.no()) {
      ++compared;
      expect_nothing_holds(less, judged.blocking_direction);
    } else {  // so little is missing that nothing is decided
      EXPECT_LT(judged.feasible.margin.value_or(0.0), 0.0);
      EXPECT_GT(judged.feasible.margin.value_or(0.0), -1e-9);
    }
  }
  EXPECT_GT(compared, 100);
}

// Polygons inside and outside of the cones enclose the bounds.
TEST(StickingRandom, BoundsInSpaceLieBetweenPolygons) {
  test::Random random(513);
  constexpr int kCorners = 16;
  int compared = 0;
  for (int trial = 0; trial < 8; ++trial) {
    AccelerationProblem problem = random_spatial(random, 2 + random.below(2));
    load_by(problem, random_forces(random, problem, 0.8));
    const Sticking sticking = judge_sticking(problem);
    ASSERT_TRUE(sticking.feasible.yes());
    ASSERT_TRUE(sticking.exact_bounds);
    const MatrixXd inner = cone_edges(problem, 1.0, kCorners), outer = cone_edges(problem, 1.0, kCorners, true);
    for (Eigen::Index j = 0; j < inner.rows(); ++j) {
      for (const double sign : {1.0, -1.0}) {
        const VectorXd c = sign * VectorXd::Unit(inner.rows(), j);
        const double bound = sign > 0.0 ? sticking.lower[j] : -sticking.upper[j];
        EXPECT_LE(bound, least(problem, inner, c).objective + 1e-8) << "trial " << trial << ' ' << j;
        EXPECT_GE(bound, least(problem, outer, c).objective - 1e-8) << "trial " << trial << ' ' << j;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 90);
}

}  // namespace tippe::analyze_sticking_random_test
