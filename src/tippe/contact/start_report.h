// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/model/system.h"

namespace tippe {

/// A law at the start, as a user wants to know it before a run.
struct LawAtStart {
  enum class Status {
    kOpen,         // contact: the gap is larger than the tolerance
    kClosed,       // contact: the gap lies between 0 and the tolerance
    kPenetrating,  // contact: the gap is negative
    kFree,         // clutch that runs free
    kLocked,       // clutch at rest
    kViolated,     // clutch with a negative velocity: it will be stopped by an impact
    kAtRest,       // dry friction without velocity
    kSliding,
  };
  LawId id;     // System::law_name() tells its name
  int law = 0;  // what it obeys, in System::laws()
  Status status = Status::kOpen;
  double gap = 0.0;      // m    of a contact
  double closing = 0.0;  // m/s  speed against the law: minus the gap's rate of a contact, minus the velocity of a clutch
  double speed = 0.0;    // m/s  slip of a contact, velocity of dry friction, without sign

  /// The first step will begin with an impact.
  [[nodiscard]] bool impacts() const {
    return status == Status::kViolated || (closing > 0.0 && (status == Status::kClosed || status == Status::kPenetrating));
  }
};

/// "open", "closed", ...
[[nodiscard]] const char* name_of(LawAtStart::Status status);

/// Contacts that were found at the start.
struct FoundAtStart {
  int open = 0, closed = 0, penetrating = 0;  // how many
  int closing = 0;                            // of the last two, those that begin with an impact
  double deepest = 0.0;                       // m  the smallest gap; 0 if none is negative
};

struct StartReport {
  static constexpr size_t kMostFound = 20;

  std::vector<LawAtStart>
      laws;  // all that are there at every state; of contacts that were found the worst: the deepest first
  std::optional<FoundAtStart> found;  // nothing where all laws are fixed
  Energies energies;
  int mass_entries = 0;  // places where the mass matrix can be non-zero, both triangles
};

/// Everything about a start that check_start has passed. A contact is closed when its gap is at most `closed_tolerance`.
[[nodiscard]] StartReport report_start(const System& system, const State& start, double closed_tolerance);

}  // namespace tippe
