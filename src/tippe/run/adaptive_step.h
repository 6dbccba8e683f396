// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/integrate/integrator.h"

namespace tippe {

/// s   The step that an adaptive scheme should try from t on its way to `until`. `first`: the first one.
[[nodiscard]] inline double trial_step(const AdaptiveIntegrator& integrator, double t, double first, double until) {
  constexpr double kStretched = 1.01;  // rather than a tiny last step
  const double rest = until - t;
  const double proposed = integrator.proposed_step() > 0.0 ? integrator.proposed_step() : first;
  return kStretched * proposed >= rest ? rest : proposed;
}

/// The end of a step from `begin` to `until` that was tried with dt and came to t, without the round-off of its sum.
[[nodiscard]] inline double exact_end(double begin, double dt, double t, double until) {
  return dt == until - begin && t == begin + dt ? until : t;
}

}  // namespace tippe
