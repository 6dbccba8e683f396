// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tippe/modes/mode_judge.h"

namespace tippe {

/// What every contact and every dry friction of a problem can do, closed before open and sticking before sliding. A contact in space that
/// begins to slide has the direction of its first tangent, in place of all.
struct ModeChoices {
  std::vector<std::vector<ContactChoice>> contacts;  // in the order of ContactModes::equations_of
  std::string refusal;  // not empty: there are too many to try, or a friction coefficient is not known
  int spatial = 0;      // contacts in space that may stick or begin to slide
};
[[nodiscard]] ModeChoices list_choices(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry = {});

/// Whether it has tangents and a coefficient > 0, or one that is not known.
[[nodiscard]] bool has_friction(const ContactRows& contact);

/// Called for every mode with what was found; with a direction of sliding in space that was searched, only if the mode
/// is consistent or undecided.
using ModeVisit = std::function<void(const std::vector<ContactChoice>& choices, ModeJudgement&& judgement)>;

struct Enumeration {
  int cases = 0;           // modes that were tried
  bool exhaustive = true;  // false: directions of sliding in space were searched from several starts, not all known
};

/// Judges every mode, the last contact changing fastest. `possible`: in the order of ContactModes::equations_of.
Enumeration enumerate_modes(const ContactModes& modes, const std::vector<std::vector<ContactChoice>>& possible,
                            ModeRules rules, const ModeVisit& visit);

}  // namespace tippe
