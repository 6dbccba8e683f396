// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/model/system.h"

namespace tippe {

/// "'crank', 'slider'"; of many rows the first ones and how many more.
[[nodiscard]] std::string name_constraints(const System& system, const std::vector<int>& rows);

}  // namespace tippe
