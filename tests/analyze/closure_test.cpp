// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/closure.h"

#include <cmath>

#include "support/grasps.h"
#include "support/random.h"

namespace tippe::analyze_closure_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::planar_finger;
using test::planar_object;
using test::spatial_finger;
using test::spatial_object;

constexpr double kPi = 3.14159265358979323846;

/// d opens or keeps all contacts against all admissible forces, and is not nothing.
void expect_unresisted(const AccelerationProblem& problem, const VectorXd& d, bool friction) {
  ASSERT_EQ(d.size(), problem.n());
  EXPECT_NEAR(d.cwiseAbs().maxCoeff(), 1.0, 1e-12);
  for (const ContactRows& contact : problem.unilateral) {
    const double slip = friction && contact.mu ? *contact.mu * (contact.tangents.transpose() * d).norm() : 0.0;
    EXPECT_GE(contact.normal.dot(d) - slip, -1e-8) << contact.name;
  }
  for (const ContactRows& joint : problem.bilateral) EXPECT_NEAR(joint.normal.dot(d), 0.0, 1e-9) << joint.name;
}

/// n fingers spread on a circle of radius 1, pushing inwards along lines that miss the middle by `offset` in turns.
AccelerationProblem disk(int fingers, double mu, double offset = 0.0) {
  AccelerationProblem problem = planar_object();
  for (int i = 0; i < fingers; ++i) {
    const double angle = 2.0 * kPi * i / fingers + 0.3;
    const Vector2d inwards(-std::cos(angle), -std::sin(angle));
    const Vector2d side(-inwards[1], inwards[0]);
    problem.unilateral.push_back(planar_finger(-inwards + (i % 2 == 0 ? offset : -offset) * side, inwards, mu));
  }
  test::name_contacts(problem);
  return problem;
}

// Four wrenches are needed to hold three degrees of freedom by pushing (Reuleaux); lines through one point leave the rotation about it.
TEST(Closure, FormInThePlaneNeedsFourFingers) {
  test::Random random(501);
  for (int trial = 0; trial < 50; ++trial) {
    AccelerationProblem problem = planar_object();
    for (int i = 0; i < 3; ++i)
      problem.unilateral.push_back(planar_finger(random.vector(2), random.vector(2).normalized(), 0.0));
    test::name_contacts(problem);
    const Closure closure = judge_closure(problem);
    EXPECT_TRUE(closure.form.no());
    EXPECT_TRUE(closure.force.no());
    expect_unresisted(problem, closure.unresisted, true);
  }
  EXPECT_TRUE(judge_closure(disk(4, 0.0)).form.no());
  const Closure closed = judge_closure(disk(4, 0.0, 0.2));
  EXPECT_TRUE(closed.form.yes());
  EXPECT_TRUE(closed.force.yes());
  EXPECT_EQ(closed.unresisted.size(), 0);
}

// Nguyen: two fingers with friction close the grasp in the plane if and only if the line between them is inside both cones.
TEST(Closure, TwoFingersInThePlaneSeeEachOtherInsideTheirCones) {
  for (const double mu : {0.1, 0.5, 1.0}) {
    for (const double tilt : {0.5, 0.9, 0.99999, 1.00001, 1.1, 2.0}) {
      const double angle = std::min(1.5, tilt * std::atan(mu));
      AccelerationProblem problem = planar_object();
      problem.unilateral.push_back(planar_finger(Vector2d(-1, 0), Vector2d(std::cos(angle), std::sin(angle)), mu));
      problem.unilateral.push_back(planar_finger(Vector2d(1, 0), Vector2d(-1, 0), mu));
      test::name_contacts(problem);
      const Closure closure = judge_closure(problem);
      EXPECT_EQ(closure.force.answer, tilt < 1.0 ? Answer::kYes : Answer::kNo) << mu << ' ' << tilt;
      EXPECT_TRUE(closure.form.no());
      expect_unresisted(problem, closure.unresisted, !closure.force.yes());
    }
  }
}

// A condition that is strict: with the line exactly on the edge of a cone the grasp is not closed.
TEST(Closure, OnTheEdgeOfAConeIsNotClosed) {
  AccelerationProblem problem = planar_object();
  problem.unilateral.push_back(planar_finger(Vector2d(-1, 0), Vector2d(0.8, 0.6), 0.75));
  problem.unilateral.push_back(planar_finger(Vector2d(1, 0), Vector2d(-1, 0), 0.75));
  test::name_contacts(problem);
  EXPECT_TRUE(judge_closure(problem).force.no());
}

// Two point contacts in space cannot resist the rotation about the line between them; three with friction can hold a ball.
TEST(Closure, PointContactsInSpace) {
  for (const int fingers : {2, 3, 4}) {
    for (const double mu : {0.0, 0.4, 0.9}) {
      AccelerationProblem problem = spatial_object();
      for (int i = 0; i < fingers; ++i) {
        const double angle = 2.0 * kPi * i / fingers;
        const Vector3d point(std::cos(angle), std::sin(angle), 0.0);
        problem.unilateral.push_back(spatial_finger(point, -point, mu));
      }
      test::name_contacts(problem);
      const Closure closure = judge_closure(problem);
      EXPECT_EQ(closure.force.answer, fingers > 2 && mu > 0.0 ? Answer::kYes : Answer::kNo) << fingers << ' ' << mu;
      EXPECT_TRUE(closure.form.no());
      expect_unresisted(problem, closure.unresisted, !closure.force.yes());
    }
  }
}

// Three fingers in a plane through points 120 degrees apart whose normals are tilted out of it by beta: forces in the plane that
// balance need the friction angle to exceed beta. All forces of the closure must have a downward part otherwise.
TEST(Closure, TiltedFingersNeedTheFrictionAngle) {
  for (const double beta : {0.2, 0.5}) {
    for (const double factor : {0.999, 1.001}) {
      AccelerationProblem problem = spatial_object();
      for (int i = 0; i < 3; ++i) {
        const double angle = 2.0 * kPi * i / 3.0;
        const Vector3d point(std::cos(angle), std::sin(angle), 0.0);
        problem.unilateral.push_back(
            spatial_finger(point, -std::cos(beta) * point - std::sin(beta) * Vector3d::UnitZ(), factor * std::tan(beta)));
      }
      test::name_contacts(problem);
      const Closure closure = judge_closure(problem);
      EXPECT_EQ(closure.force.answer, factor > 1.0 ? Answer::kYes : Answer::kNo) << beta << ' ' << factor;
      if (factor < 1.0) expect_unresisted(problem, closure.unresisted, true);
    }
  }
}

// Seven frictionless contacts can hold a body in space, six cannot (Somov). The wrenches w_1 ... w_6 are independent, the seventh is
// minus a positive combination of them.
TEST(Closure, FormInSpaceNeedsSevenFingers) {
  test::Random random(502);
  for (int trial = 0; trial < 50; ++trial) {
    AccelerationProblem problem = spatial_object();
    VectorXd last = VectorXd::Zero(6);
    for (int i = 0; i < 6; ++i) {
      ContactRows finger = spatial_finger(random.vector(3), random.vector(3).normalized(), 0.0);
      finger.tangents.resize(6, 0);
      finger.tangent_drift.resize(0);
      last -= random.uniform(0.2, 1.0) * finger.normal;
      problem.unilateral.push_back(finger);
    }
    test::name_contacts(problem);
    const Closure open = judge_closure(problem);
    EXPECT_TRUE(open.form.no()) << "trial " << trial;
    expect_unresisted(problem, open.unresisted, false);
    problem.unilateral.push_back(problem.unilateral[0]);
    problem.unilateral.back().normal = last;
    test::name_contacts(problem);
    EXPECT_TRUE(judge_closure(problem).form.yes()) << "trial " << trial;
    problem.unilateral.back().normal = -last;
    EXPECT_TRUE(judge_closure(problem).form.no()) << "trial " << trial;
  }
}

// A joint takes over: a disk on a pin at its middle is held against rotation by two fingers that push in opposite senses.
TEST(Closure, JointsAreRigid) {
  AccelerationProblem problem = disk(2, 0.0, 0.1);
  for (int k = 0; k < 2; ++k) {
    ContactRows pin;
    pin.name = k == 0 ? "pin.x" : "pin.y";
    pin.normal = VectorXd::Unit(3, k);
    problem.bilateral.push_back(pin);
  }
  EXPECT_TRUE(judge_closure(problem).form.yes());
  problem.unilateral.pop_back();
  const Closure closure = judge_closure(problem);
  EXPECT_TRUE(closure.form.no());
  expect_unresisted(problem, closure.unresisted, true);
}

// Without a known mu a grasp that is not closed by its normals alone may or may not be closed.
TEST(Closure, UnknownFrictionIsUndecided) {
  AccelerationProblem problem = disk(3, 0.0);
  for (ContactRows& contact : problem.unilateral) contact.mu.reset();
  EXPECT_TRUE(judge_closure(problem).form.no());
  EXPECT_EQ(judge_closure(problem).force.answer, Answer::kUndecided);
}

TEST(Closure, WithoutContacts) {
  EXPECT_TRUE(judge_closure(planar_object()).form.no());
  EXPECT_EQ(judge_closure(planar_object()).unresisted.size(), 3);
}

}  // namespace tippe::analyze_closure_test
