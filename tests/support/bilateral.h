// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/scenes.h"
#include "tippe/integrate/constrained_motion.h"

namespace tippe::test {

using Eigen::VectorXd;

/// A system at an instant: accelerations and forces of the constraints.
struct HeldInstant {
  VectorXd a, lambda, force;

  HeldInstant(const Scene& scene, const State& state) {
    ConstrainedMotion motion(*scene.system);
    StepReport report;
    EXPECT_TRUE(motion.evaluate(state.t, state.q, state.u, report)) << report.culprit;
    a = motion.acceleration();
    motion.constraint_forces(lambda, force);
  }
};

inline std::string run_with(const std::string& integrator, double dt, double until, const std::string& more = "") {
  return "[run]\nintegrator = \"" + integrator + "\"\ndt = " + std::to_string(dt) + "\nuntil = " + std::to_string(until) +
         "\n" + more;
}

}  // namespace tippe::test
