// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/scene_branch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/scenes.h"
#include "tippe/core/error.h"
#include "tippe/study/branch_report.h"

namespace tippe::study_orbit_branch_test {

using std::numbers::pi;
using Kind = BranchMark::Kind;

SceneBranches branches_of(const std::string& name, const std::string& request, bool switches = false) {
  const SceneBranches branches = follow_branch_of(test::load(name).origin.scene_text, "test.toml", {}, parse_branch(request),
                                                  {}, {.switch_at_flips = switches});
  EXPECT_EQ(branches.found.status, PeriodicOrbit::Status::kConverged) << branches.found.message;
  return branches;
}

std::vector<BranchMark> marks_of(const OrbitBranch& branch, Kind kind) {
  std::vector<BranchMark> marks;
  for (const BranchMark& mark : branch.marks) {
    if (mark.kind == kind) marks.push_back(mark);
  }
  return marks;
}

// One bounce a period of the table: cos p = pi g (1 - e)/(A w^2 (1 + e)), so that the orbit exists from A = pi g (1 - e)/(w^2 (1 + e)) on, where its two phases meet; multipliers
// with product e^2 and sum 1 + e^2 - (1 + e)^2 (A w^2/g) sin p; one is -1 where (A w^2/g) sin p = 2 (1 + e^2)/(1 + e)^2.
constexpr double e = 0.8, w = 62.83185307179586, g = 9.81;

TEST(OrbitBranch, TheTableHasItsFoldInClosedForm) {
  const SceneBranches branches = branches_of("vibrating_table", "A=0.0015:0.0006");
  const OrbitBranch& branch = branches.found.branches.at(0);
  EXPECT_EQ(branch.end, "the end of the range");
  ASSERT_EQ(branch.marks.size(), 1u);
  EXPECT_EQ(branch.marks[0].kind, Kind::kFold);
  EXPECT_NEAR(branch.marks[0].point.parameter, pi * g * (1 - e) / (w * w * (1 + e)), 1e-12);
  EXPECT_NEAR(branch.points.back().parameter, 0.0015, 1e-15);  // back on the other side
  int folded = 1;
  for (const BranchPoint& point : branch.points) {
    if (point.multipliers.size() == 2 && point.multipliers[0].real() > 1.0) folded = -1;
    const double phase = folded * std::acos(pi * g * (1 - e) / (point.parameter * w * w * (1 + e)));
    EXPECT_NEAR(std::remainder(w * point.state.t - phase, 2 * pi), 0.0, 1e-7);
    const double sum = 1 + e * e - (1 + e) * (1 + e) * point.parameter * w * w / g * std::sin(phase);
    ASSERT_EQ(point.multipliers.size(), 2u);
    EXPECT_NEAR((point.multipliers[0] + point.multipliers[1]).real(), sum, 1e-6);
    EXPECT_NEAR((point.multipliers[0] * point.multipliers[1]).real(), e * e, 1e-7);
  }
}

// Near e = 1 it bounces where the table turns round: next to nothing moves with the phase but its time.
TEST(OrbitBranch, MultipliersAreKnownWhereTheTableTurnsRound) {
  const SceneBranches branches = branches_of("vibrating_table", "e=0.999:0.9998");
  for (const BranchPoint& point : branches.found.branches.at(0).points) {
    ASSERT_EQ(point.multipliers.size(), 2u);
    EXPECT_NEAR(std::abs(point.multipliers[0]), point.parameter,
                3e-6);  // a complex pair: the product is e^2; (kImpactStep/kWay)^2
  }
}

TEST(OrbitBranch, AtAFlipItSwitchesToTwiceThePeriod) {
  const SceneBranches branches = branches_of("vibrating_table", "A=0.0026:0.00275", true);
  ASSERT_EQ(branches.found.branches.size(), 2u);
  const OrbitBranch &once = branches.found.branches[0], &twice = branches.found.branches[1];
  const double flip = std::hypot(pi * (1 - e) / (1 + e), 2 * (1 + e * e) / ((1 + e) * (1 + e))) * g / (w * w);
  ASSERT_EQ(once.marks.size(), 1u);
  EXPECT_EQ(once.marks[0].kind, Kind::kFlip);
  EXPECT_NEAR(once.marks[0].point.parameter, flip, 1e-10);
  for (const BranchPoint& point : once.points) {
    EXPECT_EQ(point.stability == PeriodicOrbit::Stability::kStable, point.parameter < flip);
    EXPECT_NEAR(point.period, 0.1, 1e-12);
  }
  for (const BranchPoint& point : twice.points) {
    EXPECT_GT(point.parameter, flip);
    EXPECT_NEAR(point.period, 0.2, 1e-12);
    EXPECT_EQ(point.events.size(), 2u);
    EXPECT_EQ(point.stability, PeriodicOrbit::Stability::kStable);
    EXPECT_NEAR((point.multipliers[0] * point.multipliers[1]).real(), std::pow(e, 4), 1e-6);
  }
}

// The other way it ends at the flip: beyond there is no orbit of twice the period, but the one of one period gone through twice.
TEST(OrbitBranch, OrbitsOfTwiceThePeriodEndAtTheFlip) {
  const SceneBranches branches = branches_of("vibrating_table", "A=0.00275:0.0025");
  const OrbitBranch& branch = branches.found.branches.at(0);
  const double flip = std::hypot(pi * (1 - e) / (1 + e), 2 * (1 + e * e) / ((1 + e) * (1 + e))) * g / (w * w);
  EXPECT_EQ(branch.end, "the period halves");
  ASSERT_EQ(branch.marks.size(), 1u);
  EXPECT_EQ(branch.marks[0].kind, Kind::kFlip);
  EXPECT_NEAR(branch.marks[0].point.parameter, flip, 1e-9);
  for (const BranchPoint& point : branch.points) EXPECT_GT(point.parameter, flip);
}

// The restitution ends at 1: impacts lose nothing there, and each leaves with the speed with which it hits.
TEST(OrbitBranch, ReachesTheLastValueThatTheSceneTakes) {
  for (const char* request : {"e=0.98:1", "e=0.98:1.02"}) {
    SceneOverrides overrides;
    overrides.settings = {"F=0.45"};
    const SceneBranches branches = follow_branch_of(test::load("impact_oscillator").origin.scene_text, "test.toml",
                                                    overrides, parse_branch(request), {}, {});
    ASSERT_EQ(branches.found.branches.size(), 1u) << branches.found.message;
    const OrbitBranch& branch = branches.found.branches[0];
    const bool within = std::string(request) == "e=0.98:1";
    EXPECT_NE(branch.end.find(within ? "the end of the range" : "'restitution' must lie between 0 and 1"), std::string::npos)
        << branch.end;
    EXPECT_NEAR(branch.points.back().parameter, 1.0, within ? 0.0 : 1e-7);
    if (!within) continue;
    for (const Event& event : branch.points.back().events) EXPECT_NEAR(event.lost, 0.0, 1e-12);
  }
}

// One bounce a period, whatever the period is.
TEST(OrbitBranch, FollowsTheFrequencyOfTheForcing) {
  const SceneBranches branches = branches_of("vibrating_table", "w=62:50");
  const OrbitBranch& branch = branches.found.branches.at(0);
  EXPECT_EQ(branch.end, "the end of the range");
  EXPECT_LT(branch.points.size(), 40u);
  for (const BranchPoint& point : branch.points) {
    EXPECT_NEAR(point.period, 2 * pi / point.parameter, 1e-10);
    const double phase = std::acos(pi * g * (1 - e) / (0.002 * point.parameter * point.parameter * (1 + e)));
    EXPECT_NEAR(std::remainder(point.parameter * point.state.t - phase, 2 * pi), 0.0, 1e-7);
  }
}

// The flip of the woodpecker, where its multiplier is -1. On both sides by another route: differences of simulations.
TEST(OrbitBranch, TheWoodpeckerLosesItsStability) {
  const SceneBranches branches = branches_of("woodpecker", "mu=0.3:0.33");
  const OrbitBranch& branch = branches.found.branches.at(0);
  EXPECT_NEAR(branch.points.front().multipliers[0].real(), -0.839155653, 1e-8);
  ASSERT_EQ(branch.marks.size(), 1u);
  EXPECT_EQ(branch.marks[0].kind, Kind::kFlip);
  const double flip = branch.marks[0].point.parameter;
  for (const double side : {-1.0, 1.0}) {
    SceneOverrides overrides;
    overrides.settings = {"mu=" + std::to_string(flip + 1e-3 * side)};
    const Scene scene = test::load("woodpecker", overrides);
    const PeriodicOrbit orbit = find_periodic_orbit(*scene.system, scene.start, {.until = scene.run.until, .returns = 1});
    ASSERT_EQ(orbit.status, PeriodicOrbit::Status::kConverged) << orbit.message;
    EXPECT_EQ(orbit.stability, side < 0 ? PeriodicOrbit::Stability::kStable : PeriodicOrbit::Stability::kUnstable);
  }
}

// A linear oscillator between impacts, x'' + 0.1 x' + x = F cos(0.8 t), stop at 1. Where the branch ends in a grazing its flight from the other impact touches the stop by the closed form too.
TEST(OrbitBranch, AnImpactOscillatorEndsInAGrazing) {
  const SceneBranches branches = branches_of("impact_oscillator", "F=0.45:0.36");
  const OrbitBranch& branch = branches.found.branches.at(0);
  EXPECT_EQ(marks_of(branch, Kind::kFold).size(), 1u);
  const std::vector<BranchMark> grazing = marks_of(branch, Kind::kGrazing);
  ASSERT_EQ(grazing.size(), 1u);
  const BranchPoint& point = grazing[0].point;
  const double F = point.parameter, w0 = 0.8, d = 0.05, W = std::sqrt(1.0 - d * d);
  const double below = std::pow(1 - w0 * w0, 2) + std::pow(0.1 * w0, 2);
  const double c = F * (1 - w0 * w0) / below, s = F * 0.1 * w0 / below;  // c cos(w0 t) + s sin(w0 t) is driven
  const double t0 = point.state.t;
  const auto driven = [&](double t) { return c * std::cos(w0 * t) + s * std::sin(w0 * t); };
  const auto driven_rate = [&](double t) { return w0 * (s * std::cos(w0 * t) - c * std::sin(w0 * t)); };
  const double A = 1.0 - driven(t0), B = (point.state.u[0] - driven_rate(t0) + d * A) / W;
  const auto x = [&](double t) { return std::exp(-d * t) * (A * std::cos(W * t) + B * std::sin(W * t)) + driven(t0 + t); };
  ASSERT_EQ(point.events.size(), 2u);
  const double touch = point.events[0].t;
  EXPECT_NEAR(x(touch), 1.0, 1e-9);
  EXPECT_NEAR((x(touch + 1e-4) - x(touch - 1e-4)) / 2e-4, 0.0, 1e-4);
  EXPECT_LT(x(touch + 0.1), 1.0);
  EXPECT_LT(x(touch - 0.1), 1.0);
  EXPECT_NEAR(x(4 * pi / w0), 1.0, 1e-5);  // and hits at the end of two periods
}

// Below, it does not reach the stop at 1 m: it does at F = sqrt((1 - w^2)^2 + (0.1 w)^2), w = 0.8.
TEST(OrbitBranch, AMotionWithoutImpactsEndsWhereItGrazes) {
  const SceneBranches branches =
      follow_branch_of(test::load("impact_oscillator").origin.scene_text, "test.toml", {}, parse_branch("F=0.35:0.38"),
                       {.section = "stroboscopic", .returns = 1}, {});
  ASSERT_EQ(branches.found.branches.size(), 1u) << branches.found.message;
  const std::vector<BranchMark> grazing = marks_of(branches.found.branches.at(0), Kind::kGrazing);
  ASSERT_EQ(grazing.size(), 1u);
  EXPECT_NEAR(grazing[0].point.parameter, std::hypot(1 - 0.64, 0.08), 1e-8);
  EXPECT_EQ(grazing[0].note, "beyond, 'impact:stop' appears");
}

TEST(OrbitBranch, WhatIsNoBranchIsRefused) {
  for (const char* text : {"mu", "mu=1", "mu=1:x", "=1:2", "mu=1:1"})
    EXPECT_THROW(static_cast<void>(parse_branch(text)), InputError) << text;
  const SceneBranches none = follow_branch_of(test::load("bouncing_ball").origin.scene_text, "test.toml", {},
                                              parse_branch("epsilon=0.5:0.6"), {}, {});
  EXPECT_EQ(none.found.status, PeriodicOrbit::Status::kNotConverged);
  EXPECT_NE(none.found.message.find("no orbit to begin with at epsilon = 0.5"), std::string::npos);
}

// One line an orbit, with the numbers of the branch.
TEST(OrbitBranch, AsTextItHasOneLineAnOrbit) {
  const SceneBranches branches = branches_of("vibrating_table", "A=0.002:0.0021");
  const std::string csv = branch_csv(branches);
  const OrbitBranch& branch = branches.found.branches.at(0);
  EXPECT_EQ(static_cast<size_t>(std::count(csv.begin(), csv.end(), '\n')), 1 + branch.points.size());
  EXPECT_TRUE(csv.starts_with("branch,mark,A,period,largest_multiplier_re,largest_multiplier_im,stable,t,y,y'\n1,,0.002,0."))
      << csv;
}

}  // namespace tippe::study_orbit_branch_test
