// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tippe::verify {

/// What is checked. docs/howto/trust.md says what each means, and when it is checked.
enum class Kind {
  kTimes,              // they rise, by whole steps, from the start to the end
  kColumns,            // gaps, energies and constraints in the recording are those of its q and u
  kPositions,          // positions follow from velocities
  kMomentum,           // M (u_E - u_B) = h dt + W Lambda, and of an impact without h
  kPull,               // normal impulses and clutches push
  kOpenContact,        // open contacts carry nothing, and closed ones act
  kClosing,            // closed contacts do not close
  kComplementarity,    // where an impulse acts nothing opens
  kFrictionSet,        // friction lies in its set
  kFrictionDirection,  // friction takes all the power that its set allows: it opposes the slip
  kImpactLaw,          // velocities after an impact are those of the impact law
  kConstraintPosition,
  kConstraintVelocity,
  kPenetration,  // no deeper than the run states
  kEnergy,       // the books: every joule that is booked, from impulses and velocities again
  kEvents,       // of event-driven runs: events are where they say, and modes fit forces and velocities between them
};
inline constexpr size_t kKinds = static_cast<size_t>(Kind::kEvents) + 1;

struct KindWords {
  Kind kind;
  const char* name;   // in JSON
  const char* title;  // what holds if nothing is violated
};
inline constexpr std::array<KindWords, kKinds> kKindWords = {{
    {Kind::kTimes, "times", "times rise by whole steps"},
    {Kind::kColumns, "columns", "gaps, energies and constraints are those of q and u"},
    {Kind::kPositions, "positions", "positions follow from velocities"},
    {Kind::kMomentum, "momentum", "M du = h dt + W Lambda"},
    {Kind::kPull, "pull", "contacts and clutches only push"},
    {Kind::kOpenContact, "open_contact", "open contacts carry nothing, closed ones act"},
    {Kind::kClosing, "closing", "closed contacts do not close"},
    {Kind::kComplementarity, "complementarity", "what carries an impulse does not open"},
    {Kind::kFrictionSet, "friction_set", "friction lies in its set"},
    {Kind::kFrictionDirection, "friction_direction", "friction opposes the slip"},
    {Kind::kImpactLaw, "impact_law", "velocities jump by the impact law"},
    {Kind::kConstraintPosition, "constraint_position", "constraints hold, positions"},
    {Kind::kConstraintVelocity, "constraint_velocity", "constraints hold, velocities"},
    {Kind::kPenetration, "penetration", "no deeper than stated"},
    {Kind::kEnergy, "energy", "the energy books"},
    {Kind::kEvents, "events", "events and modes fit the motion"},
}};

/// All checks of one kind.
struct Finding {
  std::int64_t checks = 0, violations = 0;
  // Of the worst check: how much of what is allowed. Above 1 it is a violation.
  double worst = 0.0;
  double value = 0.0, allowed = 0.0;  // in the unit of what is checked
  double time = 0.0;                  // s
  std::string law;                    // or constraint, coordinate, column
  std::string what;                   // one sentence
  double first_violation = 0.0;       // s   if there are any
};

struct Verdict {
  std::array<Finding, kKinds> findings;
  std::int64_t intervals = 0;     // between samples
  std::int64_t single_steps = 0;  // of them one whole step: every check by the definitions of the scheme
  std::int64_t smooth = 0;        // of them smooth motion without a law that a step is known of: balances by quadrature
  std::int64_t jumps = 0;         // of them without duration
  std::vector<std::string> not_checked;  // sentences
  std::string integrator;

  [[nodiscard]] const Finding& of(Kind kind) const { return findings[static_cast<size_t>(kind)]; }
  [[nodiscard]] bool obeys() const {
    for (const Finding& finding : findings) {
      if (finding.violations > 0) return false;
    }
    return true;
  }
};

}  // namespace tippe::verify
