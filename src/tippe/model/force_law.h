// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include "tippe/problem/impact_law.h"
#include "tippe/sets/contensou.h"

namespace tippe {

/// A set-valued force law: which inclusion its impulses obey, and its impact law. Directions come from the
/// System.
struct ForceLaw {
  enum class Kind {
    kContact,      // unilateral contact: row 0 normal, rows 1 and 2 friction, row 3 drilling; acts while its gap is closed
    kOneWay,       // sprag clutch: velocity >= 0, always active
    kDryFriction,  // |force| <= limit against a velocity, always active
  };
  static constexpr int kMostRows = 4;

  Kind kind = Kind::kContact;
  std::string name;
  std::string key;   // in a scene: "contact[0]"
  int rows = 1;      // 1, or 1 + number of friction directions
  double mu1 = 0.0;  // 1   friction coefficients along the two directions
  double mu2 = 0.0;
  double limit = 0.0;  // N   of dry friction, in the unit that its velocity asks for
  /// Coulomb-Contensou friction: force and drilling moment share one set.
  struct Drilling {
    double Rbar = 0.0;  // m  mean drilling radius
    DrillingSet set = DrillingSet::kExact;
  };
  std::optional<Drilling> drilling;  // rows == 4

  /// A contact with friction along one direction at least.
  [[nodiscard]] bool has_friction() const {
    return kind == Kind::kContact && ((rows > 1 && mu1 > 0.0) || (rows > 2 && mu2 > 0.0));
  }

  /// The key of a row's expression below `key`: "gap", "slip", "slip[1]", "spin" or "velocity".
  [[nodiscard]] std::string row_key(int row) const {
    if (kind != Kind::kContact) return "velocity";
    if (row == 0) return "gap";
    if (row == 3) return "spin";
    return rows == 2 ? "slip" : "slip[" + std::to_string(row - 1) + "]";
  }

  std::array<double, kMostRows> epsilon{};  // 1   restitution of each row, Newton's impact law
};

/// How a scene calls the kind.
[[nodiscard]] constexpr const char* name_of(ForceLaw::Kind kind) {
  switch (kind) {
    case ForceLaw::Kind::kContact:
      return "contact";
    case ForceLaw::Kind::kOneWay:
      return "one_way";
    case ForceLaw::Kind::kDryFriction:
      return "dry_friction";
  }
  return "";
}

}  // namespace tippe
