// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/largest.h"
#include "tippe/report/analysis_names.h"
#include "tippe/report/modes_report.h"
#include "tippe/report/text_layout.h"
#include "tippe/report/tolerances.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr size_t kMostRejected = 24;

/// "ground open, hill stick".
std::string words_of(const ModeList& list, const std::vector<ContactMode>& contacts) {
  std::string words;
  for (size_t c = 0; c < contacts.size(); ++c)
    words += fmt::format("{}{} {}", c == 0 ? "" : ", ", list.contacts[c], name_of(contacts[c]));
  return words.empty() ? "no contacts" : words;
}

/// "x 1, y 0.5".
std::string values_of(const std::vector<std::string>& names, const VectorXd& values, const VectorXd& lower,
                      const VectorXd& upper) {
  std::string text;
  const double size = largest(values);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Index>(i);
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", names[i], brief(values[k], size));
    if (lower.size() > 0 && upper[k] - lower[k] > kShownAsRange * std::max(1.0, size))
      text += fmt::format(" ({} to {})", brief(lower[k], size), brief(upper[k], size));
  }
  return text;
}

std::string ordinal(int n) {
  return n == 1 ? "1st" : n == 2 ? "2nd" : n == 3 ? "3rd" : fmt::format("{}th", n);
}

/// Of what that is.
const char* trend_words(Trend::Of what, bool open) {
  switch (what) {
    case Trend::Of::kReserve:
      return "reserve of friction";
    case Trend::Of::kSlip:
      return "slip";
    case Trend::Of::kGap:
    case Trend::Of::kForce:
    case Trend::Of::kNothing:
      break;
  }
  return open ? "gap" : "force";
}

/// What decides a contact that forces and accelerations do not decide.
std::string trend_of(const std::string& name, ContactMode mode, const Trend& trend) {
  const bool open = mode == ContactMode::kOpen;
  if (trend.sign == 0)
    return fmt::format("'{}' is a tie: {} too would have this motion, and only derivatives {}", name,
                       open ? "closed" : "another mode",
                       trend.order > 0 ? fmt::format("above order {} could decide", trend.order) : "decide");
  const char* what = trend_words(trend.of, open);
  if (trend.after > 0.0)
    return fmt::format("'{}': derivatives of its {} up to the {} are zero; {:.3g} s of simulation show that it becomes {}",
                       name, what, ordinal(trend.order), trend.after, trend.sign > 0 ? "positive" : "negative");
  const int usual = trend.of == Trend::Of::kSlip ? 1 : open ? 2 : 0;
  if (trend.order <= usual) return {};
  return fmt::format("'{}': the {} derivative of its {} is the first that is not zero, and {}", name, ordinal(trend.order),
                     what, trend.sign > 0 ? "positive" : "negative");
}

std::string energy_of(const ConsistentMode& mode) {
  std::string text = fmt::format("energy: {:.6g} J", mode.energy_change);
  if (mode.surface_work == 0.0) return text;
  return text + fmt::format(" relative to surfaces that move; their work: {:.6g} J; kinetic energy: {:.6g} J",
                            mode.surface_work, mode.energy_change + mode.surface_work);
}

std::string part_text(const ModesReport::Part& part, bool impact) {
  const ModeList& list = part.list;
  std::string text = impact ? "Impact" : "Motion";
  text +=
      list.contacts.empty() ? ": no contacts in scope\n" : fmt::format(", in scope: {}\n", fmt::join(list.contacts, ", "));
  const char* one = impact ? "outcome" : "mode";
  const std::optional<bool> unique = list.unique();
  if (list.modes.empty())
    text += list.complete ? fmt::format("  No {} is consistent.\n", one) : fmt::format("  No {} was found.\n", one);
  else if (unique == true)
    text += fmt::format("  Unique: one {} is consistent.\n", one);
  else if (unique == false && list.modes.size() == 1)
    text += fmt::format("  Not unique: one {} is consistent, and it leaves its motion open.\n", one);
  else if (unique == false)
    text += fmt::format("  Not unique: {} {}s are consistent.\n", list.modes.size(), one);
  else
    text += fmt::format("  One {}; whether there are others is not known.\n", one);
  if (!list.note.empty()) text += wrapped(list.note + ".", 2);
  for (size_t m = 0; m < list.modes.size(); ++m) {
    const ConsistentMode& mode = list.modes[m];
    text += fmt::format("  {}. {}\n", m + 1, words_of(list, mode.contacts));
    text += wrapped(fmt::format("{}: {}", impact ? "velocity after" : "acceleration",
                                values_of(part.coordinates, mode.motion, mode.motion_lower, mode.motion_upper)),
                    5);
    if (mode.unbalanced.size() > 0)
      text += wrapped(fmt::format("nothing balances the load {}", combination(part.coordinates, mode.unbalanced)), 5);
    if (!part.forces.empty())
      text += wrapped(
          fmt::format("{}: {}", impact ? "impulses" : "forces", values_of(part.forces, mode.forces, mode.lower, mode.upper)),
          5);
    if (impact) text += fmt::format("     {}\n", energy_of(mode));
    for (size_t c = 0; c < mode.trending.size(); ++c) {
      const std::string trend = trend_of(list.contacts[c], mode.contacts[c], mode.trending[c]);
      if (!trend.empty()) text += wrapped(trend, 5);
    }
    if (impact) {
      for (const int c : mode.ties)
        text += wrapped(
            fmt::format("'{}' is a tie: another mode would have this motion too", list.contacts[static_cast<size_t>(c)]), 5);
    }
  }
  if (!list.rejected.empty()) text += "  Not possible:\n";
  for (size_t r = 0; r < std::min(kMostRejected, list.rejected.size()); ++r)
    text += wrapped(
        fmt::format("{}: {}", words_of(list, list.rejected[r].contacts), fmt::join(list.rejected[r].reasons, ", ")), 4);
  if (list.rejected.size() > kMostRejected)
    text += fmt::format("    and {} more; the JSON has all\n", list.rejected.size() - kMostRejected);
  return text;
}

}  // namespace

std::string modes_text(const ModesReport& report) {
  std::string text = report.title.empty() ? report.file : fmt::format("{}: {}", report.title, report.file);
  if (report.time) text += fmt::format(", t = {:.9g} s", *report.time);
  text += "\n";
  if (report.impact) text += "\n" + part_text(*report.impact, true);
  if (report.motion) text += "\n" + part_text(*report.motion, false);
  if (!report.notes.empty()) text += "\nNotes\n";
  for (const std::string& note : report.notes) text += wrapped(note, 2);
  return text;
}

}  // namespace tippe
