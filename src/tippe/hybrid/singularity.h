// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/hybrid/mode_flow.h"
#include "tippe/model/state.h"

namespace tippe {

/// What ends a motion of which the steps become shorter and shorter, in words that follow "at t = ..."; "" if nothing shows it: an
/// expression at the edge of its domain, or rows that lose their rank. Overwrites coefficients 0 and 1 of the flow's series.
[[nodiscard]] std::string describe_singularity(const System& system, ModeFlow& flow, const State& state);

}  // namespace tippe
