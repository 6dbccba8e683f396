// SPDX-License-Identifier: Apache-2.0
// Moeller, section 6.4, as printed in Table 6.4 (contact 2 starts 0.88 micrometres closed), dt = 1e-5 s.
#include "support/scenes.h"

namespace tippe::scenes_woodpecker_test {

constexpr double kDt = 1e-5;
constexpr double kInnerSleeveRadius = 0.0031;

TEST(Woodpecker, SticksSlipsAndPecksAtTheKnownTimes) {
  double stick = -1.0, slip = -1.0, beak = -1.0;
  const Scene scene = test::load("woodpecker", {.settings = {}, .integrator = {}, .dt = {}, .until = "0.1"});
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport& report) {
    const double sliding = std::abs(state.u[0] + kInnerSleeveRadius * state.u[1]);
    if (stick < 0.0 && sliding < 1e-10) stick = state.t;
    if (stick > 0.0 && slip < 0.0 && sliding > 1e-9) slip = state.t;
    if (beak < 0.0 && integrator.last_laws().impulse[0] > 0.0) beak = state.t;
    EXPECT_LE(report.residual, 1e-10);
  });
  EXPECT_NEAR(stick, 0.02165, 2 * kDt);
  EXPECT_NEAR(slip, 0.06123, 2 * kDt);
  EXPECT_NEAR(beak, 0.08101, 2 * kDt);
}

TEST(Woodpecker, ReachesItsLimitCycle) {
  const Scene scene = test::load("woodpecker", {.settings = {}, .integrator = {}, .dt = {}, .until = "5"});
  // Once a period the bird turns back at its lowest angle; time and height there by linear interpolation.
  std::vector<double> times, heights;
  State before = scene.start;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
    if (state.q[2] < -0.3 && before.u[2] < 0.0 && state.u[2] >= 0.0) {
      const double part = -before.u[2] / (state.u[2] - before.u[2]);
      times.push_back(before.t + part * (state.t - before.t));
      heights.push_back(before.q[0] + part * (state.q[0] - before.q[0]));
    }
    before = state;
  });
  ASSERT_GE(times.size(), 30u);
  const size_t last = times.size() - 1;
  // Against event-driven (docs/howto/orbit.md). Of first order: halving dt from 1e-4 to 5e-6 the descent errs by 110 to 170 dt, by more in
  // single periods.
  EXPECT_NEAR((times[last] - times[last - 2]) / 2, 0.145976065, 100 * scene.run.dt * 0.145976065);
  EXPECT_NEAR((heights[last - 2] - heights[last]) / 2, 0.0194453793, 300 * scene.run.dt * 0.0194453793);
  RecordProperty("period", std::to_string((times[last] - times[last - 2]) / 2));
  RecordProperty("descent", std::to_string((heights[last - 2] - heights[last]) / 2));
}

TEST(Woodpecker, EveryJouleIsExplained) {
  const RunSummary summary = test::run(test::load("woodpecker"));
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-7 * summary.energy.scale);
  EXPECT_GT(summary.energy.lost_in_contacts, 0.003);
  EXPECT_LE(summary.energy.max_rise_per_step, 1e-8 * summary.energy.scale);
  EXPECT_EQ(summary.impacts, 15);
}

}  // namespace tippe::scenes_woodpecker_test
