// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/contact_state.h"

#include <algorithm>

namespace tippe {

bool is_sliding(const ForceLaw& law, std::span<const VelocityView> rows, const ContactTolerances& tolerances) {
  if (law.kind == ForceLaw::Kind::kDryFriction)
    return std::any_of(rows.begin(), rows.end(), [&](const VelocityView& row) { return is_moving(row, tolerances); });
  for (int row = 1; row < std::min(law.rows, 3); ++row) {
    if (friction_along(law, row) > 0.0 && is_moving(rows[static_cast<size_t>(row)], tolerances)) return true;
  }
  return false;
}

}  // namespace tippe
