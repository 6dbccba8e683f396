// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/hidden_pulses.h"

#include <cmath>
#include <numbers>

#include "support/scenes.h"

namespace tippe::model_hidden_pulses_test {

std::string oscillator(const std::string& force, const std::string& integrator) {
  return R"TOML(tippe = 1
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
potential = "0.5*x^2"
[lagrangian.forces]
x = ")TOML" +
         force + R"TOML("
[initial]
x = 1
[run]
integrator = ")TOML" +
         integrator + "\"\nuntil = 1\n";
}

// The response to short pulses is that to their impulses: x'' + x = sum J_i delta(t - t_i). A width w (a Gaussian, of variance w^2/2) takes w^2/4 of it.
TEST(HiddenPulses, AdaptiveSchemesSeeThem) {
  const double J = std::sqrt(std::numbers::pi);  // N s
  for (const char* integrator : {"dopri5", "event-driven"}) {
    const auto expect = [&](const std::string& force, const std::vector<std::pair<double, double>>& impulses) {
      const RunSummary summary = test::run(read_scene(oscillator(force, integrator), "pulse.toml"));
      ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
      double x = std::cos(1.0), u = -std::sin(1.0);
      for (const auto& [t, impulse] : impulses) {
        x += impulse * std::sin(1.0 - t);
        u += impulse * std::cos(1.0 - t);
      }
      EXPECT_NEAR(summary.final_state.q[0], x, 2e-8) << integrator << ": " << force;
      EXPECT_NEAR(summary.final_state.u[0], u, 2e-8) << integrator << ": " << force;
    };
    expect("1e4*exp(-((t-0.5)/1e-4)^2)", {{0.5, J}});
    expect("1e4*exp(-((t-0.3)/1e-4)^2)", {{0.3, J}});  // where a stage of the whole run lies
    expect("1e7*exp(-((t-0.7123)/1e-7)^2)", {{0.7123, J}});
    // A comb: its exponent is no square, which adds a quarter of the square of the width as an angle.
    const double width = 1e-4, angle = 10.0 * std::numbers::pi * width;                   // s, rad
    const double each = J * (1.0 + 0.25 * angle * angle) * (1.0 - 0.25 * width * width);  // N s
    expect("1e4*exp(-(sin(10*pi*(t - 0.05))/(pi*1e-3))^2)", {{0.05, each},
                                                             {0.15, each},
                                                             {0.25, each},
                                                             {0.35, each},
                                                             {0.45, each},
                                                             {0.55, each},
                                                             {0.65, each},
                                                             {0.75, each},
                                                             {0.85, each},
                                                             {0.95, each}});
    expect("1e4*max(0, 1 - abs(t - 0.5)/1e-4)", {{0.5, 1.0}});
  }
}

// What the stages see is left to the control of the error.
TEST(HiddenPulses, WhatIsSmoothIsNotCut) {
  for (const char* force : {"2", "t", "sin(3*t)", "t^2 - t", "exp(-t)", "sqrt(t)", "1/(t - 0.5)", "x*sin(t)"}) {
    const Scene scene = read_scene(oscillator(force, "dopri5"), "smooth.toml");
    for (const HiddenPulses::Looks looks : {HiddenPulses::Looks::kAtStages, HiddenPulses::Looks::kAtBeginning}) {
      HiddenPulses pulses(*scene.system, looks);
      for (const double begin : {0.0, 0.25, 0.4999, 0.9}) EXPECT_EQ(pulses.resolved_step(begin, 0.125), 0.125) << force;
    }
  }
}

// A pulse at 0.5, a thousandth wide: steps end before it, and within it they are as short as it is.
TEST(HiddenPulses, StepsEndBeforeThem) {
  const Scene scene = read_scene(oscillator("exp(-((t-0.5)/1e-3)^2)", "dopri5"), "pulse.toml");
  HiddenPulses pulses(*scene.system, HiddenPulses::Looks::kAtBeginning);
  EXPECT_EQ(pulses.resolved_step(0.0, 1.0), 0.25);
  EXPECT_EQ(pulses.resolved_step(0.25, 0.1), 0.1);
  EXPECT_LE(pulses.resolved_step(0.4985, 0.5), 4e-3);
  EXPECT_GE(pulses.resolved_step(0.4985, 0.5), 5e-4);
  EXPECT_EQ(pulses.resolved_step(0.75, 0.25), 0.25);
}

}  // namespace tippe::model_hidden_pulses_test
