// SPDX-License-Identifier: Apache-2.0
// Modes that leave their motion or their forces open: one mode each, with exact intervals.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/exact_modes.h"
#include "support/instant_problems.h"
#include "tippe/modes/modes.h"

namespace tippe::mode_sets_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Mode = ContactMode;

void expect_bounds(const VectorXd& found, const VectorXd& expected, const std::string& where) {
  ASSERT_EQ(found.size(), expected.size()) << where;
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    if (std::isinf(expected[i]))
      EXPECT_EQ(found[i], expected[i]) << where << " " << i;
    else
      EXPECT_NEAR(found[i], expected[i], 1e-9 * (1.0 + std::abs(expected[i]))) << where << " " << i;
  }
}

/// Compares all modes with all that a full enumeration has. How many have a continuum of motions, of forces.
void expect_modes(const AccelerationProblem& problem, const std::string& where, int& motions, int& forces) {
  const ModeList list = list_motion_modes(problem);
  const std::vector<test::ExactMode> exact = test::exact_modes(problem);
  std::set<std::vector<Mode>> seen, expected;
  for (const ConsistentMode& mode : list.modes) EXPECT_TRUE(seen.insert(mode.contacts).second) << where << ": a mode twice";
  for (const test::ExactMode& mode : exact) expected.insert(mode.contacts);
  EXPECT_EQ(seen, expected) << where;
  for (const ConsistentMode& mode : list.modes) {
    const auto same = std::find_if(exact.begin(), exact.end(), [&](const auto& e) { return e.contacts == mode.contacts; });
    if (same == exact.end()) continue;
    expect_bounds(mode.motion_lower, same->motion_lower, where + " motion from");
    expect_bounds(mode.motion_upper, same->motion_upper, where + " motion to");
    expect_bounds(mode.lower, same->lower, where + " forces from");
    expect_bounds(mode.upper, same->upper, where + " forces to");
    EXPECT_EQ(mode.motion_unique, (same->motion_upper - same->motion_lower).maxCoeff() <= 1e-9) << where;
    EXPECT_LE(mode.residual, 1e-11) << where;
    motions += mode.motion_unique ? 0 : 1;
    forces += mode.forces_unique ? 0 : 1;
  }
}

/// Small whole numbers, so that boundaries are met: feet in line, on one block, or anywhere.
AccelerationProblem whole_problem(test::Random& random, bool massless) {
  constexpr double kMus[] = {0.0, 0.2, 0.5, 1.0, 2.0};
  const auto whole = [&](int most) { return static_cast<double>(random.below(2 * most + 1) - most); };
  const int n = 2 + random.below(2), m = 1 + random.below(3);
  AccelerationProblem problem;
  problem.M = MatrixXd::Identity(n, n);
  if (n == 3) problem.M(2, 2) = 0.5;
  problem.F.resize(n);
  for (double& f : problem.F) f = whole(5);
  const bool in_line = random.below(2) == 0;
  for (int i = 0; i < m; ++i) {
    VectorXd normal = VectorXd::Zero(n), tangent = VectorXd::Zero(n);
    for (double& x : normal) x = whole(1);
    for (double& x : tangent) x = whole(1);
    if (in_line) {
      normal = VectorXd::Unit(n, 1);
      tangent = VectorXd::Unit(n, 0);
      if (n == 3) normal[2] = i - 1, tangent[2] = random.below(2);
    }
    if (normal.isZero(0.0)) normal[0] = 1.0;
    if (tangent.isZero(0.0)) tangent[1] = 1.0;
    if (random.below(4) == 0)
      problem.unilateral.push_back(test::row("c" + std::to_string(i), normal, 0.5 * random.below(2)));
    else
      problem.unilateral.push_back(test::row("c" + std::to_string(i), normal, tangent, kMus[1 + random.below(4)]));
  }
  if (massless) {  // one more coordinate without mass, tied to the first
    for (ContactRows& contact : problem.unilateral) {
      contact.normal.conservativeResizeLike(VectorXd::Zero(n + 1));
      contact.tangents.conservativeResizeLike(MatrixXd::Zero(n + 1, contact.tangents.cols()));
      contact.normal[n] = whole(1);
    }
    problem.F.conservativeResizeLike(VectorXd::Zero(n + 1));
    problem.F[n] = whole(2);
    problem.M.conservativeResizeLike(MatrixXd::Zero(n + 1, n + 1));
    VectorXd tie = VectorXd::Unit(n + 1, n);
    tie[0] = -2.0;
    problem.bilateral.push_back(test::row("tie", tie));
  }
  return problem;
}

// Three feet in line with mu = 0.2, 2 and 0.5 share 10 N: p, 10 - 2 p, p with p from 0 to 5. Pulled by 8 N on 1 kg the
// block sticks, or slides with
// 8 - 0.2 p - 2 (10 - 2 p) - 0.5 p = 3.3 p - 12: one mode with accelerations up to 4.5, not several.
TEST(ModeSets, AContinuumOfMotionsIsOneMode) {
  const auto foot = [](const char* name, double place, double mu) {
    return test::row(name, Vector3d(0, 1, place), Vector3d(1, 0, 0), mu);
  };
  const ModeList list = list_motion_modes(test::problem_of(MatrixXd::Identity(3, 3), Vector3d(-8, 10, 0),
                                                           {foot("a", -1, 0.2), foot("b", 0, 2.0), foot("c", 1, 0.5)}));
  ASSERT_EQ(list.modes.size(), 2u);
  EXPECT_EQ(list.unique(), false);
  const ConsistentMode& sticks = list.modes[0];
  EXPECT_EQ(sticks.contacts, std::vector(3, Mode::kStick));
  EXPECT_TRUE(sticks.motion_unique);
  const ConsistentMode& slides = list.modes[1];
  EXPECT_EQ(slides.contacts, std::vector(3, Mode::kSlideForward));
  EXPECT_FALSE(slides.motion_unique);
  EXPECT_NEAR(slides.motion_lower[0], 0.0, 1e-11);
  EXPECT_NEAR(slides.motion_upper[0], 4.5, 1e-11);
  EXPECT_GT(slides.motion[0], 0.0);
  EXPECT_NEAR(slides.lower[0], 12.0 / 3.3, 1e-11);
  EXPECT_NEAR(slides.upper[0], 5.0, 1e-11);
  EXPECT_NEAR(slides.lower[2], 0.0, 1e-11);
  EXPECT_NEAR(slides.upper[2], 10.0 - 24.0 / 3.3, 1e-11);
  EXPECT_NE(list.note.find("leaves its motion open"), std::string::npos) << list.note;
}

TEST(ModeSets, AreThoseOfAFullEnumeration) {
  test::Random random(81);
  int motions = 0, forces = 0;
  for (int trial = 0; trial < 150; ++trial)
    expect_modes(whole_problem(random, trial % 3 == 0), "trial " + std::to_string(trial), motions, forces);
  EXPECT_GT(motions, 3);
  EXPECT_GT(forces, 20);
}

// With directions without mass that nothing holds, no mode is there twice, nor two modes with the same contacts.
TEST(ModeSets, NoModeIsThereTwiceWithASingularMass) {
  test::Random random(82);
  for (int trial = 0; trial < 300; ++trial) {
    AccelerationProblem problem = whole_problem(random, false);
    const int light = random.below(problem.n());
    problem.M(light, light) = 0.0;
    if (random.below(2) == 0) problem.F[light] = 0.0;
    std::set<std::vector<Mode>> seen;
    for (const ConsistentMode& mode : list_motion_modes(problem).modes)
      EXPECT_TRUE(seen.insert(mode.contacts).second) << trial;
  }
}

}  // namespace tippe::mode_sets_test
