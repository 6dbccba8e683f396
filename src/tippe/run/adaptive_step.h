// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/integrate/integrator.h"
#include "tippe/run/run_options.h"

namespace tippe {

/// s   The step that an adaptive scheme should try from t on its way to options.until.
[[nodiscard]] inline double trial_step(const AdaptiveIntegrator& integrator, double t, const RunOptions& options) {
  constexpr double kStretched = 1.01;  // rather than a tiny last step
  const double rest = options.until - t;
  const double proposed = integrator.proposed_step() > 0.0 ? integrator.proposed_step() : options.dt;
  return kStretched * proposed >= rest ? rest : proposed;
}

/// The end of a step from `begin` that was tried with dt and came to t, without the round-off of its sum.
[[nodiscard]] inline double exact_end(double begin, double dt, double t, const RunOptions& options) {
  return dt == options.until - begin && t == begin + dt ? options.until : t;
}

}  // namespace tippe
