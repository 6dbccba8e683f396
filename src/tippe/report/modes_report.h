// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/modes/modes.h"

namespace tippe {

/// Which contact modes can follow, with the names that readers know.
struct ModesReport {
  struct Part {
    ModeList list;
    std::vector<std::string> coordinates;  // of the motion
    std::vector<std::string> forces;       // "ground.n", "ground.t", ..., then dry frictions
  };
  std::string file, title;
  std::optional<double> time;  // s  of a scene
  std::optional<Part> impact;  // absent: there is none
  std::optional<Part> motion;  // absent: a file without loads, or an impact without an outcome
  std::vector<std::string> notes;
};

/// For the terminal.
[[nodiscard]] std::string modes_text(const ModesReport& report);

/// One JSON object; docs/howto/modes.md lists the keys.
[[nodiscard]] std::string modes_json(const ModesReport& report);

}  // namespace tippe
