// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/scenes.h"

namespace tippe::test {

/// What a run did to the invariants of a system.
struct Invariants {
  double energy = 0.0;    // largest |T + V - their start| / |their start|
  double position = 0.0;  // largest |g|
  double velocity = 0.0;  // largest |gamma|
  int halvings = 0;
  State end;
};

inline Invariants watch_invariants(const Scene& scene, const std::string& integrator, double dt, int steps) {
  const auto stepper = find_integrator(integrator)->make(*scene.system, scene.run.integrator_options);
  const auto evaluator = scene.system->make_evaluator();
  Invariants seen;
  seen.end = scene.start;
  State& state = seen.end;
  SparseColumns W;
  Eigen::VectorXd chi, g;
  const auto energy = [&] {
    evaluator->set_state(state.t, state.q, state.u);
    const Energies energies = evaluator->evaluate_energies();
    return energies.kinetic + energies.potential;
  };
  const double start = energy();
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(state, dt);
    EXPECT_TRUE(report.ok()) << describe_failure(*scene.system, report, state);
    if (!report.ok()) break;
    seen.halvings += report.halvings;
    seen.energy = std::max(seen.energy, std::abs(energy() / start - 1.0));
    evaluator->evaluate_constraint_positions(g);
    evaluator->evaluate_constraint_directions(W, chi);
    for (int c = 0; c < W.columns(); ++c) {
      const double gamma = W.dot(c, state.u.data()) + chi[c];
      seen.position = std::max(seen.position, std::abs(g[c]));
      seen.velocity = std::max(seen.velocity, std::abs(gamma));
    }
  }
  return seen;
}

/// Slope of log(error) over log(dt) by least squares, over steps that are no halves of each other. error(end, dt) of a run until
/// `until`.
template <class Error>
double measured_order(const Scene& scene, const std::string& integrator, double until, std::vector<int> steps,
                      Error&& error) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (const int count : steps) {
    const double dt = until / count;
    const double x = std::log(dt), y = std::log(error(watch_invariants(scene, integrator, dt, count).end));
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const auto n = static_cast<double>(steps.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace tippe::test
