// SPDX-License-Identifier: Apache-2.0
// What Moeller proves of his conserving schemes, sections 5.2.2 and 5.2.3, and the orders that the errata of our own measured.
#include "tippe/integrate/consistent.h"

#include "support/conserving.h"

namespace tippe::integrate_conserving_test {

using test::measured_order;
using test::watch_invariants;

const std::string kRun = "[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 1\n";
const std::vector<int> kSteps = {101, 157, 229, 331};

/// A point mass on a rod, in Cartesian coordinates; starts at the angle atan(3/4) with 1 m/s.
Scene cartesian_pendulum() {
  return test::scene_from(R"toml(
[parameters]
m = 0.2
l = 0.5
[lagrangian]
coordinates = ["x", "y"]
kinetic   = "0.5*m*(x'^2 + y'^2)"
potential = "m*9.81*(y + l)"
[[bilateral]]
name = "rod"
position = "0.5*(x^2 + y^2 - l^2)"
[initial]
x = 0.3
y = -0.4
"x'" = 0.8
"y'" = 0.6
)toml" + kRun);
}

/// The same in the angle from the vertical.
Scene pendulum_in_angle() {
  return test::scene_from(R"toml(
[lagrangian]
coordinates = ["a"]
kinetic   = "0.5*0.2*0.25*a'^2"
potential = "-0.2*9.81*0.5*cos(a)"
[initial]
a = "atan2(0.3, 0.4)"
"a'" = 2
)toml" + kRun);
}

/// Moeller, Table 6.2 without the wall, in Cartesian coordinates and in angles.
Scene cartesian_double_pendulum() {
  return test::scene_from(R"toml(
[parameters]
m = 0.2
l = 0.5
[lagrangian]
coordinates = ["x1", "y1", "x2", "y2"]
kinetic   = "0.5*m*(x1'^2 + y1'^2 + x2'^2 + y2'^2)"
potential = "m*9.81*(y1 + y2 + 3*l)"
[[bilateral]]
name = "upper rod"
position = "0.5*(x1^2 + y1^2 - l^2)"
[[bilateral]]
name = "lower rod"
position = "0.5*((x2 - x1)^2 + (y2 - y1)^2 - l^2)"
[initial]
y1 = -0.5
y2 = -1
"x1'" = 2.5
"x2'" = 5
)toml" + kRun);
}
Scene double_pendulum_in_angles() {
  return test::scene_from(R"toml(
[parameters]
m = 0.2
l = 0.5
[lagrangian]
coordinates = ["a1", "a2"]
kinetic   = "0.5*m*l^2*(2*a1'^2 + a2'^2 + 2*a1'*a2'*cos(a1 - a2))"
potential = "m*9.81*l*(3 - 2*cos(a1) - cos(a2))"
[initial]
"a1'" = 5
"a2'" = 5
)toml" + kRun);
}

/// A mass on a nonlinear spring in the plane, with a quartic term: V is a polynomial of no order.
Scene spring_pendulum() {
  return test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic   = "0.5*(x'^2 + y'^2)"
potential = "9.81*(y + 2) + 50*(sqrt(x^2 + y^2) - 1)^2 + 3*x^4"
[initial]
x = 1
y = 0.2
)toml" + kRun);
}

// Moeller (5.62): T + V is kept, to round-off because the equations are solved to round-off.
TEST(Conserving, KeepsTheEnergyOver20000Steps) {
  struct Case {
    std::string integrator;
    Scene (*make)();
    double dt;
  };
  for (const auto& [integrator, make, dt] : std::vector<Case>{{"conserving", cartesian_pendulum, 0.01},
                                                              {"conserving-ggl", cartesian_pendulum, 0.01},
                                                              {"conserving-mq", cartesian_pendulum, 0.01},
                                                              {"conserving-ggl", cartesian_double_pendulum, 0.003},
                                                              {"conserving-mq", cartesian_double_pendulum, 0.003},
                                                              {"conserving-mq", double_pendulum_in_angles, 0.003},
                                                              {"conserving-mq-frozen", double_pendulum_in_angles, 0.003},
                                                              {"conserving", spring_pendulum, 0.01},
                                                              {"conserving-ggl", spring_pendulum, 0.01},
                                                              {"conserving-mq", spring_pendulum, 0.01}}) {
    const Scene scene = make();
    const test::Invariants seen = watch_invariants(scene, integrator, dt, 20000);
    EXPECT_LE(seen.energy, 1e-11) << integrator << ", " << scene.system->nq() << " coordinates";
    EXPECT_LE(seen.position, 1e-12);
    if (integrator != "conserving") {
      EXPECT_LE(seen.velocity, 1e-12);
    }
    EXPECT_EQ(seen.halvings, 0);
  }
}

// Moeller, section 5.2.2: with the positions alone the velocity of a constraint oscillates and never dies away. For the rod, by
// hand: dq = dt (uB + uE)/2 and (qB + qE).dq = 0 give  gamma_E = -gamma_B + dt (|uE|^2 - |uB|^2)/4. Multipliers for the velocities
// cure it.
TEST(Conserving, VelocitiesOfConstraintsOscillateUnlessTheyHaveMultipliers) {
  const Scene scene = cartesian_pendulum();
  const auto stepper = find_integrator("conserving")->make(*scene.system, {});
  State state = scene.start;
  int changes_of_sign = 0;
  double largest = 0.0, gamma = state.q.dot(state.u);
  for (int k = 0; k < 200; ++k) {
    const double before = gamma, speed_squared = state.u.squaredNorm();
    ASSERT_TRUE(stepper->step(state, 0.01).ok());
    gamma = state.q.dot(state.u);
    EXPECT_NEAR(gamma, -before + 0.01 * (state.u.squaredNorm() - speed_squared) / 4.0, 1e-14);
    changes_of_sign += gamma * before < 0.0;
    largest = std::max(largest, std::abs(gamma));
  }
  EXPECT_GE(changes_of_sign, 150);
  EXPECT_GE(largest, 1e-4);
  EXPECT_LE(watch_invariants(scene, "conserving-ggl", 0.01, 200).velocity, 1e-15);
}

/// Positions of the masses from angles.
Eigen::VectorXd in_plane(const Eigen::VectorXd& angles) {
  Eigen::VectorXd q(2 * angles.size());
  double x = 0.0, y = 0.0;
  for (Eigen::Index i = 0; i < angles.size(); ++i) {
    q[2 * i] = x += 0.5 * std::sin(angles[i]);
    q[2 * i + 1] = y -= 0.5 * std::cos(angles[i]);
  }
  return q;
}

// The errata: (5.31) and (5.49) are of second order, (5.58) as printed of first; with M, G and the kappa terms about the middle
// of the step it is of second order too. Reference: angles, Runge-Kutta of order 4 with a hundredth of the step.
TEST(Conserving, HasTheOrderOfTheScheme) {
  const State single = watch_invariants(pendulum_in_angle(), "rk4", 1e-4, 10000).end;
  const State two = watch_invariants(double_pendulum_in_angles(), "rk4", 1e-4, 10000).end;
  const auto from_single = [&](const State& end) { return (end.q - in_plane(single.q)).norm(); };
  const auto from_two = [&](const State& end) { return (end.q - in_plane(two.q)).norm(); };
  const auto in_angles = [&](const State& end) { return (end.q - two.q).norm() + (end.u - two.u).norm(); };
  const auto order = [](const Scene& scene, const std::string& integrator, const auto& error) {
    return measured_order(scene, integrator, 1.0, kSteps, error);
  };
  EXPECT_NEAR(order(cartesian_pendulum(), "conserving", from_single), 2.0, 0.1);
  EXPECT_NEAR(order(cartesian_pendulum(), "conserving-ggl", from_single), 2.0, 0.1);
  EXPECT_NEAR(order(cartesian_pendulum(), "conserving-mq", from_single), 2.0, 0.1);
  EXPECT_NEAR(order(cartesian_double_pendulum(), "conserving-ggl", from_two), 2.0, 0.1);
  EXPECT_NEAR(order(double_pendulum_in_angles(), "conserving-mq", in_angles), 2.0, 0.1);
  EXPECT_NEAR(order(double_pendulum_in_angles(), "conserving-mq-frozen", in_angles), 1.0, 0.15);
}

// The double pendulum in angles, with the height z of the lower mass as a third coordinate that a constraint ties to them: M(q) and
// a constraint in one system. Where the lower rod is level M is singular, a2 has no mass, and the constraint holds it.
TEST(Conserving, KeepsMassThatDependsOnCoordinatesAndConstraintsTogether) {
  const Scene scene = test::scene_from(R"toml(
[parameters]
m = 0.2
l = 0.5
[lagrangian]
coordinates = ["a1", "a2", "z"]
kinetic   = "0.5*m*l^2*a1'^2 + 0.5*m*(l^2*(cos(a1)*a1' + cos(a2)*a2')^2 + z'^2)"
potential = "m*9.81*(3*l - l*cos(a1) + z)"
[[bilateral]]
name = "height"
position = "z + l*cos(a1) + l*cos(a2)"
[initial]
z = -1
"a1'" = 5
"a2'" = 5
)toml" + kRun);
  const State two = watch_invariants(double_pendulum_in_angles(), "rk4", 1e-4, 10000).end;
  const auto error = [&](const State& end) { return (end.q.head(2) - two.q).norm() + (end.u.head(2) - two.u).norm(); };
  const test::Invariants seen = watch_invariants(scene, "conserving-mq", 0.003, 20000);
  EXPECT_LE(seen.energy, 1e-11);
  EXPECT_LE(seen.position, 1e-12);
  EXPECT_LE(seen.velocity, 1e-12);
  EXPECT_LE(watch_invariants(scene, "conserving-mq-frozen", 0.001, 2000).energy, 1e-11);
  EXPECT_NEAR(measured_order(scene, "conserving-mq", 1.0, kSteps, error), 2.0, 0.1);
  EXPECT_NEAR(measured_order(scene, "conserving-mq-frozen", 1.0, kSteps, error), 1.0, 0.15);
}

// Two masses m, and between them a point s without mass, tied to their middle and to a spring c: the middle swings with
// omega = sqrt(c / (2 m)), and M is singular throughout.
TEST(Conserving, MassMayBeSingularWhereConstraintsHoldIt) {
  LagrangianDescription description;
  ExprGraph& graph = *description.graph;
  description.coordinates = {"x1", "s", "x2"};
  const LagrangianInputs inputs = description.inputs();
  const auto q = [&](int i) { return graph.input(inputs.q(i)); };
  const auto square_of_rate = [&](int i) { return graph.input(inputs.rate(i)) * graph.input(inputs.rate(i)); };
  const Expr half = graph.constant(0.5);
  description.kinetic = half * (square_of_rate(0) + square_of_rate(2));
  description.potential = half * graph.constant(8.0) * q(1) * q(1);
  description.constraints.push_back({{.holonomic = true, .name = "middle", .key = ""}, q(1) - half * (q(0) + q(2)), {}});
  const auto system = make_lagrangian_system(std::move(description));
  for (const std::string integrator : {"conserving", "conserving-ggl", "conserving-mq", "conserving-mq-frozen"}) {
    const auto stepper = find_integrator(integrator)->make(*system, {});
    double previous = 0.0;
    for (const int steps : {100, 200}) {
      State state{.t = 0.0, .q = Eigen::Vector3d(0.5, 1.0, 1.5), .u = Eigen::Vector3d::Zero()};
      for (int k = 0; k < steps; ++k) ASSERT_TRUE(stepper->step(state, 1.0 / steps).ok()) << integrator;
      const double s = std::cos(2.0);
      const double error = (state.q - Eigen::Vector3d(s - 0.5, s, s + 0.5)).norm();
      EXPECT_LE(error, 1e-3) << integrator;
      if (previous > 0.0) {
        EXPECT_NEAR(previous / error, 4.0, 0.1) << integrator;
      }
      previous = error;
    }
  }
}

/// n point masses on rods, let go level, with a start of some speed.
Scene chain(int n) {
  return test::scene_from("[parameters]\nn = " + std::to_string(n) + R"toml(
[lagrangian]
coordinates = ["x{i} for i in 1..n", "y{i} for i in 1..n"]
kinetic   = "sum(i, 1, n, 0.5*(x{i}'^2 + y{i}'^2))"
potential = "sum(i, 1, n, 9.81*(y{i} + 1))"
[[bilateral]]
name = "rod 1"
position = "0.5*(x1^2 + y1^2 - 0.01)"
[[bilateral]]
for = { i = "2..n" }
name = "rod {i}"
position = "0.5*((x{i} - x{i-1})^2 + (y{i} - y{i-1})^2 - 0.01)"
[initial]
"x{i} for i in 1..n" = "0.1*{i}"
"y{i}' for i in 1..n" = "sin({i})"
)toml" + kRun);
}

// 60 unknowns are solved densely, 66 sparsely.
TEST(Conserving, KeepsTheEnergyOfChainsOfAnyLength) {
  for (const int n : {10, 11, 50}) {
    const test::Invariants seen = watch_invariants(chain(n), "conserving-ggl", 1e-3, 1000);
    EXPECT_LE(seen.energy, 1e-11) << n;
    EXPECT_LE(seen.position, 1e-12) << n;
    EXPECT_LE(seen.velocity, 1e-12) << n;
  }
}

// Neighbours see each other only: work and entries of the Jacobian grow with the length, not with its square.
TEST(Conserving, TheStructureOfAChainIsKept) {
  const auto size = [](int n) {
    const Scene scene = chain(n);
    const StepEquations equations(*scene.system->lagrangian(), MotionScheme::kGgl, {});
    const ExprProgram& program = equations.program();
    return std::vector<int>{static_cast<int>(equations.pattern().size()), program.operations(equations.residual()),
                            program.operations(equations.jacobian())};
  };
  const std::vector<int> at_40 = size(40), at_60 = size(60), at_80 = size(80);
  for (size_t k = 0; k < at_40.size(); ++k) EXPECT_EQ(at_80[k] - at_60[k], at_60[k] - at_40[k]) << k;
}

// At rest in an equilibrium the discrete derivative is 0/0: nothing must move or fail.
TEST(Conserving, RestsInAnEquilibrium) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["a", "x"]
kinetic   = "0.5*a'^2 + 0.5*x'^2"
potential = "3 - cos(a) + 7*(sqrt(x^2) - 1.3)^2"
[initial]
x = 1.3
)toml" + kRun);
  for (const std::string integrator : {"conserving", "conserving-mq"}) {
    const test::Invariants seen = watch_invariants(scene, integrator, 0.01, 1000);
    EXPECT_EQ(seen.end.q[0], 0.0);
    EXPECT_NEAR(seen.end.q[1], 1.3, 1e-14);
    EXPECT_LE(seen.end.u.norm(), 1e-14);
  }
}

// Velocities that are zero because a constraint says so or forces balance are zero up to round-off of these forces, not of
// themselves: a mass that a rod holds against a force along it, and a pendulum whose rod is a polar coordinate.
TEST(Conserving, SolvesStepsInWhichVelocitiesVanish) {
  const Scene held = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic   = "0.5*(x'^2 + y'^2)"
potential = "cos(x)"
[[bilateral]]
name = "rod"
position = "x^2 + y^2 - 1"
[initial]
x = 1
)toml" + kRun);
  for (const std::string integrator : {"conserving", "conserving-ggl", "conserving-mq"}) {
    const test::Invariants seen = watch_invariants(held, integrator, 0.01, 100);
    EXPECT_EQ(seen.halvings, 0);
    EXPECT_LE((seen.end.q - Eigen::Vector2d(1.0, 0.0)).norm(), 1e-14) << integrator;
    // Without multipliers for velocities each step adds what round-off of x = 1 is over dt / 2, and nothing takes it away.
    const double allowed = integrator == "conserving" ? 100 * std::pow(2.0, -52) / 0.005 : 1e-14;
    EXPECT_LE(seen.end.u.norm(), allowed) << integrator;
  }
  const Scene polar = test::scene_from(R"toml(
[lagrangian]
coordinates = ["a", "r"]
kinetic   = "0.5*0.2*(r^2*a'^2 + r'^2)"
potential = "0.2*9.81*(1 - r*cos(a))"
[[bilateral]]
name = "rod"
position = "r - 0.5"
[initial]
a = "atan2(0.3, 0.4)"
r = 0.5
"a'" = 2
)toml" + kRun);
  const double a = watch_invariants(pendulum_in_angle(), "rk4", 1e-4, 10000).end.q[0];
  const test::Invariants seen = watch_invariants(polar, "conserving-mq", 0.001, 1000);
  EXPECT_EQ(seen.halvings, 0);
  EXPECT_NEAR(seen.end.q[0], a, 1e-5);
  EXPECT_LE(seen.energy, 1e-13);
}

}  // namespace tippe::integrate_conserving_test
