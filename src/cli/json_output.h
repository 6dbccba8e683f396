// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/contact/start_report.h"
#include "tippe/integrate/constraint_report.h"
#include "tippe/scene/scene.h"

namespace tippe::cli {

/// The one JSON object of `tippe check --json`.
[[nodiscard]] std::string check_json(const Scene& scene, const StartReport& start, const ConstraintReport& constraints,
                                     const std::vector<std::string>& warnings);

}  // namespace tippe::cli
