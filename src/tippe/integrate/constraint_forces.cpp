// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/constraint_forces.h"

#include "tippe/integrate/constrained_motion.h"

namespace tippe {

ConstraintForces constraint_forces(const System& system, const State& state) {
  ConstraintForces forces;
  ConstrainedMotion motion(system);
  StepReport report;
  if (motion.evaluate(state.t, state.q, state.u, report)) {
    motion.constraint_forces(forces.lambda, forces.on_velocities);
  } else {
    forces.failure = describe_failure(system, report, state);
  }
  return forces;
}

}  // namespace tippe
