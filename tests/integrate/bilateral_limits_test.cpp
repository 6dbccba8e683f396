// SPDX-License-Identifier: Apache-2.0
// What is hard about bilateral constraints: no mass, rest, contradictions, bad starts, redundant forms.
#include "support/bilateral.h"

namespace tippe::integrate_bilateral_limits_test {

using Eigen::VectorXd;
using test::HeldInstant;
using test::run_with;

TEST(Bilateral, MasslessMiddlePassesItsForceOn) {
  // y lies halfway between x and z and has no mass: its force is shared by the two.
  const std::string lever = R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*2*x'^2 + 0.5*5*z'^2"
forces = { x = "1", y = "-8", z = "3" }
[[bilateral]]
name = "middle"
position = "y - (x + z)/2"
)toml";
  for (const char* integrator : {"rk4", "moreau", "moreau-jean"}) {
    const RunSummary summary = test::run(test::scene_from(lever + run_with(integrator, 0.01, 1)));
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_NEAR(summary.final_state.u[0], (1.0 - 4.0) / 2.0, 1e-10) << integrator;
    EXPECT_NEAR(summary.final_state.u[2], (3.0 - 4.0) / 5.0, 1e-10) << integrator;
    EXPECT_NEAR(summary.final_state.u[1], 0.5 * (-1.5 - 0.2), 1e-10) << integrator;
  }
  const Scene scene = test::scene_from(lever + run_with("rk4", 0.01, 1));
  EXPECT_NEAR(HeldInstant(scene, scene.start).lambda[0], 8.0, 1e-11);
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
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    // T = (3 + 4 + 0.01 cos^2 a) a'^2 / 2, work 14 a.
    const double a = summary.final_state.q[0], rate = summary.final_state.u[0];
    EXPECT_NEAR(0.5 * (7.0 + 0.01 * std::cos(a) * std::cos(a)) * rate * rate, 14.0 * a, 1e-4) << integrator;
    EXPECT_NEAR(summary.final_state.u[1], -rate, 1e-12);
    EXPECT_NEAR(summary.final_state.u[2], 2.0 * rate, 1e-12);
  }
}

TEST(Bilateral, MasslessCoordinateThatNothingHoldsIsExplained) {
  const auto refusal = [](const char* integrator) -> std::string {
    try {
      (void)test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2"
[[bilateral]]
name = "wall"
position = "x"
)toml" + run_with(integrator, 0.01, 1));
      return "accepted";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string by_rk4 = refusal("rk4"), by_event_driven = refusal("event-driven");
  EXPECT_NE(by_rk4.find("needs a mass for every coordinate, and y' has none"), std::string::npos) << by_rk4;
  // It takes coordinates without mass that something holds.
  EXPECT_NE(by_event_driven.find("y' = 1"), std::string::npos) << by_event_driven;
  EXPECT_NE(by_event_driven.find("no contact, load or constraint holds it"), std::string::npos) << by_event_driven;
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
    EXPECT_EQ(summary.status, RunStatus::kFailed);
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
    EXPECT_EQ(summary.status, RunStatus::kOk) << integrator << ": " << summary.message;
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
    EXPECT_EQ(summary.status, RunStatus::kFailed) << integrator;
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
  ASSERT_EQ(reference.status, RunStatus::kOk) << reference.message;
  for (const char* integrator :
       {"moreau", "moreau-jean", "rk4", "dopri5", "conserving", "conserving-ggl", "conserving-mq"}) {
    for (const double dt : {0.05, 0.01}) {
      const Scene scene = test::scene_from(pendulum + run_with(integrator, dt, 2));
      const RunSummary summary = test::run(scene);
      ASSERT_EQ(summary.status, RunStatus::kOk) << integrator << " " << dt << ": " << summary.message;
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
    EXPECT_EQ(summary.status, RunStatus::kFailed) << integrator;
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
    EXPECT_EQ(summary.status, RunStatus::kFailed) << integrator;
    EXPECT_NE(summary.message.find("wire"), std::string::npos) << integrator << ": " << summary.message;
  }
}

}  // namespace tippe::integrate_bilateral_limits_test
