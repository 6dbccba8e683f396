// SPDX-License-Identifier: Apache-2.0
// Bilateral constraints: accelerations and forces at an instant, motions in Runge-Kutta and Moreau schemes.
#include <gtest/gtest.h>

#include "support/random.h"
#include "support/scenes.h"
#include "tippe/integrate/constrained_motion.h"

namespace tippe {
namespace {

using Eigen::VectorXd;

/// A system at an instant: accelerations and forces of the constraints.
struct Instant {
  VectorXd a, lambda, force;

  Instant(const Scene& scene, const State& state) {
    ConstrainedMotion motion(*scene.system);
    StepReport report;
    EXPECT_TRUE(motion.evaluate(state.t, state.q, state.u, report)) << report.culprit;
    a = motion.acceleration();
    motion.constraint_forces(lambda, force);
  }
};

std::string run_with(const std::string& integrator, double dt, double until, const std::string& more = "") {
  return "[run]\nintegrator = \"" + integrator + "\"\ndt = " + std::to_string(dt) + "\nuntil = " + std::to_string(until) +
         "\n" + more;
}

TEST(Bilateral, NonholonomicParticleOfKalabaUdwadiaExample1) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2)"
[[bilateral]]
name = "blade"
velocity = "y' - z*x'"
)toml" + run_with("rk4", 0.01, 1));
  test::Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    State state{.t = 0.0, .q = random.vector(3, 2.0), .u = random.vector(3, 2.0)};
    state.u[1] = state.q[2] * state.u[0];
    const Instant instant(scene, state);
    const double z = state.q[2], lambda = state.u[2] * state.u[0] / (1.0 + z * z);
    EXPECT_LT((instant.a - lambda * Eigen::Vector3d(-z, 1.0, 0.0)).norm(), 1e-12);      // (38)
    EXPECT_NEAR(instant.lambda[0], lambda, 1e-12);                                      // D'Lambda = Q'
    EXPECT_LT((instant.force - lambda * Eigen::Vector3d(-z, 1.0, 0.0)).norm(), 1e-12);  // the mass is 1
  }
}

TEST(Bilateral, RheonomicParticleOfKalabaUdwadiaExample2) {
  const Scene scene = test::scene_from(R"toml(
[parameters]
m = 0.7
X = 1.3
Y = -2.1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*m*(x'^2 + y'^2)"
forces = { x = "X", y = "Y" }
[[bilateral]]
name = "guide"
velocity = "x' - t*y' - sin(2*t)"
)toml" + run_with("rk4", 0.01, 1));
  const double m = 0.7;
  const Eigen::Vector2d given(1.3, -2.1);
  test::Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const double t = random.uniform(-3, 3);
    State state{.t = t, .q = random.vector(2), .u = random.vector(2, 2.0)};
    state.u[0] = t * state.u[1] + std::sin(2 * t);
    const Instant instant(scene, state);
    const double g = state.u[1] + 2 * std::cos(2 * t);  // y' + alpha'
    const Eigen::Matrix2d along = (Eigen::Matrix2d() << t * t, t, t, 1).finished(),
                          across = (Eigen::Matrix2d() << 1, -t, -t, t * t).finished();
    const Eigen::Vector2d direction(1.0, -t);
    const Eigen::Vector2d expected = (along * given + m * g * direction) / (m * (1 + t * t));  // (41)
    const Eigen::Vector2d control = (-across * given + m * g * direction) / (1 + t * t);       // (42)
    EXPECT_LT((instant.a - expected).norm(), 1e-12 * (1.0 + expected.norm()));
    EXPECT_LT((instant.force - control).norm(), 1e-12 * (1.0 + control.norm()));
    EXPECT_NEAR(instant.lambda[0], direction.dot(control) / direction.squaredNorm(), 1e-12);  // (35)
  }
}

TEST(Bilateral, EllipseGivesTheDelassusMatrixAndMultiplierOfReducedCoordinates) {
  // Brogliato A, Example 2: M = I, F = 0, 4 q1^2 + q2^2 = 1; reduced coordinate x = q2, q1 = sqrt(1 - x^2) / 2. The unilateral
  // constraint h = q1 + q2 / 3 - c becomes a function of x alone.
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["q1", "q2"]
kinetic = "0.5*(q1'^2 + q2'^2)"
[[bilateral]]
name = "ellipse"
position = "4*q1^2 + q2^2 - 1"
[initial]
q1 = 0.5
)toml" + run_with("rk4", 0.01, 1));
  test::Random random(3);
  for (int trial = 0; trial < 30; ++trial) {
    const double x = random.uniform(-0.9, 0.9), v = random.uniform(-1, 1), r = std::sqrt(1 - x * x);
    State state{.t = 0.0, .q = Eigen::Vector2d(r / 2, x), .u = Eigen::Vector2d(-0.5 * x / r * v, v)};
    // By hand in x: T = mass x'^2 / 2 with mass = 1 + x^2 / (4 r^2), so x'' = -mass' x'^2 / (2 mass) without contact.
    const double mass = 1 + x * x / (4 * r * r), mass_slope = x / (2 * r * r * r * r);
    const double free = -0.5 * mass_slope * v * v / mass;
    const double h_x = -0.5 * x / r + 1.0 / 3.0, h_xx = -0.5 / (r * r * r);
    const double reduced = h_x * h_x / mass, h_free = h_x * free + h_xx * v * v;

    ConstrainedMotion motion(*scene.system);
    StepReport report;
    ASSERT_TRUE(motion.evaluate(0.0, state.q, state.u, report));
    const std::vector<int> rows{0, 1};
    const std::vector<double> gradient{1.0, 1.0 / 3.0};
    SparseColumns Y;
    motion.mass().append_kinetic_column(rows, gradient, Y);
    double A_c = 0.0;
    for (const double y : Y.value) A_c += y * y;
    EXPECT_NEAR(A_c, reduced, 1e-12);
    // h'' of the jointed system; h is linear in q, so it has no drift of its own. The multiplier follows: -h''/A_c.
    const double H4 = motion.acceleration()[0] + motion.acceleration()[1] / 3.0;
    EXPECT_NEAR(H4, h_free, 1e-11 * (1.0 + std::abs(h_free)));
  }
}

const char* const kCartesianPendulum = R"toml(
[parameters]
m = 0.3
l = 0.5
g = 9.81
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*m*(x'^2 + y'^2)"
potential = "m*g*y"
[[bilateral]]
name = "rod"
position = "0.5*(x^2 + y^2 - l^2)"
[initial]
x = "l*sin(1.1)"
y = "-l*cos(1.1)"
)toml";

const char* const kAnglePendulum = R"toml(
[lagrangian]
coordinates = ["phi"]
kinetic = "0.5*0.3*0.5^2*phi'^2"
potential = "-0.3*9.81*0.5*cos(phi)"
[initial]
phi = 1.1
)toml";

TEST(Bilateral, CartesianPendulumFollowsTheAngle) {
  const RunSummary angle = test::run(test::scene_from(kAnglePendulum + run_with("rk4", 1e-3, 2)));
  const Scene scene = test::scene_from(kCartesianPendulum + run_with("rk4", 1e-3, 2));
  const RunSummary cartesian = test::run(scene);
  const double phi = angle.final_state.q[0], rate = angle.final_state.u[0], l = 0.5;
  EXPECT_LT((cartesian.final_state.q - l * Eigen::Vector2d(std::sin(phi), -std::cos(phi))).norm(), 1e-10);
  EXPECT_LT((cartesian.final_state.u - l * rate * Eigen::Vector2d(std::cos(phi), std::sin(phi))).norm(), 1e-10);
  // The tension m (g cos phi + l phi'^2) acts along (-x, -y)/l.
  const Instant instant(scene, cartesian.final_state);
  EXPECT_NEAR(instant.lambda[0] * l, -0.3 * (9.81 * std::cos(phi) + l * rate * rate), 1e-8);
}

TEST(Bilateral, RungeKuttaKeepsOrderAndConstraintsUnderProjection) {
  const RunSummary angle = test::run(test::scene_from(kAnglePendulum + run_with("rk4", 1e-4, 1)));
  const double phi = angle.final_state.q[0], l = 0.5;
  double previous = 0.0;
  for (const double dt : {1.0 / 47, 1.0 / 101, 1.0 / 211}) {
    Scene fine = test::scene_from(kCartesianPendulum + run_with("rk4", 1.0, 1.0));
    fine.run.dt = dt;
    const RunSummary summary = test::run(fine);
    const double error = (summary.final_state.q - l * Eigen::Vector2d(std::sin(phi), -std::cos(phi))).norm();
    if (previous > 0.0) {
      EXPECT_GT(std::log(previous / error) / std::log(2.1), 3.7);
    }
    previous = error;
    ConstrainedMotion motion(*fine.system);
    VectorXd g, gamma;
    const auto violation = motion.violation(summary.final_state, g, gamma);
    EXPECT_LT(violation.position, 1e-15);
    EXPECT_LT(violation.velocity, 1e-14);
    fine.run.integrator_options.project = false;
    EXPECT_GT(motion.violation(test::run(fine).final_state, g, gamma).position, 1e-10);
  }
}

/// A skate on an inclined plane: the blade allows no sideways motion.
const char* const kSkateRow = R"toml(
[lagrangian]
coordinates = ["x", "y", "th"]
kinetic = "0.5*1.5*(x'^2 + y'^2) + 0.5*0.2*th'^2"
potential = "-1.5*4*x"
damping = "0.05*th'^2"
[[bilateral]]
name = "blade"
velocity = "y'*cos(th) - x'*sin(th)"
[initial]
th = 0.3
"x'" = "0.8*cos(0.3)"
"y'" = "0.8*sin(0.3)"
"th'" = 1.7
)toml";

const char* const kSkateVelocities = R"toml(
[lagrangian]
coordinates = ["x", "y", "th"]
kinetic = "0.5*1.5*(x'^2 + y'^2) + 0.5*0.2*th'^2"
potential = "-1.5*4*x"
damping = "0.05*th'^2"
[velocities]
names = ["v", "w"]
[velocities.rates]
x = "v*cos(th)"
y = "v*sin(th)"
th = "w"
[initial]
th = 0.3
v = 0.8
w = 1.7
)toml";

TEST(Bilateral, VelocitiesOfOnesOwnChoiceGiveTheMotionOfTheRows) {
  const RunSummary rows = test::run(test::scene_from(kSkateRow + run_with("rk4", 1e-3, 2)));
  const RunSummary own = test::run(test::scene_from(kSkateVelocities + run_with("rk4", 1e-3, 2)));
  EXPECT_EQ(own.final_state.u.size(), 2);
  EXPECT_LT((rows.final_state.q - own.final_state.q).norm(), 1e-10);
  const double th = own.final_state.q[2], v = own.final_state.u[0];
  EXPECT_LT((rows.final_state.u - Eigen::Vector3d(v * std::cos(th), v * std::sin(th), own.final_state.u[1])).norm(), 1e-10);
  EXPECT_NEAR(rows.energy.lost_in_damping, own.energy.lost_in_damping, 1e-10);
  EXPECT_LT(std::abs(own.energy.unexplained()), 1e-10);
}

TEST(Bilateral, MoreauFollowsRowsAndOwnVelocitiesAlike) {
  const RunSummary exact = test::run(test::scene_from(kSkateVelocities + run_with("rk4", 1e-3, 1)));
  for (const char* scene : {kSkateRow, kSkateVelocities}) {
    double previous = 0.0;
    for (const double dt : {2e-3, 1e-3}) {
      const double error =
          (test::run(test::scene_from(scene + run_with("moreau", dt, 1))).final_state.q - exact.final_state.q).norm();
      if (previous > 0.0) {
        EXPECT_LT(error, 0.6 * previous);
      }
      previous = error;
    }
    EXPECT_LT(previous, 3e-3);
  }
}

TEST(Bilateral, ADriftOfTheCoordinatesChangesNoLedger) {
  // A bead on a belt that runs with speed 0.7 and accelerates: x' = v + beta(t). The same as T with the moving frame written out.
  const RunSummary belt = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*2*x'^2"
potential = "0.5*3*x^2"
damping = "0.5*0.4*x'^2"
[velocities]
names = ["v"]
rates = { x = "v + 0.7 + 0.3*sin(2*t)" }
[initial]
x = 0.2
)toml" + run_with("rk4", 1e-3, 2)));
  const RunSummary plain = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*2*x'^2"
potential = "0.5*3*x^2"
damping = "0.5*0.4*x'^2"
[initial]
x = 0.2
"x'" = 0.7
)toml" + run_with("rk4", 1e-3, 2)));
  EXPECT_NEAR(belt.final_state.q[0], plain.final_state.q[0], 1e-11);
  EXPECT_NEAR(belt.energy.final, plain.energy.final, 1e-11);
  EXPECT_NEAR(belt.energy.lost_in_damping, plain.energy.lost_in_damping, 1e-10);  // nobody drives: F is invertible
  EXPECT_NEAR(belt.energy.work_done, 0.0, 1e-10);
  EXPECT_LT(std::abs(belt.energy.unexplained()), 1e-10);
}

/// A coupler x, y, th on parallel cranks a, b, c of length 1 with feet at 0, 2, 5: two cranks move like three.
std::string double_four_bar(bool third) {
  std::string scene = R"toml(
[lagrangian]
kinetic = "0.5*2*(x'^2 + y'^2) + 0.5*0.5*th'^2 + 0.5*0.3*(a'^2 + b'^2 + c'^2)"
potential = "2*9.81*y"
coordinates = ["x", "y", "th", "a", "b", "c"]
[initial]
x = "cos(1.2)"
y = "sin(1.2)"
a = 1.2
b = 1.2
c = 1.2
"x'" = "-3*sin(1.2)"
"y'" = "3*cos(1.2)"
"a'" = 3
"b'" = 3
"c'" = 3
)toml";
  const auto pin = [&](const std::string& crank, const std::string& foot) {
    scene += "[[bilateral]]\nname = \"" + crank + " along\"\nposition = \"x + " + foot + "*cos(th) - " + foot + " - cos(" +
             crank + ")\"\n";
    scene +=
        "[[bilateral]]\nname = \"" + crank + " across\"\nposition = \"y + " + foot + "*sin(th) - sin(" + crank + ")\"\n";
  };
  pin("a", "0");
  pin("b", "2");
  if (third) {
    pin("c", "5");
  } else {
    scene += "[[bilateral]]\nname = \"c\"\nposition = \"c - a\"\n";
  }
  return scene;
}

TEST(Bilateral, RedundantDoubleFourBarMovesLikeOneDegreeOfFreedom) {
  // All cranks turn alike: T = (2 + 3 * 0.3) a'^2 / 2, V = 2 * 9.81 sin a.
  const RunSummary angle = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["a"]
kinetic = "0.5*2.9*a'^2"
potential = "2*9.81*sin(a)"
[initial]
a = 1.2
"a'" = 3
)toml" + run_with("rk4", 1e-3, 1)));
  for (const bool third : {false, true}) {
    const Scene scene = test::scene_from(double_four_bar(third) + run_with("rk4", 1e-3, 1));
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, "ok") << summary.message;
    EXPECT_NEAR(summary.final_state.q[3], angle.final_state.q[0], 1e-9);
    EXPECT_NEAR(summary.final_state.q[5], angle.final_state.q[0], 1e-9);
    EXPECT_NEAR(summary.final_state.q[2], 0.0, 1e-9);
    ConstrainedMotion motion(*scene.system);
    EXPECT_EQ(motion.judge_redundancy(0.0, scene.start.q, scene.start.u), third);
    for (const char* integrator : {"moreau", "moreau-jean"}) {
      const RunSummary stepped = test::run(test::scene_from(double_four_bar(third) + run_with(integrator, 1e-3, 1)));
      ASSERT_EQ(stepped.status, "ok") << stepped.message;
      EXPECT_NEAR(stepped.final_state.q[3], angle.final_state.q[0], 2e-2) << integrator;
    }
  }
}

TEST(Bilateral, ParallelogramPassesItsFlatPosition) {
  // Crank a, coupler b, rocker c of lengths 1, 2, 1 on feet 2 apart. At a = pi all bars lie on a line and the directions of the two
  // rows are parallel; the parallel motion a = c, b = 0 goes on.
  for (const char* integrator : {"rk4", "moreau"}) {
    Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["a", "b", "c"]
kinetic = "0.5*(a'^2 + 0.5*b'^2 + c'^2)"
[[bilateral]]
name = "loop x"
position = "cos(a) + 2*cos(b) - 2 - cos(c)"
[[bilateral]]
name = "loop y"
position = "sin(a) + 2*sin(b) - sin(c)"
[initial]
a = 2.5
c = 2.5
"a'" = 1
"c'" = 1
)toml" + run_with(integrator, 1e-3, 1.5));
    scene.run.integrator_options.project = true;
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, "ok") << summary.message;
    EXPECT_NEAR(summary.final_state.q[0], 4.0, 1e-6) << integrator;  // a' = c' = 1 without forces
    EXPECT_NEAR(summary.final_state.q[2], 4.0, 1e-6) << integrator;
  }
}

TEST(Bilateral, PrescribedMotionNeedsTheForceOfNewton) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*3*x'^2"
potential = "0.5*20*x^2"
[[bilateral]]
name = "drive"
position = "x - 0.2*sin(4*t)"
[initial]
"x'" = 0.8
)toml" + run_with("rk4", 1e-3, 1.3));
  const RunSummary summary = test::run(scene);
  const Instant instant(scene, summary.final_state);
  EXPECT_NEAR(instant.force[0], (20 - 3 * 16) * 0.2 * std::sin(4 * 1.3), 1e-9);
  EXPECT_LT(std::abs(summary.energy.unexplained()), 1e-9);
  const double x = 0.2 * std::sin(5.2), v = 0.8 * std::cos(5.2);
  EXPECT_NEAR(summary.energy.work_done, 1.5 * v * v + 10 * x * x - 1.5 * 0.64, 1e-9);
}

TEST(Bilateral, MasslessMiddlePassesItsForceOn) {
  // y lies halfway between x and z and has no mass: its force is shared by the two.
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*2*x'^2 + 0.5*5*z'^2"
forces = { x = "1", y = "-8", z = "3" }
[[bilateral]]
name = "middle"
position = "y - (x + z)/2"
)toml" + run_with("rk4", 0.01, 1));
  for (const char* integrator : {"rk4", "moreau", "moreau-jean"}) {
    Scene copy = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*2*x'^2 + 0.5*5*z'^2"
forces = { x = "1", y = "-8", z = "3" }
[[bilateral]]
name = "middle"
position = "y - (x + z)/2"
)toml" + run_with(integrator, 0.01, 1));
    const RunSummary summary = test::run(copy);
    ASSERT_EQ(summary.status, "ok") << summary.message;
    EXPECT_NEAR(summary.final_state.u[0], (1.0 - 4.0) / 2.0, 1e-10) << integrator;
    EXPECT_NEAR(summary.final_state.u[2], (3.0 - 4.0) / 5.0, 1e-10) << integrator;
    EXPECT_NEAR(summary.final_state.u[1], 0.5 * (-1.5 - 0.2), 1e-10) << integrator;
  }
  const Instant instant(scene, scene.start);
  EXPECT_NEAR(instant.lambda[0], 8.0, 1e-11);
}

TEST(Bilateral, MasslessGearHeldByAVelocityRowOnly) {
  // A gear without mass between two wheels, by velocities; beside it a rail that has a position. Both wheels turn as one of 3 + 4 J.
  for (const char* integrator : {"rk4", "moreau", "moreau-jean"}) {
    Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["a", "b", "c", "x"]
kinetic = "0.5*3*a'^2 + 0.5*1*c'^2 + 0.5*x'^2"
forces = { a = "14" }
[[bilateral]]
name = "first mesh"
velocity = "a' + b'"
[[bilateral]]
name = "second mesh"
velocity = "2*b' + c'"
[[bilateral]]
name = "rail"
position = "x - 0.1*sin(a)"
[initial]
project = true
)toml" + run_with(integrator, 0.001, 0.1));
    scene.run.integrator_options.project = true;
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, "ok") << summary.message;
    // T = (3 + 4 + 0.01 cos^2 a) a'^2 / 2, work 14 a.
    const double a = summary.final_state.q[0], rate = summary.final_state.u[0];
    EXPECT_NEAR(0.5 * (7.0 + 0.01 * std::cos(a) * std::cos(a)) * rate * rate, 14.0 * a, 1e-4) << integrator;
    EXPECT_NEAR(summary.final_state.u[1], -rate, 1e-12);
    EXPECT_NEAR(summary.final_state.u[2], 2.0 * rate, 1e-12);
  }
}

TEST(Bilateral, MasslessCoordinateThatNothingHoldsIsExplained) {
  try {
    (void)test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2"
[[bilateral]]
name = "wall"
position = "x"
)toml" + run_with("rk4", 0.01, 1));
    FAIL();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("y' = 1"), std::string::npos) << message;
    EXPECT_NE(message.find("no constraint holds it"), std::string::npos) << message;
  }
}

TEST(Bilateral, ContradictingRowsStopWithTheirNames) {
  // Equal at t = 0 with their first and second derivatives, not after.
  for (const char* integrator : {"rk4", "moreau", "moreau-jean"}) {
    const RunSummary summary = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
[[bilateral]]
name = "slow"
position = "x - t^2"
[[bilateral]]
name = "fast"
position = "x - t^2 - t^3"
[[bilateral]]
name = "innocent"
position = "y"
)toml" + run_with(integrator, 0.01, 1)));
    EXPECT_EQ(summary.status, "failed");
    EXPECT_NE(summary.message.find("'slow', 'fast' contradict"), std::string::npos) << summary.message;
    EXPECT_EQ(summary.message.find("'innocent'"), std::string::npos) << summary.message;
  }
}

TEST(Bilateral, StartsThatViolateARowAreRefusedWithDistancesOrProjected) {
  const std::string body = R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*1*x'^2 + 0.5*3*y'^2"
[[bilateral]]
name = "line"
position = "2*(x + y - 1)"
[initial]
x = 0.25
"y'" = 4
)toml";
  try {
    (void)test::scene_from(body + run_with("rk4", 0.01, 1));
    FAIL();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'line' by -1.5 at position level (distance 0.53"), std::string::npos) << message;
    EXPECT_NE(message.find("'line' by 8 at velocity level (distance 2.83"), std::string::npos) << message;
  }
  // Nearest in the kinetic metric: changes in the ratio 1/m, of x : y = 3 : 1.
  const Scene scene = test::scene_from(body + "project = true\n" + run_with("rk4", 0.01, 1));
  EXPECT_NEAR(scene.start.q[0], 0.25 + 0.75 * 0.75, 1e-14);
  EXPECT_NEAR(scene.start.q[1], 0.75 * 0.25, 1e-14);
  EXPECT_NEAR(scene.start.u[0], -3.0, 1e-14);
  EXPECT_NEAR(scene.start.u[1], 3.0, 1e-14);
  ASSERT_EQ(scene.run.notes.size(), 1u);
  EXPECT_NE(scene.run.notes[0].find("at most x by 0.5625"), std::string::npos) << scene.run.notes[0];
}

TEST(Bilateral, ProjectionFromAfarFindsTheNearestPoint) {
  // On the ellipse x = 2 cos s, y = sin s the distance x'^2 + 9 y'^2 from (3, 2), scanned.
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 4.5*y'^2"
[[bilateral]]
name = "ellipse"
position = "x^2/4 + y^2 - 1"
[initial]
x = 3
y = 2
project = true
)toml" + run_with("rk4", 0.01, 1));
  double nearest = 1e9, best = 0.0;
  for (int k = 0; k < 1000000; ++k) {
    const double s = 2e-6 * M_PI * k, dx = 2 * std::cos(s) - 3, dy = std::sin(s) - 2, distance = dx * dx + 9 * dy * dy;
    if (distance < nearest) {
      nearest = distance;
      best = s;
    }
  }
  EXPECT_NEAR(scene.start.q[0], 2 * std::cos(best), 1e-4);
  EXPECT_NEAR(scene.start.q[1], std::sin(best), 1e-4);
}

TEST(Bilateral, RedundantRowsAtRestStayAtRest) {
  // A node held by three rods: nothing moves, and round-off is no contradiction.
  const std::string truss = R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "9.81*y"
[[bilateral]]
name = "a"
position = "sqrt((x - 0.3)^2 + (y - 1.7)^2) - 1.3"
[[bilateral]]
name = "b"
position = "sqrt((x - 1.1)^2 + (y - 1.2)^2) - sqrt(0.58)"
[[bilateral]]
name = "c"
position = "sqrt((x + 0.9)^2 + (y - 1.1)^2) - sqrt(3.25)"
[initial]
x = 0.8
y = 0.5
)toml";
  for (const char* integrator :
       {"moreau", "moreau-jean", "rk4", "dopri5", "conserving", "conserving-ggl", "conserving-mq"}) {
    const RunSummary summary = test::run(test::scene_from(truss + run_with(integrator, 0.01, 1)));
    EXPECT_EQ(summary.status, "ok") << integrator << ": " << summary.message;
    EXPECT_NEAR(summary.final_state.q[0], 0.8, 1e-12) << integrator;
  }
}

TEST(Bilateral, DrivenCrankStopsWhereItLocks) {
  // Crank 0.1, rod 0.08: the rod is too short beyond asin(0.8). Until there every row is kept; a rail "y" has no size of its own.
  const std::string crank = R"toml(
[lagrangian]
coordinates = ["a", "px", "py", "x", "y"]
kinetic = "0.5*(a'^2 + px'^2 + py'^2 + x'^2 + y'^2)"
[[bilateral]]
name = "motor"
position = "a - 2*t"
[[bilateral]]
name = "pin x"
position = "px - 0.1*cos(a)"
[[bilateral]]
name = "pin y"
position = "py - 0.1*sin(a)"
[[bilateral]]
name = "rod"
position = "0.5*((x - px)^2 + (y - py)^2 - 0.08^2)"
[[bilateral]]
name = "rail"
position = "y"
[initial]
px = 0.1
x = 0.18
"a'" = 2
"py'" = 0.2
)toml";
  for (const char* integrator : {"rk4", "dopri5", "conserving-ggl"}) {
    const RunSummary summary = test::run(test::scene_from(crank + run_with(integrator, 1e-3, 1)));
    EXPECT_EQ(summary.status, "failed") << integrator;
    EXPECT_NEAR(summary.final_state.t, std::asin(0.8) / 2, 2e-3) << integrator << ": " << summary.message;
  }
}

TEST(Bilateral, TheSameRodInTwoFormsIsRedundantInEveryScheme) {
  // Half the square and the length: directions agree on the rod only, their drifts only at velocities along it.
  const std::string pendulum = R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "9.81*y"
[[bilateral]]
name = "square"
position = "0.5*(x^2 + y^2 - 1)"
[[bilateral]]
name = "length"
position = "sqrt(x^2 + y^2) - 1"
[initial]
x = 1
"y'" = -3
)toml";
  const RunSummary reference = test::run(test::scene_from(pendulum + run_with("rk4", 1e-3, 2)));
  ASSERT_EQ(reference.status, "ok") << reference.message;
  for (const char* integrator :
       {"moreau", "moreau-jean", "rk4", "dopri5", "conserving", "conserving-ggl", "conserving-mq"}) {
    for (const double dt : {0.05, 0.01}) {
      const Scene scene = test::scene_from(pendulum + run_with(integrator, dt, 2));
      const RunSummary summary = test::run(scene);
      ASSERT_EQ(summary.status, "ok") << integrator << " " << dt << ": " << summary.message;
      if (std::string(integrator).starts_with("moreau")) continue;
      const auto violation = std::abs(summary.final_state.q.norm() - 1.0);
      EXPECT_LT(violation, 1e-14) << integrator;
      EXPECT_LT((summary.final_state.q - reference.final_state.q).norm(), 20 * dt * dt) << integrator;
      if (std::string(integrator).starts_with("conserving")) {
        EXPECT_LT(std::abs(summary.energy.unexplained()), 1e-11) << integrator;
      }
    }
  }
}

TEST(Bilateral, ContradictionsAreNotHiddenByOtherRows) {
  const std::string rows = R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
[[bilateral]]
name = "still"
velocity = "x'"
[[bilateral]]
name = "moving"
velocity = "x' - sin(t)^2"
[[bilateral]]
name = "large"
position = "1e9*(y - t)"
[initial]
"y'" = 1
)toml";
  for (const char* integrator : {"moreau", "moreau-jean", "rk4", "conserving-ggl", "conserving-mq"}) {
    const RunSummary summary = test::run(test::scene_from(rows + run_with(integrator, 0.01, 1)));
    EXPECT_EQ(summary.status, "failed") << integrator;
    EXPECT_NE(summary.message.find("'still', 'moving' contradict"), std::string::npos)
        << integrator << ": " << summary.message;
  }
}

TEST(Bilateral, WhatIsNotFiniteInARowStopsTheRun) {
  for (const char* integrator : {"moreau", "moreau-jean", "rk4", "dopri5", "conserving-ggl"}) {
    const RunSummary summary = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "9.81*y"
[[bilateral]]
name = "wire"
position = "y*sqrt(1 - t)"
)toml" + run_with(integrator, 0.03, 2)));
    EXPECT_EQ(summary.status, "failed") << integrator;
    EXPECT_NE(summary.message.find("wire"), std::string::npos) << integrator << ": " << summary.message;
  }
}

TEST(Bilateral, MoreauKeepsVelocityRowsToRoundOffAndProjectionRemovesDrift) {
  double drift_before = 0.0;
  for (const double dt : {2e-3, 1e-3}) {
    const Scene scene = test::scene_from(kCartesianPendulum + run_with("moreau", dt, 1));
    double worst = 0.0;
    VectorXd g, gamma;
    ConstrainedMotion motion(*scene.system);
    State last;
    test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
      worst = std::max(worst, integrator.last_constraints().residual);
      last = state;
    });
    EXPECT_LT(worst, 1e-15);
    const double drift = motion.violation(last, g, gamma).position;
    if (drift_before > 0.0) {
      EXPECT_NEAR(drift / drift_before, 0.5, 0.1);
    }  // first order
    drift_before = drift;

    Scene projected = test::scene_from(kCartesianPendulum + run_with("moreau", dt, 1));
    projected.run.integrator_options.project = true;
    test::watch(projected, [&](const State& state, const Integrator&, const StepReport&) {
      const auto violation = motion.violation(state, g, gamma);
      worst = std::max({worst, violation.position, violation.velocity});
    });
    EXPECT_LT(worst, 1e-14);
  }
}

TEST(Bilateral, ImpactsGoThroughTheConstrainedDelassusMatrix) {
  // A pendulum that hits a wall: in Cartesian coordinates with a rod as in the angle, with restitution and all impact laws.
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const std::string impact = "impact_law = \"" + std::string(law) + "\"\n";
    const std::string cartesian =
        std::string(kCartesianPendulum) + "[[contact]]\nname = \"wall\"\ngap = \"x + 0.1\"\nrestitution = 0.6\n";
    const std::string angle =
        std::string(kAnglePendulum) + "[[contact]]\nname = \"wall\"\ngap = \"0.5*sin(phi) + 0.1\"\nrestitution = 0.6\n";
    const RunSummary in_angle = test::run(test::scene_from(angle + run_with("moreau", 1e-4, 1.5, impact)));
    Scene plane = test::scene_from(cartesian + run_with("moreau", 1e-4, 1.5, impact));
    plane.run.integrator_options.project = true;
    const RunSummary in_plane = test::run(plane);
    ASSERT_EQ(in_plane.status, "ok") << in_plane.message;
    EXPECT_GT(in_plane.impacts, 1);
    EXPECT_EQ(in_plane.impacts, in_angle.impacts);
    EXPECT_NEAR(in_plane.energy.lost_in_contacts, in_angle.energy.lost_in_contacts, 2e-3 * in_angle.energy.lost_in_contacts);
    EXPECT_NEAR(in_plane.final_state.q[0], 0.5 * std::sin(in_angle.final_state.q[0]), 1e-3);
  }
}

}  // namespace
}  // namespace tippe
