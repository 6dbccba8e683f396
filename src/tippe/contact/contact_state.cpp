// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/contact_state.h"

#include <algorithm>

namespace tippe {

bool is_sliding(const ForceLaw& law, std::span<const VelocityView> rows, const ContactTolerances& tolerances) {
  if (law.is_line_friction()) return is_moving(rows[0], tolerances);
  for (int row = law.first_slip(); row < law.first_slip() + friction_rows(law); ++row) {
    if (slip_weight(law, row) > 0.0 && is_moving(rows[static_cast<size_t>(row)], tolerances)) return true;
  }
  return false;
}

}  // namespace tippe
