// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "tippe/analyze/force_cones.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// Bilateral contacts whose normal force has a limit of friction, so that its sign matters.
[[nodiscard]] std::vector<size_t> signed_contacts(const AccelerationProblem& problem);

/// What each contact and constraint may exert: the unilateral ones that are closed, then all bilateral ones. `signs`:
/// of
/// signed_contacts(). `mu`: of a contact at rest with tangents.
[[nodiscard]] std::vector<ForcePart> force_parts(const AccelerationProblem& problem, const std::vector<bool>& closed,
                                                 const std::vector<int>& signs,
                                                 const std::function<double(const ContactRows&)>& mu);

}  // namespace tippe
