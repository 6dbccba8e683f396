// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/mlcp.h"

#include <fmt/format.h>

#include <array>

#include "tippe/solve/complementarity_stages.h"

namespace tippe {

std::span<const MlcpMethodInfo> mlcp_methods() {
  static constexpr std::array kMethods = {
      MlcpMethodInfo{MlcpMethod::kPortfolio, "portfolio", "stages in a fixed order, and proofs that there is no solution"},
      MlcpMethodInfo{MlcpMethod::kLemke, "lemke", "complementary pivoting after principal pivots on the free variables"},
      MlcpMethodInfo{MlcpMethod::kNewton, "newton", "semismooth Newton method on the Fischer-Burmeister equations"},
      MlcpMethodInfo{MlcpMethod::kEnumeration, "enumeration", "all choices of a zero in each pair, for small problems"},
  };
  return kMethods;
}

std::string MlcpOptions::invalid_reason() const {
  if (!(tolerance > 0.0)) return fmt::format("tolerance = {} must be positive", tolerance);
  if (max_iterations < 0) return fmt::format("max_iterations = {} must not be negative", max_iterations);
  return {};
}

ComplementarityStatus solve_mlcp(const MlcpProblem& problem, const MlcpOptions& options, ComplementaritySolution& solution) {
  if (!begin_solution(problem, solution)) return solution.status;
  ComplementarityStages stages(problem, options.tolerance, solution);
  switch (options.method) {
    case MlcpMethod::kPortfolio:
      stages.portfolio();
      break;
    case MlcpMethod::kLemke:
      stages.lemke(0, 1, options.max_iterations);
      break;
    case MlcpMethod::kNewton:
      stages.newton(options.max_iterations);
      break;
    case MlcpMethod::kEnumeration:
      stages.enumeration(options.max_iterations);
      break;
  }
  return solution.status;
}

}  // namespace tippe
