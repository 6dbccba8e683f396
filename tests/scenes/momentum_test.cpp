// SPDX-License-Identifier: Apache-2.0
// Momentum and angular momentum of free systems: forces between bodies are opposite, and along the line between their points.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "support/bodies.h"

namespace tippe::scenes_momentum_test {

struct Momenta {
  Eigen::Vector3d linear, angular;
};

Momenta momenta(const Scene& scene, const State& state) {
  Momenta all{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  const std::vector<std::string>& names = scene.run.observables.names();
  for (size_t i = 0; i < 3; ++i) {
    const std::string component = std::string(".") + "xyz"[i];
    const auto value = [&](const std::string& name) {
      const bool recorded = std::find(names.begin(), names.end(), name) != names.end();
      return recorded ? test::quantity(scene, state, name) : 0.0;  // in the plane x, y and the turn about z
    };
    all.linear[static_cast<Eigen::Index>(i)] = value("momentum" + component);
    all.angular[static_cast<Eigen::Index>(i)] = value("angular_momentum" + component);
  }
  return all;
}

struct Drift {
  double linear = 0.0, angular = 0.0, energy = 0.0;  // largest change; of the energy relative to its start
};

Drift watch_drift(Scene scene, const std::string& integrator, double dt, double until) {
  scene.run.integrator = integrator;
  scene.run.dt = dt;
  scene.run.until = until;
  const auto evaluator = scene.system->make_evaluator();
  const auto energy = [&](const State& state) {
    evaluator->set_state(state.t, state.q, state.u);
    const Energies energies = evaluator->evaluate_energies();
    return energies.kinetic + energies.potential;
  };
  const Momenta start = momenta(scene, scene.start);
  const double energy_start = energy(scene.start);
  Drift drift;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
    const Momenta now = momenta(scene, state);
    drift.linear = std::max(drift.linear, (now.linear - start.linear).norm());
    drift.angular = std::max(drift.angular, (now.angular - start.angular).norm());
    drift.energy = std::max(drift.energy, std::abs(energy(state) / energy_start - 1.0));
  });
  return drift;
}

const std::string kRun = "[run]\ndt = 0.05\nuntil = 1\n";

Scene two_masses(const std::string& spring) {
  return test::scene_from(
      "[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\nvelocity = [0.3, 1, 0]\n"
      "[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 2.5\nposition = [1, 0.2, 0.1]\nvelocity = [0, -0.7, 0.5]\n" +
      spring + kRun);
}

// The force acts along the mean of d(qB) and d(qE) with one factor: both momenta are quadratic in (q, u) and kept by the midpoint.
TEST(Momentum, TwoMassesOnASpringKeepBoth) {
  const std::string spring = "[[spring]]\nbetween = [\"a\", \"b\"]\nstiffness = 30\nlength = 0.6\n";
  for (const std::string integrator :
       {"conserving", "conserving-ggl", "conserving-mq", "consistent-2", "quaternion-2", "consistent-mq"}) {
    const Drift drift = watch_drift(two_masses(spring), integrator, 0.05, 20.0);
    EXPECT_LE(drift.linear, 1e-13) << integrator;
    EXPECT_LE(drift.angular, 1e-12) << integrator;
    EXPECT_LE(drift.energy, 1e-12) << integrator;
  }
}

TEST(Momentum, ADamperTakesNone) {
  const std::string spring = "[[spring]]\nbetween = [\"a\", \"b\"]\nstiffness = 30\nlength = 0.6\ndamping = 2\n";
  const Drift drift = watch_drift(two_masses(spring), "conserving-ggl", 0.05, 5.0);
  EXPECT_LE(drift.linear, 1e-13);
  EXPECT_LE(drift.angular, 1e-12);
  EXPECT_GT(drift.energy, 0.1);
}

// Potentials of the distance that are written by hand: gravity, a logarithm, a power, a rope that pulls only when it is tight.
TEST(Momentum, PotentialsOfTheDistanceKeepIt) {
  const std::string r = "sqrt((x2 - x1)^2 + (y2 - y1)^2)";
  for (const std::string& V : {"-3/" + r, "2*log(" + r + ")", "4*(" + r + ")^1.5", "40*max(0, " + r + " - 1.1)^2",
                               "60*max(0, " + r + " - 1.1)^2.5"}) {
    Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x1\", \"y1\", \"x2\", \"y2\"]\nkinetic = \"0.5*(x1'^2 + y1'^2) + 0.5*3*(x2'^2 + "
        "y2'^2)\"\n"
        "potential = \"5 + " +
        V + "\"\n[initial]\nx2 = 1\n\"y1'\" = -1\n\"x2'\" = 0.4\n\"y2'\" = 0.5\n" + kRun);
    scene.run.integrator = "conserving-ggl";
    scene.run.until = 10.0;
    const auto linear = [](const State& s) { return Eigen::Vector2d(s.u[0] + 3.0 * s.u[2], s.u[1] + 3.0 * s.u[3]); };
    const auto angular = [](const State& s) {
      return s.q[0] * s.u[1] - s.q[1] * s.u[0] + 3.0 * (s.q[2] * s.u[3] - s.q[3] * s.u[2]);
    };
    double least = 1e9, most = 0.0;
    test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
      ASSERT_LE((linear(state) - linear(scene.start)).norm(), 1e-12) << V;
      ASSERT_NEAR(angular(state), angular(scene.start), 1e-11) << V;
      const double distance = std::hypot(state.q[2] - state.q[0], state.q[3] - state.q[1]);
      least = std::min(least, distance);
      most = std::max(most, distance);
    });
    EXPECT_GT(most - least, 0.1) << V;  // the force acts
    const RunSummary summary = test::run(scene);
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-11) << V;
  }
}

// A spring off the centres: whatever the coordinates, a shift of both bodies does no work.
TEST(Momentum, BodiesOnASpringKeepTheLinearOne) {
  for (const auto& [formulation, integrator] : std::vector<std::pair<std::string, std::string>>{
           {"newton-euler", "quaternion-2"}, {"scalable", "consistent-2"}, {"affine", "consistent-2"}}) {
    const std::string body = "mass = 1.5\ninertia = [0.1, 0.2, 0.25]\nformulation = \"" + formulation + "\"\n";
    Scene scene = test::scene_from(
        "[[body]]\nname = \"a\"\n" + body +
        "velocity = [0.3, 1, 0]\nangular_velocity = [1, -2, 0.5]\n[[body.point]]\nname = \"p\"\nat = [0.2, 0, 0.1]\n"
        "[[body]]\nname = \"b\"\n" +
        body +
        "position = [1, 0.2, 0.1]\nvelocity = [0, -0.7, 0.5]\n[[body.point]]\nname = \"p\"\nat = [0, -0.3, 0]\n"
        "[[spring]]\nbetween = [\"a.p\", \"b.p\"]\nstiffness = 30\nlength = 0.6\n" +
        kRun);
    const Drift drift = watch_drift(std::move(scene), integrator, 0.02, 4.0);
    EXPECT_LE(drift.linear, 1e-12) << formulation;
    EXPECT_LE(drift.energy, 1e-11) << formulation;
  }
}

// The rows that keep the axes of affine bodies orthonormal turn them through M^-1, which the schemes with kappa at the begin of a step do not cancel.
TEST(Momentum, AffineBodiesKeepTheAngularOneWithKappaInTheMiddle) {
  const auto turning = [](const std::string& inertia) {
    return test::scene_from(
        "[[body]]\nname = \"a\"\nmass = 0.7\nformulation = \"affine\"\nangular_velocity = [3, -4, 9]\n"
        "inertia = " +
        inertia + "\n" + kRun);
  };
  const std::string unequal = "[2e-3, 3e-3, 2.5e-3]";
  EXPECT_LE(watch_drift(turning(unequal), "conserving-mq", 0.01, 0.5).angular, 1e-15);
  EXPECT_LE(watch_drift(turning("[2e-3, 2e-3, 2e-3]"), "conserving-ggl", 0.01, 0.5).angular, 1e-15);
  const double drift = watch_drift(turning(unequal), "conserving-ggl", 0.01, 0.5).angular;
  EXPECT_GT(drift, 1e-9);
  EXPECT_NEAR(drift / watch_drift(turning(unequal), "conserving-ggl", 0.005, 0.5).angular, 8.0, 0.8);
}

TEST(Momentum, PlanarBodiesOnASpringKeepTheLinearOne) {
  const std::string text =
      "[[body]]\nname = \"a\"\nkind = \"planar\"\nmass = 1\ninertia = 0.1\nvelocity = [0.3, 1]\nangular_velocity = 2\n"
      "[[body.point]]\nname = \"p\"\nat = [0.2, 0.1]\n"
      "[[body]]\nname = \"b\"\nkind = \"planar\"\nmass = 2\ninertia = 0.3\nposition = [1, 0.2]\n[[body.point]]\nname = "
      "\"p\"\nat = [0, -0.3]\n"
      "[[spring]]\nbetween = [\"a.p\", \"b.p\"]\nstiffness = 30\nlength = 0.6\n" +
      kRun;
  const Drift drift = watch_drift(test::scene_from(text), "conserving-ggl", 0.02, 4.0);
  EXPECT_LE(drift.linear, 1e-12);
  EXPECT_LE(drift.energy, 1e-11);
  // The moment by an angle is larger than that of the force by the square of the turn over 12.
  const Drift fine = watch_drift(test::scene_from(text), "conserving-ggl", 0.01, 4.0);
  EXPECT_NEAR(drift.angular / fine.angular, 4.0, 0.3);
}

// Rows of joints depend on differences of places, in products with axes of the bodies.
TEST(Momentum, BodiesInAJointKeepTheLinearOne) {
  for (const std::string joint : {"\"slider\"\naxis = [1, 0.3, 0]", "\"rod\""}) {
    const std::string body = "mass = 1.5\ninertia = [0.1, 0.2, 0.25]\n";
    Scene scene = test::scene_from("[[body]]\nname = \"a\"\n" + body +
                                   "velocity = [0.3, 1, 0]\nangular_velocity = [1, -2, 0.5]\n"
                                   "[[body]]\nname = \"b\"\n" +
                                   body + "position = [1, 0.3, 0]\n[[joint]]\ntype = " + joint +
                                   "\nbetween = [\"a\", \"b\"]\n[initial]\nproject = true\n" + kRun);
    const Drift drift = watch_drift(std::move(scene), "quaternion-2", 0.01, 4.0);
    EXPECT_LE(drift.linear, 1e-12) << joint;
    EXPECT_LE(drift.energy, 1e-11) << joint;
  }
}

// A body of three pairs of masses m at +-a_i on its axes: Theta_i = 2 m (a_j^2 + a_k^2). Whatever the velocities of the axes, rigid or not,
// L is the sum over the masses, 2 m a_i^2 d_i x dd_i/dt.
TEST(Momentum, OfAStrainedAffineBodyIsThatOfItsMasses) {
  const Scene scene = test::scene_from(
      "[[body]]\nname = \"top\"\nformulation = \"affine\"\nmass = 6\ninertia = [26, 20, 10]\norientation = { axis = [1, 2, "
      "3], angle = 0.7 "
      "}\nposition = [1, -2, 0.5]\n" +
      kRun);  // m = 1, a = (1, 2, 3)
  State state = scene.start;
  for (Eigen::Index k = 0; k < 12; ++k) state.u[k] = std::sin(3.0 + 2.0 * static_cast<double>(k));
  const auto vector = [](const Eigen::VectorXd& x, Eigen::Index first) { return Eigen::Vector3d(x.segment<3>(first)); };
  Eigen::Vector3d L = 6.0 * vector(state.q, 0).cross(vector(state.u, 0));
  for (Eigen::Index i = 0; i < 3; ++i) {
    const double a = static_cast<double>(i + 1);
    L += 2.0 * a * a * vector(state.q, 3 + 3 * i).cross(vector(state.u, 3 + 3 * i));
  }
  EXPECT_LE((momenta(scene, state).angular - L).norm(), 1e-14 * L.norm());
}

// `conserving` lets velocities strain the axes, to and fro, and keeps the angular momentum: so must the recorded one.
TEST(Momentum, AFreeAffineTopKeepsTheRecordedOne) {
  Scene scene = test::scene_from(
      "[[body]]\nname = \"top\"\nformulation = \"affine\"\nmass = 1\ninertia = [1, 1.5, 2]\nangular_velocity = [0.1, 10, "
      "0.1]\n" +
      kRun);
  const Drift drift = watch_drift(std::move(scene), "conserving", 0.01, 4.0);
  EXPECT_LE(drift.angular, 1e-11);
}

/// Two bodies in a formulation, with points off their centres.
std::string two_bodies(const std::string& formulation, const std::string& shape = "") {
  const std::string body = "mass = 1.5\ninertia = [0.1, 0.2, 0.25]\nformulation = \"" + formulation + "\"\n";
  return "[[body]]\nname = \"a\"\n" + body +
         "velocity = [0.3, 1, 0]\nangular_velocity = [1, -2, 0.5]\n[[body.point]]\nname = \"p\"\nat = [0.2, 0, 0.1]\n" +
         shape + "[[body]]\nname = \"b\"\n" + body +
         "position = [1, 0.2, 0.1]\nvelocity = [0, -0.7, 0.5]\nangular_velocity = [-3, 1, 2]\n[[body.point]]\nname = "
         "\"p\"\nat = "
         "[0, -0.3, 0]\n" +
         shape;
}

// Affine coordinates make places linear, distances quadratic: all three invariants in one scheme, with M and the kappa terms in the middle.
TEST(Momentum, AffineBodiesKeepAllOnASpring) {
  const std::string spring = "[[spring]]\nbetween = [\"a.p\", \"b.p\"]\nstiffness = 30\nlength = 0.6\n";
  for (const std::string integrator : {"conserving-mq", "consistent-mq"}) {
    const Drift drift = watch_drift(test::scene_from(two_bodies("affine") + spring + kRun), integrator, 0.02, 4.0);
    EXPECT_LE(drift.linear, 1e-12) << integrator;
    EXPECT_LE(drift.angular, 1e-11) << integrator;
    EXPECT_LE(drift.energy, 1e-11) << integrator;
  }
  const Drift damped =
      watch_drift(test::scene_from(two_bodies("affine") + spring + "damping = 3\n" + kRun), "conserving-mq", 0.02, 4.0);
  EXPECT_LE(damped.angular, 1e-11);
  EXPECT_GT(damped.energy, 0.01);
}

/// Two bodies whose points p coincide.
std::string jointed_bodies(const std::string& formulation, const std::string& joint) {
  const std::string body = "mass = 1.5\ninertia = [0.1, 0.2, 0.25]\nformulation = \"" + formulation + "\"\n";
  return "[[body]]\nname = \"a\"\n" + body +
         "velocity = [0.3, 1, 0]\nangular_velocity = [1, -2, 0.5]\n[[body.point]]\nname = \"p\"\nat = [0.5, 0.125, 0]\n"
         "[[body]]\nname = \"b\"\n" +
         body +
         "position = [1, 0.25, 0]\nvelocity = [0, -0.7, 0.5]\nangular_velocity = [-3, 1, 2]\n[[body.point]]\nname = "
         "\"p\"\nat = "
         "[-0.5, -0.125, 0]\n[[joint]]\ntype = " +
         joint + "\n[initial]\nproject = true\n" + kRun;
}

TEST(Momentum, AffineBodiesKeepAllInJoints) {
  const std::string points = "\nbetween = [\"a.p\", \"b.p\"]", axis = "\naxis = [1, 0.2, 0.1]";
  for (const std::string& joint : {"\"ball\"" + points, "\"hinge\"" + points + axis, "\"slider\"" + points + axis,
                                   "\"fixed\"" + points, std::string("\"rod\"\nbetween = [\"a\", \"b\"]")}) {
    const Drift drift = watch_drift(test::scene_from(jointed_bodies("affine", joint)), "consistent-mq", 0.01, 2.0);
    EXPECT_LE(drift.linear, 1e-12) << joint;
    EXPECT_LE(drift.angular, 1e-12) << joint;
    EXPECT_LE(drift.energy, 1e-12) << joint;
  }
}

/// Two balls that a spring between their centres presses together: they hit, then rub and roll on each other.
std::string rubbing_balls(const std::string& formulation, const std::string& friction) {
  return two_bodies(formulation, "[[body.sphere]]\nradius = 0.4\n") +
         "[[spring]]\nbetween = [\"a\", \"b\"]\nstiffness = 40\nlength = 0.1\ndamping = 4\n"
         "[[contact_law]]\nbetween = [\"a\", \"b\"]\nrestitution = 0.4\nfriction = " +
         friction + "\n" + kRun;
}

void expect_kept_while_rubbing(const std::string& formulation, const std::string& integrator, const std::string& friction) {
  Scene scene = test::scene_from(rubbing_balls(formulation, friction));
  scene.run.integrator = integrator;
  scene.run.dt = 0.01;
  scene.run.until = 3.0;
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(summary.energy.max_rise_per_step, 1e-12 * summary.energy.scale) << integrator;
  int rubbing = 0;
  const Momenta start = momenta(scene, scene.start);
  test::watch(scene, [&](const State& state, const Integrator& stepper, const StepReport&) {
    const Momenta now = momenta(scene, state);
    ASSERT_LE((now.linear - start.linear).norm(), 1e-11) << integrator << " at " << state.t;
    ASSERT_LE((now.angular - start.angular).norm(), 1e-11) << integrator << " at " << state.t;
    rubbing += stepper.last_laws().impulse.tail(2).norm() > 1e-6 ? 1 : 0;
  });
  EXPECT_GT(rubbing, 50) << integrator;
}

TEST(Momentum, AffineBodiesThatRubKeepAll) {
  expect_kept_while_rubbing("affine", "consistent-mq", "0.3");
}

// Quaternions: the body turns by the Cayley map of its mean angular velocity, and forces act through its axes.
TEST(Momentum, BodiesWithQuaternionsThatRubKeepAll) {
  expect_kept_while_rubbing("newton-euler", "quaternion-momentum", "0.3");
  expect_kept_while_rubbing("newton-euler", "quaternion-momentum",
                            "{ mu = 0.3, contact_radius = 0.05, set = \"ellipsoid\" }");
}

TEST(Momentum, BodiesWithQuaternionsKeepAllOnASpring) {
  const std::string spring = "[[spring]]\nbetween = [\"a.p\", \"b.p\"]\nstiffness = 30\nlength = 0.6\n";
  const Drift drift =
      watch_drift(test::scene_from(two_bodies("newton-euler") + spring + kRun), "quaternion-momentum", 0.02, 4.0);
  EXPECT_LE(drift.linear, 1e-12);
  EXPECT_LE(drift.angular, 1e-12);
  EXPECT_LE(drift.energy, 1e-11);
  const Drift damped = watch_drift(test::scene_from(two_bodies("newton-euler") + spring + "damping = 3\n" + kRun),
                                   "quaternion-momentum", 0.02, 4.0);
  EXPECT_LE(damped.angular, 1e-12);
  EXPECT_GT(damped.energy, 0.01);
  // The others do not: that is what they are compared with.
  EXPECT_GT(watch_drift(test::scene_from(two_bodies("newton-euler") + spring + kRun), "quaternion-2", 0.02, 4.0).angular,
            1e-5);
}

TEST(Momentum, AFreeTopWithAQuaternionKeepsTheVectorAndConvergesWithOrderTwo) {
  const auto scene = [](const std::string& run) {
    return test::scene_from(
        "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 1.5, 2]\nangular_velocity = [0.1, 10, 0.1]\n" + run);
  };
  const Drift drift = watch_drift(scene(kRun), "quaternion-momentum", 0.01, 4.0);
  EXPECT_LE(drift.angular, 1e-11);
  EXPECT_LE(drift.energy, 1e-12);
  const State known = test::end_of(scene(test::accurate_run(1.0)));
  const auto error = [&](double dt) {
    Scene made = scene(kRun);
    made.run.integrator = "quaternion-momentum";
    made.run.dt = dt;
    made.run.until = 1.0;
    return (test::end_of(made).q - known.q).norm();
  };
  const double coarse = error(0.01), fine = error(0.0025);
  EXPECT_NEAR(coarse / fine, 16.0, 1.0);
  EXPECT_LE(fine, 2e-3);
}

// Joints keep their rows and the energy; the impulses on their velocity level have a moment, of second order.
TEST(Momentum, BodiesWithQuaternionsInAJointKeepEnergyAndTheLinearOne) {
  const auto drift = [](double dt) {
    return watch_drift(test::scene_from(jointed_bodies("newton-euler", "\"ball\"\nbetween = [\"a.p\", \"b.p\"]")),
                       "quaternion-momentum", dt, 2.0);
  };
  const Drift coarse = drift(0.02), fine = drift(0.01);
  EXPECT_LE(coarse.linear, 1e-12);
  EXPECT_LE(coarse.energy, 1e-11);
  EXPECT_NEAR(coarse.angular / fine.angular, 4.0, 0.3);
}

}  // namespace tippe::scenes_momentum_test
