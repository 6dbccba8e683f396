// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/problem/contact_mode.h"

namespace tippe {

enum class EventKind {
  kStart,             // the first mode of a run
  kImpact,            // velocities jump
  kTouch,             // a contact closes without an impulse, or grazes and opens again
  kLiftOff,           // a contact opens without an impulse
  kStickToSlip,       //
  kSlipToStick,       //
  kSlipReversal,      // the relative velocity of a sliding contact changes its sign
  kRedundancyChange,  // the rank of the rows that hold changes: forces become or cease to be unique
  kAccumulation,      // the limit of infinitely many impacts in a finite time
  kOwn,               // defined by the scene: its name is the note
};

/// As in files and in reports.
[[nodiscard]] constexpr const char* name_of(EventKind kind) {
  switch (kind) {
    case EventKind::kStart:
      return "start";
    case EventKind::kImpact:
      return "impact";
    case EventKind::kTouch:
      return "touch";
    case EventKind::kLiftOff:
      return "lift-off";
    case EventKind::kStickToSlip:
      return "stick to slip";
    case EventKind::kSlipToStick:
      return "slip to stick";
    case EventKind::kSlipReversal:
      return "slip reversal";
    case EventKind::kRedundancyChange:
      return "redundancy change";
    case EventKind::kAccumulation:
      return "accumulation";
    case EventKind::kOwn:
      return "event";
  }
  return "";
}

/// A transition between two smooth pieces of a motion. At one instant there may be several, in the order in which they follow from each
/// other: each begins with the modes that the one before it ended with.
struct Event {
  double t = 0.0;  // s
  EventKind kind = EventKind::kStart;
  std::vector<int> laws = {};                        // that take part, ascending: those that hit, open, begin to slip, ...
  std::vector<ContactMode> before = {}, after = {};  // of all laws
  Eigen::VectorXd impulse = {};                      // N s  rows of all laws as in LawStep; empty unless velocities jump
  double lost = 0.0;                                 // J    of energy, in an impact or a whole accumulation
  /// How many other modes would have been consistent too; nothing if that was not checked.
  std::optional<int> alternatives = {};
  std::string note = {};  // what a user should know: a default that was taken, a tie that was not decided; may be empty
};

}  // namespace tippe
