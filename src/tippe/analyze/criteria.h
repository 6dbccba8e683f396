// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// A published criterion for A_c > 0 or for solvability, evaluated: an explanation, never the certificate. It never
/// contradicts the verdict that it is
/// about: where that hangs on round-off, so does the criterion.
struct Criterion {
  enum class Kind { kNecessary, kSufficient, kExact };
  enum class About { kDefiniteness, kSolvability };
  std::string name;       // "Theorem 1"
  std::string source;     // "Brogliato A"
  std::string statement;  // what it compares, in words
  Kind kind = Kind::kNecessary;
  bool applies = false;
  Answer holds = Answer::kUndecided;
  double value = 0.0;  // what is compared: holds if value > 0, or >= 0 for what counts
  About about = About::kDefiniteness;
};

/// On the Delassus matrix of the contacts through the bilateral constraints. Empty if M is singular.
[[nodiscard]] std::vector<Criterion> evaluate_criteria(const AccelerationProblem& problem);

}  // namespace tippe
