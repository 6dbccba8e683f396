// SPDX-License-Identifier: Apache-2.0
// What ends an event-driven run, or makes it slow, is named.
#include <tuple>

#include "support/events.h"

namespace tippe::hybrid_singularity_test {

/// The message with which a run of 1 kg under a force ends.
std::string end_of(const std::string& force, double x, double v) {
  const Scene scene = test::scene_from(
      fmt::format("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[lagrangian.forces]\nx = \"{}\"\n"
                  "[initial]\nx = {}\n\"x'\" = {}\n[run]\nintegrator = \"event-driven\"\nuntil = 3\n",
                  force, x, v));
  const auto integrator = find_integrator("event-driven")->make(*scene.system, {});
  State state = scene.start;
  for (int step = 0; step < 2000 && state.t < 3.0; ++step) {
    const StepReport report = integrator->step(state, 3.0 - state.t);
    if (!report.ok()) return describe_failure(*scene.system, report, state);
  }
  return "";
}

// Each particle reaches the edge with a velocity: x = 0, or x = 1 for asin and acos.
TEST(Singularity, AnExpressionThatLeavesItsDomainIsNamed) {
  const std::vector<std::tuple<std::string, double, double, std::string>> cases = {
      {"sqrt(x)", 1.0, -3.0, "the argument of sqrt() becomes 0"}, {"log(x)", 1.0, -1.0, "the argument of log() becomes 0"},
      {"asin(x)", 0.5, 2.5, "1 - x^2 of asin(x) becomes 0"},      {"acos(x)", 0.5, 2.5, "1 - x^2 of acos(x) becomes 0"},
      {"x^1.5", 1.0, -2.0, "the base of a power becomes 0"},      {"-1/x^2", 1.0, 0.0, "a denominator becomes 0"},
  };
  for (const auto& [force, x, v, expected] : cases) {
    const std::string message = end_of(force, x, v);
    EXPECT_NE(message.find(expected), std::string::npos) << force << ": " << message;
  }
  EXPECT_EQ(end_of("-x", 1.0, 0.0), "");
}

// Three parallel cranks in line with their beam: at a = pi the rows lose a rank, and forces grow without bound.
TEST(Singularity, ALinkageThatLosesRankIsNamed) {
  const Scene scene = test::load("double_four_bar");
  const auto integrator = find_integrator("event-driven")->make(*scene.system, {});
  State state = scene.start;
  std::string message;
  for (int step = 0; step < 5000 && state.t < 2.0 && message.empty(); ++step) {
    const StepReport report = integrator->step(state, 2.0 - state.t);
    if (!report.ok()) message = describe_failure(*scene.system, report, state);
  }
  EXPECT_NEAR(state.q[3], M_PI, 1e-3);
  EXPECT_NE(message.find("loses its independence of the other rows that hold"), std::string::npos) << message;
}

std::vector<std::string> warnings_of(double c) {
  const Scene scene = test::scene_from(fmt::format(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[lagrangian.forces]\nx = \"-{}*(x' - cos(t))\"\n"
      "[initial]\n\"x'\" = 1\n[run]\nintegrator = \"event-driven\"\nuntil = 1\n",
      c));
  const auto integrator = find_integrator("event-driven")->make(*scene.system, {});
  State state = scene.start;
  while (state.t < 1.0) {
    if (!integrator->step(state, 1.0 - state.t).ok()) break;
  }
  EXPECT_EQ(state.t, 1.0);
  EXPECT_NEAR(state.u[0], (c * c * std::cos(1.0) + c * std::sin(1.0)) / (c * c + 1.0), 1.0 / c);
  const auto warnings = integrator->warnings();
  return {warnings.begin(), warnings.end()};
}

// A strong damper that follows cos(t): steps are those of the damper.
TEST(Stiffness, IsSaid) {
  EXPECT_TRUE(warnings_of(10.0).empty());
  const std::vector<std::string> said = warnings_of(1e5);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("the system is stiff"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("1e+05 1/s"), std::string::npos) << said[0];
}

}  // namespace tippe::hybrid_singularity_test
