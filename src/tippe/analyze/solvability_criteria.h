// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/analyze/criteria.h"

namespace tippe {

/// Published criteria for solvability: Brogliato B, Proposition 8, where nothing slides; copositivity and Theorem
/// 3.8.6 of Cottle, Pang and Stone
/// where contacts slide. Empty without unilateral contacts.
[[nodiscard]] std::vector<Criterion> evaluate_solvability_criteria(const AccelerationProblem& problem);

}  // namespace tippe
