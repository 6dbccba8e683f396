// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/core/kept_vector.h"

namespace tippe {

enum class SolveStatus {
  kConverged,      // the residual measured at the end meets the tolerance
  kMaxIterations,  // the budget is spent
  kStalled,        // the iterates no longer move, but the residual does not meet the tolerance
  kNotFinite,      // the data or an iterate is infinite or not a number
};

[[nodiscard]] constexpr const char* name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::kConverged:
      return "converged";
    case SolveStatus::kMaxIterations:
      return "not converged within its iterations";
    case SolveStatus::kStalled:
      return "stalled";
    case SolveStatus::kNotFinite:
      return "not finite";
  }
  return "";
}

/// What a solver achieved. The caller owns it, so that a step can reuse its memory.
struct Solution {
  KeptVector Lambda;  // warm start in, best iterate out, also when not converged
  SolveStatus status = SolveStatus::kMaxIterations;
  int iterations = 0;
  double residual = -1.0;  // Residual::relative of Lambda, measured at the end
  int worst_block = -1;    // the block that contributes most to it

  [[nodiscard]] bool converged() const { return status == SolveStatus::kConverged; }
};

}  // namespace tippe
