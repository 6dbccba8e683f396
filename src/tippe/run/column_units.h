// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/model/system.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// Units as a scene or we name them. Of a number that may be of any kind we say no more than that it is in SI units.
inline constexpr const char* kRadian = "rad";
inline constexpr const char* kPureNumber = "1";
inline constexpr const char* kSomeUnit = "SI";

/// "m" -> "m/s", "m/s" -> "m/s^2", "1" -> "1/s".
[[nodiscard]] std::string rate_unit(const std::string& unit);
/// Of what does work on a length in this unit, times `of_time`, "" or " s": "m" -> "N", "rad" -> "N m", "mm" -> "J/mm".
[[nodiscard]] std::string dual_unit(const std::string& unit, const std::string& of_time = "");

/// Units of the columns of a recording, as many as there are names.
struct ColumnUnits {
  std::vector<std::string> q, u, gap, impulse, quantity;
  std::vector<std::string> constraint_force, control_force, constraint_position, constraint_velocity;
};
[[nodiscard]] ColumnUnits column_units(const System& system, const RunOrigin& origin,
                                       const std::vector<std::string>& quantities);

}  // namespace tippe
