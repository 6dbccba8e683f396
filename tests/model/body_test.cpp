// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in their three formulations, points and planar bodies: closed forms, invariants, other coordinates.
#include <cmath>

#include "support/bodies.h"
#include "tippe/integrate/constrained_motion.h"

namespace tippe::model_body_test {

constexpr std::array kFormulations = {"newton-euler", "scalable", "affine"};

std::string top(const std::string& formulation, const std::string& rest) {
  return "[[body]]\nname = \"top\"\nformulation = \"" + formulation + "\"\n" + rest;
}

const std::string kFree =
    "mass = 2\ninertia = [1, 2, 3]\nangular_velocity = [0.1, 10, 0.1]\nvelocity = [1, -2, 0.5]\nposition = [1, 0, 0]\n";

// Landau and Lifshitz, Mechanics, section 37: with L^2 > 2 E J2 the angular velocity has the period
// 4 K(k) sqrt(J1 J2 J3 / ((J3 - J2)(L^2 - 2 E J1))), k^2 = (J2 - J1)(2 E J3 - L^2) / ((J3 - J2)(L^2 - 2 E J1)).
TEST(Body, AFreeTopHasThePeriodOfJacobisEllipticFunctions) {
  const double E2 = 0.01 + 200.0 + 0.03, L2 = 0.01 + 400.0 + 0.09;
  ASSERT_GT(L2, 2.0 * E2);
  const double k = std::sqrt((3.0 * E2 - L2) / (L2 - E2));
  const double period = 4.0 * std::comp_ellint_1(k) * std::sqrt(6.0 / (L2 - E2));
  Scene scene = test::scene_from(top("newton-euler", kFree) + test::accurate_run(1.0));
  scene.run.until = period;
  const State end = test::end_of(scene);
  EXPECT_NEAR(test::velocity(scene, end, "top.wx"), 0.1, 1e-8);
  EXPECT_NEAR(test::velocity(scene, end, "top.wy"), 10.0, 1e-8);
  EXPECT_NEAR(test::velocity(scene, end, "top.wz"), 0.1, 1e-8);
  // Half a period turns it over.
  scene.run.until = 0.5 * period;
  EXPECT_NEAR(test::velocity(scene, test::end_of(scene), "top.wy"), -10.0, 1e-8);
}

// Without forces: energy, momentum and angular momentum in space stay, though the body turns over.
TEST(Body, AFreeTopKeepsEnergyMomentumAndAngularMomentum) {
  for (const char* formulation : kFormulations) {
    const Scene scene = test::scene_from(top(formulation, kFree) + test::accurate_run(5.0));
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, RunStatus::kOk);
    EXPECT_NEAR(summary.energy.final / (100.02 + 5.25), 1.0, 1e-9) << formulation;
    // At the start P = m v and L = m r x v + J w with R = 1, by hand.
    const std::array<std::pair<const char*, double>, 6> expected = {{{"momentum.x", 2.0},
                                                                     {"momentum.y", -4.0},
                                                                     {"momentum.z", 1.0},
                                                                     {"angular_momentum.x", 0.1},
                                                                     {"angular_momentum.y", 20.0 - 1.0},
                                                                     {"angular_momentum.z", 0.3 - 4.0}}};
    for (const auto& [name, value] : expected) {
      EXPECT_NEAR(test::quantity(scene, scene.start, name), value, 1e-14) << formulation << " " << name;
      EXPECT_NEAR(test::quantity(scene, summary.final_state, name), value, 2e-9) << formulation << " " << name;
    }
  }
}

/// A body with a full inertia matrix under gravity, on a spring with a damper that is fastened off its centre.
std::string forced(const std::string& formulation) {
  return "[world]\ngravity = [0, 0, -9.81]\n" +
         top(formulation,
             "mass = 1.5\ninertia = [[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.5]]\nposition = [0.2, 0.1, 1]\n"
             "orientation = { axis = [1, 2, 3], angle = 0.7 }\nvelocity = [0.3, 0, 1]\nangular_velocity_world = [1, 2, -3]\n"
             "[[body.point]]\nname = \"tip\"\nat = [0.1, -0.2, 0.3]\n") +
         "[[spring]]\nbetween = [\"top.tip\", [0, 0, 2]]\nstiffness = 40\ndamping = 0.5\nlength = 0.3\n" +
         "[output.quantities]\ntx = \"top.tip.x\"\nty = \"top.tip.y\"\ntz = \"top.tip.z\"\nvx = \"top.tip.x'\"\n"
         "vy = \"top.tip.y'\"\nvz = \"top.tip.z'\"\nspin = \"top.wx + 2*top.wy + 3*top.wz\"\nheight = \"top.z\"\n" +
         test::accurate_run(2.0);
}

TEST(Body, MovesTheSameInThreeFormulations) {
  const Scene reference = test::scene_from(forced("newton-euler"));
  const State expected = test::end_of(reference);
  for (const char* formulation : {"scalable", "affine"}) {
    const Scene scene = test::scene_from(forced(formulation));
    const State end = test::end_of(scene);
    for (const std::string& name : scene.run.observables.names())
      EXPECT_NEAR(test::quantity(scene, end, name), test::quantity(reference, expected, name), 1e-8) << formulation << name;
  }
}

// The velocity of a point is the derivative of its place: central differences of the motion.
TEST(Body, TheVelocityOfAPointIsTheRateOfItsPlace) {
  for (const char* formulation : kFormulations) {
    Scene scene = test::scene_from(forced(formulation));
    const double dt = 1e-4;
    scene.run.until = 0.5;
    const State middle = test::end_of(scene);
    scene.run.until = 0.5 - dt;
    const State before = test::end_of(scene);
    scene.run.until = 0.5 + dt;
    const State after = test::end_of(scene);
    for (const std::string axis : {"x", "y", "z"}) {
      const double difference =
          (test::quantity(scene, after, "t" + axis) - test::quantity(scene, before, "t" + axis)) / (2 * dt);
      EXPECT_NEAR(test::quantity(scene, middle, "v" + axis), difference, 1e-5) << formulation << axis;  // O(dt^2)
    }
  }
}

// Moeller (4.120): the force that keeps the size of a scalable body is -w'Theta w - S_C, here without other forces.
TEST(Body, TheScalingForceOfAFreeBodyIsMinusTwiceItsRotationalEnergy) {
  const Scene scene = test::scene_from(top("scalable", kFree) + test::accurate_run(1.0));
  ASSERT_EQ(scene.system->constraints().size(), 1u);
  EXPECT_EQ(scene.system->constraints()[0].name, "top scaling");
  ConstrainedMotion motion(*scene.system);
  StepReport report;
  ASSERT_TRUE(motion.evaluate(0.0, scene.start.q, scene.start.u, report));
  Eigen::VectorXd lambda, on_velocities;
  motion.constraint_forces(lambda, on_velocities);
  EXPECT_NEAR(lambda[0], -(0.01 + 200.0 + 0.03), 1e-11);
}

// S_C of a force f at R x is f . R x: a spring without length from the tip at distance 1 to the origin pulls with -k R x.
TEST(Body, TheScalingForceCarriesWhatStretchesTheBody) {
  const Scene scene = test::scene_from(top("scalable",
                                           "mass = 2\ninertia = [1, 2, 3]\norientation = { axis = [1, 1, 0], angle = 1 }\n"
                                           "[[body.point]]\nname = \"tip\"\nat = [0, 0.6, 0.8]\n") +
                                       "[[spring]]\nbetween = [\"top.tip\", [0, 0, 0]]\nstiffness = 7\nlength = 0\n" +
                                       test::accurate_run(1.0));
  ConstrainedMotion motion(*scene.system);
  StepReport report;
  ASSERT_TRUE(motion.evaluate(0.0, scene.start.q, scene.start.u, report));
  Eigen::VectorXd lambda, on_velocities;
  motion.constraint_forces(lambda, on_velocities);
  EXPECT_NEAR(lambda[0], 7.0, 1e-12);
}

// A plane body, J1 + J2 = J3, has a singular Euler tensor: the mass of an affine body is singular, and its motion is not.
TEST(Body, APlaneBodyMovesInTheAffineFormulationToo) {
  const std::string plate = "mass = 1\ninertia = [1, 2, 3]\nangular_velocity = [1, 2, 3]\n";
  const std::string quantities = "[output.quantities]\nw = \"top.wx + 10*top.wy + 100*top.wz\"\n";
  const Scene affine = test::scene_from(top("affine", plate) + quantities + test::accurate_run(1.0));
  const Scene euler = test::scene_from(top("newton-euler", plate) + quantities + test::accurate_run(1.0));
  EXPECT_NEAR(test::quantity(affine, test::end_of(affine), "w"), test::quantity(euler, test::end_of(euler), "w"), 1e-7);
}

// A planar body is a rigid one that turns about z; a point has no more than its place.
TEST(Body, PlanarBodiesAndPointsFallAsGalileiSays) {
  const Scene scene = test::scene_from(
      "[world]\ngravity = [0.5, -9.81]\n[[body]]\nname = \"plate\"\nkind = \"planar\"\nmass = 2\ninertia = 0.3\n"
      "position = [1, 2]\nangle = 7\nvelocity = [3, 4]\nangular_velocity = -5\n[[body.point]]\nname = \"corner\"\nat = "
      "[0.1, 0.2]\n"
      "[output.quantities]\ncx = \"plate.corner.x\"\ncy = \"plate.corner.y\"\ncvx = \"plate.corner.x'\"\n" +
      test::accurate_run(1.0));
  EXPECT_EQ(scene.system->velocity_names(), (std::vector<std::string>{"plate.vx", "plate.vy", "plate.w"}));
  const State end = test::end_of(scene);
  EXPECT_NEAR(end.q[0], 1 + 3 + 0.25, 1e-10);
  EXPECT_NEAR(end.q[1], 2 + 4 - 0.5 * 9.81, 1e-10);
  EXPECT_NEAR(end.q[2], 2.0, 1e-10);
  const double c = std::cos(2.0), s = std::sin(2.0);
  EXPECT_NEAR(test::quantity(scene, end, "cx"), end.q[0] + 0.1 * c - 0.2 * s, 1e-12);
  EXPECT_NEAR(test::quantity(scene, end, "cy"), end.q[1] + 0.1 * s + 0.2 * c, 1e-12);
  EXPECT_NEAR(test::quantity(scene, end, "cvx"), 3.5 + 5.0 * (0.1 * s + 0.2 * c), 1e-9);
  EXPECT_EQ(scene.run.observables.names().size(), 3u + 3u);  // momentum.x, .y, angular_momentum.z
  EXPECT_NEAR(test::quantity(scene, scene.start, "angular_momentum.z"), 2.0 * (1 * 4 - 2 * 3) + 0.3 * -5.0, 1e-14);

  const Scene point = test::scene_from(
      "[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 2\nposition = [0, 0, 5]\n"
      "velocity = [1, 2, 3]\n" +
      test::accurate_run(1.0));
  EXPECT_EQ(point.system->velocity_names(), (std::vector<std::string>{"p.vx", "p.vy", "p.vz"}));
  const State fallen = test::end_of(point);
  EXPECT_NEAR(fallen.q[0], 1.0, 1e-10);
  EXPECT_NEAR(fallen.q[2], 8.0 - 0.5 * 9.81, 1e-10);
}

// Moreau's rule with a unit quaternion: second order in smooth motion, and the quaternion stays one.
TEST(Body, MoreauConvergesToTheMotionOfTheFreeTop) {
  const auto end = [](const std::string& run) {
    const Scene scene = test::scene_from(top("newton-euler", kFree) + run);
    return test::end_of(scene);
  };
  const State exact = end(test::accurate_run(1.0));
  const auto error = [&](const char* dt) {
    const State state = end(std::string("[run]\nintegrator = \"moreau\"\nuntil = 1\ndt = ") + dt + "\n");
    EXPECT_NEAR(state.q.segment<4>(3).norm(), 1.0, 1e-15);
    return (state.q - exact.q).norm();
  };
  const double coarse = error("1e-3"), fine = error("5e-4");
  EXPECT_LT(fine, 0.05);
  EXPECT_GT(coarse / fine, 1.8);  // the explicit gyroscopic force is of first order
}

}  // namespace tippe::model_body_test
