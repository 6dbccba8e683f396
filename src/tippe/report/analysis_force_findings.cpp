// SPDX-License-Identifier: Apache-2.0
// Words on the forces: which are free together, and within which bounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/report/analysis_finding_parts.h"
#include "tippe/report/analysis_names.h"
#include "tippe/report/tolerances.h"

namespace tippe {
namespace {

using Eigen::VectorXd;
using Names = std::vector<std::string>;

/// "lies between 0 and 29.43 N", "is at least 3 N", "can have any size".
std::string range_words(double lower, double upper, double size, const char* unit) {
  const bool below = std::isinf(lower), above = std::isinf(upper);
  if (below && above) return "can have any size";
  if (above) return fmt::format("is at least {}{}", brief(lower, size), unit);
  if (below) return fmt::format("is at most {}{}", brief(upper, size), unit);
  return fmt::format("lies between {} and {}{}", brief(lower, size), brief(upper, size), unit);
}

/// The force components of an instant, as sentences call them.
struct ForceWords {
  Names names;
  Names kinds;                // ".n", ".t", ".t1"; of dry friction empty
  std::vector<bool> newtons;  // not the forces of constraints, whose unit is that of their row
  VectorXd sizes;             // against which they are round-off

  ForceWords(const Instant& instant, const VectorXd& forces)
      : names(force_names(instant)), newtons(names.size(), true), sizes(force_sizes(instant, forces)) {
    const ForceLayout layout(*instant.acceleration);
    for (size_t k = 0; k < names.size(); ++k)
      kinds.push_back(k < layout.names.size() ? names[k].substr(names[k].rfind('.')) : std::string());
    for (size_t k = layout.bilateral.empty() ? layout.names.size() : static_cast<size_t>(layout.bilateral.front());
         k < layout.names.size(); ++k)
      newtons[k] = false;
  }
};

/// One sentence on components that are undetermined together.
std::string group_sentence(const ForceSet& forces, const ForceWords& words, size_t index) {
  const std::vector<int>& group = forces.groups[index];
  const VectorXd& sizes = words.sizes;
  const auto name = [&](int k) -> const std::string& { return words.names[static_cast<size_t>(k)]; };
  const auto kind = [&](int k) -> const std::string& { return words.kinds[static_cast<size_t>(k)]; };
  const bool alone = group.size() == 1;
  const bool normals = std::all_of(group.begin(), group.end(), [&](int k) { return kind(k) == ".n"; });
  const bool contacts =
      std::all_of(group.begin(), group.end(), [&](int k) { return words.newtons[static_cast<size_t>(k)]; });
  const char* unit = contacts ? " N" : "";
  Names called;
  for (const int k : group) called.push_back(normals ? name(k).substr(0, name(k).rfind('.')) : name(k));
  std::string text =
      fmt::format("The {}force{}{} {} {} not determined", normals && contacts ? "normal " : "", alone ? "" : "s",
                  normals && contacts ? " of" : "", word_list(called), alone ? "is" : "are");
  if (!alone) text += " one by one";
  // A sum of forces in different directions says nothing.
  const bool alike = std::all_of(group.begin(), group.end(), [&](int k) { return kind(k) == kind(group[0]); });
  if (index < forces.group_sums.size() && forces.group_sums[index] && alike && !alone)
    text += fmt::format(": only their sum, {}{}, is", brief(*forces.group_sums[index], sizes[group[0]]), unit);
  const auto same = [&](int k) {
    const auto close = [&](double a, double b) { return a == b || std::abs(a - b) <= kShownAsEqual * sizes[k]; };
    return close(forces.lower[k], forces.lower[group[0]]) && close(forces.upper[k], forces.upper[group[0]]);
  };
  if (std::all_of(group.begin(), group.end(), same)) {
    return text + fmt::format("; {} {}.", alone ? "it" : "each",
                              range_words(forces.lower[group[0]], forces.upper[group[0]], sizes[group[0]], unit));
  }
  Names ranges;
  for (size_t i = 0; i < group.size(); ++i)
    ranges.push_back(
        fmt::format("{} {}", called[i], range_words(forces.lower[group[i]], forces.upper[group[i]], sizes[group[i]], unit)));
  return text + "; " + word_list(ranges) + ".";
}

std::string group_sentences(const ForceSet& forces, const ForceWords& words) {
  constexpr size_t kMostGroups = 6;
  std::string text;
  for (size_t g = 0; g < std::min(forces.groups.size(), kMostGroups); ++g)
    text += (g == 0 ? "" : " ") + group_sentence(forces, words, g);
  if (forces.groups.size() > kMostGroups)
    text += fmt::format(" {} more groups are like this.", forces.groups.size() - kMostGroups);
  return text;
}

}  // namespace

Finding forces_finding(const Instant& instant, const Analysis& analysis) {
  const ForceSet& forces = *analysis.forces;
  const bool one_motion = analysis.motion && analysis.motion->unique.yes();
  const bool sliding = analysis.solvability && analysis.solvability->kind == InstantKind::kSliding;
  Finding finding{"Forces",
                  forces.unique.yes()  ? "unique"
                  : forces.unique.no() ? "not unique"
                                       : "undecided",
                  tone_of(forces.unique),
                  {}};
  const ForceWords words(instant, forces.representative);
  std::string& text = finding.text;
  if (words.names.empty()) {
    finding.tone = Finding::Tone::kPlain;
    text = "There are no contacts and no constraints, so there are no forces of them.";
    return finding;
  }
  if (forces.unique.yes()) {
    text = fmt::format("{} forces of all {} are unique.", one_motion ? "The" : "With this acceleration the",
                       instant.dry.empty() ? "contacts and constraints" : "contacts, constraints and dry frictions");
  } else if (!forces.unique.no()) {
    text = undecided_words(forces.unique);
  } else {
    finding.tone = Finding::Tone::kPlain;
    text = group_sentences(forces, words);
    if (sliding && !one_motion) {
      text += (text.empty() ? "" : " ") +
              std::string("Every motion has forces of its own; the bounds are those of all motions together.");
    } else if (text.empty()) {
      text = "The forces are not unique.";
    } else {
      text += fmt::format(
          " {} motion does not depend on how these forces share the load; wear, stress and friction limits do. Rigid "
          "bodies cannot decide it: only elasticity or a measurement can, and a simulation shows one choice of many.",
          one_motion ? "The" : "This");
    }
  }
  if (limits_matter(analysis)) text = if_all_stick(text);
  if (!forces.implicitly_zero.empty())
    text +=
        fmt::format(" {} can carry nothing here although closed.", word_list(picked(words.names, forces.implicitly_zero)));
  return finding;
}

}  // namespace tippe
