// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tippe/hybrid/section.h"
#include "tippe/sweep/state_value.h"

namespace tippe {

/// Where the runs of a sweep are looked at, and how often.
///
///   impact:CONTACT     just after each impact of the contact; with an integrator that finds events also the other sections of them
///   stroboscopic       once in each forcing period of the scene, at its start and after whole periods
///   x'                 where a velocity, coordinate or quantity rises through zero
struct RunSection {
  enum class Kind { kNone, kImpact, kEvent, kStroboscopic, kRising };
  Kind kind = Kind::kNone;
  Section event;                             // kEvent
  int law = -1;                              // kImpact
  StateValue value;                          // kRising
  std::int64_t transient = 200, keep = 100;  // points that are passed over, and then kept: the run ends with the last

  [[nodiscard]] bool exists() const { return kind != Kind::kNone; }
  [[nodiscard]] std::int64_t points() const { return transient + keep; }
  /// Throws ArgumentError.
  static RunSection parse(const Scene& scene, std::string_view text);
};

/// A state in the section.
struct SweepPoint {
  std::int64_t number;  // from 0, those of the transient included
  State state;
};

/// Of points one after another: the smallest number after which they repeat within the tolerance, at least twice; 0 if there is none. Coordinates and
/// velocities are compared relative to the largest of each, times modulo `forcing_period`, if that is not 0.
struct PeriodOptions {
  double tolerance = 1e-5;
  double forcing_period = 0.0;   // s
  std::vector<bool> coordinate;  // which ones are compared; empty: all
};
[[nodiscard]] int find_period(const std::vector<SweepPoint>& points, const PeriodOptions& options);

}  // namespace tippe
