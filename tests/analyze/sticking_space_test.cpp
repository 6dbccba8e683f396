// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "support/grasps.h"
#include "support/sticking_checks.h"

namespace tippe::analyze_sticking_space_test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::expect_consistent;
using test::spatial_finger;
using test::spatial_object;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979323846;

Sticking judge(const AccelerationProblem& problem) {
  const Sticking sticking = judge_sticking(problem);
  expect_consistent(problem, sticking);
  return sticking;
}

/// A body of weight 10 on feet spread on a circle of radius 2, at a height h below the centre of mass.
AccelerationProblem table(int feet, double h, double mu, const Vector3d& force, const Vector3d& torque) {
  AccelerationProblem problem = spatial_object(force - 10.0 * Vector3d::UnitZ(), torque);
  for (int i = 0; i < feet; ++i) {
    const double angle = 2.0 * kPi * i / feet + 0.2;
    problem.unilateral.push_back(spatial_finger({2.0 * std::cos(angle), 2.0 * std::sin(angle), -h}, Vector3d::UnitZ(), mu));
  }
  test::name_contacts(problem);
  return problem;
}

// On an incline the weight alone decides, however many feet share it: tan alpha.
TEST(StickingInSpace, BoxOnAnIncline) {
  for (const int feet : {3, 4, 6}) {
    for (const double direction : {0.0, 1.0, 2.5}) {
      const Vector3d pull(2.0 * std::cos(direction), 2.0 * std::sin(direction), 0.0);
      const Sticking sticking = judge(table(feet, 0.5, 0.3, pull, Vector3d::Zero()));
      EXPECT_NEAR(sticking.mu_min, 0.2, 1e-9) << feet;
      EXPECT_LE(sticking.mu_min_gap, 1e-9);
      EXPECT_TRUE(sticking.feasible.yes());
      EXPECT_TRUE(sticking.exact_bounds);
      EXPECT_TRUE(judge(table(feet, 0.5, 0.1999, pull, Vector3d::Zero())).feasible.no());
    }
  }
}

// Torsion about the normal: by symmetry all feet share it equally, T = mu * weight * radius.
TEST(StickingInSpace, TorsionAboutTheNormal) {
  for (const int feet : {3, 4, 5}) {
    const Sticking sticking = judge(table(feet, 0.5, 0.5, Vector3d::Zero(), Vector3d(0, 0, 7.0)));
    EXPECT_NEAR(sticking.mu_min, 7.0 / 20.0, 1e-9) << feet;
    EXPECT_TRUE(sticking.feasible.yes());
  }
}

// A box on an incline with torsion, on three feet whose loads are determined when its centre is in their plane (10/3 each). The
// friction forces f_i minimise their largest size; a direction (v, omega) bounds it: mu * sum 10/3 |v + omega x r_i| >= v.pull + omega T.
// Maximised over v on a grid refined by ten for each digit.
TEST(StickingInSpace, InclineWithTorsion) {
  const Vector3d pull(1.5, 0.5, 0.0);
  const double torque = 4.0;
  const AccelerationProblem problem = table(3, 0.0, 0.4, pull, Vector3d(0, 0, torque));
  double best = 0.0, width = 8.0, best_x = 0.0, best_y = 0.0;
  for (int level = 0; level < 12; ++level, width *= 0.2) {
    const double x_0 = best_x, y_0 = best_y;
    for (int i = -20; i <= 20; ++i) {
      for (int k = -20; k <= 20; ++k) {
        const Vector3d v(x_0 + width * i / 20, y_0 + width * k / 20, 0.0);  // omega = 1
        double work = 0.0;
        for (const ContactRows& foot : problem.unilateral) {
          VectorXd d(6);
          d << v, 0, 0, 1;
          work += 10.0 / 3.0 * (foot.tangents.transpose() * d).norm();
        }
        const double mu = (v.dot(pull) + torque) / work;
        if (mu <= best) continue;
        best = mu;
        best_x = v[0];
        best_y = v[1];
      }
    }
  }
  const Sticking sticking = judge(problem);
  EXPECT_NEAR(sticking.mu_min, best, 1e-9);
  EXPECT_EQ(sticking.feasible.answer, best < 0.4 ? Answer::kYes : Answer::kNo);
}

// Two contacts of a particle on one plane: friction t_1 + t_2 = T, |t_1| + |t_2| <= mu N, so that t_1 fills an ellipse with the foci
// 0 and T and the long axis mu N.
TEST(StickingInSpace, SharedFrictionFillsAnEllipse) {
  AccelerationProblem particle{MatrixXd::Identity(3, 3), Vector3d(-3, 0, 10), {}, {}, {}};
  ContactRows contact;
  contact.normal = Vector3d::UnitZ();
  contact.tangents = MatrixXd::Identity(3, 2);
  contact.tangent_drift = VectorXd::Zero(2);
  contact.mu = 0.5;
  particle.unilateral = {contact, contact};
  test::name_contacts(particle);
  const Sticking sticking = judge(particle);
  ASSERT_TRUE(sticking.feasible.yes());
  EXPECT_TRUE(sticking.exact_bounds);
  EXPECT_NEAR(sticking.mu_min, 0.3, 1e-9);
  for (const int first : {0, 3}) {
    EXPECT_NEAR(sticking.lower[first], 0.0, 1e-8);
    EXPECT_NEAR(sticking.upper[first], 10.0, 1e-8);
    EXPECT_NEAR(sticking.lower[first + 1], 0.5 * (-3.0 - 5.0), 1e-8);
    EXPECT_NEAR(sticking.upper[first + 1], 0.5 * (-3.0 + 5.0), 1e-8);
    EXPECT_NEAR(sticking.lower[first + 2], -2.0, 1e-8);
    EXPECT_NEAR(sticking.upper[first + 2], 2.0, 1e-8);
  }
  // At the least friction the ellipse is a segment: a set without interior.
  for (ContactRows& each : particle.unilateral) each.mu = 0.3;
  const Sticking edge = judge(particle);
  EXPECT_EQ(edge.feasible.answer, Answer::kUndecided);
  ASSERT_EQ(edge.lower.size(), 6);
  EXPECT_NEAR(edge.lower[1], -3.0, 1e-6);
  EXPECT_NEAR(edge.upper[1], 0.0, 1e-6);
  EXPECT_NEAR(edge.upper[2], 0.0, 1e-6);
}

// Two fingers that see each other squeeze as hard as they like: friction however small holds the weight, but not a torque about the line
// between them.
TEST(StickingInSpace, TwoFingersSqueeze) {
  AccelerationProblem problem = spatial_object(Vector3d(0, 0, -10));
  problem.unilateral = {spatial_finger(-Vector3d::UnitX(), Vector3d::UnitX(), 0.3),
                        spatial_finger(Vector3d::UnitX(), -Vector3d::UnitX(), 0.3)};
  test::name_contacts(problem);
  const Sticking sticking = judge(problem);
  EXPECT_TRUE(sticking.feasible.yes());
  EXPECT_TRUE(sticking.self_stress);
  EXPECT_EQ(sticking.mu_min, 0.0);
  EXPECT_EQ(sticking.upper[0], kInfinity);
  EXPECT_NEAR(sticking.lower[0], 5.0 / 0.3, 1e-7);  // each holds half, by balance of moments
}

// A box against the wall: the contact at the floor cannot be loaded when the wall takes nothing; friction of the one that is free of
// load does not count. A body with a foot under its centre of mass, and a second foot at the side that stays unloaded.
TEST(StickingInSpace, UnloadedFootIsNamed) {
  AccelerationProblem problem = spatial_object(Vector3d(1, 0, -10));
  problem.unilateral = {spatial_finger(Vector3d::Zero(), Vector3d::UnitZ(), 0.5),
                        spatial_finger(Vector3d(0, 2, 0), Vector3d::UnitZ(), 0.5)};
  test::name_contacts(problem);
  const Sticking sticking = judge(problem);
  EXPECT_TRUE(sticking.feasible.yes());
  EXPECT_EQ(sticking.unloadable, std::vector<int>{1});
  EXPECT_NEAR(sticking.mu_min, 0.1, 1e-9);
  EXPECT_LE(sticking.upper.tail(3).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace tippe::analyze_sticking_space_test
