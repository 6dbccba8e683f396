// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tippe/study/run_gradient.h"

namespace tippe {

/// Derivatives of the end of a run and of the times of its events, for the terminal.
[[nodiscard]] std::string gradient_text(const System& system, const RunGradient& gradient);

/// The value of `sensitivity` in `tippe run --json`; the keys are documented in docs/program.md.
[[nodiscard]] nlohmann::ordered_json gradient_json(const System& system, const RunGradient& gradient);

}  // namespace tippe
