// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>

#include "tippe/analyze/analysis.h"

namespace tippe {

struct StackedProblem;

/// Without sliding. Nothing if a direction has no mass and no equality holds it.
[[nodiscard]] std::optional<GaussValues> gauss_values(const AccelerationProblem& problem, const StackedProblem& stacked,
                                                      const Motion& motion);

}  // namespace tippe
