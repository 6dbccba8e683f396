// SPDX-License-Identifier: Apache-2.0
// Runs that take more than 20 s each: ./check --long.
#include <cmath>
#include <limits>

#include "support/scenes.h"
#include "tippe/run/registry.h"

namespace tippe::scenes_long_runs_test {

/// The largest |E - E_0| over the steps, relative to the largest T + |V|, which round-off is relative to.
double worst_drift(const std::string& name, const char* integrator, double dt, int steps) {
  const Scene scene = test::load(name);
  const auto evaluator = scene.system->make_evaluator();
  const auto energies_at = [&](const State& at) {
    evaluator->set_state(at.t, at.q, at.u);
    return evaluator->evaluate_energies();
  };
  const auto stepper = find_integrator(integrator)->make(*scene.system, {});
  State state = scene.start;
  const Energies start = energies_at(state);
  double worst = 0.0, size = 0.0;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(state, dt);
    if (!report.ok()) {
      ADD_FAILURE() << "step " << k << " was not solved: " << report.culprit;
      break;
    }
    const Energies now = energies_at(state);
    worst = std::max(worst, std::abs(now.kinetic + now.potential - start.kinetic - start.potential));
    size = std::max(size, now.kinetic + std::abs(now.potential));
  }
  return worst / size;
}

/// Roundings of a step that all had one direction would add up to many times epsilon; a hundredth of epsilon a step leaves room for what is
/// measured: 7e-19 a step, in one direction, with the double pendulum.
double round_off(int steps) {
  return 0.01 * std::numeric_limits<double>::epsilon() * steps;
}

TEST(LongRuns, AFreeTopKeepsItsEnergyOverTwentyMillionSteps) {
  constexpr int kSteps = 20000000;
  EXPECT_LE(worst_drift("free_top", "quaternion-2", 1e-3, kSteps), round_off(kSteps));
}

// Moeller, chapter 5: elastic impacts keep the energy as smooth motion does.
TEST(LongRuns, ElasticImpactsOfADoublePendulumKeepItsEnergyOverTenMillionSteps) {
  constexpr int kSteps = 10000000;
  EXPECT_LE(worst_drift("double_pendulum_wall", "consistent-2", 1e-3, kSteps), round_off(kSteps));
}

}  // namespace tippe::scenes_long_runs_test
