// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// A published criterion for A_c > 0 (or for solvability), evaluated: an explanation, never the certificate.
struct Criterion {
  enum class Kind { kNecessary, kSufficient, kExact };
  std::string name;       // "Theorem 1"
  std::string source;     // "Brogliato A"
  std::string statement;  // what it compares, in words
  Kind kind = Kind::kNecessary;
  bool applies = false;
  bool holds = false;
  double value = 0.0;  // what is compared: holds if value > 0
};

[[nodiscard]] std::vector<Criterion> evaluate_criteria(const AccelerationProblem& problem);

}  // namespace tippe
