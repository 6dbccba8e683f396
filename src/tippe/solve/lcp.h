// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "tippe/solve/complementarity_solution.h"

namespace tippe {

/// How to solve an LCP. All but the portfolio are single methods, for study and comparison.
enum class LcpMethod {
  kPortfolio,
  kLemke,
  kProjectedGaussSeidel,
  kNewton,
  kEnumeration,
};

struct LcpMethodInfo {
  LcpMethod method;
  const char* name;         // "lemke"
  const char* description;  // one line for `tippe list`
};
/// All methods, the portfolio first.
[[nodiscard]] std::span<const LcpMethodInfo> lcp_methods();

struct LcpOptions {
  LcpMethod method = LcpMethod::kPortfolio;
  double tolerance = 1e-8;  // 1  converged when ComplementarityResidual::relative <= tolerance
  int max_iterations = 0;   //    of a single method (pivots, sweeps, steps, linear programs); 0: its own budget

  [[nodiscard]] std::string invalid_reason() const;  // empty if usable
};

/// Solves 0 <= z _|_ M z + q >= 0 for any M. `solution` is overwritten; what was in it is not used. The portfolio decides every
/// problem with a positive semidefinite M, up to round-off: a solution, or a proof that there is none. For other matrices it
/// may end with neither, except for problems of up to about 16 rows, which it enumerates. Throws InputError if sizes do not fit.
ComplementarityStatus solve_lcp(const LcpProblem& problem, const LcpOptions& options, ComplementaritySolution& solution);

}  // namespace tippe
