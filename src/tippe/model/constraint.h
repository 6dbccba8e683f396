// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tippe {

/// A bilateral constraint: one row  gamma = W'u + chi = 0. Its expression comes from the System.
struct Constraint {
  bool holonomic = true;  // g(q, t) = 0, else only its velocity gamma is given (Pfaffian)
  std::string name;
  std::string key;  // in a scene: "bilateral[0]"

  /// The key of its expression below `key`.
  [[nodiscard]] std::string row_key() const { return holonomic ? "position" : "velocity"; }
};

}  // namespace tippe
