// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/column_units.h"

namespace tippe {
namespace {

/// "m/s" -> "m": what a velocity is the rate of.
std::string unit_of_way(const std::string& velocity) {
  if (velocity.ends_with("/s")) return velocity.substr(0, velocity.size() - 2);
  return kSomeUnit;
}

}  // namespace

std::string rate_unit(const std::string& unit) {
  if (unit.empty() || unit == kSomeUnit) return unit;
  return unit.ends_with("/s") ? unit + "^2" : unit + "/s";
}

std::string dual_unit(const std::string& unit, const std::string& of_time) {
  if (unit == "m") return "N" + of_time;
  if (unit == kRadian || unit == kPureNumber) return "N m" + of_time;
  return unit.empty() || unit == kSomeUnit ? unit : "J" + of_time + "/" + unit;
}

ColumnUnits column_units(const System& system, const RunOrigin& origin, const std::vector<std::string>& quantities) {
  const auto known = [&](const std::string& name) {
    const auto found = origin.units.find(name);
    return found == origin.units.end() ? std::string(kSomeUnit) : found->second;
  };
  ColumnUnits units;
  for (const std::string& name : system.coordinate_names()) units.q.push_back(known(name));
  for (const std::string& name : system.velocity_names()) {
    units.u.push_back(known(name));
    units.control_force.push_back(dual_unit(unit_of_way(units.u.back())));
  }
  for (const ForceLaw& law : system.laws()) {
    const bool is_contact = law.kind == ForceLaw::Kind::kContact;
    const std::string unit = known(law.name);
    if (is_contact) units.gap.push_back(unit);
    const std::string impulse = dual_unit(is_contact ? unit : unit_of_way(unit), " s");
    units.impulse.insert(units.impulse.end(), static_cast<size_t>(law.drilling ? law.rows - 1 : law.rows), impulse);
    if (law.drilling) units.impulse.push_back(dual_unit(kRadian, " s"));
  }
  for (const Constraint& row : system.constraints()) {
    const std::string unit = known(row.name);
    if (row.holonomic) units.constraint_position.push_back(unit);
    units.constraint_velocity.push_back(row.holonomic ? rate_unit(unit) : unit);
    units.constraint_force.push_back(dual_unit(row.holonomic ? unit : unit_of_way(unit)));
  }
  for (const std::string& name : quantities) units.quantity.push_back(known(name));
  return units;
}

}  // namespace tippe
