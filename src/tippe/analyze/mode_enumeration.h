// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/analyze/contact_modes.h"

namespace tippe {

/// All motions that Coulomb's law allows at an instant.
struct EnumeratedModes {
  struct Motion {
    std::vector<ContactChoice>
        choices;  // of the first mode that has this motion: closed rather than open, sticking rather than sliding
    ModePoint point;
  };
  std::string refusal;  // not empty: there are too many contacts, or a friction coefficient is not known; nothing was tried
  std::vector<Motion> motions;
  bool complete = true;    // false: some mode was not decided, or more motions may exist in one
  bool exhaustive = true;  // false: directions of sliding in space were searched from several starts
  int cases = 0;
};

[[nodiscard]] EnumeratedModes enumerate_modes(const AccelerationProblem& problem, const ContactModes& modes);

}  // namespace tippe
