// SPDX-License-Identifier: Apache-2.0
// The first seeds of the differential tester; build/release/tests/differential goes on from there by hand. A finding is a difference that nobody explains.
#include "differential/judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include <iostream>

#include "differential/impact_orders.h"
#include "support/scenes.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"
#include "tippe/verify/verify.h"

namespace tippe::differential_test {

using test::Comparison;
using test::Outcome;

TEST(Differential, RandomSystemsAgreeOrSayWhyNot) {
  constexpr unsigned kScenes = 45;
  test::Tally tally;
  for (unsigned seed = 1; seed <= kScenes; ++seed) {
    const test::RandomScene scene = test::make_random_scene(seed);
    for (const Comparison& comparison : test::judge_scene(scene, 1, seed % 3 == 0)) {
      tally.add(comparison.what, comparison);
      if (comparison.outcome == Outcome::kFinding)
        ADD_FAILURE() << "seed " << seed << ", " << comparison.what << ": " << comparison.note << "\n"
                      << scene.scene("moreau", 1e-4);
    }
  }
  std::cout << tally.table();
  EXPECT_GE(tally.count(Outcome::kAgrees), 0.97 * tally.all()) << "too many are not decided";
}

// What the judge once took for a violation: forces that depend on t at a late clock, a motion that the clock does not resolve, friction that holds now this way and now that between two
// samples, samples far apart for the motion, constraints in small units, a slip that several laws turn round.
TEST(Differential, WhatTheJudgeOnceMistook) {
  for (const unsigned seed :
       {50000030u, 50000054u, 50000214u, 50000098u, 50000120u, 50000185u, 50000500u, 60000018u, 60000229u, 60000400u}) {
    const test::RandomScene scene = test::make_random_scene(seed);
    for (const Comparison& comparison : test::judge_scene(scene, 3)) {
      EXPECT_NE(comparison.outcome, Outcome::kFinding)
          << "seed " << seed << ", " << comparison.what << ": " << comparison.note;
    }
  }
}

// What it once took for a violation in event-driven runs: systems that laws and constraints hold altogether, under loads in small and large units, at q = 0, where what moves is
// round-off of what the loads would do; velocities without mass that jump beside an impact; a belt at a late clock; friction that stops a slip at the end of an
// interval, where damping and springs depend on when it did so; motions between two impacts that no clock shows; contacts that carry next to nothing in an impact
// of others.
TEST(Differential, EventsThatTheJudgeOnceMistook) {
  for (const unsigned seed : {50000337u, 50000548u, 80000313u, 80000347u, 131000009u, 80000255u, 115000143u, 131000936u,
                              131001042u, 131002868u, 131002472u, 131002260u}) {
    const test::RandomScene scene = test::make_random_scene(seed);
    for (const Comparison& comparison : test::judge_scene(scene, 0)) {
      EXPECT_NE(comparison.outcome, Outcome::kFinding)
          << "seed " << seed << ", " << comparison.what << ": " << comparison.note;
    }
  }
}

// Of steps: joints that are redundant only where lengths are compared with angles, gyroscopic terms that are frozen where a mass is small, rest at q = 0, the angular momentum of mean velocities where a joint moves the way away from them.
TEST(Differential, StepsThatTheJudgeOnceMistook) {
  const struct {
    unsigned seed;
    const char* integrator;
    double dt;
  } runs[] = {{107000171u, "conserving-mq-frozen", 2.5e-4},
              {80000506u, "quaternion-2", 1e-3},
              {111000112u, "moreau", 2.5e-4},
              {60000202u, "consistent-mq", 1e-3}};
  for (const auto& [seed, integrator, dt] : runs) {
    const test::RandomScene random = test::make_random_scene(seed);
    const Scene scene = read_scene(random.scene(integrator, dt), "random.toml");
    verify::RunWatch watch(*scene.system, scene.start, scene.run);
    RunHooks hooks;
    watch.take_part(hooks);
    const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
    for (const verify::Finding& finding : watch.finish(summary).findings)
      EXPECT_EQ(finding.violations, 0) << "seed " << seed << ", " << integrator << ", " << finding.law << ": "
                                       << finding.what;
  }
}

// This scene takes half a minute.
TEST(Differential, RunsEndWhenTheSearchIsInterrupted) {
  const std::atomic<bool> stop = true;
  for (const Comparison& comparison : test::judge_scene(test::make_random_scene(80000026u), 3, true, &stop))
    EXPECT_EQ(comparison.outcome, Outcome::kRefused) << comparison.what;
}

/// A bar of 1 kg that falls flat with 1 m/s on both ends, 1 m from its centre, with its inertia.
double spread_of_bar(double inertia) {
  const Scene scene = test::scene_from(
      fmt::format("[lagrangian]\ncoordinates = [\"y\", \"a\"]\nkinetic = \"0.5*y'^2 + 0.5*{}*a'^2\"\npotential = \"y\"\n"
                  "[[contact]]\nname = \"left\"\ngap = \"y - a\"\n[[contact]]\nname = \"right\"\ngap = \"y + a\"\n"
                  "[initial]\n\"y'\" = -1\n[run]\nintegrator = \"event-driven\"\nuntil = 1\n",
                  inertia));
  return test::spread_by_order(*scene.system, scene.start, 1e-6);
}

// With J = 1/3 the second end comes down harder and stops everything, as one impact of both does. With J = 4 the first end takes p = 1/(1 + 1/4) = 4/5, and is lifted when the
// second one stops: with 0.24 m/s by 1/(1/m +- 1/J) and so on, that is with the kinetic norm 0.12 sqrt(1 + 4).
TEST(Differential, TheOrderOfImpactsMayMatter) {
  EXPECT_NEAR(spread_of_bar(1.0 / 3.0), 0.0, 1e-9);
  EXPECT_NEAR(spread_of_bar(4.0), 0.12 * std::sqrt(5.0), 1e-9);
}

TEST(DifferentialProblems, SolversFindWhatTheEnumerationFinds) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Comparison comparison = test::judge_problem(seed);
    EXPECT_NE(comparison.outcome, Outcome::kFinding) << "problem " << seed << ": " << comparison.note;
  }
}

// Three contacts in space with mu in thousands: every iteration stops at 0.07, and one of 27 modes is the solution.
TEST(DifferentialProblems, ModesOfThreeContactsInSpaceAreTheLastMeans) {
  EXPECT_EQ(test::judge_problem(115000125).outcome, Outcome::kAgrees);
}

}  // namespace tippe::differential_test
