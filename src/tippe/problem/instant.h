// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// What is to be judged: an instant, a collision, or both.
struct Instant {
  std::string title;
  std::optional<AccelerationProblem> acceleration;
  std::optional<ImpactProblem> impact;
  std::vector<std::string> notes;        // of whoever made it: what was left out and why
  std::vector<DryFrictionRow> dry = {};  // of the acceleration, where it is asked for
};

}  // namespace tippe
