// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tippe/model/system.h"
#include "tippe/run/run_options.h"

namespace tippe {

/// Of the energies of a sample, J.
inline const std::vector<std::string>& energy_columns() {
  static const std::vector<std::string> names = {"kinetic",         "potential", "total",      "lost_in_contacts",
                                                 "lost_in_damping", "work_done", "pushed_out", "unexplained"};
  return names;
}
/// Whether a run may have events.
inline bool has_events(const RunOptions& options) {
  return options.adaptive() || !options.events.empty();
}
/// Of the laws with a gap.
inline std::vector<int> contact_numbers(const std::vector<ForceLaw>& laws) {
  std::vector<int> numbers;
  for (size_t i = 0; i < laws.size(); ++i) {
    if (laws[i].kind == ForceLaw::Kind::kContact) numbers.push_back(static_cast<int>(i));
  }
  return numbers;
}
/// Two numbers for each law: what |f_t|/f_n is along its directions while it slides. Not numbers where that is not one number.
inline std::vector<double> friction_of(const std::vector<ForceLaw>& laws) {
  std::vector<double> friction;
  for (const ForceLaw& law : laws) {
    const bool has = law.kind == ForceLaw::Kind::kContact && !law.drilling && !law.falling;
    friction.insert(friction.end(), {has ? law.mu1 : std::nan(""), has ? law.mu2 : std::nan("")});
  }
  return friction;
}

/// Two numbers for each law: of dry friction against one velocity what its force is while it slides forwards, and backwards.
inline std::vector<double> limits_of(const std::vector<ForceLaw>& laws) {
  std::vector<double> limits;
  for (const ForceLaw& law : laws) {
    const bool has = law.is_line_friction() && !law.falling && !law.rolling;
    limits.insert(limits.end(), {has ? law.limits[0] : std::nan(""), has ? law.limits[1] : std::nan("")});
  }
  return limits;
}
/// Of the constraints with a position.
inline std::vector<int> holonomic_numbers(const std::vector<Constraint>& constraints) {
  std::vector<int> numbers;
  for (size_t k = 0; k < constraints.size(); ++k) {
    if (constraints[k].holonomic) numbers.push_back(static_cast<int>(k));
  }
  return numbers;
}

}  // namespace tippe
