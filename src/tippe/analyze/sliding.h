// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/analyze/force_set.h"
#include "tippe/analyze/motion.h"
#include "tippe/analyze/solvability.h"

namespace tippe {

/// The problem with sliding contacts: not symmetric, may have no solution or several motions.
struct SlidingJudgement {
  Solvability solvability;
  Motion motion;  // if solvable; unique: yes only if proved
  ForceSet forces;
};

[[nodiscard]] SlidingJudgement judge_sliding(const AccelerationProblem& problem);

}  // namespace tippe
