// SPDX-License-Identifier: Apache-2.0
// Joints and springs between bodies: closed forms, and the same system in other coordinates.
#include <cmath>
#include <numbers>

#include "support/bodies.h"
#include "tippe/core/error.h"
#include "tippe/integrate/constrained_motion.h"

namespace tippe::model_joint_test {

const std::string kGravity = "[world]\ngravity = [0, 0, -9.81]\n";

Eigen::VectorXd forces_at_start(const Scene& scene) {
  ConstrainedMotion motion(*scene.system);
  StepReport report;
  EXPECT_TRUE(motion.evaluate(scene.start.t, scene.start.q, scene.start.u, report));
  Eigen::VectorXd lambda, on_velocities;
  motion.constraint_forces(lambda, on_velocities);
  return lambda;
}

std::vector<std::string> row_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Constraint& row : scene.system->constraints()) names.push_back(row.name);
  return names;
}

// A body on a hinge is a physical pendulum: let go at the angle a its period is 4 sqrt(I / (m g l)) K(sin(a/2)), I about the hinge.
TEST(Joint, ABodyOnAHingeHasThePeriodOfThePhysicalPendulum) {
  const double m = 2.0, l = 0.4, J = 0.05, a = 1.2;
  const double period = 4.0 * std::sqrt((J + m * l * l) / (m * 9.81 * l)) * std::comp_ellint_1(std::sin(0.5 * a));
  for (const char* formulation : {"newton-euler", "scalable", "affine"}) {
    Scene scene = test::scene_from(
        "[parameters]\na = 1.2\n" + kGravity +
        "[[body]]\nname = \"bob\"\nmass = 2\ninertia = [0.07, 0.05, 0.06]\nformulation = \"" + formulation +
        "\"\nposition = [\"0.4*sin(a)\", 1, \"-0.4*cos(a)\"]\norientation = { axis = [0, 1, 0], angle = \"-a\" }\n"
        "[[body.point]]\nname = \"pin\"\nat = [0, -1, 0.4]\n"
        "[[joint]]\nname = \"pin\"\ntype = \"hinge\"\naxis = [0, 2, 0]\nbetween = [\"bob.pin\", \"world\"]\n" +
        test::accurate_run(1.0));
    scene.run.until = period;
    const State end = test::end_of(scene);
    EXPECT_NEAR((end.q - scene.start.q).norm(), 0.0, 1e-8) << formulation;
    EXPECT_NEAR((end.u - scene.start.u).norm(), 0.0, 1e-7) << formulation;
    scene.run.until = 0.5 * period;
    EXPECT_NEAR(test::coordinate(scene, test::end_of(scene), "bob.x"), -l * std::sin(a), 1e-8) << formulation;
    const std::vector<std::string> names = row_names(scene);
    EXPECT_EQ(std::vector<std::string>(names.end() - 5, names.end()),
              (std::vector<std::string>{"pin x", "pin y", "pin z", "pin axis 1", "pin axis 2"}));
  }
}

// Steady precession of the symmetric top about its fixed tip: A W^2 cos(th) - C w3 W + m g l = 0, A about the tip.
TEST(Joint, AHeavyTopOnABallJointPrecessesSteadily) {
  const Scene scene = test::load("heavy_top");
  const double m = 0.5, l = 0.08, A = 6e-4 + m * l * l, C = 8e-4, th = 0.5, w3 = 150.0;
  const double W = (C * w3 - std::sqrt(C * C * w3 * w3 - 4 * A * m * 9.81 * l * std::cos(th))) / (2 * A * std::cos(th));
  const State end = test::end_of(scene);
  EXPECT_NEAR(test::quantity(scene, end, "inclination"), th, 1e-8);
  // The axis begins at (0, -sin, cos) and turns by W t.
  EXPECT_NEAR(test::coordinate(scene, end, "top.x"), l * std::sin(th) * std::sin(W * 3.0), 1e-8);
  EXPECT_NEAR(test::coordinate(scene, end, "top.y"), -l * std::sin(th) * std::cos(W * 3.0), 1e-8);
  EXPECT_NEAR(test::velocity(scene, end, "top.wz"), w3, 1e-7);
}

// On a slider a body falls along the axis with g . axis and does not turn, though it is pulled beside its centre of mass.
TEST(Joint, ASliderLetsABodyFallAlongItsAxisOnly) {
  const Scene scene = test::scene_from(
      kGravity +
      "[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 2, 2.5]\norientation = { axis = [1, 1, 1], angle = 1 }\n"
      "angular_velocity = [0, 0, 0]\n[[body.point]]\nname = \"p\"\nat = [0.3, 0.4, 0.5]\n"
      "[[joint]]\ntype = \"slider\"\naxis = [3, 0, 4]\nbetween = [\"world\", \"b.p\"]\n" +
      test::accurate_run(1.0));
  EXPECT_EQ(row_names(scene),
            (std::vector<std::string>{"slider world b.p across 1", "slider world b.p across 2", "slider world b.p turn 1",
                                      "slider world b.p turn 2", "slider world b.p turn 3"}));
  const State end = test::end_of(scene);
  const double way = 0.5 * -9.81 * 0.8;  // along (0.6, 0, 0.8)
  EXPECT_NEAR(test::coordinate(scene, end, "b.x"), 0.6 * way, 1e-9);
  EXPECT_NEAR(test::coordinate(scene, end, "b.y"), 0.0, 1e-9);
  EXPECT_NEAR(test::coordinate(scene, end, "b.z"), 0.8 * way, 1e-9);
  EXPECT_NEAR((end.q.segment<4>(3) - scene.start.q.segment<4>(3)).norm(), 0.0, 1e-9);
}

// Two bodies fixed to each other are one: masses 1 and 3 at distance 2 along x, so J1 = sum, J2 and J3 with 1 * 1.5^2 + 3 * 0.5^2 = 3
// more (parallel axes).
TEST(Joint, TwoFixedBodiesMoveAsOneWithTheInertiaOfBoth) {
  const std::string w = "angular_velocity = [1, 2, 0.3]\n";
  const Scene two = test::scene_from(
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [0.2, 0.3, 0.4]\nposition = [-1.5, 0, 0]\nvelocity = [0, -0.45, 3]\n" +
      w + "[[body]]\nname = \"b\"\nmass = 3\ninertia = [0.5, 0.6, 0.7]\nposition = [0.5, 0, 0]\nvelocity = [0, 0.15, -1]\n" +
      w + "[[body.point]]\nname = \"left\"\nat = [-2, 0, 0]\n[[joint]]\ntype = \"fixed\"\nbetween = [\"a\", \"b.left\"]\n" +
      test::accurate_run(2.0));
  const Scene one =
      test::scene_from("[[body]]\nname = \"c\"\nmass = 4\ninertia = [0.7, 3.9, 4.1]\n" + w + test::accurate_run(2.0));
  const State end = test::end_of(two), expected = test::end_of(one);
  for (const std::string name : {"wx", "wy", "wz"}) {
    EXPECT_NEAR(test::velocity(two, end, "a." + name), test::velocity(one, expected, "c." + name), 1e-8) << name;
    EXPECT_NEAR(test::velocity(two, end, "b." + name), test::velocity(one, expected, "c." + name), 1e-8) << name;
  }
  EXPECT_NEAR(test::coordinate(two, end, "a.x") + 3 * test::coordinate(two, end, "b.x"), 0.0, 1e-9);  // at rest together
}

// Masses 1 and 2 on a rod of length 0.9 circle about their centre of mass with 2 rad/s: the rod pulls with m w^2 r = 1 * 4 * 0.6.
TEST(Joint, ARodPullsWithTheCentripetalForce) {
  const Scene scene = test::scene_from(
      "[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\nposition = [0.6, 0, 0]\nvelocity = [0, 1.2, 0]\n"
      "[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 2\nposition = [-0.3, 0, 0]\nvelocity = [0, -0.6, 0]\n"
      "[[joint]]\nname = \"rod\"\ntype = \"rod\"\nbetween = [\"a\", \"b\"]\n" +
      test::accurate_run(1.0));
  EXPECT_EQ(row_names(scene), (std::vector<std::string>{"rod"}));
  EXPECT_NEAR(forces_at_start(scene)[0], -2.4, 1e-12);  // against its growth
  const State end = test::end_of(scene);
  EXPECT_NEAR(end.q[0], 0.6 * std::cos(2.0), 1e-9);
  EXPECT_NEAR(end.q[1], 0.6 * std::sin(2.0), 1e-9);
}

// A point on a rod, and a planar body on a pin, move as the pendulum in its angle does.
TEST(Joint, PendulumsOfPointsAndPlanarBodiesMoveAsInTheirAngle) {
  const auto angle_of = [](double inertia_over_moment) {  // phi'' = -sin(phi)/that, let go at pi/2
    const Scene scene =
        test::scene_from("[lagrangian]\ncoordinates = [\"phi\"]\nkinetic = \"0.5*phi'^2\"\npotential = \"-cos(phi)/" +
                         std::to_string(inertia_over_moment) + "\"\n[initial]\nphi = \"pi/2\"\n" + test::accurate_run(1.5));
    return test::end_of(scene).q[0];
  };
  const Scene point = test::scene_from(
      kGravity +
      "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 3\nposition = [0.981, 0, 0]\n[[joint]]\ntype = \"rod\"\n"
      "between = [\"p\", [0, 0, 0]]\n" +
      test::accurate_run(1.5));
  const State swung = test::end_of(point);
  EXPECT_NEAR(std::atan2(swung.q[0], -swung.q[2]), angle_of(0.1), 1e-8);

  // l = 0.5, J = m (0.981 * 0.5 - 0.25): the reduced length J/(m l) + l is 0.981.
  const Scene plate = test::scene_from(
      "[world]\ngravity = [0, -9.81]\n[[body]]\nname = \"p\"\nkind = \"planar\"\nmass = 2\ninertia = \"2*(0.981*0.5 - "
      "0.25)\"\n"
      "position = [0.5, 0]\n[[body.point]]\nname = \"pin\"\nat = [-0.5, 0]\n"
      "[[joint]]\ntype = \"hinge\"\naxis = [0, 0, 1]\nbetween = [\"p.pin\", \"world\"]\n" +
      test::accurate_run(1.5));
  EXPECT_EQ(plate.system->constraints().size(), 2u);  // the rest cannot move in the plane
  EXPECT_NEAR(test::end_of(plate).q[2] + 0.5 * std::numbers::pi, angle_of(0.1), 1e-8);
}

// A point mass on a damped spring: x - l = a exp(-d t) (cos(w t) + d/w sin(w t)), d = c/2m, w^2 = k/m - d^2.
TEST(Spring, OscillatesAndDecaysAsInTheClosedForm) {
  const double m = 2, k = 50, c = 3, d = c / (2 * m), w = std::sqrt(k / m - d * d), t = 1.7;
  const double decay = std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
  for (const double length : {0.5, 0.0}) {
    const Scene scene = test::scene_from(
        "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 2\nposition = [0.6, 0.8, 0]\n"
        "[[spring]]\nbetween = [[0, 0, 0], \"p\"]\nstiffness = 50\ndamping = 3\nlength = " +
        std::to_string(length) + "\n" + test::accurate_run(t));
    const State end = test::end_of(scene);
    const double distance = length + (1.0 - length) * decay;
    EXPECT_NEAR(end.q[0], 0.6 * distance, 1e-9);
    EXPECT_NEAR(end.q[1], 0.8 * distance, 1e-9);
  }
}

// Inner forces change neither momentum nor angular momentum, whatever holds the bodies together.
TEST(Spring, InnerForcesKeepMomentumAndAngularMomentum) {
  const Scene scene = test::scene_from(
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [0.2, 0.3, 0.4]\nangular_velocity = [1, 2, 3]\n[[body.point]]\nname = "
      "\"p\"\n"
      "at = [0.5, 0, 0]\n"
      "[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.5, 0.6, 0.7]\nposition = [1, 0, 0]\nformulation = \"affine\"\n"
      "velocity = [0, 1.5, -1]\n[[body.point]]\nname = \"p\"\nat = [-0.5, 0, 0]\n[[body.point]]\nname = \"q\"\nat = [0, 1, "
      "0]\n"
      "[[body]]\nname = \"c\"\nkind = \"point\"\nmass = 0.5\nposition = [2, 2, 2]\nvelocity = [0, 0, 1]\n"
      "[[joint]]\ntype = \"ball\"\nbetween = [\"a.p\", \"b.p\"]\n"
      "[[spring]]\nbetween = [\"b.q\", \"c\"]\nstiffness = 20\ndamping = 1\nlength = 1\n" +
      test::accurate_run(3.0));
  const State end = test::end_of(scene);
  for (const std::string name : {"momentum", "angular_momentum"}) {
    for (const std::string axis : {".x", ".y", ".z"}) {
      EXPECT_NEAR(test::quantity(scene, end, name + axis), test::quantity(scene, scene.start, name + axis), 1e-9)
          << name << axis;
    }
  }
}

// A crane: a body hangs from a [lagrangian] slider by a [[bilateral]] on its point, with a spring in the potential; or both in angles.
TEST(Joint, BodiesMixWithCoordinatesOfALagrangian) {
  const std::string crane =
      "[world]\ngravity = [0, -9.81]\n[lagrangian]\ncoordinates = [\"s\"]\nkinetic = \"0.5*M*s'^2\"\n"
      "potential = \"0.5*k*(hook.x - s)^2\"\n[lagrangian.forces]\ns = \"-0.1*s'\"\n";
  const Scene bodies = test::scene_from(
      "[parameters]\nM = 1\nk = 8\n" + crane +
      "[[body]]\nname = \"hook\"\nkind = \"planar\"\nmass = 2\ninertia = 0.1\nposition = [0.5, 0]\n[[body.point]]\nname = "
      "\"eye\"\n"
      "at = [-0.5, 0]\n[[bilateral]]\nname = \"x\"\nposition = \"hook.eye.x - s\"\n[[bilateral]]\nname = \"y\"\n"
      "position = \"hook.eye.y\"\n" +
      test::accurate_run(1.0));
  const Scene angles = test::scene_from(
      "[lagrangian]\ncoordinates = [\"s\", \"phi\"]\n"
      "kinetic = \"0.5*s'^2 + 0.5*2*((s' - 0.5*sin(phi)*phi')^2 + (0.5*cos(phi)*phi')^2) + 0.5*0.1*phi'^2\"\n"
      "potential = \"2*9.81*0.5*sin(phi) + 0.5*8*(0.5*cos(phi))^2\"\n[lagrangian.forces]\ns = \"-0.1*s'\"\n" +
      test::accurate_run(1.0));
  const State end = test::end_of(bodies), expected = test::end_of(angles);
  EXPECT_NEAR(end.q[0], expected.q[0], 1e-8);
  EXPECT_NEAR(test::coordinate(bodies, end, "hook.phi"), expected.q[1], 1e-8);
}

// [initial] project = true: a link begins 0.1 too low for its joint, and comes to hang on it.
TEST(Joint, AStartBesideAJointIsProjectedOnIt) {
  const std::string text =
      kGravity +
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\norientation = { axis = [1, 0, 0], angle = 0.3 }\n"
      "velocity = [1, 0, 0]\n[[body.point]]\nname = \"p\"\nat = [0, 0, 1]\n"
      "[[joint]]\nname = \"pin\"\ntype = \"ball\"\nbetween = [\"b.p\", [0, 0, 1.1]]\n" +
      test::accurate_run(1.0);
  EXPECT_THROW((void)test::scene_from(text), InputError);
  const Scene scene = test::scene_from(text + "[initial]\nproject = true\n");
  ConstrainedMotion motion(*scene.system);
  Eigen::VectorXd g, gamma;
  const ConstrainedMotion::Violation violation = motion.violation(scene.start, g, gamma);
  EXPECT_LE(violation.position, 1e-14);
  EXPECT_LE(violation.velocity, 1e-14);
  EXPECT_NEAR(scene.start.q.segment<4>(3).norm(), 1.0, 1e-15);
}

}  // namespace tippe::model_joint_test
