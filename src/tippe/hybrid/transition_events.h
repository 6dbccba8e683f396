// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/hybrid/mode_selection.h"
#include "tippe/integrate/event.h"

namespace tippe {

/// Why contact modes are chosen, and by what events that is told.
struct Occasion {
  std::optional<Event> event =
      {};                       // of a start or a jump, which the choice completes; nothing: each kind of change is an event
  std::vector<int> fired = {};  // laws whose force, friction or velocity has just reached zero
  std::vector<int> grazing = {};  // contacts that have just touched
  std::vector<int> stopped = {};  // laws whose slip has just come to an end
};

/// Of several choices the one that changes least, then the one with most contacts closed.
[[nodiscard]] size_t default_choice(const ModeSelection& selection, std::span<const ContactMode> modes);

/// What happens where `before` become the modes of the choice. `note`: on the choice.
[[nodiscard]] std::vector<Event> transition_events(double t, const Occasion& occasion,
                                                   const std::vector<ContactMode>& before, const ModeChoice& choice,
                                                   const ModeSelection& selection, const std::string& note);

}  // namespace tippe
