// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/rk4.h"

#include "support/scenes.h"

namespace tippe::integrate_rk4_test {

Scene smooth_scene(double dt) {
  Scene scene = test::scene_from(R"toml(
[parameters]
m = 0.2
l = 0.5
[lagrangian]
coordinates = ["a1", "a2"]
kinetic   = "0.5*m*l^2*(2*a1'^2 + a2'^2 + 2*a1'*a2'*cos(a1 - a2))"
potential = "m*9.81*l*(3 - 2*cos(a1) - cos(a2))"
[initial]
a1 = 1.0
a2 = -0.4
"a2'" = 2.0
[run]
integrator = "rk4"
dt = 0.01
until = 1
)toml");
  scene.run.dt = dt;
  return scene;
}

// x = cos t.
TEST(RungeKutta4, IsOfFourthOrderForTheOscillator) {
  double previous = 0.0;
  for (const int steps : {40, 80, 160}) {
    Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n[initial]\nx = 1\n"
        "[run]\nintegrator = \"rk4\"\ndt = 0.1\nuntil = 4\n");
    scene.run.dt = 4.0 / steps;
    const State end = test::run(scene).final_state;
    const double error = std::hypot(end.q[0] - std::cos(4.0), end.u[0] + std::sin(4.0));
    if (previous > 0.0) {
      EXPECT_NEAR(std::log2(previous / error), 4.0, 0.2) << steps;
    }
    previous = error;
  }
}

TEST(RungeKutta4, IsOfFourthOrderAndKeepsTheEnergySo) {
  const RunSummary reference = test::run(smooth_scene(1e-4));
  double previous_error = 0.0, previous_energy = 0.0;
  for (int refinement = 0; refinement < 3; ++refinement) {
    const RunSummary summary = test::run(smooth_scene(1.0 / std::floor(61.7 * std::pow(2, refinement))));
    const double error = (summary.final_state.q - reference.final_state.q).norm();
    const double energy = std::abs(summary.energy.unexplained());
    if (refinement > 0) {
      EXPECT_GE(std::log2(previous_error / error), 3.8);
      EXPECT_GE(std::log2(previous_energy / energy), 3.5);
    }
    previous_error = error;
    previous_energy = energy;
  }
  EXPECT_LE(std::abs(reference.energy.unexplained()), 1e-12);
}

// The ledger of a driven, damped and prescribed system balances as accurately as the scheme: all terms of
// theory are booked.
TEST(RungeKutta4, LedgerBalancesForcesDampingAndPrescribedMotion) {
  const Scene scene = test::scene_from(R"toml(
[parameters]
w = 3
[lagrangian]
coordinates = ["phi", "x"]
kinetic = "0.5*0.7*((0.1*w*cos(w*t) + 0.4*cos(phi)*phi')^2 + (0.4*sin(phi)*phi')^2) + 0.5*(1 + 0.2*sin(t))*x'^2"
potential = "-0.7*9.81*0.4*cos(phi) + 0.5*(5 + t)*(x - 0.1*sin(t))^2"
damping = "0.5*0.3*phi'^2 + 0.1*abs(x')^3"
[lagrangian.forces]
x = "sin(2*t) - 0.1*phi'"
[initial]
phi = 1
"x'" = 0.5
[run]
integrator = "rk4"
dt = 0.001
until = 3
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_GT(summary.energy.lost_in_damping, 0.1);
  EXPECT_GT(std::abs(summary.energy.work_done), 0.1);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-9);
}

}  // namespace tippe::integrate_rk4_test
