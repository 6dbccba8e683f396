// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/analyze/impact_laws.h"
#include "tippe/problem/instant.h"

namespace tippe {

/// An impact in numbers, a line for each velocity and impulse and a column for each law that has an outcome. The first line names the columns.
struct ImpactTable {
  std::vector<std::vector<std::string>> velocities;
  std::vector<std::vector<std::string>> impulses;  // without a law: one column
};

/// `instant` has the impact of the report, whose velocities are determined.
[[nodiscard]] ImpactTable tabulate_impact(const Instant& instant, const ImpactReport& impact);

}  // namespace tippe
