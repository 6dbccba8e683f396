// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/energy_watch.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace tippe::run_energy_watch_test {

/// A ledger of 10 J in which so much is missing.
EnergyLedger missing(double energy) {
  EnergyLedger ledger;
  ledger.initial = ledger.scale = 10.0;
  ledger.final = 10.0 - energy;
  return ledger;
}

std::vector<std::string> warnings_of(const EnergyLedger& ledger, const std::string& integrator, double steps = 100.0) {
  RunOptions options;
  options.integrator = integrator;
  options.dt = 1e-3;
  options.integrator_options.tolerance = 1e-10;
  std::vector<std::string> warnings;
  EnergyWatch().warn(ledger, options, steps, warnings);
  return warnings;
}

// event-driven is exact up to its tolerance, a step each: what is missing beyond that was overlooked. Other schemes err by their order, and a gross
// error is said of all.
TEST(EnergyWatch, MissingEnergyIsNamed) {
  EXPECT_TRUE(warnings_of(missing(1e-9), "event-driven").empty());
  EXPECT_TRUE(warnings_of(missing(1e-5), "event-driven", 1e6).empty());
  ASSERT_EQ(warnings_of(missing(1e-3), "event-driven").size(), 1u);
  EXPECT_NE(warnings_of(missing(1e-3), "event-driven")[0].find("0.001 J (0.01 %) of the energy are unexplained"),
            std::string::npos);
  EXPECT_TRUE(warnings_of(missing(1e-3), "moreau").empty());
  for (const char* integrator : {"moreau", "event-driven", "dopri5"}) {
    const std::vector<std::string> warnings = warnings_of(missing(-2.0), integrator);
    ASSERT_EQ(warnings.size(), 1u) << integrator;
    EXPECT_TRUE(warnings[0].starts_with("20 % of the energy is unexplained")) << warnings[0];
  }
}

// A weight whose impulse stands for 0.25 J in each step: what round-off and solver give and take, 1e-10 of that in each of 6000 steps, is no energy that the scheme
// makes or takes. A hundred times as much is.
TEST(EnergyWatch, WhatRestsForLongMakesNoEnergy) {
  const auto warnings_after = [](double share) {
    LawStep laws;
    laws.first_row = {0};
    laws.impulse = Eigen::VectorXd::Constant(1, 1.0);
    laws.speed_scale = Eigen::VectorXd::Constant(1, 1.0);
    StepReport report;
    report.lost_in_contacts = -0.25 * share;
    report.lost_by_scheme = 0.25 * share;
    EnergyWatch watch;
    for (int step = 0; step < 6000; ++step) watch.book(report, laws, 0.0);
    RunOptions options;
    options.integrator = "moreau";
    options.dt = 1e-2;
    std::vector<std::string> warnings;
    watch.warn(EnergyLedger(), options, 6000.0, warnings);
    return warnings.size();
  };
  EXPECT_EQ(warnings_after(1e-10), 0u);
  EXPECT_EQ(warnings_after(1e-8), 2u);
}

// An explicit damper turns a velocity round where 2 m < d dt and multiplies it by 1 - d dt/m, here by -1.5: it feeds energy in.
TEST(EnergyWatch, DampersThatAreTooStiffForTheStepAreNamed) {
  const auto run_with = [](const std::string& damping) {
    Scene scene = test::scene_from("[parameters]\nd = " + damping + R"scene(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
potential = "0"
damping = "0.5*d*x'^2"
[initial]
"x'" = 1
[run]
integrator = "moreau"
dt = 1e-2
until = 0.1
)scene");
    return test::run(scene).warnings;
  };
  EXPECT_TRUE(run_with("150").empty());
  ASSERT_EQ(run_with("250").size(), 1u);
  EXPECT_TRUE(run_with("250")[0].starts_with("damping fed ")) << run_with("250")[0];
  EXPECT_TRUE(run_with("-10").empty());  // somebody wants it to drive
}

}  // namespace tippe::run_energy_watch_test
