// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tippe/integrate/event.h"
#include "tippe/model/system.h"

namespace tippe {

/// A Poincare section of a motion with contacts: the states just after events of one sort, or after whole periods of what drives it.
struct Section {
  EventKind kind = EventKind::kImpact;
  std::vector<int> laws = {};           // that take part, others may too
  std::vector<ContactMode> after = {};  // of all laws; empty: any

  [[nodiscard]] bool holds(const Event& event) const;
  /// After whole periods of the forcing: an event of no law, which ReturnMap makes.
  [[nodiscard]] bool is_stroboscopic() const { return kind == EventKind::kOwn; }
};

/// Whether states after such an event can be varied without leaving its mode at once: true where velocities jump or contacts begin to hold. At a
/// lift-off and where a contact begins to slip a force has just come to its bound, of which no nearby state knows.
[[nodiscard]] bool may_be_section(EventKind kind);

/// "impact:beak", "slip to stick:sleeve top": a kind of event and the name of a law; or "stroboscopic". Throws InputError, which names the option --section.
[[nodiscard]] Section parse_section(const System& system, std::string_view text);
/// The same text again.
[[nodiscard]] std::string section_text(const System& system, const Section& section);

}  // namespace tippe
