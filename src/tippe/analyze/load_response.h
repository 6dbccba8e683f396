// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "tippe/analyze/analysis.h"

namespace tippe {

/// Of a unique motion with its forces. `yielding`: dry frictions at rest that begin to slide; the others hold. Nothing
/// if small changes of the load do not
/// decide the motion.
[[nodiscard]] std::optional<LoadResponse> respond_to_load(const AccelerationProblem& problem,
                                                          std::span<const DryFrictionRow> dry,
                                                          const std::vector<int>& yielding, const Motion& motion,
                                                          const ForceSet& forces);

}  // namespace tippe
