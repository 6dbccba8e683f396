// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/scenes.h"
#include "tippe/model/lagrangian.h"

namespace tippe::test {

/// What a run did to all that the consistent schemes promise to keep.
struct Guarantees {
  bool ok = false;          // every step was solved
  EnergyLedger energy;      // with max_rise_per_step
  double scale = 0.0;       // J  largest of T and |V|
  double change = 0.0;      // J  largest |T + V - their start|
  double sink = 0.0;        // m  largest fall of a gap that was closed before a step
  double position = 0.0;    // largest |g|
  double velocity = 0.0;    // largest |gamma|
  double speed = 0.0;       // largest velocity
  double residual = 0.0;    // of a step
  double quaternion = 0.0;  // largest ||A| - 1|
  int halvings = 0;

  [[nodiscard]] double rise() const { return energy.max_rise_per_step / scale; }
  [[nodiscard]] double unexplained() const { return std::abs(energy.unexplained()) / scale; }
};

inline Guarantees watch_guarantees(const Scene& scene, const std::string& integrator, double dt, int steps) {
  const auto stepper = find_integrator(integrator)->make(*scene.system, scene.run.integrator_options);
  const auto evaluator = scene.system->make_evaluator();
  State state = scene.start;
  Guarantees seen;
  Eigen::VectorXd gaps = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(scene.system->laws().size())), before = gaps, g,
                  chi;
  SparseColumns W;
  const auto energies = [&] {
    const Energies now = evaluator->evaluate_energies();
    seen.scale = std::max({seen.scale, now.kinetic, std::abs(now.potential)});
    return now;
  };
  evaluator->set_state(state.t, state.q, state.u);
  seen.energy.start(energies());
  before = gaps_of(*evaluator);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(state, dt);
    EXPECT_TRUE(report.ok()) << integrator << " at " << state.t << ": " << describe_failure(*scene.system, report, state);
    if (!report.ok()) return seen;
    evaluator->set_state(state.t, state.q, state.u);
    seen.energy.book(report, energies());
    seen.change = std::max(seen.change, std::abs(seen.energy.final - seen.energy.initial));
    seen.residual = std::max(seen.residual, report.residual);
    seen.halvings += report.halvings;
    seen.speed = std::max(seen.speed, state.u.cwiseAbs().maxCoeff());
    gaps = gaps_of(*evaluator);
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      if (before[i] <= 0.0 && report.halvings == 0) seen.sink = std::max(seen.sink, before[i] - gaps[i]);
    }
    before = gaps;
    evaluator->evaluate_constraint_positions(g);
    evaluator->evaluate_constraint_directions(W, chi);
    for (int c = 0; c < W.columns(); ++c) {
      seen.position = std::max(seen.position, std::abs(g[c]));
      seen.velocity = std::max(seen.velocity, std::abs(W.dot(c, state.u.data()) + chi[c]));
    }
    for (const UnitQuaternion& A : scene.system->lagrangian()->unit_quaternions)
      seen.quaternion = std::max(seen.quaternion, std::abs(state.q.segment<4>(A.first_coordinate).norm() - 1.0));
  }
  seen.ok = true;
  return seen;
}

}  // namespace tippe::test
