// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/analyze/modes.h"
#include "tippe/integrate/instant_of_system.h"

namespace tippe {

/// Which contact modes can follow, with the names that readers know.
struct ModesReport {
  struct Part {
    ModeList list;
    std::vector<std::string> coordinates;  // of the motion
    std::vector<std::string> forces;       // "ground.n", "ground.t1", ..., then dry frictions
  };
  std::string file, title;
  std::optional<double> time;  // s  of a scene
  std::optional<Part> impact;  // absent: there is none
  std::optional<Part> motion;  // absent: a file without loads, or an impact without an outcome
  std::vector<std::string> notes;
};

/// Names of the force components of a problem and its dry frictions.
[[nodiscard]] std::vector<std::string> force_names(const AccelerationProblem& problem,
                                                   const std::vector<DryFrictionRow>& dry);

/// The modes of a system at a state, with the reasons why the others fail: those of an impact, if contacts are closing, and those of the motion after
/// its outcome that loses least energy. `notes` come before those of the instant; file and title are left empty.
[[nodiscard]] ModesReport list_modes(const System& system, const State& state, InstantOptions options,
                                     std::vector<std::string> notes = {});

/// The modes of a problem given directly, whose ties nothing decides; the file is left empty.
[[nodiscard]] ModesReport list_modes(const Instant& instant);

/// For the terminal.
[[nodiscard]] std::string modes_text(const ModesReport& report);

/// One JSON object; docs/howto/modes.md lists the keys.
[[nodiscard]] std::string modes_json(const ModesReport& report);

}  // namespace tippe
