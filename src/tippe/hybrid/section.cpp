// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/section.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"

namespace tippe {
namespace {

constexpr EventKind kSectionKinds[] = {EventKind::kImpact, EventKind::kTouch, EventKind::kSlipToStick,
                                       EventKind::kSlipReversal, EventKind::kAccumulation};

constexpr const char* kStroboscopic = "stroboscopic";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace

bool Section::holds(const Event& event) const {
  return event.kind == kind && std::includes(event.laws.begin(), event.laws.end(), laws.begin(), laws.end()) &&
         (after.empty() || after == event.after);
}

bool may_be_section(EventKind kind) {
  return std::find(std::begin(kSectionKinds), std::end(kSectionKinds), kind) != std::end(kSectionKinds);
}

Section parse_section(const System& system, std::string_view text) {
  if (trimmed(text) == kStroboscopic) return {.kind = EventKind::kOwn};
  const size_t colon = text.find(':');
  const std::string kind(trimmed(text.substr(0, colon)));
  const std::string name(colon == std::string_view::npos ? std::string_view() : trimmed(text.substr(colon + 1)));
  std::vector<std::string> kinds, names;
  for (const EventKind known : kSectionKinds) kinds.emplace_back(name_of(known));
  for (const ForceLaw& law : system.laws()) names.push_back(law.name);
  const auto known_kind = std::find(kinds.begin(), kinds.end(), kind);
  if (known_kind == kinds.end()) {
    throw ArgumentError(Argument::kSection, fmt::format("'{}' is no kind of event that can be a section{} (there are: {})",
                                                        kind, did_you_mean(kind, kinds), comma_list(kinds)));
  }
  Section section{.kind = kSectionKinds[known_kind - kinds.begin()]};
  const auto known_name = std::find(names.begin(), names.end(), name);
  if (known_name == names.end()) {
    throw ArgumentError(Argument::kSection, name.empty() ? fmt::format("'{}' names no law; write '{}:{}'", text, kind,
                                                                       names.empty() ? "NAME" : names.front())
                                                         : fmt::format("there is no law '{}'{} (there are: {})", name,
                                                                       did_you_mean(name, names), comma_list(names)));
  }
  section.laws.push_back(static_cast<int>(known_name - names.begin()));
  return section;
}

std::string section_text(const System& system, const Section& section) {
  if (section.is_stroboscopic()) return kStroboscopic;
  std::string names;
  for (const int law : section.laws) names += (names.empty() ? "" : ", ") + system.laws()[static_cast<size_t>(law)].name;
  return fmt::format("{}:{}", name_of(section.kind), names);
}

}  // namespace tippe
