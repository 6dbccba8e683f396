// SPDX-License-Identifier: Apache-2.0
// Motions under bilateral constraints against closed forms and other coordinates.
#include "support/bilateral.h"

namespace tippe::integrate_bilateral_motion_test {

using Eigen::VectorXd;
using test::HeldInstant;
using test::run_with;

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
  const HeldInstant instant(scene, cartesian.final_state);
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
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_NEAR(summary.final_state.q[3], angle.final_state.q[0], 1e-9);
    EXPECT_NEAR(summary.final_state.q[5], angle.final_state.q[0], 1e-9);
    EXPECT_NEAR(summary.final_state.q[2], 0.0, 1e-9);
    ConstrainedMotion motion(*scene.system);
    EXPECT_EQ(motion.judge_redundancy(0.0, scene.start.q, scene.start.u), third);
    for (const char* integrator : {"moreau", "moreau-jean"}) {
      const RunSummary stepped = test::run(test::scene_from(double_four_bar(third) + run_with(integrator, 1e-3, 1)));
      ASSERT_EQ(stepped.status, RunStatus::kOk) << stepped.message;
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
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_NEAR(summary.final_state.q[0], 4.0, 1e-6) << integrator;  // a' = c' = 1 without forces
    EXPECT_NEAR(summary.final_state.q[2], 4.0, 1e-6) << integrator;
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
    ASSERT_EQ(in_plane.status, RunStatus::kOk) << in_plane.message;
    EXPECT_GT(in_plane.impacts, 1);
    EXPECT_EQ(in_plane.impacts, in_angle.impacts);
    EXPECT_NEAR(in_plane.energy.lost_in_contacts, in_angle.energy.lost_in_contacts, 2e-3 * in_angle.energy.lost_in_contacts);
    EXPECT_NEAR(in_plane.final_state.q[0], 0.5 * std::sin(in_angle.final_state.q[0]), 1e-3);
  }
}

}  // namespace tippe::integrate_bilateral_motion_test
