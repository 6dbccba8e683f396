// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/hybrid/lyapunov.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// Lyapunov exponents, or how far it got, for the terminal.
[[nodiscard]] std::string lyapunov_text(const RunOrigin& origin, const LyapunovSpectrum& spectrum);

/// The one JSON object of `tippe lyapunov --json`; the keys are documented in docs/program.md.
[[nodiscard]] std::string lyapunov_json(const RunOrigin& origin, const LyapunovSpectrum& spectrum);

}  // namespace tippe
