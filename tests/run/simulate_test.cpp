// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/simulate.h"

#include <fmt/format.h>

#include "support/scenes.h"

namespace tippe::run_simulate_test {

RunSummary run_ball(const std::string& dt, const std::string& until) {
  return test::run(test::load("bouncing_ball", {.settings = {}, .integrator = {}, .dt = dt, .until = until}));
}

TEST(Simulate, StepsAreMultiplesOfDtAndTheLastIsShortened) {
  EXPECT_EQ(run_ball("0.1", "0.3").steps, 3);  // although 0.3 / 0.1 is not 3 in binary
  const RunSummary shortened = run_ball("0.1", "0.35");
  EXPECT_EQ(shortened.steps, 4);
  EXPECT_EQ(shortened.final_state.t, 0.35);
  EXPECT_NEAR(shortened.final_state.q[0], 1.0 - 0.5 * 9.81 * 0.35 * 0.35,
              1e-14);  // free fall is exact for any step
  EXPECT_EQ(run_ball("1", "0.2").steps, 1);
  RunOptions options;
  options.dt = 1e-3;
  options.until = 1000.0000004;
  EXPECT_EQ(options.steps_from(0.0), 1000001);
  EXPECT_EQ(run_ball("1e-4", "1").final_state.t, 1.0);
}

// 1e9 + 0.3 is no number: the end is up to 6e-8 s beside it, which is no step of its own.
TEST(RunOptions, TheLastStepIsNoneOfRoundOffOfTheClock) {
  RunOptions options;
  for (const double dt : {1e-3, 2.5e-4, 1e-6}) {
    options.dt = dt;
    for (const double start : {0.0, 1e5, 9371561.343, 1e9, -1e9}) {
      options.until = start + 0.3;
      EXPECT_EQ(options.steps_from(start), std::llround(0.3 / dt)) << start << " " << dt;
    }
  }
}

TEST(Simulate, ARunCanStartAtAnotherTime) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[lagrangian.forces]\nx = "
      "\"t\"\n[initial]\nt = 2\n[run]\nintegrator = \"moreau\"\ndt = 0.001\nuntil = 3\n");
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.steps, 1000);
  EXPECT_NEAR(summary.final_state.u[0], (9.0 - 4.0) / 2,
              1e-9);  // midpoint rule is exact for a force linear in t
  EXPECT_NEAR(summary.energy.work_done, 0.5 * 2.5 * 2.5, 1e-9);
}

// Same input, same build: the same bits.
TEST(Simulate, IsDeterministic) {
  const Scene scene = test::load("woodpecker", {.settings = {}, .integrator = {}, .dt = "1e-4", .until = "0.3"});
  const RunSummary first = test::run(scene), second = test::run(scene);
  EXPECT_EQ(first.final_state.q, second.final_state.q);
  EXPECT_EQ(first.final_state.u, second.final_state.u);
  EXPECT_EQ(first.energy.lost_in_contacts, second.energy.lost_in_contacts);
}

TEST(Simulate, StopsWhenAskedAndSaysSo) {
  const Scene scene = test::load("bouncing_ball");
  const std::atomic<bool> stop{true};
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, {.stop = &stop});
  EXPECT_EQ(summary.status, RunStatus::kInterrupted);
  EXPECT_EQ(summary.steps, 0);
}

TEST(Simulate, CountsImpactsNotRestingSteps) {
  // The ball rests from 1.355 s on: 6000 steps with an impulse that are no impacts. Speeds halve: 4.43 / 2^k
  // > 4.43e-3 for k < 10.
  EXPECT_EQ(run_ball("1e-5", "2").impacts, 10);
  // A block that is put down without speed has none.
  EXPECT_EQ(test::run(test::load("incline")).impacts, 0);
}

// Contacts that follow a curve or a moving support are let go and caught again by the discretisation: no impacts, at any dt.
TEST(Simulate, CountsNoImpactsInSustainedContact) {
  for (const char* dt : {"1e-3", "1e-4", "1e-5"}) {
    // A mass on a smoothly moving plate whose acceleration stays below g.
    const RunSummary plate = test::run(read_scene(
        "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"y'^2\"\npotential = "
        "\"2*9.81*y\"\n[[contact]]\nname = \"plate\"\n"
        "gap = \"y - 0.1*sin(3*t)\"\n[initial]\n\"y'\" = 0.3\n[run]\nintegrator = \"moreau\"\ndt = 1\nuntil = 0.5\n",
        "plate.toml", {.settings = {}, .integrator = {}, .dt = dt, .until = {}}));
    EXPECT_EQ(plate.impacts, 0) << dt;
    // A ladder that slides down a wall.
    const RunSummary ladder = test::run(
        read_scene("tippe = 1\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"a\"]\nkinetic = \"0.5*(x'^2 + y'^2) + "
                   "a'^2/6\"\npotential = \"9.81*y\"\n"
                   "[[contact]]\nname = \"floor\"\ngap = \"y - sin(a)\"\nslip = \"x' - sin(a)*a'\"\nfriction = 0.1\n"
                   "[[contact]]\nname = \"wall\"\ngap = \"x - cos(a)\"\nslip = \"y' + cos(a)*a'\"\nfriction = 0.1\n"
                   "[initial]\na = 1\nx = \"cos(1)\"\ny = \"sin(1)\"\n[run]\nintegrator = \"moreau\"\ndt = 1\nuntil = 0.3\n",
                   "ladder.toml", {.settings = {}, .integrator = {}, .dt = dt, .until = {}}));
    EXPECT_EQ(ladder.status, RunStatus::kOk) << ladder.message;
    EXPECT_EQ(ladder.impacts, 0) << dt;
  }
}

TEST(Simulate, WarnsWhenTheEnergyIsNotAccountedFor) {
  EXPECT_TRUE(run_ball("1e-3", "1").warnings.empty());
  const RunSummary unstable =
      test::run(test::load("oscillator", {.settings = {}, .integrator = {}, .dt = "1.2e-4", .until = "0.01"}));
  ASSERT_EQ(unstable.warnings.size(), 1u);
  EXPECT_NE(unstable.warnings[0].find("smaller step"), std::string::npos);
}

TEST(Simulate, SplitsLossesAndImpactsByLaw) {
  const RunSummary summary = test::run(test::load("woodpecker"));
  EXPECT_NEAR(summary.lost_by_law.sum(), summary.energy.lost_in_contacts, 1e-12);
  EXPECT_EQ(summary.impacts_by_law, (std::vector<std::int64_t>{3, 6, 6}));
}

TEST(Simulate, ReportsTheWorstPenetrationByName) {
  const RunSummary summary = run_ball("1e-3", "0.6");
  EXPECT_EQ(summary.worst_penetration_at, "floor");
  EXPECT_GT(summary.worst_penetration, 0.0);
  EXPECT_LE(summary.worst_penetration, 4.43 * 1e-3);  // at most one step at impact speed
}

// The spring of the oscillator opens and closes the contact within a step of 1e-3: 0.061 J of 2.2 J come from nowhere.
TEST(Simulate, EnergyThatContactsCreateIsSaid) {
  Scene scene = test::load("oscillator", {.settings = {}, .integrator = "moreau-jean", .dt = "1e-3", .until = {}});
  scene.run.integrator_options.project_contacts = false;
  const RunSummary summary = test::run(scene);
  EXPECT_NEAR(summary.energy.lost_in_contacts, -0.061, 0.001);
  ASSERT_FALSE(summary.warnings.empty());
  EXPECT_NE(summary.warnings[0].find("the contacts created 0."), std::string::npos) << summary.warnings[0];
}

// A ball that starts on the floor and against it: the first step begins with the impact. One that starts at rest has none.
TEST(Simulate, AnImpactAtTheStartCounts) {
  for (const std::string integrator : {"moreau", "moreau-jean", "consistent-2", "event-driven"}) {
    const auto impacts = [&](const char* velocity) {
      return test::run(
                 test::scene_from(fmt::format(
                     "[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n[[contact]]\n"
                     "name = \"floor\"\ngap = \"y\"\nrestitution = 0.5\n[initial]\n\"y'\" = {}\n[run]\nintegrator = \"{}\"\n"
                     "dt = 1e-3\nuntil = 0.1\n",
                     velocity, integrator)))
          .impacts;
    };
    EXPECT_EQ(impacts("-2"), 1) << integrator;
    EXPECT_EQ(impacts("0"), 0) << integrator;
  }
}

}  // namespace tippe::run_simulate_test
