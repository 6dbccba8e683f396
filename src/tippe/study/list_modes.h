// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/integrate/instant_of_system.h"
#include "tippe/report/modes_report.h"

namespace tippe {

/// The modes of a system at a state, with the reasons why the others fail: those of an impact, if contacts are closing, and those of the
/// motion after its outcome that loses least energy. `notes` come before those of the instant; file and title are left empty.
[[nodiscard]] ModesReport list_modes(const System& system, const State& state, const InstantOptions& options,
                                     std::vector<std::string> notes = {});

/// The modes of a problem given directly, whose ties nothing decides; the file is left empty.
[[nodiscard]] ModesReport list_modes(const Instant& instant);

}  // namespace tippe
