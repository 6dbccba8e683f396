// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/modes/contact_modes.h"

namespace tippe {

/// What every contact and every dry friction of a problem can do, closed before open and sticking before sliding. A contact in space that
/// begins to slide has the direction of its first tangent, in place of all.
struct ModeChoices {
  std::vector<std::vector<ContactChoice>> contacts;  // in the order of ContactModes::solve
  std::string refusal;  // not empty: there are too many to try, or a friction coefficient is not known
  int spatial = 0;      // contacts in space that may stick or begin to slide
};
[[nodiscard]] ModeChoices list_choices(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry = {});

/// Whether it has tangents and a coefficient > 0, or one that is not known.
[[nodiscard]] bool has_friction(const ContactRows& contact);

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
