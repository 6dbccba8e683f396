// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "support/scenes.h"

namespace tippe::test {

/// [run] with errors of about 1e-12.
inline std::string accurate_run(double until) {
  return "[run]\nintegrator = \"dopri5\"\ntolerance = 1e-12\ndt = 1e-3\nuntil = " + std::to_string(until) + "\n";
}

/// The value of a recorded quantity at a state.
inline double quantity(const Scene& scene, const State& state, const std::string& name) {
  const std::vector<std::string>& names = scene.run.observables.names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::runtime_error("no quantity " + name);
  Eigen::VectorXd values;
  ObservablesEvaluator(scene.run.observables).evaluate_quantities(state, values);
  return values[found - names.begin()];
}

inline double coordinate(const Scene& scene, const State& state, const std::string& name) {
  const auto& names = scene.system->coordinate_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::runtime_error("no coordinate " + name);
  return state.q[found - names.begin()];
}

inline double velocity(const Scene& scene, const State& state, const std::string& name) {
  const auto& names = scene.system->velocity_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::runtime_error("no velocity " + name);
  return state.u[found - names.begin()];
}

/// Where the scene is at its end.
inline State end_of(const Scene& scene) {
  const RunSummary summary = run(scene);
  EXPECT_EQ(summary.status, RunStatus::kOk);
  return summary.final_state;
}

}  // namespace tippe::test
