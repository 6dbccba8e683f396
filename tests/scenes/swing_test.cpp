// SPDX-License-Identifier: Apache-2.0
// The scenes of events and of planes that move, in closed form.
#include <cmath>

#include "support/scenes.h"

namespace tippe::scenes_swing_test {

// Between two pushes the energy stays, and each multiplies that above the lowest point by push^2: 1 - cos(phi) of the turning points does so too.
TEST(Swing, IsPushedUntilItIsHighEnoughOrOftenEnough) {
  for (const char* integrator : {"event-driven", "conserving"}) {
    SCOPED_TRACE(integrator);
    const Scene high = test::load("swing", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
    const RunSummary summary = test::run(high);
    ASSERT_TRUE(summary.stopped.has_value());
    EXPECT_EQ(summary.stopped->because, "event high");
    EXPECT_EQ(summary.own_events[0].count, 8);  // 1.44^8 (1 - cos 0.25) > 1/2 > 1.44^7 (1 - cos 0.25)
    EXPECT_NEAR(summary.final_state.q[0], M_PI / 3.0, 1e-9);
    const double start = 9.81 * 2.0 * (1.0 - std::cos(0.25)), end = 9.81 * 2.0 * 0.5;
    const double speed = summary.final_state.u[0];
    EXPECT_NEAR(2.0 * speed * speed + end, std::pow(1.44, 8) * start, 1e-9 * end);
    const Scene often = test::load("swing", {.settings = {"highest=3"}, .integrator = integrator, .dt = {}, .until = {}});
    EXPECT_EQ(test::run(often).stopped.value_or(EarlyStop{}).because, "stop_after push");
  }
}

// What slips all the time has +-mu g, half a period each: a triangle about zero once the start has died out; at last by half a period's worth.
TEST(ShakenPlate, DragsAParcelOrSlipsUnderIt) {
  const double g = 9.81, mu = 0.25, w = 20.0;
  const auto largest = [&](const char* A, auto&& value) {
    const Scene scene = test::load("shaken_plate", {.settings = {A}, .integrator = "moreau", .dt = {}, .until = {}});
    double most = 0.0;
    test::watch(scene, [&](const State& state, const Integrator& /*moreau*/, const StepReport& /*report*/) {
      most = std::max(most, std::abs(value(state)));
    });
    return most;
  };
  EXPECT_LE(largest("A=0.006", [&](const State& s) { return s.u[0] - 0.006 * w * std::cos(w * s.t); }), 2e-3);
  const auto late = [](const State& state) { return state.t > 4.0 ? state.u[0] : 0.0; };
  EXPECT_NEAR(largest("A=0.02", late), mu * g * M_PI / (2.0 * w), 0.5 * mu * g * 1e-3);
  EXPECT_NEAR(largest("A=0.03", late), mu * g * M_PI / (2.0 * w), 0.5 * mu * g * 1e-3);
  const Scene exact = test::load("shaken_plate");
  EXPECT_NEAR(exact.start.u[0], 0.4, 1e-15);
  RunSummary summary = test::run(exact);
  EXPECT_EQ(summary.events[EventKind::kSlipReversal], 31);
  EXPECT_LT(std::abs(summary.energy.unexplained()), 1e-10);
}

}  // namespace tippe::scenes_swing_test
