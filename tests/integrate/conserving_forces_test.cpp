// SPDX-License-Identifier: Apache-2.0
// Conserving schemes where energy is not kept, or constraints are not plain: forces, moving and nonholonomic and redundant rows.
#include "support/conserving.h"
#include "tippe/integrate/consistent.h"

namespace tippe::integrate_conserving_forces_test {

using test::measured_order;
using test::watch_invariants;

const std::vector<std::string> kSchemes = {"conserving", "conserving-ggl", "conserving-mq", "conserving-mq-frozen"};
const std::string kRun = "[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 1\n";
const std::vector<int> kSteps = {101, 157, 229, 331};

// A knife edge on an inclined plane that spins with omega, let go from rest (Neimark and Fufaev): a cycloid along the plane,
//   x = a/(2 omega^2) sin^2(omega t),   y = a/(2 omega^2) (omega t - sin(2 omega t)/2),   a = g sin(incline).
TEST(ConservingForces, KnifeEdgeRunsOnACycloid) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "th"]
kinetic   = "0.5*(x'^2 + y'^2) + 0.5*0.1*th'^2"
potential = "-2*x"
[[bilateral]]
name = "blade"
velocity = "x'*sin(th) - y'*cos(th)"
[initial]
"th'" = 1.5
)toml" + kRun);
  const double t = 1.0, omega = 1.5, scale = 2.0 / (2.0 * omega * omega);
  const Eigen::Vector3d expected(scale * std::pow(std::sin(omega * t), 2),
                                 scale * (omega * t - 0.5 * std::sin(2.0 * omega * t)), omega * t);
  for (const std::string& scheme : kSchemes) {
    const auto error = [&](const State& end) { return (end.q - expected).norm(); };
    EXPECT_NEAR(measured_order(scene, scheme, t, kSteps, error), 2.0, 0.1) << scheme;
    const test::Invariants seen = watch_invariants(scene, scheme, 0.01, 2000);
    EXPECT_LE(seen.energy, 1e-11) << scheme;
    if (scheme != "conserving") {
      EXPECT_LE(seen.velocity, 1e-12) << scheme;
    }
  }
}

/// A pendulum whose support shakes, driven and damped, with a spring that stiffens: the support is a coordinate that a constraint
/// moves, or part of the energies.
Scene shaken_by_constraint() {
  return test::scene_from(R"toml(
[lagrangian]
coordinates = ["s", "x", "y"]
kinetic   = "0.5*0.3*s'^2 + 0.5*0.7*(x'^2 + y'^2)"
potential = "0.7*9.81*(y + 1) + 0.5*(3 + t)*x^2"
damping   = "0.05*(x'^2 + y'^2) + 0.1*abs(x')^3"
[lagrangian.forces]
x = "sin(2*t) - 0.1*y'"
[[bilateral]]
name = "support"
position = "s - 0.1*sin(3*t)"
[[bilateral]]
name = "rod"
position = "0.5*((x - s)^2 + y^2 - 0.16)"
[initial]
y = -0.4
"s'" = 0.3
"x'" = 0.7
)toml" + kRun);
}
Scene shaken_in_angle() {
  const std::string x = "(0.1*sin(3*t) + 0.4*sin(a))", dx = "(0.3*cos(3*t) + 0.4*cos(a)*a')", dy = "(0.4*sin(a)*a')";
  return test::scene_from("[lagrangian]\ncoordinates = [\"a\"]\nkinetic = \"0.5*0.7*(" + dx + "^2 + " + dy +
                          "^2)\"\npotential = \"-0.7*9.81*0.4*cos(a) + 0.5*(3 + t)*" + x + "^2\"\ndamping = \"0.05*(" + dx +
                          "^2 + " + dy + "^2) + 0.1*abs(" + dx + ")^3\"\n[lagrangian.forces]\na = \"(sin(2*t) - 0.1*" + dy +
                          ")*0.4*cos(a)\"\n[initial]\n\"a'\" = 1\n" + kRun);
}

// The support prescribed by a constraint against the support as part of T(t), by Runge-Kutta; and everything is booked.
TEST(ConservingForces, ForcesDampingAndPrescribedMotionAreOfSecondOrderAndBooked) {
  const double a = watch_invariants(shaken_in_angle(), "rk4", 1e-4, 10000).end.q[0];
  const Eigen::Vector3d expected(0.1 * std::sin(3.0), 0.1 * std::sin(3.0) + 0.4 * std::sin(a), -0.4 * std::cos(a));
  for (const std::string& scheme : kSchemes) {
    Scene scene = shaken_by_constraint();
    const auto error = [&](const State& end) { return (end.q - expected).norm(); };
    EXPECT_NEAR(measured_order(scene, scheme, 1.0, kSteps, error), 2.0, 0.15) << scheme;
    scene.run.integrator = scheme;
    scene.run.until = 20.0;
    const RunSummary summary = test::run(scene);
    EXPECT_GT(summary.energy.lost_in_damping, 0.1);
    EXPECT_GT(std::abs(summary.energy.work_done), 0.01);
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-12) << scheme;
  }
}

// An acatastatic row x' = y + v drives: the work of the one who moves the belt is booked.
TEST(ConservingForces, MovingNonholonomicRowsAreBooked) {
  Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic   = "0.5*(x'^2 + y'^2)"
potential = "2*x^2 + y^2 + 1"
[[bilateral]]
name = "belt"
velocity = "x' - 0.3*cos(2*t) - 0.1*y"
[initial]
y = 1
"x'" = 0.4
)toml" + kRun);
  for (const std::string& scheme : kSchemes) {
    scene.run.integrator = scheme;
    scene.run.until = 10.0;
    const RunSummary summary = test::run(scene);
    EXPECT_GT(std::abs(summary.energy.work_done), 0.01);
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-12) << scheme;
  }
}

// -dD/du(dq/dt) . dq <= 0 for every convex D, also for one that is not quadratic: T + V falls in every step.
TEST(ConservingForces, DampingOnlyTakes) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic   = "0.5*(x'^2 + y'^2)"
potential = "9.81*y"
damping   = "0.2*sqrt(1e-4 + x'^2 + y'^2) + 0.01*(x'^2 + y'^2)^2"
[[bilateral]]
name = "rod"
position = "0.5*(x^2 + y^2 - 1)"
[initial]
x = 1
)toml" + kRun);
  for (const std::string& scheme : kSchemes) {
    const auto stepper = find_integrator(scheme)->make(*scene.system, {});
    const auto evaluator = scene.system->make_evaluator();
    State state = scene.start;
    double before = 0.0, unexplained = 0.0;
    for (int k = 0; k < 1000; ++k) {
      const StepReport report = stepper->step(state, 0.01);
      ASSERT_TRUE(report.ok()) << scheme;
      evaluator->set_state(state.t, state.q, state.u);
      const Energies energies = evaluator->evaluate_energies();
      const double after = energies.kinetic + energies.potential;
      EXPECT_GE(report.lost_in_damping, 0.0);
      unexplained += after - before + report.lost_in_damping;
      before = after;
    }
    EXPECT_LE(before, -9.0) << scheme;
    EXPECT_LE(std::abs(unexplained), 1e-12) << scheme;
  }
}

// A plate on three parallel rods of the same length: one rod too many at every position, and without it the plate is a
// mathematical pendulum that does not turn.
TEST(ConservingForces, RedundantRowsChangeNothing) {
  const auto plate = [](const std::string& rods) {
    return test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "phi"]
kinetic   = "0.5*(x'^2 + y'^2) + 0.5*0.02*phi'^2"
potential = "9.81*(y + 1)"
[[bilateral]]
for = { k = ")toml" + rods + R"toml(" }
name = "rod {k+2}"
position = "0.5*((x + 0.3*{k}*cos(phi) - 0.3*{k})^2 + (y + 0.3*{k}*sin(phi))^2 - 0.25)"
[initial]
x = 0.3
y = -0.4
"x'" = 0.8
"y'" = 0.6
)toml" + kRun);
  };
  for (const std::string& scheme : kSchemes) {
    const test::Invariants three = watch_invariants(plate("-1..1"), scheme, 0.01, 2000);
    const test::Invariants two = watch_invariants(plate("0..1"), scheme, 0.01, 2000);
    EXPECT_LE(three.energy, 1e-12) << scheme;
    EXPECT_LE(three.position, 1e-14) << scheme;
    if (scheme != "conserving") {
      EXPECT_LE(three.velocity, 1e-12) << scheme;
    }
    EXPECT_LE((three.end.q - two.end.q).norm(), 1e-10) << scheme;
    EXPECT_LE(std::abs(three.end.q[2]), 1e-12) << scheme;
    EXPECT_EQ(three.halvings, 0) << scheme;
  }
}

// The same row twice and times 1000.
TEST(ConservingForces, RepeatedRowsChangeNothing) {
  const auto pendulum = [](const std::string& more) {
    return test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic   = "0.5*(x'^2 + y'^2)"
potential = "9.81*(y + 1)"
[[bilateral]]
name = "rod"
position = "x^2 + y^2 - 0.25"
)toml" + more + "[initial]\nx = 0.3\ny = -0.4\n" +
                            kRun);
  };
  const std::string more = "[[bilateral]]\nname = \"again\"\nposition = \"1000*(x^2 + y^2 - 0.25)\"\n";
  for (const std::string& scheme : kSchemes) {
    const test::Invariants one = watch_invariants(pendulum(""), scheme, 0.01, 1000);
    const test::Invariants two = watch_invariants(pendulum(more), scheme, 0.01, 1000);
    EXPECT_LE((one.end.q - two.end.q).norm() + (one.end.u - two.end.u).norm(), 1e-11) << scheme;
  }
}

// A comet: next to the sun a step of 0.01 leads past it, and is solved in pieces. The energy is kept in them too.
TEST(ConservingForces, AStepThatCannotBeSolvedIsHalved) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic   = "0.5*(x'^2 + y'^2)"
potential = "-1/sqrt(x^2 + y^2)"
[initial]
x = 1
"y'" = 0.05
)toml" + kRun);
  const test::Invariants seen = watch_invariants(scene, "conserving", 0.01, 3000);
  EXPECT_GE(seen.halvings, 1);
  EXPECT_LE(seen.energy, 1e-10);  // V reaches 800 times its start: round-off of that
  EXPECT_NEAR(seen.end.t, 30.0, 1e-9);
}

// x^2 = 1 - t has no solution after t = 1: the step fails, and says how far it came.
TEST(ConservingForces, AStepWithoutSolutionFails) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
[[bilateral]]
name = "shrinking"
position = "x^2 + t - 1"
[initial]
x = 1
"x'" = -0.5
)toml" + kRun);
  for (const std::string& scheme : kSchemes) {
    const auto stepper = find_integrator(scheme)->make(*scene.system, {});
    State state = scene.start;
    StepReport report;
    for (int k = 0; k < 200 && report.ok(); ++k) report = stepper->step(state, 0.01);
    ASSERT_EQ(report.status, StepReport::Status::kNotSolved) << scheme;
    EXPECT_GE(report.halvings, 10);
    EXPECT_GT(report.residual, 1e-10);
    EXPECT_NEAR(state.t, 1.0, 0.02);
    const std::string message = describe_failure(*scene.system, report, state);
    EXPECT_NE(message.find("a step of 9.77e-06 were not solved: residual"), std::string::npos) << message;  // dt / 1024
  }
}

TEST(ConservingForces, AnExpressionThatLeavesItsDomainIsNamed) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "sqrt(0.5 - t)*y"
)toml" + kRun);
  const auto stepper = find_integrator("conserving")->make(*scene.system, {});
  State state = scene.start;
  StepReport report;
  for (int k = 0; k < 200 && report.ok(); ++k) report = stepper->step(state, 0.01);
  EXPECT_EQ(report.status, StepReport::Status::kNotFinite);
  EXPECT_NE(describe_failure(*scene.system, report, state).find("the momentum of y"), std::string::npos);
}

TEST(ConservingForces, MisfitsSayWhy) {
  const auto misfit = [](const std::string& text, const std::string& integrator) {
    return find_integrator(integrator)->misfit(*test::scene_from(text + kRun).system);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? testing::AssertionSuccess() : testing::AssertionFailure() << text;
  };
  const std::string angles = "[lagrangian]\ncoordinates = [\"a\"]\nkinetic = \"0.5*(2 + cos(a))*a'^2\"\n";
  const std::string driven = "[lagrangian]\ncoordinates = [\"a\"]\nkinetic = \"0.5*(2 + cos(t))*a'^2\"\n";
  const std::string linear = "[lagrangian]\ncoordinates = [\"a\"]\nkinetic = \"0.5*a'^2 + a*a'\"\n";
  const std::string own =
      "[lagrangian]\ncoordinates = [\"a\"]\nkinetic = \"0.5*a'^2\"\n[velocities]\nnames = [\"w\"]\n[velocities.rates]\na = ";
  const std::string contact =
      "[lagrangian]\ncoordinates = [\"a\"]\nkinetic = \"0.5*a'^2\"\n[[contact]]\nname = \"wall\"\ngap = \"a\"\n";
  EXPECT_TRUE(has(misfit(angles, "conserving"), "constant mass matrix"));
  EXPECT_TRUE(has(misfit(angles, "conserving-ggl"), "constant mass matrix"));
  EXPECT_EQ(misfit(angles, "conserving-mq"), "");
  EXPECT_EQ(misfit(angles, "conserving-mq-frozen"), "");
  EXPECT_TRUE(has(misfit(driven, "conserving-mq"), "without explicit time"));
  EXPECT_TRUE(has(misfit(linear, "conserving-mq"), "quadratic in the velocities"));
  EXPECT_EQ(misfit(own + "\"2*w\"\n", "conserving-mq"), "");
  EXPECT_TRUE(has(misfit(own + "\"2*w*cos(a)\"\n", "conserving-mq"), "[[bilateral]]"));
  EXPECT_TRUE(has(misfit(own + "\"2*w + 1\"\n", "conserving-mq"), "rest when the velocities are zero"));
  EXPECT_TRUE(has(misfit(contact, "conserving"), "'wall'"));
}

}  // namespace tippe::integrate_conserving_forces_test
