// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "tippe/solve/complementarity_solution.h"

namespace tippe {

/// How to solve an MLCP. All but the portfolio are single methods, for study and comparison.
enum class MlcpMethod {
  kPortfolio,
  kLemke,
  kNewton,
  kEnumeration,
};

struct MlcpMethodInfo {
  MlcpMethod method;
  const char* name;         // "lemke"
  const char* description;  // one line for `tippe list`
};
/// All methods, the portfolio first.
[[nodiscard]] std::span<const MlcpMethodInfo> mlcp_methods();

struct MlcpOptions {
  MlcpMethod method = MlcpMethod::kPortfolio;
  double tolerance = 1e-8;  // 1  converged when ComplementarityResidual::relative <= tolerance
  int max_iterations = 0;   //    of a single method (pivots, steps, linear programs); 0: its own budget

  [[nodiscard]] std::string invalid_reason() const;  // empty if usable
};

/// Solves A u + C v + a = 0, 0 <= v _|_ D u + B v + b >= 0; solution.x = (u, v). A may be singular. As solve_lcp in all else.
ComplementarityStatus solve_mlcp(const MlcpProblem& problem, const MlcpOptions& options, ComplementaritySolution& solution);

}  // namespace tippe
