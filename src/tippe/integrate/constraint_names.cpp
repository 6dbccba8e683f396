// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/constraint_names.h"

#include <fmt/format.h>

namespace tippe {

std::string name_constraints(const System& system, const std::vector<int>& rows) {
  constexpr size_t kMost = 8;
  std::string names;
  for (size_t k = 0; k < rows.size() && k < kMost; ++k) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", system.constraints()[static_cast<size_t>(rows[k])].name);
  }
  if (rows.size() > kMost) names += fmt::format(" and {} more", rows.size() - kMost);
  return names;
}

}  // namespace tippe
