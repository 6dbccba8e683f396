// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/solve/contact_solver.h"

namespace tippe::bench {

/// What Tippe's contact solver does with a problem.
struct TippeResult {
  double seconds = -1.0;  // s  mean processor time of cold solves, each with a new solver
  double eta = -1.0;
  bool converged = false;  // as it says itself
  int iterations = 0;
  std::string stage;  // the last one
};

[[nodiscard]] TippeResult solve_by_tippe(const InclusionProblem& problem, const ContactSolverOptions& options);
/// By the default method.
[[nodiscard]] TippeResult solve_by_tippe(const InclusionProblem& problem, double tolerance);

}  // namespace tippe::bench
